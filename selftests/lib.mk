# SPDX-License-Identifier: GPL-2.0
#
# What a part's Makefile includes, after it has set TEST_PROGS (scripts),
# TEST_GEN_PROGS (compiled from NAME.c) and, if it needs them, CFLAGS and LDLIBS.
# In a kernel tree the kernel's own file of this name takes its place.

OUTPUT ?= $(CURDIR)
CFLAGS += -O2 -g -Wall -Wextra
GENERATED := $(addprefix $(OUTPUT)/,$(TEST_GEN_PROGS) $(TEST_GEN_FILES))

.PHONY: all list clean

all: $(GENERATED)

$(OUTPUT)/%: %.c
	$(CC) $(CFLAGS) $(LDFLAGS) $< $(LDLIBS) -o $@

list:
	@$(foreach program,$(TEST_PROGS) $(TEST_GEN_PROGS),echo $(notdir $(CURDIR))/$(program);) true

clean:
	$(RM) $(GENERATED)
