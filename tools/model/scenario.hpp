// SPDX-License-Identifier: GPL-2.0
/** @file
 * The programs that ccnic-model knows.
 */
#pragma once

#include "engine/world.hpp"

#include <string>
#include <vector>

namespace model
{

/** How large a scenario is. */
struct Size {
	/** Lines of each ring, a power of two. */
	uint32_t lines;
	/** Packets, batches or sleeps. */
	uint32_t packets;
};

/** A program over the functions of include/ccnic. */
struct Scenario {
	std::string name;
	std::string about;
	Size size;
	void (*build)(World &world, const Size &size);
};

std::vector<Scenario> ring_scenarios();
std::vector<Scenario> wake_scenarios();
std::vector<Scenario> pool_scenarios();

} // namespace model
