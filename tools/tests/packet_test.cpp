// SPDX-License-Identifier: GPL-2.0
/*
 * What a packet's descriptors say, and what they must not.
 */
#include "ring_fixture.hpp"

#include <ccnic/packet.h>

namespace
{

/* One buffer of the given length. */
Descriptors plain(uint16_t len)
{
	Descriptors packet = make_packet(1, 1);

	packet[0].len = len;
	return packet;
}

int parse(const Descriptors &desc, ccnic_packet &packet)
{
	return ccnic_packet_parse(desc.data(), static_cast<uint32_t>(desc.size()),
				  CCNIC_PACKET_BYTES_MIN, &packet);
}

int parse(const Descriptors &desc)
{
	ccnic_packet packet{};

	return parse(desc, packet);
}

/* A context, and buffers of 1000 bytes in all behind it. */
Descriptors with_context(const ccnic_packet &wanted)
{
	ccnic_packet packet = wanted;
	Descriptors desc = make_packet(1, 3);

	ccnic_packet_describe(&packet, desc.data());
	EXPECT_EQ(packet.first, 1U);
	desc[1].len = 400;
	desc[2].len = 600;
	ccnic_packet_mark(&packet, desc.data(), 3);
	return desc;
}

ccnic_packet segmented()
{
	ccnic_packet packet{};

	packet.csum = CCNIC_F_CSUM_PARTIAL;
	packet.csum_start = 34;
	packet.csum_offset = 16;
	packet.gso_size = 500;
	packet.gso_type = CCNIC_GSO_TCPV4;
	packet.hdr_len = 54;
	return packet;
}

} // namespace

TEST(Packet, PlainBuffersAddUp)
{
	Descriptors desc = make_packet(1, 3);
	ccnic_packet packet{};

	desc[0].len = 100;
	desc[1].len = 1;
	desc[2].len = 65000;
	desc[1].flags = CCNIC_KIND_PAGE;
	ASSERT_EQ(parse(desc, packet), 0);
	EXPECT_EQ(packet.bytes, 65101U);
	EXPECT_EQ(packet.first, 0U);
	EXPECT_EQ(packet.count, 3U);
	EXPECT_EQ(packet.csum, 0);
	EXPECT_EQ(packet.gso_size, 0);
	EXPECT_EQ(packet.gso_type, CCNIC_GSO_NONE);
}

TEST(Packet, EmptyBufferIsRefused)
{
	Descriptors desc = make_packet(1, 2);

	desc[0].len = 100;
	EXPECT_EQ(parse(desc), 0);
	desc[1].len = 0;
	EXPECT_EQ(parse(desc), CCNIC_EPROTO);
}

TEST(Packet, OnlyBuffersPagesAndCellsCarryPayload)
{
	for (uint16_t kind = 0; kind <= CCNIC_KIND_MASK; kind++) {
		Descriptors desc = make_packet(1, 2);
		const bool good = kind == CCNIC_KIND_BUFFER || kind == CCNIC_KIND_PAGE ||
				  kind == CCNIC_KIND_INLINE;

		desc[0].len = 100;
		desc[1].flags = kind | CCNIC_F_EOP;
		EXPECT_EQ(parse(desc), good ? 0 : CCNIC_EPROTO) << kind;
	}
}

TEST(Packet, ContextAloneIsRefused)
{
	Descriptors desc = with_context(segmented());

	desc.resize(1);
	EXPECT_EQ(parse(desc), CCNIC_EPROTO);
}

TEST(Packet, SecondContextIsRefused)
{
	Descriptors desc = with_context(segmented());

	ASSERT_EQ(parse(desc), 0);
	desc[1] = desc[0];
	EXPECT_EQ(parse(desc), CCNIC_EPROTO);
}

TEST(Packet, LengthHasLimits)
{
	EXPECT_EQ(parse(plain(CCNIC_PACKET_BYTES_MIN)), 0);
	EXPECT_EQ(parse(plain(CCNIC_PACKET_BYTES_MIN - 1)), CCNIC_EPROTO);

	Descriptors desc = make_packet(1, 2);
	desc[0].len = 65535;
	desc[1].len = CCNIC_PACKET_BYTES_MAX - 65535;
	EXPECT_EQ(parse(desc), 0);
	desc[1].len++;
	EXPECT_EQ(parse(desc), CCNIC_EPROTO);
}

TEST(Packet, ShortestLengthIsTheCallersRule)
{
	Descriptors desc = plain(1);
	ccnic_packet packet{};

	EXPECT_EQ(ccnic_packet_parse(desc.data(), 1, 1, &packet), 0);
	EXPECT_EQ(packet.bytes, 1U);
	EXPECT_EQ(ccnic_packet_parse(desc.data(), 1, 2, &packet), CCNIC_EPROTO);
}

TEST(Packet, LengthDoesNotOverflow)
{
	Descriptors desc = make_packet(1, CCNIC_PACKET_DESCS_MAX);

	for (ccnic_desc &each : desc)
		each.len = 65535;
	EXPECT_EQ(parse(desc), CCNIC_EPROTO);
}

TEST(Packet, ChecksumInTheFirstDescriptor)
{
	ccnic_packet wanted{};
	ccnic_packet packet{};
	Descriptors desc = plain(64);

	wanted.csum = CCNIC_F_CSUM_PARTIAL;
	wanted.csum_start = 34;
	wanted.csum_offset = 16;
	ccnic_packet_describe(&wanted, desc.data());
	ASSERT_EQ(wanted.first, 0U) << "a 64-byte packet with a checksum takes one descriptor";
	ccnic_packet_mark(&wanted, desc.data(), 1);
	ASSERT_EQ(parse(desc, packet), 0);
	EXPECT_EQ(packet.csum, CCNIC_F_CSUM_PARTIAL);
	EXPECT_EQ(packet.csum_start, 34);
	EXPECT_EQ(packet.csum_offset, 16);
}

TEST(Packet, ChecksumMustLieInThePacket)
{
	Descriptors desc = plain(64);

	desc[0].flags |= CCNIC_F_CSUM_PARTIAL;
	desc[0].meta[0] = 46 | 16 << 8;
	EXPECT_EQ(parse(desc), 0);
	desc[0].meta[0] = 47 | 16 << 8;
	EXPECT_EQ(parse(desc), CCNIC_EPROTO);
	desc[0].meta[0] = 0xffff;
	EXPECT_EQ(parse(desc), CCNIC_EPROTO);
}

TEST(Packet, ChecksumInTheContextMustLieInThePacket)
{
	ccnic_packet wanted{};

	wanted.csum = CCNIC_F_CSUM_PARTIAL;
	wanted.csum_start = 900;
	wanted.csum_offset = 98;
	EXPECT_EQ(parse(with_context(wanted)), 0);
	wanted.csum_offset = 99;
	EXPECT_EQ(parse(with_context(wanted)), CCNIC_EPROTO);
	wanted.csum_start = 65535;
	wanted.csum_offset = 65535;
	EXPECT_EQ(parse(with_context(wanted)), CCNIC_EPROTO);
}

TEST(Packet, VerifiedChecksumIsSaid)
{
	ccnic_packet wanted{};
	ccnic_packet packet{};
	Descriptors desc = plain(64);

	wanted.csum = CCNIC_F_CSUM_VALID;
	ccnic_packet_describe(&wanted, desc.data());
	ccnic_packet_mark(&wanted, desc.data(), 1);
	ASSERT_EQ(parse(desc, packet), 0);
	EXPECT_EQ(packet.csum, CCNIC_F_CSUM_VALID);
}

TEST(Packet, SegmentationComesThroughAContext)
{
	const ccnic_packet wanted = segmented();
	const Descriptors desc = with_context(wanted);
	ccnic_packet packet{};

	EXPECT_EQ(ccnic_desc_kind(&desc[0]), CCNIC_KIND_CONTEXT);
	ASSERT_EQ(parse(desc, packet), 0);
	EXPECT_EQ(packet.first, 1U);
	EXPECT_EQ(packet.bytes, 1000U);
	EXPECT_EQ(packet.csum, CCNIC_F_CSUM_PARTIAL);
	EXPECT_EQ(packet.csum_start, wanted.csum_start);
	EXPECT_EQ(packet.csum_offset, wanted.csum_offset);
	EXPECT_EQ(packet.gso_size, wanted.gso_size);
	EXPECT_EQ(packet.gso_type, wanted.gso_type);
	EXPECT_EQ(packet.hdr_len, wanted.hdr_len);
}

TEST(Packet, SegmentationTypes)
{
	for (uint16_t type = 0; type <= 0xff; type++) {
		const uint32_t kind = type & CCNIC_GSO_TYPE_MASK;
		const bool good = kind == CCNIC_GSO_TCPV4 || kind == CCNIC_GSO_TCPV6 ||
				  kind == CCNIC_GSO_UDP_L4;
		ccnic_packet wanted = segmented();

		wanted.gso_type = type;
		EXPECT_EQ(parse(with_context(wanted)), good ? 0 : CCNIC_EPROTO) << type;
	}
}

TEST(Packet, SegmentationNeedsAChecksum)
{
	ccnic_packet wanted = segmented();

	wanted.csum = 0;
	EXPECT_EQ(parse(with_context(wanted)), CCNIC_EPROTO);
}

TEST(Packet, SegmentsAreSmallerThanThePacket)
{
	ccnic_packet wanted = segmented();

	wanted.gso_size = 999;
	EXPECT_EQ(parse(with_context(wanted)), 0);
	wanted.gso_size = 1000;
	EXPECT_EQ(parse(with_context(wanted)), CCNIC_EPROTO);
}

TEST(Packet, SegmentationTypeWithoutSizeIsRefused)
{
	ccnic_packet wanted = segmented();
	Descriptors desc = with_context(wanted);
	ccnic_context context{};

	std::copy_n(reinterpret_cast<const char *>(&desc[0]), sizeof(context),
		    reinterpret_cast<char *>(&context));
	context.gso_size = 0;
	std::copy_n(reinterpret_cast<const char *>(&context), sizeof(context),
		    reinterpret_cast<char *>(&desc[0]));
	EXPECT_EQ(parse(desc), CCNIC_EPROTO);
}

TEST(Packet, ChecksumFarFromTheStartTakesAContext)
{
	for (const uint16_t start : {255, 256}) {
		ccnic_packet wanted{};
		Descriptors desc = make_packet(1, 2);

		wanted.csum = CCNIC_F_CSUM_PARTIAL;
		wanted.csum_start = start;
		ccnic_packet_describe(&wanted, desc.data());
		EXPECT_EQ(wanted.first, start == 256 ? 1U : 0U);
	}
}

TEST(Packet, OnlyTheLastDescriptorEndsThePacket)
{
	Descriptors desc = make_packet(1, 3);
	ccnic_packet packet{};

	desc[2].flags = CCNIC_KIND_BUFFER;
	ccnic_packet_describe(&packet, desc.data());
	ccnic_packet_mark(&packet, desc.data(), 3);
	EXPECT_EQ(desc[0].flags & CCNIC_F_EOP, 0U);
	EXPECT_EQ(desc[1].flags & CCNIC_F_EOP, 0U);
	EXPECT_EQ(desc[2].flags & CCNIC_F_EOP, CCNIC_F_EOP);
}
