# SPDX-License-Identifier: GPL-2.0
#
# Mutations: mutations/NAME.mutation says which text of which file becomes which
# other, and which scenarios must then fail. The format:
#
#   # why this must be found
#   file: include/ccnic/ring.h, or a file of scenarios/
#   scenarios: NAME...
#   --- before
#   text that stands in the file once
#   --- after
#   text in its place

# mutation_field(OUT TEXT NAME): the rest of the line that begins with NAME:
function(mutation_field out text name)
  if(NOT "${text}" MATCHES "(^|\n)${name}: ([^\n]+)\n")
    message(FATAL_ERROR "${mutation}: no line '${name}:'")
  endif()
  set(${out} "${CMAKE_MATCH_2}" PARENT_SCOPE)
endfunction()

# write_changed(FILE TEXT): leaves the file alone if it says that already
function(write_changed file text)
  if(EXISTS ${file})
    file(READ ${file} old)
    if("${old}" STREQUAL "${text}")
      return()
    endif()
  endif()
  file(WRITE ${file} "${text}")
endfunction()

# mutate(MUTATION): the program ccnic-model-NAME, and its test
function(mutate mutation)
  get_filename_component(name ${mutation} NAME_WE)
  set(copy ${CMAKE_CURRENT_BINARY_DIR}/mutants/${name})
  file(READ ${mutation} text)
  mutation_field(target "${text}" file)
  mutation_field(scenarios "${text}" scenarios)
  string(REPLACE " " ";" scenarios "${scenarios}")
  string(FIND "${text}" "--- before\n" before)
  string(FIND "${text}" "--- after\n" after)
  if(before LESS 0 OR after LESS before)
    message(FATAL_ERROR "${mutation}: no '--- before' and '--- after'")
  endif()
  math(EXPR start "${before} + 11")
  math(EXPR length "${after} - ${start}")
  string(SUBSTRING "${text}" ${start} ${length} old)
  math(EXPR start "${after} + 10")
  string(SUBSTRING "${text}" ${start} -1 new)

  file(GLOB files RELATIVE ${CCNIC_INCLUDE}/.. ${CCNIC_INCLUDE}/ccnic/*.h)
  file(GLOB local RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} scenarios/*)
  set(found FALSE)
  foreach(file ${files} ${local})
    if(file IN_LIST files)
      set(source ${CCNIC_INCLUDE}/../${file})
    else()
      set(source ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(READ ${source} text)
    if(file STREQUAL target)
      string(FIND "${text}" "${old}" first)
      string(FIND "${text}" "${old}" last REVERSE)
      if(first LESS 0 OR NOT first EQUAL last)
        message(FATAL_ERROR "${mutation}: its text does not stand in ${file} exactly once")
      endif()
      string(REPLACE "${old}" "${new}" text "${text}")
      set(found TRUE)
    endif()
    write_changed(${copy}/${file} "${text}")
  endforeach()
  if(NOT found)
    message(FATAL_ERROR "${mutation}: there is no ${target}")
  endif()

  # Only what the scenarios stand in is compiled anew.
  set(objects)
  foreach(part ${PARTS})
    if("${scenarios}" MATCHES "(^|;)${part}-")
      scenario_objects(ccnic-model-${name}-${part} ${copy}/include ${copy}/scenarios/${part}.cpp)
      set_target_properties(ccnic-model-${name}-${part} PROPERTIES EXPORT_COMPILE_COMMANDS OFF)
      # What a mutation leaves unused is no matter.
      target_compile_options(ccnic-model-${name}-${part} PRIVATE -w)
      list(APPEND objects ccnic-model-${name}-${part})
    else()
      list(APPEND objects ccnic-model-${part})
    endif()
  endforeach()
  add_executable(ccnic-model-${name} EXCLUDE_FROM_ALL)
  set_target_properties(ccnic-model-${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${copy})
  target_link_libraries(ccnic-model-${name} PRIVATE ccnic-model-main ${objects}
    ccnic-model-engine)
  add_dependencies(tests ccnic-model-${name})
  add_test(NAME model-mutation.${name} COMMAND ccnic-model-${name} --expect-failure ${scenarios})
  set_tests_properties(model-mutation.${name} PROPERTIES TIMEOUT 120)
endfunction()

file(GLOB mutations CONFIGURE_DEPENDS mutations/*.mutation)
foreach(mutation ${mutations})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${mutation})
  mutate(${mutation})
endforeach()
