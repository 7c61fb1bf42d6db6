// SPDX-License-Identifier: GPL-2.0
#include "counters.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

using tools::Counters;

namespace
{

constexpr const char *ethtool_text = "NIC statistics:\n"
				     "     tx0_packets: 12\n"
				     "     tx0_lines: 10\n"
				     "     tx0_descriptors: 36\n"
				     "     rx0_lines: 0\n"
				     "     rx0_descriptors: 0\n"
				     "     queue: with a colon: 18446744073709551615\n";

std::string error_of(void (*parse)())
{
	try {
		parse();
	} catch (const std::runtime_error &error) {
		return error.what();
	}
	return {};
}

} // namespace

TEST(EthtoolStatistics, AreReadByName)
{
	const Counters counters = tools::parse_ethtool_statistics(ethtool_text);

	EXPECT_EQ(counters.size(), 6U);
	EXPECT_EQ(tools::find(counters, "tx0_lines"), 10U);
	EXPECT_EQ(tools::find(counters, "queue: with a colon"), UINT64_MAX);
	EXPECT_EQ(tools::find(counters, "tx1_lines"), std::nullopt);
}

TEST(EthtoolStatistics, OfADeviceWithoutAnyAreEmpty)
{
	EXPECT_TRUE(tools::parse_ethtool_statistics("no stats available\n").empty());
	EXPECT_TRUE(tools::parse_ethtool_statistics("").empty());
}

TEST(EthtoolStatistics, LineThatIsNoCounterIsNamed)
{
	const std::string error =
		error_of([] { tools::parse_ethtool_statistics("NIC statistics:\n  rx: many\n"); });

	EXPECT_NE(error.find("'rx: many'"), std::string::npos) << error;
	EXPECT_THROW(tools::parse_ethtool_statistics("rx 5\n"), std::runtime_error);
	EXPECT_THROW(tools::parse_ethtool_statistics("rx: -5\n"), std::runtime_error);
	EXPECT_THROW(tools::parse_ethtool_statistics("rx: 5 packets\n"), std::runtime_error);
	EXPECT_THROW(tools::parse_ethtool_statistics("rx: 18446744073709551616\n"),
		     std::runtime_error);
}

TEST(KeyValues, AreReadByKey)
{
	const auto values = tools::parse_key_values("backend contig\n"
						    "groups   32\n"
						    "\n"
						    "groups_origin set by  hand \n");

	EXPECT_EQ(values.at("backend"), "contig");
	EXPECT_EQ(values.at("groups_origin"), "set by  hand");
	EXPECT_EQ(tools::number(values, "groups"), 32U);
	EXPECT_EQ(tools::number(values, "backend"), std::nullopt);
	EXPECT_EQ(tools::number(values, "absent"), std::nullopt);
}

TEST(KeyValues, KeyWithoutValueIsNamed)
{
	const std::string error = error_of([] { tools::parse_key_values("groups 32\nbackend\n"); });

	EXPECT_NE(error.find("'backend'"), std::string::npos) << error;
}

TEST(Difference, CountsWhatCameInBetween)
{
	const Counters before = {{"grew", 5}, {"stood", 7}, {"shrank", 9}, {"went", 1}};
	const Counters after = {{"grew", 8}, {"stood", 7}, {"shrank", 2}, {"came", 4}};
	const Counters want = {{"grew", 3}, {"stood", 0}, {"shrank", 0}, {"came", 4}};

	EXPECT_EQ(tools::difference(before, after), want);
}

TEST(RingCounters, AreFoundByTheirNames)
{
	const auto rings = tools::ring_counters(tools::parse_ethtool_statistics(ethtool_text));

	ASSERT_EQ(rings.size(), 2U);
	EXPECT_EQ(rings.at("tx0").lines, 10U);
	EXPECT_EQ(rings.at("tx0").descriptors, 36U);
	EXPECT_DOUBLE_EQ(rings.at("tx0").descriptors_per_line().value(), 3.6);
	EXPECT_EQ(rings.at("rx0").descriptors_per_line(), std::nullopt);
}

TEST(RingCounters, LinesWithoutDescriptorsAreNoRing)
{
	EXPECT_TRUE(tools::ring_counters({{"free_lines", 5}, {"tx_descriptors", 4}}).empty());
}
