// SPDX-License-Identifier: GPL-2.0
/** @file
 * The figures as tables for people.
 */
#pragma once

#include "figures.hpp"
#include "subject.hpp"

#include <string>
#include <vector>

namespace bench
{

/**
 * @param subjects in the order in which they are shown
 * @return all tables, of every placement
 */
std::string tables(const Figured &figured, const std::vector<Entry> &subjects);

} // namespace bench
