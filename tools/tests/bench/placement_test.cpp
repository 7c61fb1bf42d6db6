// SPDX-License-Identifier: GPL-2.0
#include "placement.hpp"

#include "cpus.hpp"

#include <gtest/gtest.h>

namespace
{

using bench::choose_pair;
using bench::Placements;
using bench::same_placement;

std::vector<double> around(double middle, int count)
{
	std::vector<double> values;

	values.reserve(static_cast<size_t>(count));
	for (int i = 0; i < count; i++)
		values.push_back(middle * (0.95 + 0.1 * i / count));
	return values;
}

std::vector<double> both(std::vector<double> one, const std::vector<double> &other)
{
	one.insert(one.end(), other.begin(), other.end());
	return one;
}

TEST(Placement, SmallChangesAreNone)
{
	EXPECT_TRUE(same_placement(120, 120));
	EXPECT_TRUE(same_placement(120, 150));
	EXPECT_TRUE(same_placement(150, 120));
	EXPECT_FALSE(same_placement(120, 240));
	EXPECT_FALSE(same_placement(240, 120));
}

TEST(Placement, TwoClustersAreNearAndFar)
{
	const Placements placements(both(around(121, 50), around(470, 50)));

	EXPECT_EQ(placements.name(121), "near");
	EXPECT_EQ(placements.name(470), "far");
	EXPECT_GT(placements.threshold_ns(), 140);
	EXPECT_LT(placements.threshold_ns(), 430);
}

TEST(Placement, ThreeClustersArePartedAtTheWidestGap)
{
	const Placements placements(both(around(50, 40), both(around(130, 40), around(190, 40))));

	EXPECT_EQ(placements.name(50), "near");
	EXPECT_EQ(placements.name(130), "far");
	EXPECT_EQ(placements.name(190), "far");
}

TEST(Placement, OneClusterIsOnePlacement)
{
	const Placements far(around(130, 50));
	for (const double sample : around(130, 50))
		EXPECT_EQ(far.name(sample), "far");

	const Placements near(around(50, 50));
	for (const double sample : around(50, 50))
		EXPECT_EQ(near.name(sample), "near");
}

TEST(Placement, AFewThatAreFarOffMakeNoCluster)
{
	const Placements placements(both(around(130, 200), {900, 1000}));

	EXPECT_EQ(placements.name(125), placements.name(135));
}

TEST(Placement, OfNothingIsSomething)
{
	EXPECT_FALSE(Placements({}).name(100).empty());
}

TEST(Placement, AGivenThresholdIsTaken)
{
	const Placements placements(both(around(50, 40), around(130, 40)), 140);

	EXPECT_EQ(placements.name(130), "near");
	EXPECT_EQ(placements.name(141), "far");
	EXPECT_EQ(placements.threshold_ns(), 140);
}

TEST(Cpus, OneIsNoPair)
{
	EXPECT_FALSE(choose_pair({{0, 0, 0, 0}}).has_value());
	EXPECT_FALSE(choose_pair({}).has_value());
}

TEST(Cpus, AnotherNodeIsBest)
{
	const auto pair = choose_pair({{0, 0, 0, 0}, {1, 0, 0, 0}, {2, 0, 0, 1}, {3, 1, 1, 2}});

	EXPECT_EQ(pair->host.number, 0);
	EXPECT_EQ(pair->nic.number, 3);
	EXPECT_NE(pair->text().find("two nodes"), std::string::npos);
}

TEST(Cpus, AnotherCoreIsBetterThanItsOtherThread)
{
	const auto pair = choose_pair({{0, 0, 0, 0}, {1, 0, 0, 0}, {2, 0, 0, 1}});

	EXPECT_EQ(pair->nic.number, 2);
}

TEST(Cpus, TheThreadsOfOneCoreAreTakenForLackOfOthers)
{
	const auto pair = choose_pair({{0, 0, 0, 0}, {1, 0, 0, 0}});

	EXPECT_EQ(pair->nic.number, 1);
	EXPECT_NE(pair->text().find("one core"), std::string::npos);
}

} // namespace
