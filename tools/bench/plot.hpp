// SPDX-License-Identifier: GPL-2.0
/** @file
 * The figures as pictures, where gnuplot is installed.
 */
#pragma once

#include "figures.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace bench
{

/**
 * Draws rate over size, latency over size and latency over load, for each
 * placement, as SVG files in a folder.
 * @return the files; none where there is no gnuplot
 */
std::vector<std::filesystem::path> draw_plots(const Figured &figured,
					      const std::filesystem::path &folder);

} // namespace bench
