// SPDX-License-Identifier: GPL-2.0
/** @file
 * Medians with their spread, and percentiles of latencies.
 */
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace bench
{

/** The middle of some values, and the half of them around it. */
struct Spread {
	double median = 0;
	double lower = 0; /**< first quartile */
	double upper = 0; /**< third quartile */
	size_t count = 0;
};

/** @return quartiles, linear between two values; nothing of nothing */
std::optional<Spread> spread(std::vector<double> values);

/**
 * Counts latencies in buckets of 1/64 of their size, so that percentiles are
 * right within 1 % and adding one costs a few instructions.
 */
class Histogram
{
public:
	void add(uint64_t value)
	{
		counts_[bucket(value)]++;
		count_++;
		if (value < least_)
			least_ = value;
	}
	uint64_t count() const
	{
		return count_;
	}
	/** @return the smallest value; 0 if there is none */
	uint64_t least() const
	{
		return count_ != 0 ? least_ : 0;
	}
	/** @return the value that @p fraction of all do not exceed; 0 if there is none */
	uint64_t quantile(double fraction) const;

	void clear()
	{
		*this = {};
	}

private:
	static constexpr unsigned int fine_bits = 6;
	static constexpr unsigned int fine = 1u << fine_bits;

	static unsigned int bucket(uint64_t value)
	{
		if (value < fine)
			return static_cast<unsigned int>(value);

		const unsigned int log = 63u - static_cast<unsigned int>(__builtin_clzll(value));
		return (log - fine_bits + 1) * fine +
		       static_cast<unsigned int>((value >> (log - fine_bits)) & (fine - 1));
	}
	static uint64_t middle_of(unsigned int bucket);

	std::array<uint32_t, static_cast<size_t>(64 - fine_bits + 1) *fine> counts_ = {};
	uint64_t count_ = 0;
	uint64_t least_ = UINT64_MAX;
};

} // namespace bench
