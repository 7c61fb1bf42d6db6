// SPDX-License-Identifier: GPL-2.0
/*
 * Handles that go to the peer and come back: none is lost, none has two owners.
 */
#include <model/scenario.hpp>

#include <ccnic/pool.h>

#include <array>
#include <memory>

namespace model
{

namespace
{

constexpr uint32_t batch = CCNIC_LINE_HANDLES;

/* A ring of batches, and what it carries: buffers of one plain word each. */
struct Exchange {
	ccnic_line *lines;
	uint32_t count;

	Exchange(World &world, const char *name, uint32_t ring_lines)
		: lines(world.shared<ccnic_line>(name, ring_lines, {{"signal", 0}, {"handle", 4}})),
		  count(ring_lines)
	{
	}
};

struct Pool {
	Exchange there;
	Exchange back;
	uint32_t *buffer;
	uint8_t *at_peer;
	uint32_t handles;

	Pool(World &world, const Size &size)
		: there(world, "there", size.lines), back(world, "back", size.lines),
		  buffer(world.shared<uint32_t>("buffer", batch * size.packets)),
		  at_peer(world.shared<uint8_t>("at_peer", batch * size.packets)),
		  handles(batch * size.packets)
	{
	}
};

class Lender
{
public:
	explicit Lender(const Exchange &exchange)
	{
		ccnic_lender_init(&lender_, exchange.lines, exchange.count);
	}
	void lend(uint32_t handle)
	{
		await("room in the exchange ring",
		      [=, this] { return ccnic_lend(&lender_, handle); });
	}

private:
	ccnic_lender lender_{};
};

class Borrower
{
public:
	using Handles = std::array<uint32_t, batch>;

	explicit Borrower(const Exchange &exchange)
	{
		ccnic_borrower_init(&borrower_, exchange.lines, exchange.count);
	}
	Handles borrow()
	{
		Handles handles{};
		int count = 0;

		await("a batch", [&] {
			count = ccnic_borrow(&borrower_, handles.data());
			return count != 0;
		});
		check(count == static_cast<int>(batch), "the exchange ring broke");
		return handles;
	}

private:
	ccnic_borrower borrower_{};
};

/* Batches go to the peer, who writes to the buffers and gives them back. */
void round_trip(World &world, const Size &size)
{
	auto pool = std::make_shared<Pool>(world, size);

	world.thread("host", [=] {
		Lender lender(pool->there);
		Borrower borrower(pool->back);
		/* The ledger is this side's alone, but by more than one of its contexts. */
		std::array<uint8_t, 256> at_peer{};
		ccnic_ledger ledger = {at_peer.data(), pool->handles};

		for (uint32_t i = 0; i < pool->handles; i++) {
			write(&pool->buffer[i], i);
			ccnic_ledger_lend(&ledger, i);
			lender.lend(i);
		}
		for (uint32_t i = 0; i < size.packets; i++) {
			for (const uint32_t handle : borrower.borrow()) {
				check(ccnic_ledger_take(&ledger, handle),
				      "a handle that the peer does not hold");
				check(read(&pool->buffer[handle]) == handle + 1,
				      "not what the peer wrote");
				write(&pool->buffer[handle], 0U);
			}
		}
	});
	world.thread("peer", [=] {
		Borrower borrower(pool->there);
		Lender lender(pool->back);

		for (uint32_t i = 0; i < size.packets; i++) {
			for (const uint32_t handle : borrower.borrow()) {
				check(handle < pool->handles, "no such handle");
				write(&pool->buffer[handle], read(&pool->buffer[handle]) + 1);
				lender.lend(handle);
			}
		}
	});
}

/* The peer gives one batch back twice, to two contexts of this side. */
void given_twice(World &world, const Size &size)
{
	auto pool = std::make_shared<Pool>(world, Size{size.lines, 1});
	auto owners = std::make_shared<std::array<uint32_t, batch>>();

	for (uint32_t i = 0; i < pool->handles; i++)
		ccnic_write_once(&pool->at_peer[i], 1);
	world.thread("peer", [=] {
		Lender first(pool->there);
		Lender second(pool->back);

		for (uint32_t i = 0; i < batch; i++)
			first.lend(0);
		for (uint32_t i = 0; i < batch; i++)
			second.lend(i == 0 ? 0 : i + 1000);
	});
	const auto context = [=](const Exchange &exchange) {
		Borrower borrower(exchange);
		ccnic_ledger ledger = {pool->at_peer, pool->handles};

		for (const uint32_t handle : borrower.borrow()) {
			if (ccnic_ledger_take(&ledger, handle)) {
				check(handle < batch, "a handle that does not exist");
				(*owners)[handle]++;
				write(&pool->buffer[handle], handle);
			}
		}
	};
	world.thread("context-1", [=] { context(pool->there); });
	world.thread("context-2", [=] { context(pool->back); });
	world.at_end([=] { check((*owners)[0] == 1, "not one owner"); });
}

} // namespace

std::vector<Scenario> pool_scenarios()
{
	return {
		{"pool-round-trip",
		 "batches to the peer and back, more than the ring holds",
		 {1, 3},
		 round_trip},
		{"pool-given-twice",
		 "a peer that gives the same handle to two queues",
		 {1, 1},
		 given_twice},
	};
}

} // namespace model
