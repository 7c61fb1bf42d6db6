// SPDX-License-Identifier: GPL-2.0
/*
 * The region's layout, and the superblock that describes it.
 */
#include <ccnic/region.h>

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace
{

ccnic_geometry geometry(uint32_t queues = 2, uint32_t ring_lines = 64, uint32_t pages = 128,
			uint32_t cell_bytes = 128)
{
	return {queues, ring_lines, pages, cell_bytes};
}

ccnic_superblock laid_out(const ccnic_geometry &g = geometry())
{
	ccnic_superblock sb{};

	EXPECT_EQ(ccnic_layout(&g, 1, &sb), 0);
	return sb;
}

struct Area {
	std::string name;
	uint64_t start;
	uint64_t bytes;
};

std::vector<Area> areas(const ccnic_superblock &sb)
{
	const uint64_t queues = sb.geometry.queues;
	const uint64_t ring = queues * sb.geometry.ring_lines * sizeof(ccnic_line);
	const uint64_t cells =
		queues * sb.geometry.ring_lines * CCNIC_LINE_DESCS * sb.geometry.cell_bytes;
	const uint64_t exchange = queues * sb.exchange_lines * sizeof(ccnic_line);

	return {
		{"superblock", 0, sizeof(sb)},
		{"host_lines", sb.host_lines, queues * sizeof(ccnic_host_lines)},
		{"tx_ring", sb.tx_ring, ring},
		{"tx_cells", sb.tx_cells, cells},
		{"return_ring", sb.return_ring, exchange},
		{"offer_ring", sb.offer_ring, exchange},
		{"small", sb.small, uint64_t{sb.small_count} * CCNIC_SMALL_STRIDE},
		{"nic_armed", sb.nic_armed, sizeof(ccnic_armed)},
		{"nic_lines", sb.nic_lines, queues * sizeof(ccnic_nic_lines)},
		{"rx_ring", sb.rx_ring, ring},
		{"rx_cells", sb.rx_cells, cells},
		{"supply_ring", sb.supply_ring, exchange},
	};
}

const std::vector<ccnic_geometry> geometries = {
	geometry(1, 32, 64, 0),    geometry(1, 32, 128, 64), geometry(2, 64, 128),
	geometry(3, 256, 1000, 0), geometry(64, 32, 64),     geometry(64, 4096, 16384, 256),
	geometry(17, 1024, 4096),
};

} // namespace

TEST(Region, AreasAreAlignedAndDoNotOverlap)
{
	for (const auto &g : geometries) {
		const ccnic_superblock sb = laid_out(g);
		std::vector<Area> all = areas(sb);

		std::sort(all.begin(), all.end(),
			  [](const Area &a, const Area &b) { return a.start < b.start; });
		for (size_t i = 0; i < all.size(); i++) {
			const uint64_t end =
				i + 1 < all.size() ? all[i + 1].start : uint64_t{sb.size};

			EXPECT_EQ(all[i].start % CCNIC_LINE_SIZE, 0U) << all[i].name;
			EXPECT_LE(all[i].start + all[i].bytes, end) << all[i].name;
		}
	}
}

TEST(Region, EachSideWritesItsOwnNode)
{
	for (const auto &g : geometries) {
		const ccnic_superblock sb = laid_out(g);

		EXPECT_EQ(sb.host_bytes % CCNIC_REGION_ALIGN, 0U);
		EXPECT_EQ(sb.size % CCNIC_REGION_ALIGN, 0U);
		for (const Area &area : areas(sb)) {
			const bool nic = area.name == "nic_armed" || area.name == "nic_lines" ||
					 area.name == "rx_ring" || area.name == "rx_cells" ||
					 area.name == "supply_ring";

			if (nic)
				EXPECT_GE(area.start, sb.host_bytes) << area.name;
			else
				EXPECT_LE(area.start + area.bytes, sb.host_bytes) << area.name;
		}
	}
}

TEST(Region, ExchangeRingsTakeEveryHandle)
{
	for (const auto &g : geometries) {
		const ccnic_superblock sb = laid_out(g);

		EXPECT_EQ(sb.exchange_lines & (sb.exchange_lines - 1), 0U);
		/* One more than a turn would take, so that a turn has one twice. */
		EXPECT_GT(sb.exchange_lines * CCNIC_LINE_HANDLES, sb.small_count);
		EXPECT_GT(sb.exchange_lines * CCNIC_LINE_HANDLES, g.pages);
	}
}

TEST(Region, SmallBuffersAreNeighboursInNoCacheSet)
{
	/* An odd number of lines apart, so that the starts spread over all sets. */
	EXPECT_GE(CCNIC_SMALL_STRIDE, CCNIC_SMALL_SIZE);
	EXPECT_EQ(CCNIC_SMALL_STRIDE % CCNIC_LINE_SIZE, 0U);
	EXPECT_EQ(CCNIC_SMALL_STRIDE / CCNIC_LINE_SIZE % 2, 1U);
}

TEST(Region, PartsStandWhereTheSuperblockSays)
{
	const ccnic_superblock sb = laid_out();
	std::vector<ccnic_line> memory(sb.size / sizeof(ccnic_line));
	char *region = reinterpret_cast<char *>(memory.data());
	const auto offset = [&](const void *at) {
		return static_cast<uint64_t>(static_cast<const char *>(at) - region);
	};

	EXPECT_EQ(offset(ccnic_region_host_lines(region, &sb, 1)),
		  sb.host_lines + sizeof(ccnic_host_lines));
	EXPECT_EQ(offset(ccnic_region_nic_armed(region, &sb)), sb.nic_armed);
	const ccnic_ring tx = ccnic_region_tx_ring(region, &sb, 1);
	const ccnic_ring rx = ccnic_region_rx_ring(region, &sb, 1);
	EXPECT_EQ(offset(tx.lines), sb.tx_ring + 64 * sizeof(ccnic_line));
	EXPECT_EQ(offset(tx.cells), sb.tx_cells + uint64_t{64} * CCNIC_LINE_DESCS * 128);
	EXPECT_EQ(offset(tx.progress), sb.nic_lines + sizeof(ccnic_nic_lines));
	EXPECT_EQ(offset(rx.lines), sb.rx_ring + 64 * sizeof(ccnic_line));
	EXPECT_EQ(offset(rx.cells), sb.rx_cells + uint64_t{64} * CCNIC_LINE_DESCS * 128);
	EXPECT_EQ(offset(rx.progress),
		  sb.host_lines + sizeof(ccnic_host_lines) + offsetof(ccnic_host_lines, rx_done));
	EXPECT_EQ(tx.slots, 64 * CCNIC_LINE_DESCS);
	EXPECT_EQ(tx.cell_bytes, 128U);
	EXPECT_EQ(offset(ccnic_region_exchange(region, &sb, sb.supply_ring, 1)),
		  sb.supply_ring + sb.exchange_lines * sizeof(ccnic_line));
	EXPECT_EQ(offset(ccnic_region_small(region, &sb, sb.small_count - 1)) + CCNIC_SMALL_STRIDE,
		  sb.small + uint64_t{sb.small_count} * CCNIC_SMALL_STRIDE);
	EXPECT_LE(offset(ccnic_region_small(region, &sb, sb.small_count - 1)) + CCNIC_SMALL_SIZE,
		  sb.host_bytes);
}

TEST(Region, GeometryThatCannotBeIsRefused)
{
	const std::vector<ccnic_geometry> bad = {
		geometry(0),
		geometry(CCNIC_QUEUES_MAX + 1),
		geometry(0xffffffffU),
		geometry(2, 16, 64),
		geometry(2, 0, 64),
		geometry(2, 48, 64),
		geometry(2, 8192, 128),
		geometry(2, 0x80000000U, 128),
		geometry(2, 64, CCNIC_PACKET_DESCS_MAX - 1),
		geometry(2, 64, 64 * CCNIC_LINE_DESCS + 1),
		geometry(2, 64, 128, 1),
		geometry(2, 64, 128, 192),
		geometry(2, 64, 128, 512),
	};

	for (const auto &g : bad) {
		ccnic_superblock sb{};

		EXPECT_EQ(ccnic_layout(&g, 1, &sb), CCNIC_EINVAL)
			<< g.queues << " queues, " << g.ring_lines << " lines, " << g.pages
			<< " pages";
		EXPECT_EQ(sb.magic, 0U) << "a region that cannot be has no superblock";
	}
	for (const auto &g : geometries)
		EXPECT_TRUE(ccnic_geometry_valid(&g));
}

TEST(Superblock, GoodOneIsAccepted)
{
	for (const auto &g : geometries) {
		const ccnic_superblock sb = laid_out(g);

		EXPECT_TRUE(ccnic_superblock_valid(&sb, sb.size));
		EXPECT_TRUE(ccnic_superblock_valid(&sb, sb.size + 1));
	}
}

TEST(Superblock, RegionThatEndsTooEarlyIsRefused)
{
	const ccnic_superblock sb = laid_out();

	EXPECT_FALSE(ccnic_superblock_valid(&sb, sb.size - 1));
	EXPECT_FALSE(ccnic_superblock_valid(&sb, 0));
}

TEST(Superblock, EmptyOneIsRefused)
{
	const ccnic_superblock sb{};

	EXPECT_FALSE(ccnic_superblock_valid(&sb, UINT64_MAX));
}

TEST(Superblock, EveryFieldCorruptedIsRefused)
{
	/*
	 * The generation may be any, and a number of pages that is in range
	 * describes another region that could be; everything else is tied.
	 */
	const ccnic_superblock good = laid_out();
	const size_t used = offsetof(ccnic_superblock, supply_ring) + sizeof(good.supply_ring);
	std::array<unsigned char, sizeof(good)> bytes{};

	for (size_t bit = 0; bit < 8 * used; bit++) {
		const size_t byte = bit / 8;
		const size_t pages =
			offsetof(ccnic_superblock, geometry) + offsetof(ccnic_geometry, pages);
		ccnic_superblock bad{};

		if (byte >= offsetof(ccnic_superblock, generation) &&
		    byte < offsetof(ccnic_superblock, geometry))
			continue;
		std::copy_n(reinterpret_cast<const unsigned char *>(&good), sizeof(good),
			    bytes.begin());
		bytes[byte] ^= static_cast<unsigned char>(1U << bit % 8);
		std::copy_n(bytes.begin(), sizeof(bad), reinterpret_cast<unsigned char *>(&bad));
		if (byte >= pages && byte < pages + sizeof(bad.geometry.pages) &&
		    ccnic_geometry_valid(&bad.geometry))
			continue;
		EXPECT_FALSE(ccnic_superblock_valid(&bad, UINT64_MAX)) << "bit " << bit;
	}
}
