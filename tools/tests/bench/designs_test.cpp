// SPDX-License-Identifier: GPL-2.0
/*
 * Every design brings every packet over, whole and in order.
 */
#include "cpus.hpp"
#include "subject.hpp"

#include <gtest/gtest.h>

namespace
{

using namespace bench;

constexpr uint64_t packets = CCNIC_TEST_PACKETS;

std::vector<std::string> names()
{
	std::vector<std::string> list;

	for (const Entry &entry : all_subjects())
		list.push_back(entry.name);
	return list;
}

std::unique_ptr<Subject> make(const std::string &name)
{
	for (const Entry &entry : all_subjects())
		if (entry.name == name)
			return entry.make();
	return nullptr;
}

std::string test_name(const testing::TestParamInfo<std::string> &info)
{
	std::string name = info.param;

	std::replace(name.begin(), name.end(), '-', '_');
	return name;
}

class Design : public testing::TestWithParam<std::string>
{
};

/* The same under a name by which ctest gives it two CPUs. */
class DesignThreads : public testing::TestWithParam<std::string>
{
};

TEST_P(Design, PassesPacketsOfAllSizes)
{
	for (const uint32_t size : {8U, 60U, 64U, 65U, 100U, 1500U, 2048U, 2049U, 9000U})
		for (const uint32_t batch : {1U, 3U, 32U})
			EXPECT_EQ(make(GetParam())->pass(size, batch, 300, nullptr), 300U)
				<< size << " B, batch " << batch;
}

TEST_P(Design, GoesRoundItsRings)
{
	EXPECT_EQ(make(GetParam())->pass(64, 32, packets, nullptr), packets);
	EXPECT_EQ(make(GetParam())->pass(1500, 32, packets, nullptr), packets);
}

TEST_P(DesignThreads, PassPackets)
{
	const auto cpus = choose_pair(usable_cpus());

	if (!cpus)
		GTEST_SKIP() << "one CPU";
	for (const uint32_t size : {64U, 1500U, 9000U})
		for (const uint32_t batch : {1U, 32U})
			EXPECT_EQ(make(GetParam())->pass(size, batch, packets, &*cpus), packets)
				<< size << " B, batch " << batch;
}

TEST_P(DesignThreads, AreMeasuredWithoutAWrongPacket)
{
	const auto cpus = choose_pair(usable_cpus());

	if (!cpus)
		GTEST_SKIP() << "one CPU";
	const auto subject = make(GetParam());
	for (const Point &point : {Point{Kind::rate, 64, 32, 1024}, Point{Kind::rate, 1500, 4, 64},
				   Point{Kind::rate, 64, 4, 64, 2}, Point{Kind::latency, 64, 1, 1},
				   Point{Kind::load, 64, 32, 1024, 1, 1, 50}})
		EXPECT_EQ(subject->measure(point, *cpus, 3).wrong, 0U) << kind_name(point.kind);
}

INSTANTIATE_TEST_SUITE_P(All, Design, testing::ValuesIn(names()), test_name);
INSTANTIATE_TEST_SUITE_P(All, DesignThreads, testing::ValuesIn(names()), test_name);

} // namespace
