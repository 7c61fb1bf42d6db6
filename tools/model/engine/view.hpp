// SPDX-License-Identifier: GPL-2.0
/** @file
 * What a thread knows: of each location's modification order, and of the
 * other threads' progress.
 */
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace model
{

/** Threads of a program at most. */
inline constexpr size_t max_threads = 4;
/** Locations that are accessed atomically, at most. */
inline constexpr size_t max_locations = 96;

/** A place in one location's modification order. */
using Stamp = uint32_t;

/** A vector clock. */
struct Clock {
	std::array<uint32_t, max_threads> of{};

	void join(const Clock &other)
	{
		for (size_t i = 0; i < max_threads; i++)
			of[i] = std::max(of[i], other.of[i]);
	}
	/** @return does this clock know of @p thread's event number @p time? */
	bool knows(size_t thread, uint32_t time) const
	{
		return of[thread] >= time;
	}
};

/** The newest message known of each location, and happens-before. */
struct View {
	std::array<Stamp, max_locations> seen{};
	Clock before;

	void join_seen(const View &other)
	{
		for (size_t i = 0; i < max_locations; i++)
			seen[i] = std::max(seen[i], other.seen[i]);
	}
	void join(const View &other)
	{
		join_seen(other);
		before.join(other.before);
	}
};

} // namespace model
