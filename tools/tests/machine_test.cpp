// SPDX-License-Identifier: GPL-2.0
#include "machine.hpp"

#include <gtest/gtest.h>
#include <sys/utsname.h>

TEST(Machine, SaysAllThatAReportNeeds)
{
	const auto machine = tools::machine_description();
	utsname names{};

	ASSERT_EQ(uname(&names), 0);
	EXPECT_FALSE(machine.at("cpu").get<std::string>().empty());
	EXPECT_GE(machine.at("cores").get<int>(), 1);
	EXPECT_GE(machine.at("nodes").get<int>(), 1);
	EXPECT_EQ(machine.at("kernel"), names.release);
	EXPECT_EQ(machine.contains("hypervisor"), machine.at("virtualised").get<bool>());
}

TEST(CountList, AsTheKernelWritesThem)
{
	EXPECT_EQ(tools::count_list("0"), 1U);
	EXPECT_EQ(tools::count_list("0-3"), 4U);
	EXPECT_EQ(tools::count_list("0-3,8,10-11"), 7U);
}

TEST(CountList, NonsenseIsNothing)
{
	for (const char *list : {"", "x", "3-1", "0-", "0,x", "0;1", "-1"})
		EXPECT_EQ(tools::count_list(list), 0U) << list;
}
