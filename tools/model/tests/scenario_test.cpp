// SPDX-License-Identifier: GPL-2.0
/*
 * The scenarios themselves, small: all that a full search finds is also found by
 * the search that leaves out what is equal.
 */
#include "../scenario.hpp"
#include "litmus.hpp"

using namespace model;

namespace
{

/* Executions, each by what is the same in equal ones. */
Outcomes graphs_of(const Scenario &scenario, const Size &size, Reduction reduction)
{
	const Report report =
		Explorer(
			[&](World &world) {
				scenario.build(world, size);
				world.at_end([] { outcome(Execution::current()->graph()); });
			},
			reduction, {200000, Limits{}.steps})
			.run();

	EXPECT_EQ(report.failure.value_or(""), "") << report.trace;
	EXPECT_FALSE(report.truncated);
	return outcomes_of(report);
}

void compare(const std::vector<Scenario> &scenarios, const Size &size, Reduction other)
{
	for (const Scenario &scenario : scenarios) {
		/* Three threads are too many but for its own size. */
		if (scenario.name == "wake-two-rings" &&
		    (other == Reduction::none || size.packets > 1))
			continue;
		SCOPED_TRACE(scenario.name);
		const Outcomes all = graphs_of(scenario, size, other);
		const Outcomes found = graphs_of(scenario, size, Reduction::dynamic);

		EXPECT_GT(all.size(), 0U);
		EXPECT_EQ(all.size(), found.size());
		EXPECT_TRUE(all == found);
	}
}

} // namespace

TEST(Scenarios, RingsLikeASearchOfEveryOrder)
{
	compare(ring_scenarios(), {2, 3}, Reduction::none);
}

TEST(Scenarios, WakeUpsLikeASearchOfEveryOrder)
{
	compare(wake_scenarios(), {1, 1}, Reduction::none);
}

TEST(Scenarios, RingsLikeASearchOfEveryTrace)
{
	compare(ring_scenarios(), {2, 5}, Reduction::sleep);
}

TEST(Scenarios, WakeUpsLikeASearchOfEveryTrace)
{
	compare(wake_scenarios(), {1, 1}, Reduction::sleep);
	compare(wake_scenarios(), {1, 2}, Reduction::sleep);
}

TEST(Scenarios, PoolsLikeASearchOfEveryTrace)
{
	compare(pool_scenarios(), {2, 2}, Reduction::sleep);
}
