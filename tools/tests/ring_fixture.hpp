// SPDX-License-Identifier: GPL-2.0
/** @file
 * A ring with both its sides, and packets to send through it.
 */
#pragma once

#include <ccnic/ring.h>

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

/** Ring memory: lines with all signals 0. */
using Lines = std::vector<ccnic_line>;

/** Everything that the two sides of a ring share. */
struct RingMemory {
	Lines lines;
	std::vector<uint8_t> cells;
	ccnic_progress progress{};

	explicit RingMemory(uint32_t line_count, uint32_t cell_bytes = 0)
		: lines(line_count), cells(size_t{line_count} * CCNIC_LINE_DESCS * cell_bytes),
		  cell_bytes_(cell_bytes)
	{
	}
	/** @return where it stands, as the sides are told */
	ccnic_ring ring()
	{
		return {lines.data(), cells.data(), &progress,
			static_cast<uint32_t>(lines.size()) * CCNIC_LINE_DESCS, cell_bytes_};
	}
	/** As it was when it was new. */
	void clear()
	{
		std::fill(lines.begin(), lines.end(), ccnic_line{});
		progress = {};
	}

private:
	uint32_t cell_bytes_;
};

/** One packet's descriptors. */
using Descriptors = std::vector<ccnic_desc>;

/** @return a packet whose descriptors name the handles first, first + 1, ... */
inline Descriptors make_packet(uint32_t first, uint32_t count)
{
	Descriptors packet(count);

	for (uint32_t i = 0; i < count; i++) {
		const uint32_t handle = first + i;

		packet[i].handle = handle;
		packet[i].offset = static_cast<uint16_t>(handle * 7);
		packet[i].len = static_cast<uint16_t>(1 + handle % 2048);
		packet[i].flags = CCNIC_KIND_BUFFER;
		packet[i].meta[0] = static_cast<uint16_t>(handle * 13);
		packet[i].meta[1] = static_cast<uint16_t>(handle * 31);
	}
	packet[count - 1].flags |= CCNIC_F_EOP;
	return packet;
}

/** Says where a packet that was received differs from make_packet(). */
inline testing::AssertionResult is_packet(const ccnic_desc *got, int got_count, uint32_t first,
					  uint32_t count)
{
	const Descriptors want = make_packet(first, count);

	if (got_count != static_cast<int>(count))
		return testing::AssertionFailure() << got_count << " descriptors, not " << count;
	for (uint32_t i = 0; i < count; i++) {
		if (got[i].handle != want[i].handle || got[i].offset != want[i].offset ||
		    got[i].len != want[i].len || got[i].flags != want[i].flags ||
		    got[i].meta[0] != want[i].meta[0] || got[i].meta[1] != want[i].meta[1])
			return testing::AssertionFailure()
			       << "descriptor " << i << " of " << count << " names handle "
			       << got[i].handle << " (flags " << got[i].flags << "), not "
			       << want[i].handle;
	}
	return testing::AssertionSuccess();
}

/** A ring of a given size, both sides in one thread. */
class RingTest : public testing::Test
{
protected:
	static constexpr uint32_t ring_lines = CCNIC_RING_LINES_MIN;
	static constexpr uint32_t ring_slots = ring_lines * CCNIC_LINE_DESCS;

	RingMemory memory = RingMemory(ring_lines, CCNIC_LINE_SIZE);
	Lines &lines = memory.lines;
	ccnic_producer producer{};
	ccnic_consumer consumer{};
	ccnic_desc got[CCNIC_PACKET_DESCS_MAX] = {};

	RingTest()
	{
		start();
	}

	void start()
	{
		const ccnic_ring ring = memory.ring();

		memory.clear();
		ccnic_producer_init(&producer, &ring);
		ccnic_consumer_init(&consumer, &ring);
	}
	/** Both sides as they are after @p slot slots, whole lines, have passed. */
	void start_at(uint32_t slot)
	{
		start();
		producer.next = producer.published = producer.clean = slot;
		consumer.next = consumer.end = consumer.returned = slot;
		memory.progress.slots = slot;
		for (uint32_t i = 1; i <= ring_lines; i++) {
			const uint32_t line = slot / CCNIC_LINE_DESCS - i;

			lines[line % ring_lines].signal = ccnic_signal(line, CCNIC_LINE_DESCS);
		}
	}
	uint32_t count_of(uint32_t line) const
	{
		return lines[line].signal & CCNIC_SIGNAL_COUNT_MASK;
	}
	bool put(uint32_t first, uint32_t count = 1)
	{
		Descriptors packet = make_packet(first, count);

		return ccnic_producer_put(&producer, packet.data(), count);
	}
	void flush()
	{
		ccnic_producer_flush(&producer);
	}
	int next()
	{
		return ccnic_consumer_next(&consumer, got);
	}
	uint32_t give_back()
	{
		return ccnic_consumer_return(&consumer);
	}
	uint32_t reclaim()
	{
		return ccnic_producer_reclaim(&producer);
	}
	bool pending()
	{
		return ccnic_consumer_pending(&consumer);
	}
	/** Fills every slot with a packet, named from @p first on. */
	void fill(uint32_t first)
	{
		for (uint32_t i = 0; i < ring_slots; i++)
			ASSERT_TRUE(put(first + i)) << "packet " << i;
		flush();
	}
	/** Takes @p count packets named from @p first on. */
	void take(uint32_t first, uint32_t count)
	{
		for (uint32_t i = 0; i < count; i++)
			ASSERT_TRUE(is_packet(got, next(), first + i, 1)) << "packet " << i;
	}
};
