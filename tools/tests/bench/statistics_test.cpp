// SPDX-License-Identifier: GPL-2.0
#include "statistics.hpp"

#include <gtest/gtest.h>

namespace
{

using bench::Histogram;
using bench::spread;

TEST(Spread, OfNothingIsNothing)
{
	EXPECT_FALSE(spread({}).has_value());
}

TEST(Spread, OfOneIsThatOne)
{
	const auto one = spread({3});

	EXPECT_EQ(one->median, 3);
	EXPECT_EQ(one->lower, 3);
	EXPECT_EQ(one->upper, 3);
	EXPECT_EQ(one->count, 1U);
}

TEST(Spread, DoesNotMindTheOrder)
{
	const auto five = spread({5, 1, 4, 2, 3});

	EXPECT_EQ(five->median, 3);
	EXPECT_EQ(five->lower, 2);
	EXPECT_EQ(five->upper, 4);
}

TEST(Spread, LiesBetweenTwo)
{
	const auto four = spread({1, 2, 3, 4});

	EXPECT_DOUBLE_EQ(four->median, 2.5);
	EXPECT_DOUBLE_EQ(four->lower, 1.75);
	EXPECT_DOUBLE_EQ(four->upper, 3.25);
}

TEST(Spread, IsNotMovedByOneThatIsFarOff)
{
	EXPECT_EQ(spread({10, 11, 12, 13, 100000})->median, 12);
}

TEST(Histogram, OfNothingIsZero)
{
	const Histogram histogram;

	EXPECT_EQ(histogram.count(), 0U);
	EXPECT_EQ(histogram.least(), 0U);
	EXPECT_EQ(histogram.quantile(0.5), 0U);
}

TEST(Histogram, SmallValuesAreExact)
{
	Histogram histogram;

	for (uint64_t value = 1; value <= 100; value++)
		histogram.add(value);
	EXPECT_EQ(histogram.least(), 1U);
	EXPECT_EQ(histogram.quantile(0.5), 50U);
	EXPECT_EQ(histogram.quantile(0.99), 99U);
	EXPECT_EQ(histogram.quantile(1), 100U);
}

TEST(Histogram, LargeOnesAreNearlyRight)
{
	Histogram histogram;

	for (uint64_t value = 1; value <= 1000; value++)
		histogram.add(value * 1000000);
	for (const double fraction : {0.1, 0.5, 0.9, 0.99}) {
		const double want = fraction * 1e9;
		EXPECT_NEAR(static_cast<double>(histogram.quantile(fraction)), want, want * 0.01);
	}
}

TEST(Histogram, TakesEveryValue)
{
	Histogram histogram;

	for (unsigned int bit = 0; bit < 64; bit++)
		histogram.add(uint64_t{1} << bit);
	histogram.add(UINT64_MAX);
	histogram.add(0);
	EXPECT_EQ(histogram.count(), 66U);
	EXPECT_EQ(histogram.least(), 0U);
	EXPECT_GT(histogram.quantile(1), uint64_t{1} << 63);
}

TEST(Histogram, ForgetsWhenCleared)
{
	Histogram histogram;

	histogram.add(5);
	histogram.clear();
	EXPECT_EQ(histogram.count(), 0U);
	EXPECT_EQ(histogram.quantile(0.5), 0U);
}

} // namespace
