// SPDX-License-Identifier: GPL-2.0
/** @file
 * The groups of subjects; each is compiled on its own.
 */
#pragma once

#include "subject.hpp"

namespace bench
{

/** Adds ours, the textbook's, and the naive port. */
void add_main_subjects(std::vector<Entry> &entries);

/** Adds ours with one element off. */
void add_element_subjects(std::vector<Entry> &entries);

/** Adds the floors. */
void add_floor_subjects(std::vector<Entry> &entries);

/** Adds DPDK's, where it was there when this was built. */
void add_dpdk_subjects(std::vector<Entry> &entries, std::map<std::string, std::string> &missing);

} // namespace bench
