// SPDX-License-Identifier: GPL-2.0
/*
 * What is sent is checked, every byte of it.
 */
#include "contents.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace
{

using bench::Sink;
using bench::Source;

std::vector<uint8_t> packet_of(uint64_t sequence, uint32_t bytes)
{
	std::vector<uint8_t> packet(bytes);

	bench::write_contents(packet.data(), sequence, 0, bytes);
	return packet;
}

TEST(Contents, EverySizeIsRight)
{
	for (uint32_t bytes = 1; bytes < 200; bytes++)
		EXPECT_TRUE(bench::contents_right(packet_of(7, bytes).data(), 7, 0, bytes))
			<< bytes;
}

TEST(Contents, EveryByteCounts)
{
	for (const uint32_t bytes : {8U, 13U, 64U, 100U}) {
		const std::vector<uint8_t> good = packet_of(3, bytes);

		for (uint32_t i = 0; i < bytes; i++) {
			std::vector<uint8_t> bad = good;
			bad[i] ^= 0x10;
			EXPECT_FALSE(bench::contents_right(bad.data(), 3, 0, bytes))
				<< bytes << " " << i;
		}
	}
}

TEST(Contents, PacketsDiffer)
{
	EXPECT_FALSE(bench::contents_right(packet_of(3, 64).data(), 4, 0, 64));
	EXPECT_FALSE(bench::contents_right(packet_of(3, 64).data(), 2, 0, 64));
}

TEST(Contents, PiecesFitTogether)
{
	std::vector<uint8_t> packet(9000);

	bench::write_contents(packet.data(), 5, 0, 2048);
	bench::write_contents(packet.data() + 2048, 5, 2048, 6952);
	EXPECT_EQ(packet, packet_of(5, 9000));
	EXPECT_TRUE(bench::contents_right(packet.data() + 4096, 5, 4096, 4904));
}

TEST(Contents, SinkCountsWhatIsWrong)
{
	Source source(64);
	Sink sink(64);
	std::vector<uint8_t> packet(64);

	for (int i = 0; i < 10; i++) {
		source.write(packet.data(), 0, 64);
		source.done();
		if (i == 4)
			packet[63]++;
		sink.read(packet.data(), 0, 64);
		sink.done(64);
	}
	EXPECT_EQ(sink.count(), 10U);
	EXPECT_EQ(sink.wrong(), 1U);
}

TEST(Contents, SinkSeesASwapAndAShortPacket)
{
	Sink swapped(64);
	for (const uint64_t sequence : {1, 0, 2}) {
		swapped.read(packet_of(sequence, 64).data(), 0, 64);
		swapped.done(64);
	}
	EXPECT_EQ(swapped.wrong(), 2U);

	Sink cut(64);
	cut.read(packet_of(0, 56).data(), 0, 56);
	cut.done(56);
	EXPECT_EQ(cut.wrong(), 1U);
}

} // namespace
