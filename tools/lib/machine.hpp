// SPDX-License-Identifier: GPL-2.0
/** @file
 * What machine this is, as far as it matters for a figure.
 */
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tools
{

/**
 * Describes this machine: `cpu`, `cores` (CPUs online), `nodes` (NUMA nodes
 * with CPUs), `kernel` (release), `virtualised` (a bool), and `hypervisor`
 * where there is one that says its name.
 */
nlohmann::ordered_json machine_description();

/** @return the kernel's release, as `uname -r` prints it */
std::string kernel_release();

/**
 * @param list CPUs or nodes as the kernel writes them: `0-3,8`
 * @return how many there are; 0 for an empty list or one that makes no sense
 */
unsigned int count_list(std::string_view list);

} // namespace tools
