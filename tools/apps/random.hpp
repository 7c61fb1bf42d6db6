// SPDX-License-Identifier: GPL-2.0
/** @file
 * Keys as they are asked for: a few of them often.
 */
#pragma once

#include <cstdint>
#include <vector>

namespace apps
{

/** Small and quick (xorshift). */
class Random
{
public:
	explicit Random(uint64_t seed) : state_(seed)
	{
	}
	uint64_t next()
	{
		state_ ^= state_ << 13;
		state_ ^= state_ >> 7;
		state_ ^= state_ << 17;
		return state_;
	}
	/** @return 0 to @p limit - 1 */
	uint32_t below(uint32_t limit)
	{
		return static_cast<uint32_t>((next() >> 32) * limit >> 32);
	}

private:
	uint64_t state_;
};

/** Numbers whose frequency falls with their rank. */
class Zipf
{
public:
	/** @param count of numbers @param exponent 0: all alike */
	Zipf(uint32_t count, double exponent, uint64_t seed);

	/** @return 0 to count - 1; 0 most often */
	uint32_t next()
	{
		return draws_[random_.below(static_cast<uint32_t>(draws_.size()))];
	}

private:
	Random random_;
	/* Drawn beforehand, so that what is measured is not the drawing. */
	std::vector<uint32_t> draws_;
};

} // namespace apps
