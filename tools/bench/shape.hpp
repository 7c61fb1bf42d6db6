// SPDX-License-Identifier: GPL-2.0
/** @file
 * What every design is told when it is made.
 */
#pragma once

#include <cstdint>

namespace bench
{

/** Sizes that all designs have in common. */
struct Shape {
	/** Bytes of a cell; small packets ride in one. */
	static constexpr uint32_t cell_bytes = 64;

	/** Largest packet that will be sent. */
	uint32_t largest = 2048;
	/** See Pace; 0: none. */
	double pace_ns = 130;
	/** The same for the naive port. */
	double naive_pace_ns = 130;
};

/** @return distance of buffers of so many bytes: an odd number of lines */
constexpr uint32_t buffer_stride(uint32_t bytes)
{
	return ((bytes + 63) / 64 | 1) * 64;
}

static_assert(buffer_stride(2048) == 2112);

} // namespace bench
