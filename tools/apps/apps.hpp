// SPDX-License-Identifier: GPL-2.0
/** @file
 * The applications as subjects of the benchmark.
 */
#pragma once

#include <subject.hpp>
#include <vector>

namespace apps
{

/** The key-value store and the remote calls, over everything they run over. */
std::vector<bench::Entry> all_apps();

} // namespace apps
