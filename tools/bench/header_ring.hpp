// SPDX-License-Identifier: GPL-2.0
/** @file
 * The ring of include/ccnic/ring.h, in the form in which the design's variants
 * use rings.
 */
#pragma once

#include <ccnic/ring.h>
#include <cstdint>

namespace bench
{

/** The writing side. */
class HeaderProducer
{
public:
	explicit HeaderProducer(const ccnic_ring &ring)
	{
		ccnic_producer_init(&producer_, &ring);
	}
	/** @return is there room for so many descriptors? Looks at the progress if it must. */
	bool room(uint32_t count)
	{
		if (ccnic_producer_free(&producer_) >= count)
			return true;
		ccnic_producer_reclaim(&producer_);
		return ccnic_producer_free(&producer_) >= count;
	}
	uint8_t *cell() const
	{
		return ccnic_producer_cell(&producer_, 0);
	}
	void put(const ccnic_desc *desc, uint32_t count)
	{
		ccnic_producer_put(&producer_, desc, count);
	}
	void flush()
	{
		ccnic_producer_flush(&producer_);
	}
	/** @return does the next descriptor begin a line? */
	bool line_full() const
	{
		return ccnic_slot_in_line(producer_.next) == 0;
	}
	uint32_t next() const
	{
		return producer_.next;
	}
	/** @return slots that the consumer is done with, as far as is known */
	uint32_t clean() const
	{
		return producer_.clean;
	}
	/** Learns how far the consumer is. */
	void reclaim()
	{
		ccnic_producer_reclaim(&producer_);
	}

private:
	ccnic_producer producer_ = {};
};

/** The reading side. */
class HeaderConsumer
{
public:
	explicit HeaderConsumer(const ccnic_ring &ring)
	{
		ccnic_consumer_init(&consumer_, &ring);
	}
	/** @return descriptors that can be taken, at least as many as @p most if there are */
	uint32_t ahead(uint32_t most)
	{
		/* Together with the signal, not after it. */
		if (most > 1 && consumer_.inlined)
			ccnic_prefetch(ccnic_ring_cell(&consumer_.ring, consumer_.next));
		const int count = ccnic_consumer_ahead(&consumer_, most);
		return count < 0 ? 0 : static_cast<uint32_t>(count);
	}
	/** Takes a packet. @return its descriptors; 0 if there is none */
	uint32_t next(ccnic_desc *desc)
	{
		const int count = ccnic_consumer_next(&consumer_, desc);
		return count < 0 ? 0 : static_cast<uint32_t>(count);
	}
	/** @return the cell of the slot that was taken @p back slots ago, 1 or more */
	const uint8_t *cell(uint32_t back) const
	{
		return ccnic_consumer_cell(&consumer_, back, 0);
	}
	uint32_t owed() const
	{
		return ccnic_consumer_owed(&consumer_);
	}
	void give_back()
	{
		ccnic_consumer_return(&consumer_);
	}

private:
	ccnic_consumer consumer_ = {};
};

} // namespace bench
