// SPDX-License-Identifier: GPL-2.0
/** @file
 * A side's private cache of buffer handles.
 */
#pragma once

#include <cstdint>
#include <vector>

namespace bench
{

/**
 * Handles at hand.
 * @tparam lifo last-in first-out; else first-in first-out
 */
template <bool lifo>
class Handles
{
public:
	/** @param most handles there can be, in all */
	explicit Handles(uint32_t most)
	{
		uint32_t size = 1;

		while (size < most)
			size *= 2;
		handles_.resize(size);
	}
	uint32_t count() const
	{
		return end_ - begin_;
	}
	void push(uint32_t handle)
	{
		at(end_++) = handle;
	}
	/** There must be one. */
	uint32_t pop()
	{
		return lifo ? at(--end_) : at(begin_++);
	}

private:
	uint32_t &at(uint32_t index)
	{
		return handles_[index & (handles_.size() - 1)];
	}

	std::vector<uint32_t> handles_;
	uint32_t begin_ = 0;
	uint32_t end_ = 0;
};

} // namespace bench
