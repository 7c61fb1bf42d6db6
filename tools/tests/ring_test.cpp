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
	EXPECT_EQ(ccnic_producer_free(&producer), ring_lines);
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

TEST_F(RingTest, GatheredIsInvisibleUntilFlushed)
{
	ASSERT_TRUE(put(1));
	EXPECT_FALSE(pending());
	EXPECT_EQ(next(), 0);
	flush();
	EXPECT_TRUE(is_packet(got, next(), 1, 1));
}

TEST_F(RingTest, FlushOfNothingPublishesNothing)
{
	const Lines before = lines;

	flush();
	EXPECT_EQ(producer.published_lines, 0U);
	ASSERT_TRUE(put(1));
	flush();
	flush();
	EXPECT_EQ(producer.published_lines, 1U);
	EXPECT_EQ(lines[1].signal, before[1].signal);
}

TEST_F(RingTest, PartialLineIsLeftBehindByBothSides)
{
	for (uint32_t i = 0; i < 3; i++)
		ASSERT_TRUE(put(i));
	flush();
	ASSERT_TRUE(put(3));
	flush();
	EXPECT_EQ(lines[0].signal, ccnic_signal(0, 3));
	EXPECT_EQ(lines[1].signal, ccnic_signal(1, 1));
	take(0, 4);
	EXPECT_EQ(next(), 0);
	EXPECT_EQ(give_back(), 2U);
}

TEST_F(RingTest, FullLinePublishesItself)
{
	for (uint32_t i = 0; i < CCNIC_LINE_DESCS; i++) {
		EXPECT_FALSE(pending());
		ASSERT_TRUE(put(i));
	}
	EXPECT_EQ(lines[0].signal, ccnic_signal(0, CCNIC_LINE_DESCS));
	take(0, CCNIC_LINE_DESCS);
	EXPECT_EQ(next(), 0);
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
		give_back();
		reclaim();
		ASSERT_EQ(ccnic_producer_free(&producer), ring_lines);
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
	EXPECT_EQ(producer.published_descs, ring_lines * CCNIC_LINE_DESCS);

	take(0, ring_lines * CCNIC_LINE_DESCS);
	EXPECT_EQ(next(), 0);
}

TEST_F(RingTest, FullThenDrainedIsUsableAgain)
{
	for (uint32_t turn = 0; turn < 5; turn++) {
		fill(turn * 1000);
		EXPECT_FALSE(put(9999));
		take(turn * 1000, ring_lines * CCNIC_LINE_DESCS);
		EXPECT_EQ(give_back(), ring_lines);
		EXPECT_FALSE(put(9999)) << "room that was not reclaimed";
		EXPECT_EQ(reclaim(), ring_lines);
		EXPECT_EQ(ccnic_producer_free(&producer), ring_lines);
	}
}

TEST_F(RingTest, RefusedWhileGatheredKeepsWhatWasGathered)
{
	for (uint32_t i = 0; i < (ring_lines - 1) * CCNIC_LINE_DESCS; i++)
		ASSERT_TRUE(put(i));
	ASSERT_TRUE(put(1000, 3));
	/* The last line is being gathered: two more do not fit, one does. */
	EXPECT_EQ(ccnic_producer_free(&producer), 0U);
	EXPECT_FALSE(put(2000, 2));
	EXPECT_FALSE(put(2000, 5));
	EXPECT_EQ(producer.published_lines, ring_lines - 1U);
	EXPECT_TRUE(put(3000, 1));
	EXPECT_EQ(producer.published_lines, ring_lines);
	take(0, (ring_lines - 1) * CCNIC_LINE_DESCS);
	EXPECT_TRUE(is_packet(got, next(), 1000, 3));
	EXPECT_TRUE(is_packet(got, next(), 3000, 1));
}

TEST_F(RingTest, WrapsAtEveryPlace)
{
	uint32_t sent = 0;
	uint32_t received = 0;

	for (uint32_t step = 1; step <= ring_lines; step++) {
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
	take(0, ring_lines * CCNIC_LINE_DESCS);
	EXPECT_FALSE(pending());
	EXPECT_EQ(next(), 0);
	EXPECT_FALSE(consumer.broken);
	EXPECT_EQ(give_back(), ring_lines);
	EXPECT_EQ(reclaim(), ring_lines);
	fill(1000);
	EXPECT_TRUE(pending());
	take(1000, ring_lines * CCNIC_LINE_DESCS);
}

TEST_F(RingTest, WrapsAtExactlyFullFromEveryLine)
{
	for (uint32_t start = 0; start < ring_lines; start++) {
		SCOPED_TRACE(start);
		lines.assign(ring_lines, ccnic_line{});
		start_at(start);
		fill(start);
		EXPECT_FALSE(put(9999));
		take(start, ring_lines * CCNIC_LINE_DESCS);
		EXPECT_EQ(next(), 0);
		EXPECT_EQ(give_back(), ring_lines);
		EXPECT_EQ(reclaim(), ring_lines);
	}
}

TEST_F(RingTest, IndicesMayOverflow)
{
	for (const uint32_t start : {0xfff0U, 0xffff0U, 0xfffffff0U}) {
		SCOPED_TRACE(start);
		lines.assign(ring_lines, ccnic_line{});
		start_at(start);
		for (uint32_t turn = 0; turn < 3; turn++) {
			fill(turn);
			take(turn, ring_lines * CCNIC_LINE_DESCS);
			EXPECT_EQ(next(), 0);
			EXPECT_EQ(give_back(), ring_lines);
			EXPECT_EQ(reclaim(), ring_lines);
		}
		ASSERT_TRUE(put(7, 64));
		EXPECT_TRUE(is_packet(got, next(), 7, 64));
	}
}

TEST_F(RingTest, ConsumerThatStopsInTheMiddleKeepsTheLine)
{
	for (uint32_t i = 0; i < CCNIC_LINE_DESCS; i++)
		ASSERT_TRUE(put(i));
	take(0, 2);
	EXPECT_TRUE(pending());
	EXPECT_EQ(give_back(), 0U);
	EXPECT_EQ(reclaim(), 0U);
	EXPECT_NE(lines[0].signal, 0U);
	take(2, 2);
	EXPECT_EQ(give_back(), 1U);
	EXPECT_EQ(reclaim(), 1U);
}

TEST_F(RingTest, ConsumerThatStopsGivesBackWholeLinesBeforeIt)
{
	for (uint32_t i = 0; i < 3 * CCNIC_LINE_DESCS; i++)
		ASSERT_TRUE(put(i));
	take(0, 2 * CCNIC_LINE_DESCS + 1);
	EXPECT_EQ(give_back(), 2U);
	EXPECT_EQ(lines[0].signal, 0U);
	EXPECT_EQ(lines[1].signal, 0U);
	EXPECT_NE(lines[2].signal, 0U);
	EXPECT_EQ(give_back(), 0U);
	take(2 * CCNIC_LINE_DESCS + 1, 3);
	EXPECT_EQ(give_back(), 1U);
}

TEST_F(RingTest, WhatIsTakenIsACopy)
{
	for (uint32_t i = 0; i < CCNIC_LINE_DESCS; i++)
		ASSERT_TRUE(put(i));
	take(0, 1);
	/* The peer writes to a line that it does not own. */
	std::memset(&lines[0].slots, 0xff, sizeof(lines[0].slots));
	take(1, 3);
}

TEST_F(RingTest, ReclaimStopsAtTheFirstLineThatIsOut)
{
	for (uint32_t i = 0; i < 3; i++) {
		ASSERT_TRUE(put(i));
		flush();
	}
	lines[1].signal = 0;
	EXPECT_EQ(reclaim(), 0U);
	lines[0].signal = 0;
	EXPECT_EQ(reclaim(), 2U);
	EXPECT_EQ(ccnic_producer_busy(&producer), 1U);
}

TEST_F(RingTest, PacketOfUpToFourIsNotSplit)
{
	ASSERT_TRUE(put(10, 3));
	ASSERT_TRUE(put(20, 2));
	flush();
	EXPECT_EQ(lines[0].signal, ccnic_signal(0, 3));
	EXPECT_EQ(lines[1].signal, ccnic_signal(1, 2));
	EXPECT_TRUE(is_packet(got, next(), 10, 3));
	EXPECT_TRUE(is_packet(got, next(), 20, 2));
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
		ASSERT_EQ(ccnic_producer_free(&producer), ring_lines);
	}
}

TEST_F(RingTest, PacketThatIsTooLargeIsRefused)
{
	EXPECT_FALSE(put(0, CCNIC_PACKET_DESCS_MAX + 1));
	EXPECT_EQ(producer.published_lines, 0U);
	EXPECT_EQ(next(), 0);
}

TEST_F(RingTest, LargePacketGoesBehindWhatWasGathered)
{
	ASSERT_TRUE(put(1));
	ASSERT_TRUE(put(100, 9));
	EXPECT_EQ(lines[0].signal, ccnic_signal(0, 1));
	EXPECT_EQ(lines[1].signal, ccnic_signal(1, 4));
	EXPECT_EQ(lines[2].signal, ccnic_signal(2, 4));
	EXPECT_EQ(lines[3].signal, ccnic_signal(3, 1));
	EXPECT_EQ(ccnic_desc_lines(&lines[1].slots.desc[0]), 3U);
	EXPECT_TRUE(is_packet(got, next(), 1, 1));
	EXPECT_TRUE(is_packet(got, next(), 100, 9));
	EXPECT_EQ(give_back(), 4U);
}

TEST_F(RingTest, LargePacketIsInvisibleWithoutItsFirstLine)
{
	ASSERT_TRUE(put(100, 9));
	const uint32_t first = lines[0].signal;

	lines[0].signal = 0; /* as it stands before the last store */
	EXPECT_FALSE(pending());
	EXPECT_EQ(next(), 0);
	EXPECT_EQ(give_back(), 0U);
	lines[0].signal = first;
	EXPECT_TRUE(is_packet(got, next(), 100, 9));
}

TEST_F(RingTest, LargePacketWaitsUntilAllItsLinesAreFree)
{
	for (uint32_t i = 0; i < ring_lines - 2; i++) {
		ASSERT_TRUE(put(i));
		flush();
	}
	const Lines before = lines;
	EXPECT_FALSE(put(100, 9)) << "two lines are free, it needs three";
	EXPECT_EQ(std::memcmp(before.data(), lines.data(), lines.size() * sizeof(lines[0])), 0);
	take(0, 1);
	give_back();
	reclaim();
	EXPECT_TRUE(put(100, 9));
	take(1, ring_lines - 3);
	EXPECT_TRUE(is_packet(got, next(), 100, 9));
}

TEST_F(RingTest, LargePacketWrapsAtEveryLine)
{
	for (uint32_t start = 0; start < ring_lines; start++) {
		SCOPED_TRACE(start);
		lines.assign(ring_lines, ccnic_line{});
		start_at(start);
		ASSERT_TRUE(put(100, 61));
		ASSERT_TRUE(is_packet(got, next(), 100, 61));
		ASSERT_EQ(give_back(), 16U);
		ASSERT_EQ(reclaim(), 16U);
	}
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
		EXPECT_EQ(next(), CCNIC_EPROTO) << "it must not recover by itself";

		lines.assign(ring_lines, ccnic_line{});
		ccnic_producer_init(&producer, lines.data(), ring_lines);
		ccnic_consumer_init(&consumer, lines.data(), ring_lines);
		ASSERT_TRUE(put(5));
		flush();
		EXPECT_TRUE(is_packet(got, next(), 5, 1)) << "it must recover when it is reset";
	}
};

TEST_F(BrokenRingTest, CountOfZero)
{
	ASSERT_TRUE(put(1, 4));
	lines[0].signal = ccnic_signal(0, 0) | 0x10000U;
	expect_broken();
}

TEST_F(BrokenRingTest, CountTooLarge)
{
	ASSERT_TRUE(put(1, 4));
	lines[0].signal = ccnic_signal(0, CCNIC_LINE_DESCS + 1);
	expect_broken();
}

TEST_F(BrokenRingTest, HugeCount)
{
	ASSERT_TRUE(put(1, 4));
	lines[0].signal = ccnic_signal(0, 0xffff);
	expect_broken();
}

TEST_F(BrokenRingTest, LineOfThePastTurn)
{
	start_at(ring_lines);
	lines[0].signal = ccnic_signal(0, 1);
	lines[0].slots.desc[0] = make_packet(1, 1)[0];
	expect_broken();
}

TEST_F(BrokenRingTest, LineOfTheFuture)
{
	ASSERT_TRUE(put(1, 4));
	lines[0].signal = ccnic_signal(1, 4);
	expect_broken();
}

TEST_F(BrokenRingTest, LineEndsBeforeThePacket)
{
	ASSERT_TRUE(put(1, 4));
	lines[0].slots.desc[3].flags = CCNIC_KIND_BUFFER;
	expect_broken();
}

TEST_F(BrokenRingTest, LinesOfOne)
{
	ASSERT_TRUE(put(1, 4));
	ccnic_desc_set_lines(&lines[0].slots.desc[0], 1);
	expect_broken();
}

TEST_F(BrokenRingTest, MoreLinesThanAllowed)
{
	ASSERT_TRUE(put(1, 64));
	for (uint32_t i = 16; i < 31; i++) {
		lines[i].signal = ccnic_signal(i, 4);
		std::memset(&lines[i].slots, 0, sizeof(lines[i].slots));
	}
	lines[15].slots.desc[3].flags = CCNIC_KIND_BUFFER;
	lines[30].slots.desc[3].flags = CCNIC_KIND_BUFFER | CCNIC_F_EOP;
	ccnic_desc_set_lines(&lines[0].slots.desc[0], 31);
	expect_broken();
}

TEST_F(BrokenRingTest, LargePacketWithALineMissing)
{
	ASSERT_TRUE(put(1, 12));
	lines[2].signal = 0;
	expect_broken();
}

TEST_F(BrokenRingTest, LargePacketWithALineOutOfStep)
{
	ASSERT_TRUE(put(1, 12));
	lines[1].signal = ccnic_signal(2, 4);
	expect_broken();
}

TEST_F(BrokenRingTest, LargePacketWithAPartialLineInTheMiddle)
{
	ASSERT_TRUE(put(1, 12));
	lines[1].signal = ccnic_signal(1, 3);
	expect_broken();
}

TEST_F(BrokenRingTest, LargePacketWithAPartialFirstLine)
{
	ASSERT_TRUE(put(1, 12));
	lines[0].signal = ccnic_signal(0, 3);
	expect_broken();
}

TEST_F(BrokenRingTest, LargePacketThatEndsEarly)
{
	ASSERT_TRUE(put(1, 12));
	lines[1].slots.desc[1].flags |= CCNIC_F_EOP;
	expect_broken();
}

TEST_F(BrokenRingTest, LargePacketWithoutEnd)
{
	ASSERT_TRUE(put(1, 12));
	lines[2].slots.desc[3].flags = CCNIC_KIND_BUFFER;
	expect_broken();
}

TEST_F(BrokenRingTest, LargePacketThatStartsInsideALine)
{
	ASSERT_TRUE(put(1, 1));
	ASSERT_TRUE(put(2, 3));
	ccnic_desc_set_lines(&lines[0].slots.desc[1], 2);
	ASSERT_TRUE(put(5, 4));
	EXPECT_TRUE(is_packet(got, next(), 1, 1));
	expect_broken();
}
