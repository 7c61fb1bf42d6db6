// SPDX-License-Identifier: GPL-2.0
/** @file
 * How often a side that polls looks again.
 */
#pragma once

#include "clock.hpp"

#include <cstdint>

namespace bench
{

/**
 * Polling a line that the other side is writing costs both of them a transfer.
 * A side that found little lets some time pass, so that the other can write
 * several packets for one transfer; one that has found nothing after that looks as
 * often as it can, as the next packet should not wait.
 */
class Pace
{
public:
	/**
	 * @param gap_ns between two looks while there is traffic; 0: no gap
	 * @param enough packets of a look after which the next may follow at once
	 */
	explicit Pace(double gap_ns, uint32_t enough = 16)
		: gap_(ticks_of_ns(gap_ns)), enough_(enough)
	{
	}

	/** @return may the side look now? */
	bool ready() const
	{
		return wait_ == 0 || ticks() - last_ >= wait_;
	}

	/** Says what a look has found. */
	void found(uint32_t packets)
	{
		if (gap_ == 0)
			return;
		wait_ = packets != 0 && packets < enough_ ? gap_ : 0;
		last_ = wait_ != 0 ? ticks() : 0;
	}

private:
	uint64_t gap_;
	uint64_t wait_ = 0;
	uint64_t last_ = 0;
	uint32_t enough_;
};

} // namespace bench
