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
	for (const uint32_t index : {0U, 1U, 31U, 0xffffU, 0x10000U, 0xffffffffU}) {
		for (uint32_t count = 1; count <= CCNIC_LINE_HANDLES; count++) {
			const uint32_t signal = ccnic_signal(index, count);

			EXPECT_NE(signal, 0U);
			EXPECT_EQ(ccnic_signal_count(signal), count);
			EXPECT_TRUE(ccnic_signal_valid(signal, index, CCNIC_LINE_HANDLES));
		}
	}
}

TEST(Line, SignalOfNoDescriptorIsInvalid)
{
	EXPECT_FALSE(ccnic_signal_valid(ccnic_signal(7, 0), 7, CCNIC_LINE_DESCS));
}

TEST(Line, SignalOfMoreThanFitsIsInvalid)
{
	EXPECT_TRUE(ccnic_signal_valid(ccnic_signal(7, 4), 7, CCNIC_LINE_DESCS));
	for (uint32_t count = CCNIC_LINE_DESCS + 1; count <= CCNIC_SIGNAL_COUNT_MASK; count++)
		ASSERT_FALSE(ccnic_signal_valid(ccnic_signal(7, count), 7, CCNIC_LINE_DESCS));
}

TEST(Line, SignalOfAnotherIndexIsInvalid)
{
	const uint32_t index = 0x1234;

	for (uint32_t other = 0; other <= 0xffff; other++) {
		ASSERT_EQ(ccnic_signal_valid(ccnic_signal(other, 1), index, CCNIC_LINE_DESCS),
			  other == index)
			<< other;
	}
	/* One turn of the smallest ring later is another index. */
	EXPECT_FALSE(ccnic_signal_valid(ccnic_signal(index - 32, 1), index, CCNIC_LINE_DESCS));
}

TEST(Line, LinesOfAPacketKeepClearOfKindAndFlags)
{
	const uint16_t flags = CCNIC_KIND_PAGE | CCNIC_F_EOP | CCNIC_F_VLAN;
	ccnic_desc desc{};

	desc.flags = flags;
	for (uint32_t lines = 0; lines <= 16; lines++) {
		ccnic_desc_set_lines(&desc, lines);
		EXPECT_EQ(ccnic_desc_lines(&desc), lines);
		EXPECT_EQ(ccnic_desc_kind(&desc), CCNIC_KIND_PAGE);
		EXPECT_EQ(desc.flags & ~CCNIC_LINES_MASK, flags);
	}
	ccnic_desc_set_lines(&desc, 0);
	EXPECT_EQ(desc.flags, flags);
}
