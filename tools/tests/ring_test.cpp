// SPDX-License-Identifier: GPL-2.0
/*
 * The ring, both sides in one thread: every state that it can be in.
 */
#include "ring_fixture.hpp"

#include <cstring>

TEST_F(RingTest, EmptyYieldsNothing)
{
	EXPECT_FALSE(pending());
	EXPECT_EQ(next(), 0);
	EXPECT_EQ(give_back(), 0U);
	EXPECT_EQ(reclaim(), 0U);
	EXPECT_EQ(ccnic_producer_free(&producer), ring_slots);
	EXPECT_EQ(ccnic_producer_busy(&producer), 0U);
}

TEST_F(RingTest, OnePacketArrivesWhole)
{
	ASSERT_TRUE(put(42));
	flush();
	EXPECT_TRUE(pending());
	EXPECT_TRUE(is_packet(got, next(), 42, 1));
	EXPECT_FALSE(pending());
	EXPECT_EQ(next(), 0);
	EXPECT_EQ(give_back(), 1U);
	EXPECT_EQ(reclaim(), 1U);
	EXPECT_EQ(producer.published_lines, 1U);
	EXPECT_EQ(producer.published_descs, 1U);
}

TEST_F(RingTest, PutIsInvisibleUntilFlushed)
{
	for (uint32_t i = 0; i < 2 * CCNIC_LINE_DESCS; i++)
		ASSERT_TRUE(put(i));
	EXPECT_FALSE(pending());
	EXPECT_EQ(next(), 0);
	flush();
	take(0, 2 * CCNIC_LINE_DESCS);
	EXPECT_EQ(next(), 0);
}

TEST_F(RingTest, FlushOfNothingPublishesNothing)
{
	flush();
	EXPECT_EQ(producer.published_lines, 0U);
	EXPECT_EQ(lines[0].signal, 0U);
	ASSERT_TRUE(put(1));
	flush();
	flush();
	EXPECT_EQ(producer.published_lines, 1U);
	EXPECT_EQ(lines[1].signal, 0U);
}

TEST_F(RingTest, LineStaysOpenUntilItIsFull)
{
	for (uint32_t i = 0; i < CCNIC_LINE_DESCS; i++) {
		ASSERT_TRUE(put(i));
		flush();
		EXPECT_EQ(lines[0].signal, ccnic_signal(0, i + 1));
	}
	ASSERT_TRUE(put(4));
	flush();
	EXPECT_EQ(lines[0].signal, ccnic_signal(0, 4));
	EXPECT_EQ(lines[1].signal, ccnic_signal(1, 1));
	take(0, 5);
	EXPECT_EQ(next(), 0);
	EXPECT_EQ(producer.published_lines, 5U);
	EXPECT_EQ(producer.published_descs, 5U);
}

TEST_F(RingTest, WhatIsAppendedIsSeenByWhoWaitsAtTheLine)
{
	uint32_t sent = 0;
	uint32_t seen = 0;

	for (const uint32_t burst : {1U, 2U, 1U, 3U, 4U, 2U, 7U, 1U, 13U}) {
		for (uint32_t i = 0; i < burst; i++)
			ASSERT_TRUE(put(sent++));
		EXPECT_FALSE(pending());
		flush();
		EXPECT_TRUE(pending());
		take(seen, burst);
		seen += burst;
		EXPECT_EQ(next(), 0);
	}
}

TEST_F(RingTest, BurstIsVisibleWithItsFirstLineOnly)
{
	ASSERT_TRUE(put(0));
	flush();
	take(0, 1);
	for (uint32_t i = 1; i < 12; i++)
		ASSERT_TRUE(put(i));
	flush();
	EXPECT_EQ(producer.published_lines, 4U);

	const uint32_t first = lines[0].signal;
	lines[0].signal = ccnic_signal(0, 1); /* as it stands before the last store */
	EXPECT_FALSE(pending());
	EXPECT_EQ(next(), 0);
	EXPECT_FALSE(consumer.broken);
	lines[0].signal = first;
	take(1, 11);
}

TEST_F(RingTest, LastPacketOfABurstIsNeverLeftUnpublished)
{
	uint32_t sent = 0;
	uint32_t received = 0;

	for (uint32_t burst = 1; burst <= 33; burst++) {
		for (uint32_t i = 0; i < burst; i++)
			ASSERT_TRUE(put(sent++));
		flush();
		take(received, burst);
		received += burst;
		ASSERT_EQ(next(), 0);
		ASSERT_EQ(give_back(), burst);
		ASSERT_EQ(reclaim(), burst);
		ASSERT_EQ(ccnic_producer_busy(&producer), 0U);
	}
}

TEST_F(RingTest, FullRefusesAndStaysAsItWas)
{
	fill(0);
	EXPECT_EQ(ccnic_producer_free(&producer), 0U);

	const Lines before = lines;
	for (const uint32_t count : {1U, 4U, 5U, 64U})
		EXPECT_FALSE(put(1000, count)) << count;
	flush();
	EXPECT_EQ(std::memcmp(before.data(), lines.data(), lines.size() * sizeof(lines[0])), 0);
	EXPECT_EQ(producer.published_lines, ring_lines);
	EXPECT_EQ(producer.published_descs, ring_slots);

	take(0, ring_slots);
	EXPECT_EQ(next(), 0);
}

TEST_F(RingTest, FullThenDrainedIsUsableAgain)
{
	for (uint32_t turn = 0; turn < 5; turn++) {
		fill(turn * 1000);
		EXPECT_FALSE(put(9999));
		take(turn * 1000, ring_slots);
		EXPECT_EQ(give_back(), ring_slots);
		EXPECT_FALSE(put(9999)) << "room that was not reclaimed";
		EXPECT_EQ(reclaim(), ring_slots);
		EXPECT_EQ(ccnic_producer_free(&producer), ring_slots);
	}
}

TEST_F(RingTest, LineIsBegunAnewOnlyWhenAllOfItIsBack)
{
	fill(0);
	for (uint32_t i = 0; i < CCNIC_LINE_DESCS; i++) {
		EXPECT_EQ(ccnic_producer_free(&producer), 0U) << i << " slots of the line are back";
		EXPECT_FALSE(put(1000));
		take(i, 1);
		give_back();
		EXPECT_EQ(reclaim(), 1U);
	}
	EXPECT_EQ(ccnic_producer_free(&producer), uint32_t{CCNIC_LINE_DESCS});
	EXPECT_FALSE(put(1000, 5));
	EXPECT_TRUE(put(1000, 4));
	flush();
	take(4, ring_slots - 4);
	EXPECT_TRUE(is_packet(got, next(), 1000, 4));
}

TEST_F(RingTest, WrapsAtEveryPlace)
{
	uint32_t sent = 0;
	uint32_t received = 0;

	for (uint32_t step = 1; step < ring_slots - CCNIC_LINE_DESCS; step++) {
		for (uint32_t i = 0; i < step; i++) {
			ASSERT_TRUE(put(sent++));
			flush();
		}
		take(received, step);
		received += step;
		ASSERT_EQ(give_back(), step);
		ASSERT_EQ(reclaim(), step);
	}
}

TEST_F(RingTest, FullTurnTakenButNotReturnedIsNotReadAgain)
{
	/* The lines still show the signals that were read: the consumer's past. */
	fill(0);
	take(0, ring_slots);
	EXPECT_FALSE(pending());
	EXPECT_EQ(next(), 0);
	EXPECT_FALSE(consumer.broken);
	EXPECT_EQ(give_back(), ring_slots);
	EXPECT_EQ(reclaim(), ring_slots);
	fill(1000);
	EXPECT_TRUE(pending());
	take(1000, ring_slots);
}

TEST_F(RingTest, WrapsAtExactlyFullFromEveryLine)
{
	for (uint32_t start = 0; start < ring_slots; start += CCNIC_LINE_DESCS) {
		SCOPED_TRACE(start);
		start_at(start);
		fill(start);
		EXPECT_FALSE(put(9999));
		take(start, ring_slots);
		EXPECT_EQ(next(), 0);
		EXPECT_EQ(give_back(), ring_slots);
		EXPECT_EQ(reclaim(), ring_slots);
	}
}

TEST_F(RingTest, IndicesMayOverflow)
{
	for (const uint32_t start : {0x3ffc0U, 0x3fffc0U, 0xffffffc0U}) {
		SCOPED_TRACE(start);
		start_at(start);
		for (uint32_t turn = 0; turn < 3; turn++) {
			fill(turn);
			take(turn, ring_slots);
			EXPECT_EQ(next(), 0);
			EXPECT_EQ(give_back(), ring_slots);
			EXPECT_EQ(reclaim(), ring_slots);
		}
		ASSERT_TRUE(put(7, 64));
		flush();
		EXPECT_TRUE(is_packet(got, next(), 7, 64));
	}
}

TEST_F(RingTest, ConsumerThatStopsInTheMiddleKeepsTheRest)
{
	for (uint32_t i = 0; i < 3 * CCNIC_LINE_DESCS; i++)
		ASSERT_TRUE(put(i));
	flush();
	take(0, 2);
	EXPECT_TRUE(pending());
	EXPECT_EQ(ccnic_consumer_owed(&consumer), 2U);
	EXPECT_EQ(give_back(), 2U);
	EXPECT_EQ(reclaim(), 2U);
	EXPECT_EQ(ccnic_producer_busy(&producer), 10U);
	EXPECT_EQ(give_back(), 0U);
	take(2, 7);
	EXPECT_EQ(give_back(), 7U);
	take(9, 3);
	EXPECT_EQ(give_back(), 3U);
	EXPECT_EQ(reclaim(), 10U);
}

TEST_F(RingTest, ProgressIsPublishedOnlyByReturn)
{
	ASSERT_TRUE(put(1));
	flush();
	EXPECT_FALSE(ccnic_producer_passed(&producer, 0));
	take(1, 1);
	EXPECT_EQ(memory.progress.slots, 0U);
	EXPECT_FALSE(ccnic_producer_passed(&producer, 0));
	EXPECT_EQ(reclaim(), 0U);
	give_back();
	EXPECT_TRUE(ccnic_producer_passed(&producer, 0));
	EXPECT_FALSE(ccnic_producer_passed(&producer, 1));
	EXPECT_EQ(producer.clean, 0U) << "the look changed something";
	EXPECT_EQ(reclaim(), 1U);
}

TEST_F(RingTest, ConsumerWritesNothingButItsProgress)
{
	fill(0);
	const Lines before = lines;
	const std::vector<uint8_t> cells = memory.cells;

	take(0, ring_slots);
	give_back();
	next();
	pending();
	EXPECT_EQ(std::memcmp(before.data(), lines.data(), lines.size() * sizeof(lines[0])), 0);
	EXPECT_EQ(cells, memory.cells);
}

TEST_F(RingTest, PacketsOfEverySizeArriveInOrder)
{
	for (uint32_t count = 1; count <= CCNIC_PACKET_DESCS_MAX; count++) {
		SCOPED_TRACE(count);
		ASSERT_TRUE(put(1, 1));
		ASSERT_TRUE(put(count * 100, count));
		ASSERT_TRUE(put(2, 1));
		flush();
		ASSERT_TRUE(is_packet(got, next(), 1, 1));
		ASSERT_TRUE(is_packet(got, next(), count * 100, count));
		ASSERT_TRUE(is_packet(got, next(), 2, 1));
		ASSERT_EQ(next(), 0);
		give_back();
		reclaim();
		ASSERT_EQ(ccnic_producer_busy(&producer), 0U);
	}
}

TEST_F(RingTest, PacketThatIsTooLargeIsRefused)
{
	EXPECT_FALSE(put(0, CCNIC_PACKET_DESCS_MAX + 1));
	flush();
	EXPECT_EQ(producer.published_lines, 0U);
	EXPECT_EQ(next(), 0);
}

TEST_F(RingTest, PacketMaySpanLinesAndShareThem)
{
	ASSERT_TRUE(put(1, 3));
	ASSERT_TRUE(put(100, 6));
	ASSERT_TRUE(put(200, 1));
	flush();
	EXPECT_EQ(count_of(0), 4U);
	EXPECT_EQ(count_of(1), 4U);
	EXPECT_EQ(count_of(2), 2U);
	EXPECT_TRUE(is_packet(got, next(), 1, 3));
	EXPECT_TRUE(is_packet(got, next(), 100, 6));
	EXPECT_TRUE(is_packet(got, next(), 200, 1));
	EXPECT_EQ(give_back(), 10U);
}

TEST_F(RingTest, LargePacketWaitsUntilAllItsSlotsAreFree)
{
	for (uint32_t i = 0; i < ring_slots - 8; i++)
		ASSERT_TRUE(put(i));
	flush();
	const Lines before = lines;
	EXPECT_FALSE(put(1000, 9)) << "eight slots are free, it needs nine";
	EXPECT_EQ(std::memcmp(before.data(), lines.data(), lines.size() * sizeof(lines[0])), 0);
	take(0, 4);
	give_back();
	reclaim();
	EXPECT_TRUE(put(1000, 9));
	flush();
	take(4, ring_slots - 12);
	EXPECT_TRUE(is_packet(got, next(), 1000, 9));
}

TEST_F(RingTest, LargePacketWrapsAtEverySlot)
{
	start_at(0);
	for (uint32_t turn = 0; turn < ring_slots; turn++) {
		SCOPED_TRACE(turn);
		ASSERT_TRUE(put(100, 63));
		flush();
		ASSERT_TRUE(is_packet(got, next(), 100, 63));
		ASSERT_EQ(give_back(), 63U);
		ASSERT_EQ(reclaim(), 63U);
	}
}

TEST_F(RingTest, CellsStandBesideTheirSlots)
{
	for (uint32_t turn = 0; turn < 3; turn++) {
		for (uint32_t i = 0; i < ring_slots; i++) {
			std::memset(ccnic_producer_cell(&producer, 0), static_cast<int>(turn + i),
				    CCNIC_LINE_SIZE);
			ASSERT_TRUE(put(i));
		}
		flush();
		for (uint32_t i = 0; i < ring_slots; i++) {
			take(i, 1);
			const uint8_t *cell = ccnic_consumer_cell(&consumer, 1, 0);

			EXPECT_EQ(cell, &memory.cells[size_t{i} * CCNIC_LINE_SIZE]);
			for (uint32_t byte = 0; byte < CCNIC_LINE_SIZE; byte++)
				ASSERT_EQ(cell[byte], static_cast<uint8_t>(turn + i));
		}
		give_back();
		reclaim();
	}
}

TEST_F(RingTest, CellsOfAPacketInTheMiddle)
{
	ASSERT_TRUE(put(1, 3));
	uint8_t *second = ccnic_producer_cell(&producer, 1);
	ASSERT_TRUE(put(10, 2));
	flush();
	EXPECT_TRUE(is_packet(got, next(), 1, 3));
	EXPECT_TRUE(is_packet(got, next(), 10, 2));
	EXPECT_EQ(ccnic_consumer_cell(&consumer, 2, 1), second);
	EXPECT_EQ(ccnic_consumer_cell(&consumer, 2, 0), second - CCNIC_LINE_SIZE);
}

TEST_F(RingTest, LookAheadSaysHowMuchThereIs)
{
	EXPECT_EQ(ccnic_consumer_ahead(&consumer, 32), 0);
	for (uint32_t i = 0; i < 10; i++)
		ASSERT_TRUE(put(i));
	flush();
	EXPECT_EQ(ccnic_consumer_ahead(&consumer, 1), 4) << "a line is read as a whole";
	EXPECT_EQ(ccnic_consumer_ahead(&consumer, 8), 8);
	EXPECT_EQ(ccnic_consumer_ahead(&consumer, 32), 10);
	EXPECT_EQ(consumer.next, 0U) << "the look took something";
	consumer.inlined = true; /* it fetches cells, and nothing else changes */
	EXPECT_EQ(ccnic_consumer_ahead(&consumer, 32), 10);
	take(0, 10);
	EXPECT_EQ(ccnic_consumer_ahead(&consumer, 32), 0);
}

/* A producer that breaks the protocol: each break stops the ring for good. */
class BrokenRingTest : public RingTest
{
protected:
	void expect_broken()
	{
		EXPECT_EQ(next(), CCNIC_EPROTO);
		EXPECT_TRUE(consumer.broken);
		EXPECT_FALSE(pending());
		EXPECT_EQ(ccnic_consumer_ahead(&consumer, 8), CCNIC_EPROTO);
		EXPECT_EQ(next(), CCNIC_EPROTO) << "it must not recover by itself";

		start();
		ASSERT_TRUE(put(5));
		flush();
		EXPECT_TRUE(is_packet(got, next(), 5, 1)) << "it must recover when it is reset";
	}
};

TEST_F(BrokenRingTest, CountOfZero)
{
	lines[0].signal = ccnic_signal(ring_lines, 0);
	expect_broken();
}

TEST_F(BrokenRingTest, CountTooLarge)
{
	lines[0].signal = ccnic_signal(0, CCNIC_LINE_DESCS + 1);
	expect_broken();
}

TEST_F(BrokenRingTest, HugeCount)
{
	lines[0].signal = ccnic_signal(0, 0xffff);
	expect_broken();
}

TEST_F(BrokenRingTest, CountThatShrinks)
{
	for (uint32_t i = 0; i < 3; i++)
		ASSERT_TRUE(put(i));
	flush();
	take(0, 3);
	lines[0].signal = ccnic_signal(0, 2);
	expect_broken();
}

TEST_F(BrokenRingTest, LineThatTurnsBack)
{
	start_at(ring_slots);
	ASSERT_TRUE(put(1));
	flush();
	take(1, 1);
	lines[0].signal = ccnic_signal(0, CCNIC_LINE_DESCS);
	expect_broken();
}

TEST_F(BrokenRingTest, LineOfThePastTurnThatWasNotFull)
{
	start_at(ring_slots);
	lines[0].signal = ccnic_signal(0, 1);
	expect_broken();
}

TEST_F(BrokenRingTest, LineOfTwoTurnsAgo)
{
	start_at(2 * ring_slots);
	lines[0].signal = ccnic_signal(0, CCNIC_LINE_DESCS);
	expect_broken();
}

TEST_F(BrokenRingTest, LineOfTheFuture)
{
	lines[0].signal = ccnic_signal(1, CCNIC_LINE_DESCS);
	expect_broken();
}

TEST_F(BrokenRingTest, PacketWithoutEnd)
{
	ASSERT_TRUE(put(1, 3));
	flush();
	lines[0].slots.desc[2].flags = CCNIC_KIND_BUFFER;
	expect_broken();
}

TEST_F(BrokenRingTest, PacketWithoutEndLongerThanAllowed)
{
	ASSERT_TRUE(put(1, 64));
	ASSERT_TRUE(put(1, 32));
	flush();
	lines[15].slots.desc[3].flags = CCNIC_KIND_BUFFER;
	expect_broken();
}

TEST_F(BrokenRingTest, LargePacketWithALineMissing)
{
	ASSERT_TRUE(put(1, 12));
	flush();
	lines[2].signal = 0;
	expect_broken();
}

TEST_F(BrokenRingTest, LargePacketWithALineOutOfStep)
{
	ASSERT_TRUE(put(1, 12));
	flush();
	lines[1].signal = ccnic_signal(2, 4);
	expect_broken();
}

TEST_F(BrokenRingTest, LargePacketWithAPartialLineInTheMiddle)
{
	ASSERT_TRUE(put(1, 12));
	flush();
	lines[1].signal = ccnic_signal(1, 3);
	expect_broken();
}

TEST_F(BrokenRingTest, WhatWasGoodBeforeTheBreakIsStillTaken)
{
	for (uint32_t i = 0; i < 8; i++)
		ASSERT_TRUE(put(i));
	flush();
	lines[1].signal = ccnic_signal(9, 4);
	EXPECT_EQ(ccnic_consumer_ahead(&consumer, 8), 4);
	take(0, 4);
	expect_broken();
}

TEST_F(BrokenRingTest, ProgressBeyondWhatWasPublished)
{
	for (uint32_t i = 0; i < 8; i++)
		ASSERT_TRUE(put(i));
	flush();
	ASSERT_TRUE(put(8));
	for (const uint32_t progress : {9U, 10U, 0x80000000U, 0xffffffffU}) {
		memory.progress.slots = progress;
		EXPECT_EQ(reclaim(), 0U);
		EXPECT_TRUE(producer.broken);
		EXPECT_EQ(ccnic_producer_free(&producer), 0U) << "it must stop the producer";
		EXPECT_FALSE(put(9));
		producer.broken = false;
	}
	memory.progress.slots = 8;
	EXPECT_EQ(reclaim(), 8U);
	EXPECT_FALSE(producer.broken);
}

TEST_F(BrokenRingTest, ProgressThatGoesBack)
{
	for (uint32_t i = 0; i < 8; i++)
		ASSERT_TRUE(put(i));
	flush();
	take(0, 8);
	give_back();
	EXPECT_EQ(reclaim(), 8U);
	memory.progress.slots = 7;
	EXPECT_EQ(reclaim(), 0U);
	EXPECT_TRUE(producer.broken);
}
