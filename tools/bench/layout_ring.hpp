// SPDX-License-Identifier: GPL-2.0
/** @file
 * Rings that differ from include/ccnic/ring.h in one thing: where descriptors
 * and signals stand. For comparison only.
 */
#pragma once

#include "elements.hpp"

#include <ccnic/ring.h>
#include <cstdint>

namespace bench
{

/** Where a layout puts things. */
template <Layout layout>
struct LayoutPlaces {
	/** Descriptors that one signal speaks of. */
	static constexpr uint32_t descriptors = layout == Layout::single ? 1 : CCNIC_LINE_DESCS;
	/** Bytes from a signal to the next, where signals are not in the descriptors' lines. */
	static constexpr uint32_t signal_stride = layout == Layout::packed ? 8 : CCNIC_LINE_SIZE;

	static ccnic_line *line(const ccnic_ring &ring, uint32_t slot)
	{
		return &ring.lines[(slot & (ring.slots - 1)) / descriptors];
	}
	/* The signals of the layouts that have them apart follow the lines. */
	static uint32_t *signal(const ccnic_ring &ring, uint32_t slot)
	{
		if constexpr (layout == Layout::single)
			return &line(ring, slot)->signal;

		auto *signals = reinterpret_cast<uint8_t *>(ring.lines + ring.slots / descriptors);
		return reinterpret_cast<uint32_t *>(signals + (slot & (ring.slots - 1)) /
								      descriptors * signal_stride);
	}
	/** @return lines of memory that a ring takes */
	static uint32_t lines(uint32_t slots)
	{
		return slots / descriptors * 2;
	}
};

/** The writing side. */
template <Layout layout>
class LayoutProducer
{
	using Places = LayoutPlaces<layout>;

public:
	explicit LayoutProducer(const ccnic_ring &ring) : ring_(ring)
	{
	}
	bool room(uint32_t count)
	{
		if (free() >= count)
			return true;
		reclaim();
		return free() >= count;
	}
	uint8_t *cell() const
	{
		return ccnic_ring_cell(&ring_, next_);
	}
	void put(const ccnic_desc *desc, uint32_t count)
	{
		for (uint32_t i = 0; i < count; i++, next_++)
			Places::line(ring_, next_)->slots.desc[next_ % Places::descriptors] =
				desc[i];
	}
	/* As ccnic_producer_flush(): the first signal last. */
	void flush()
	{
		const uint32_t first = published_ - published_ % Places::descriptors;
		uint32_t last = next_ - 1;

		if (next_ == published_)
			return;
		last -= last % Places::descriptors;
		uint32_t count = next_ - last;
		for (; last != first; last -= Places::descriptors) {
			ccnic_write_once(Places::signal(ring_, last),
					 ccnic_signal(last / Places::descriptors, count));
			count = Places::descriptors;
		}
		ccnic_store_release(Places::signal(ring_, first),
				    ccnic_signal(first / Places::descriptors, count));
		published_ = next_;
	}
	bool line_full() const
	{
		return next_ % Places::descriptors == 0;
	}
	uint32_t next() const
	{
		return next_;
	}
	uint32_t clean() const
	{
		return clean_;
	}
	void reclaim()
	{
		clean_ = ccnic_load_acquire(&ring_.progress->slots);
	}

private:
	uint32_t free() const
	{
		return ring_.slots - (next_ - (clean_ - clean_ % Places::descriptors));
	}

	ccnic_ring ring_;
	uint32_t next_ = 0;
	uint32_t published_ = 0;
	uint32_t clean_ = 0;
};

/** The reading side. */
template <Layout layout>
class LayoutConsumer
{
	using Places = LayoutPlaces<layout>;

public:
	explicit LayoutConsumer(const ccnic_ring &ring) : ring_(ring)
	{
	}
	uint32_t ahead(uint32_t most)
	{
		if (most > 1 && inlined_)
			ccnic_prefetch(ccnic_ring_cell(&ring_, next_));
		while (end_ - next_ < most && look() != 0 && end_ % Places::descriptors == 0)
			;

		const uint32_t count = end_ - next_;
		for (uint32_t i = 1; i < count && i < most; i++) {
			if (inlined_)
				ccnic_prefetch(ccnic_ring_cell(&ring_, next_ + i));
			if (layout != Layout::single && (next_ + i) % Places::descriptors == 0)
				ccnic_prefetch(Places::line(ring_, next_ + i));
		}
		return count;
	}
	uint32_t next(ccnic_desc *desc)
	{
		for (uint32_t i = 0; i < CCNIC_PACKET_DESCS_MAX; i++) {
			const uint32_t slot = next_ + i;

			if (slot == end_ && look() == 0)
				return 0;
			desc[i] = Places::line(ring_, slot)->slots.desc[slot % Places::descriptors];
			if ((desc[i].flags & CCNIC_F_EOP) == 0)
				continue;
			next_ = slot + 1;
			inlined_ = ccnic_desc_kind(&desc[i]) == CCNIC_KIND_INLINE;
			return i + 1;
		}
		return 0;
	}
	const uint8_t *cell(uint32_t back) const
	{
		return ccnic_ring_cell(&ring_, next_ - back);
	}
	uint32_t owed() const
	{
		return next_ - returned_;
	}
	void give_back()
	{
		if (returned_ == next_)
			return;
		ccnic_store_release(&ring_.progress->slots, next_);
		returned_ = next_;
	}

private:
	uint32_t look()
	{
		const uint32_t seen = end_ % Places::descriptors;
		const uint32_t signal = ccnic_load_acquire(Places::signal(ring_, end_));
		const uint32_t count = signal & CCNIC_SIGNAL_COUNT_MASK;

		if (signal >> CCNIC_SIGNAL_SEQ_SHIFT != ((end_ / Places::descriptors) & 0xffff) ||
		    count <= seen)
			return 0;
		end_ += count - seen;
		return count - seen;
	}

	ccnic_ring ring_;
	uint32_t next_ = 0;
	uint32_t end_ = 0;
	uint32_t returned_ = 0;
	bool inlined_ = false;
};

} // namespace bench
