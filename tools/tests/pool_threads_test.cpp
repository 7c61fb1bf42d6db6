// SPDX-License-Identifier: GPL-2.0
/*
 * The shared pool between two threads: no handle is lost, none has two owners.
 *
 * Each buffer holds a word of plain memory that only its owner touches, so
 * ThreadSanitizer reports a buffer with two owners, and an exchange that does
 * not order the use of a buffer before and after it.
 */
#include "threads.hpp"

#include <ccnic/pool.h>
#include <ccnic/region.h>

#include <array>
#include <gtest/gtest.h>
#include <vector>

namespace
{

constexpr uint32_t handles = 512;

struct Buffer {
	uint64_t owner = 0;
	uint64_t uses = 0;
};

struct Direction {
	std::vector<ccnic_line> lines = std::vector<ccnic_line>(ccnic_exchange_lines(handles));
};

/* One side: private cache and ledger, one ring each way. */
class Side
{
public:
	Side(uint64_t id, std::vector<Buffer> &buffers, Direction &out, Direction &in, Alarm &alarm)
		: id_(id), buffers_(buffers), alarm_(alarm), random_(id * 0x1234567 + 1)
	{
		ccnic_cache_init(&cache_, room_.data(), handles);
		ccnic_lender_init(&lender_, out.lines.data(),
				  static_cast<uint32_t>(out.lines.size()));
		ccnic_borrower_init(&borrower_, in.lines.data(),
				    static_cast<uint32_t>(in.lines.size()));
	}

	/** Before the start: the handle is this side's. */
	void own(uint32_t handle)
	{
		ASSERT_TRUE(ccnic_cache_push(&cache_, handle));
	}
	/** Before the start: the handle is the peer's. */
	void lent(uint32_t handle)
	{
		ccnic_ledger_lend(&ledger_, handle);
	}

	/** Takes, uses and hands over until it has handed over @p count handles. */
	void run(uint64_t count)
	{
		Backoff backoff;

		for (uint64_t given = 0; given < count && !alarm_.raised();) {
			if (!take_batches())
				return;
			const uint32_t wanted = 1 + random_.below(2 * CCNIC_LINE_HANDLES);
			uint32_t done = 0;

			while (done < wanted && give_one())
				done++;
			given += done;
			if (done == 0)
				backoff.wait();
		}
	}

	/** Afterwards: everything that is this side's, or on its way to it. */
	void collect(std::vector<uint32_t> &found)
	{
		uint32_t handle = 0;

		ASSERT_TRUE(take_batches());
		while (ccnic_cache_pop(&cache_, &handle))
			found.push_back(handle);
		for (uint32_t i = 0; i < lender_.pending; i++)
			found.push_back(lender_.handle[i]);
	}

private:
	bool fail(const char *what, uint32_t handle)
	{
		alarm_.raise();
		ADD_FAILURE() << what << ": handle " << handle << ", side " << id_;
		return false;
	}

	bool take_batches()
	{
		std::array<uint32_t, CCNIC_LINE_HANDLES> batch{};
		int count = 0;

		while ((count = ccnic_borrow(&borrower_, batch.data())) > 0) {
			for (int i = 0; i < count; i++) {
				if (!ccnic_ledger_take(&ledger_, batch[i]))
					return fail("not lent", batch[i]);
				if (buffers_[batch[i]].owner != id_)
					return fail("has another owner", batch[i]);
				if (!ccnic_cache_push(&cache_, batch[i]))
					return fail("more than there are", batch[i]);
			}
		}
		return count == 0 || fail("exchange ring broke", 0);
	}

	bool give_one()
	{
		uint32_t handle = 0;

		if (!ccnic_cache_pop(&cache_, &handle))
			return false;
		Buffer &buffer = buffers_[handle];
		if (buffer.owner != id_)
			return fail("was ours and has another owner", handle);
		buffer.uses++;
		buffer.owner = 1 - id_;
		ccnic_ledger_lend(&ledger_, handle);
		ccnic_lend(&lender_, handle);
		return true;
	}

	uint64_t id_;
	std::vector<Buffer> &buffers_;
	Alarm &alarm_;
	Random random_;
	std::array<uint32_t, handles> room_{};
	std::array<uint8_t, handles> at_peer_{};
	ccnic_cache cache_{};
	ccnic_ledger ledger_ = {at_peer_.data(), handles};
	ccnic_lender lender_{};
	ccnic_borrower borrower_{};
};

} // namespace

TEST(PoolThreads, NoHandleIsLostOrOwnedTwice)
{
	std::vector<Buffer> buffers(handles);
	Direction there;
	Direction back;
	Alarm alarm;
	Side host(0, buffers, there, back, alarm);
	Side nic(1, buffers, back, there, alarm);
	const uint32_t step = ccnic_scatter_step(handles);

	for (uint32_t i = 0; i < handles; i++) {
		const uint32_t handle = i * step % handles;

		buffers[handle].owner = 1;
		nic.own(handle);
		host.lent(handle);
	}

	/*
	 * Whoever is done leaves the other without supply, so both stop when
	 * one has handed over its share.
	 */
	std::thread peer([&] {
		nic.run(test_packets / 2);
		alarm.raise();
	});
	host.run(test_packets / 2);
	alarm.raise();
	peer.join();
	if (testing::Test::HasFailure())
		return;

	std::vector<uint32_t> found;
	std::vector<uint32_t> times(handles);
	uint64_t uses = 0;
	host.collect(found);
	nic.collect(found);
	for (const uint32_t handle : found)
		times.at(handle)++;
	for (uint32_t handle = 0; handle < handles; handle++) {
		EXPECT_EQ(times[handle], 1U) << "handle " << handle;
		uses += buffers[handle].uses;
	}
	/* The side that stopped first had handed over all of its share. */
	EXPECT_GE(uses, test_packets / 2);
	EXPECT_EQ(found.size(), handles);
}
