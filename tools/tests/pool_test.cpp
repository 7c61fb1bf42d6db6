// SPDX-License-Identifier: GPL-2.0
/*
 * The shared pool's parts, in one thread: cache, scatter, ledger, exchange.
 */
#include <ccnic/pool.h>

#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

TEST(Cache, LastInIsFirstOut)
{
	std::array<uint32_t, 8> room{};
	ccnic_cache cache{};
	uint32_t handle = 0;

	ccnic_cache_init(&cache, room.data(), 8);
	for (uint32_t i = 0; i < 8; i++)
		ASSERT_TRUE(ccnic_cache_push(&cache, 100 + i));
	for (uint32_t i = 8; i-- > 0;) {
		ASSERT_TRUE(ccnic_cache_pop(&cache, &handle));
		EXPECT_EQ(handle, 100 + i);
	}
}

TEST(Cache, EmptyGivesNothing)
{
	std::array<uint32_t, 8> room{};
	ccnic_cache cache{};
	uint32_t handle = 77;

	ccnic_cache_init(&cache, room.data(), 8);
	EXPECT_FALSE(ccnic_cache_pop(&cache, &handle));
	EXPECT_EQ(handle, 77U);
	EXPECT_EQ(cache.count, 0U);
}

TEST(Cache, FullTakesNothing)
{
	std::array<uint32_t, 4> room{};
	ccnic_cache cache{};
	uint32_t handle = 0;

	ccnic_cache_init(&cache, room.data(), 3);
	for (uint32_t i = 0; i < 3; i++)
		ASSERT_TRUE(ccnic_cache_push(&cache, i));
	EXPECT_FALSE(ccnic_cache_push(&cache, 99));
	EXPECT_EQ(room[3], 0U);
	ASSERT_TRUE(ccnic_cache_pop(&cache, &handle));
	EXPECT_EQ(handle, 2U);
	EXPECT_TRUE(ccnic_cache_push(&cache, 99));
}

TEST(Scatter, EveryBufferComesUpOnce)
{
	for (uint32_t count = 1; count <= 3000; count++) {
		const uint32_t step = ccnic_scatter_step(count);
		std::vector<bool> seen(count);
		uint64_t at = 0;

		for (uint32_t i = 0; i < count; i++, at += step) {
			ASSERT_FALSE(seen[at % count]) << "step " << step << " of " << count;
			seen[at % count] = true;
		}
	}
}

TEST(Scatter, NeighboursInTimeAreNoNeighboursInMemory)
{
	for (uint32_t count = 64; count <= 100000; count = count * 5 / 4) {
		const uint32_t step = ccnic_scatter_step(count) % count;

		EXPECT_GT(step, 8U) << count;
		EXPECT_LT(step, count - 8) << count;
	}
}

namespace
{

constexpr uint32_t handles = 64;

struct Ledger {
	std::array<uint8_t, handles> at_peer{};
	ccnic_ledger ledger = {at_peer.data(), handles};

	void lend(uint32_t index)
	{
		ccnic_ledger_lend(&ledger, index);
	}
	bool take(uint32_t index)
	{
		return ccnic_ledger_take(&ledger, index);
	}
};

} // namespace

TEST(Ledger, WhatWasLentComesBackOnce)
{
	Ledger ledger;

	ledger.lend(5);
	EXPECT_TRUE(ledger.take(5));
	EXPECT_FALSE(ledger.take(5)) << "freed twice";
	ledger.lend(5);
	EXPECT_TRUE(ledger.take(5));
}

TEST(Ledger, WhatWasNotLentIsRefused)
{
	Ledger ledger;

	ledger.lend(5);
	for (uint32_t index = 0; index < handles; index++)
		EXPECT_EQ(ledger.take(index), index == 5) << index;
}

TEST(Ledger, WhatIsNoHandleIsRefused)
{
	Ledger ledger;

	for (uint32_t index = 0; index < handles; index++)
		ledger.lend(index);
	for (const uint32_t index : {handles, handles + 1, 0x7fffffffU, 0x80000000U, 0xffffffffU})
		EXPECT_FALSE(ledger.take(index)) << index;
}

namespace
{

/* An exchange ring with both its sides. */
class ExchangeTest : public testing::Test
{
protected:
	static constexpr uint32_t ring_lines = 16;

	std::vector<ccnic_line> lines = std::vector<ccnic_line>(ring_lines);
	ccnic_lender lender{};
	ccnic_borrower borrower{};
	std::array<uint32_t, CCNIC_LINE_HANDLES> got{};

	ExchangeTest()
	{
		ccnic_lender_init(&lender, lines.data(), ring_lines);
		ccnic_borrower_init(&borrower, lines.data(), ring_lines);
	}
	void lend(uint32_t handle)
	{
		ccnic_lend(&lender, handle);
	}
	int borrow()
	{
		return ccnic_borrow(&borrower, got.data());
	}
	void lend_batch(uint32_t first)
	{
		for (uint32_t i = 0; i < CCNIC_LINE_HANDLES; i++)
			lend(first + i);
	}
	void expect_batch(uint32_t first)
	{
		ASSERT_EQ(borrow(), static_cast<int>(CCNIC_LINE_HANDLES));
		for (uint32_t i = 0; i < CCNIC_LINE_HANDLES; i++)
			EXPECT_EQ(got[i], first + i);
	}
};

} // namespace

TEST_F(ExchangeTest, EmptyGivesNothing)
{
	EXPECT_EQ(borrow(), 0);
}

TEST_F(ExchangeTest, BatchTravelsWhenItIsFull)
{
	for (uint32_t i = 0; i < CCNIC_LINE_HANDLES; i++) {
		EXPECT_EQ(borrow(), 0);
		lend(100 + i);
	}
	expect_batch(100);
	EXPECT_EQ(borrow(), 0);
}

TEST_F(ExchangeTest, LinesAreTheGiversAlone)
{
	const std::vector<ccnic_line> lent = [&] {
		lend_batch(100);
		return lines;
	}();

	expect_batch(100);
	EXPECT_EQ(std::memcmp(lent.data(), lines.data(), lines.size() * sizeof(lines[0])), 0);
	EXPECT_EQ(borrow(), 0) << "the same batch a second time";
}

TEST_F(ExchangeTest, AWholeTurnMayBeOnItsWay)
{
	for (uint32_t batch = 0; batch < ring_lines; batch++)
		lend_batch(100 * batch);
	for (uint32_t batch = 0; batch < ring_lines; batch++)
		expect_batch(100 * batch);
	EXPECT_EQ(borrow(), 0);
}

TEST_F(ExchangeTest, WrapsManyTimes)
{
	for (uint32_t batch = 0; batch < 0x12000; batch++) {
		lend_batch(batch);
		expect_batch(batch);
	}
}

TEST_F(ExchangeTest, IndicesMayOverflow)
{
	lender.next = 0xfffffff8U;
	borrower.next = 0xfffffff8U;
	for (uint32_t batch = 0; batch < 3 * ring_lines; batch++) {
		lend_batch(batch);
		expect_batch(batch);
	}
}

TEST_F(ExchangeTest, SignalWithoutSenseStopsIt)
{
	for (const uint32_t signal :
	     {ccnic_batch_signal(0) - 1, 1U, 0xffffffffU - 16, ccnic_batch_signal(1),
	      ccnic_batch_signal(ring_lines), ccnic_batch_signal(0U - 2 * ring_lines)}) {
		SCOPED_TRACE(signal);
		lines[0].signal = signal;
		ccnic_borrower_init(&borrower, lines.data(), ring_lines);
		EXPECT_EQ(borrow(), CCNIC_EPROTO);
		lines[0].signal = ccnic_batch_signal(0);
		EXPECT_EQ(borrow(), CCNIC_EPROTO) << "it must not recover by itself";
	}
}

TEST(Pool, RunsDryAndHeals)
{
	/* One side has all; the other gets batches until there are none left. */
	constexpr uint32_t lines_count = 16;
	constexpr uint32_t all = 4 * CCNIC_LINE_HANDLES;
	std::vector<ccnic_line> lines(lines_count);
	std::array<uint32_t, all> room{};
	std::array<uint32_t, CCNIC_LINE_HANDLES> batch{};
	ccnic_lender lender{};
	ccnic_borrower borrower{};
	ccnic_cache cache{};
	uint32_t handle = 0;

	ccnic_lender_init(&lender, lines.data(), lines_count);
	ccnic_borrower_init(&borrower, lines.data(), lines_count);
	ccnic_cache_init(&cache, room.data(), all);
	for (uint32_t i = 0; i < all; i++)
		ASSERT_TRUE(ccnic_cache_push(&cache, i));

	while (ccnic_cache_pop(&cache, &handle))
		ccnic_lend(&lender, handle);
	EXPECT_FALSE(ccnic_cache_pop(&cache, &handle));

	uint32_t back = 0;
	for (int count = 0; (count = ccnic_borrow(&borrower, batch.data())) > 0;) {
		for (int i = 0; i < count; i++, back++)
			ASSERT_TRUE(ccnic_cache_push(&cache, batch[i]));
	}
	EXPECT_EQ(back, all);
	EXPECT_TRUE(ccnic_cache_pop(&cache, &handle));
}
