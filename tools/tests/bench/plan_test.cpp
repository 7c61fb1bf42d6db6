// SPDX-License-Identifier: GPL-2.0
#include "plan.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace
{

using namespace bench;

const std::vector<Entry> entries = {{"ours", Role::main, "", {}},
				    {"naive", Role::main, "", {}},
				    {"no-pacing", Role::element, "", {}},
				    {"memif", Role::peer, "", {}},
				    {"mutex", Role::floor, "", {}}};

TEST(Plan, HasEveryCellOfTheTargets)
{
	const std::vector<Step> plan = make_plan({}, entries);

	for (const uint32_t size : {64U, 1500U})
		for (const uint32_t outstanding : outstandings)
			for (const uint32_t batch : batches)
				EXPECT_EQ(std::count_if(plan.begin(), plan.end(),
							[&](const Step &step) {
								return step.point ==
								       Point{Kind::rate, size,
									     batch, outstanding};
							}),
					  1);
	for (const uint32_t load : loads)
		EXPECT_TRUE(std::any_of(plan.begin(), plan.end(), [&](const Step &step) {
			return step.point.kind == Kind::load && step.point.load_percent == load;
		}));
}

TEST(Plan, HasNoPointTwice)
{
	for (const bool full : {false, true}) {
		Wish wish;
		wish.full = full;
		std::set<Point> points;

		for (const Step &step : make_plan(wish, entries))
			EXPECT_TRUE(points.insert(step.point).second);
	}
}

TEST(Plan, FullIsMore)
{
	Wish full;
	full.full = true;

	EXPECT_GT(make_plan(full, entries).size(), make_plan({}, entries).size());
	EXPECT_GT(round_seconds(make_plan(full, entries), full),
		  round_seconds(make_plan({}, entries), {}));
}

TEST(Plan, QuickIsRoundsWithinTwoMinutes)
{
	/* Sums up what the plan says; measures nothing. */
	EXPECT_LT(round_seconds(make_plan({}, all_subjects()), {}), 12);
}

TEST(Plan, DoesWhatIsWished)
{
	Wish wish;
	wish.designs = {"ours", "mutex"};
	wish.sizes = {64, 128};
	wish.kinds = {"rate"};

	const std::vector<Step> plan = make_plan(wish, entries);
	std::set<uint32_t> sizes;
	ASSERT_FALSE(plan.empty());
	for (const Step &step : plan) {
		EXPECT_EQ(step.point.kind, Kind::rate);
		sizes.insert(step.point.size);
		for (const std::string &design : step.designs)
			EXPECT_TRUE(design == "ours" || design == "mutex");
	}
	EXPECT_EQ(sizes, (std::set<uint32_t>{64, 128}));
}

TEST(Plan, OfNothingIsEmpty)
{
	Wish wish;
	wish.designs = {"unheard-of"};

	EXPECT_TRUE(make_plan(wish, entries).empty());
}

TEST(Plan, KindsHaveNames)
{
	for (const Kind kind : {Kind::rate, Kind::latency, Kind::load})
		EXPECT_EQ(kind_named(kind_name(kind)), kind);
}

} // namespace
