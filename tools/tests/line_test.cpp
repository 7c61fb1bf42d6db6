// SPDX-License-Identifier: GPL-2.0
/*
 * The line, its signal and its descriptors.
 */
#include <ccnic/line.h>

#include <gtest/gtest.h>

TEST(Line, LayoutIsTheDocumentedOne)
{
	EXPECT_EQ(sizeof(ccnic_line), 64U);
	EXPECT_EQ(alignof(ccnic_line), 64U);
	EXPECT_EQ(offsetof(ccnic_line, signal), 0U);
	EXPECT_EQ(offsetof(ccnic_line, slots.desc), 8U);
	EXPECT_EQ(offsetof(ccnic_line, handle), 4U);
	EXPECT_EQ(offsetof(ccnic_desc, handle), 0U);
	EXPECT_EQ(offsetof(ccnic_desc, offset), 4U);
	EXPECT_EQ(offsetof(ccnic_desc, len), 6U);
	EXPECT_EQ(offsetof(ccnic_desc, flags), 8U);
	EXPECT_EQ(offsetof(ccnic_desc, meta), 10U);
	EXPECT_EQ(4 + sizeof(ccnic_line::handle), sizeof(ccnic_line));
}

TEST(Line, SignalSaysCountAndIndex)
{
	for (const uint32_t index : {0U, 1U, 31U, 0xffffU, 0x10000U, 0x3fffffffU}) {
		for (uint32_t count = 1; count <= CCNIC_LINE_DESCS; count++) {
			for (uint32_t seen = 0; seen <= count; seen++)
				EXPECT_EQ(ccnic_signal_count(ccnic_signal(index, count), index, 32,
							     seen),
					  static_cast<int>(count));
		}
	}
}

TEST(Line, SignalThatWasNeverWrittenSaysNothing)
{
	EXPECT_EQ(ccnic_signal_count(0, 0, 32, 0), 0);
	EXPECT_EQ(ccnic_signal_count(0, 31, 32, 0), 0);
}

TEST(Line, SignalOfTheTurnBeforeSaysNothing)
{
	EXPECT_EQ(ccnic_signal_count(ccnic_signal(7, 4), 7 + 32, 32, 0), 0);
	EXPECT_EQ(ccnic_signal_count(ccnic_signal(0x3fffffff, 4), 31, 32, 0), 0)
		<< "the index wraps";
}

TEST(Line, SignalOfTheTurnBeforeWasFull)
{
	for (uint32_t count = 0; count < CCNIC_LINE_DESCS; count++)
		EXPECT_EQ(ccnic_signal_count(ccnic_signal(7, count), 7 + 32, 32, 0), CCNIC_EPROTO);
}

TEST(Line, SignalDoesNotGoBackOnWhatItSaid)
{
	EXPECT_EQ(ccnic_signal_count(ccnic_signal(7, 2), 7, 32, 3), CCNIC_EPROTO);
	EXPECT_EQ(ccnic_signal_count(ccnic_signal(7 - 32, 4), 7, 32, 1), CCNIC_EPROTO);
	EXPECT_EQ(ccnic_signal_count(0, 0, 32, 1), CCNIC_EPROTO);
}

TEST(Line, SignalOfNoDescriptorIsInvalid)
{
	EXPECT_EQ(ccnic_signal_count(ccnic_signal(7, 0), 7, 32, 0), CCNIC_EPROTO);
}

TEST(Line, SignalOfMoreThanFitsIsInvalid)
{
	for (uint32_t count = CCNIC_LINE_DESCS + 1; count <= CCNIC_SIGNAL_COUNT_MASK; count++)
		ASSERT_EQ(ccnic_signal_count(ccnic_signal(7, count), 7, 32, 0), CCNIC_EPROTO);
}

TEST(Line, SignalOfAnotherIndexIsInvalid)
{
	const uint32_t index = 0x1234;

	for (uint32_t other = 0; other <= 0xffff; other++) {
		const int count =
			ccnic_signal_count(ccnic_signal(other, CCNIC_LINE_DESCS), index, 32, 0);

		ASSERT_EQ(count, other == index        ? 4
				 : other == index - 32 ? 0
						       : CCNIC_EPROTO)
			<< other;
	}
}

TEST(Line, BatchSignalTellsTurnsApart)
{
	EXPECT_NE(ccnic_batch_signal(0), 0U);
	for (const uint32_t lines : {16U, 4096U, 0x10000U, 0x40000U, 1U << 27})
		for (const uint32_t index : {0U, 5U, 0x0fffffffU})
			EXPECT_NE(ccnic_batch_signal(index), ccnic_batch_signal(index - lines));
}
