// SPDX-License-Identifier: GPL-2.0
/*
 * Handles that go to the peer and come back: none is lost, none has two owners.
 */
#include "ring_sides.hpp"

#include <ccnic/pool.h>

#include <array>
#include <memory>
#include <model/scenario.hpp>

namespace model
{

namespace
{

constexpr uint32_t batch = CCNIC_LINE_HANDLES;

/* A ring of batches. */
struct Exchange {
	ccnic_line *lines;
	uint32_t count;

	Exchange(World &world, const char *name, uint32_t ring_lines)
		: lines(world.shared<ccnic_line>(name, ring_lines, {{"signal", 0}, {"handle", 4}})),
		  count(ring_lines)
	{
	}
};

/* The most handles with which a ring of so many lines is never full. */
constexpr uint32_t handles_of(uint32_t lines)
{
	return lines * batch - 1;
}

/* Handles, each of a buffer of one plain word that its owner writes to. */
struct Pool {
	uint32_t handles;
	uint32_t *buffer;
	uint8_t *at_peer;

	Pool(World &world, uint32_t count)
		: handles(count), buffer(world.shared<uint32_t>("buffer", count)),
		  at_peer(world.shared<uint8_t>("at_peer", count))
	{
	}
	/** Whoever owns a buffer may do this. */
	void use(uint32_t handle) const
	{
		check(handle < handles, "no such handle");
		write(&buffer[handle], read(&buffer[handle]) + 1);
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
		ccnic_lend(&lender_, handle);
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

/* This side's ledger, used by one context. */
class Ledger
{
public:
	explicit Ledger(uint32_t handles)
	{
		check(handles <= at_peer_.size(), "more handles than the ledger has room for");
		ledger_ = {at_peer_.data(), handles};
	}
	void lend(uint32_t handle)
	{
		ccnic_ledger_lend(&ledger_, handle);
	}
	void take(uint32_t handle)
	{
		check(ccnic_ledger_take(&ledger_, handle), "a handle that the peer does not hold");
	}

private:
	std::array<uint8_t, 128> at_peer_{};
	ccnic_ledger ledger_{};
};

/* Batches go to the peer and come back in batches, in circles. */
void round_trip(World &world, const Size &size)
{
	auto there = std::make_shared<Exchange>(world, "there", size.lines);
	auto back = std::make_shared<Exchange>(world, "back", size.lines);
	auto pool = std::make_shared<Pool>(world, handles_of(size.lines));

	world.thread("host", [=] {
		Lender lender(*there);
		Borrower borrower(*back);
		Ledger ledger(pool->handles);
		const auto give = [&](uint32_t handle) {
			pool->use(handle);
			ledger.lend(handle);
			lender.lend(handle);
		};

		for (uint32_t i = 0; i < pool->handles; i++)
			give(i);
		for (uint32_t i = 0; i < size.packets; i++) {
			for (const uint32_t handle : borrower.borrow()) {
				ledger.take(handle);
				give(handle);
			}
		}
	});
	world.thread("peer", [=] {
		Borrower borrower(*there);
		Lender lender(*back);

		for (uint32_t i = 0; i < size.packets; i++) {
			for (const uint32_t handle : borrower.borrow()) {
				pool->use(handle);
				lender.lend(handle);
			}
		}
	});
}

/* Batches go to the peer, and come back in packets, a few at a time. */
void packets_home(World &world, const Size &size)
{
	auto there = std::make_shared<Exchange>(world, "there", size.lines);
	auto ring = std::make_shared<SharedRing>(world, 4);
	auto pool = std::make_shared<Pool>(world, handles_of(size.lines));

	world.thread("host", [=] {
		Lender lender(*there);
		Ledger ledger(pool->handles);
		ccnic_consumer consumer{};
		std::array<ccnic_desc, CCNIC_PACKET_DESCS_MAX> desc{};
		const auto give = [&](uint32_t handle) {
			pool->use(handle);
			ledger.lend(handle);
			lender.lend(handle);
		};

		ccnic_consumer_init(&consumer, &ring->ring);
		for (uint32_t i = 0; i < pool->handles; i++)
			give(i);
		for (uint32_t i = 0; i < size.packets * batch; i++) {
			await("a packet",
			      [&] { return ccnic_consumer_next(&consumer, desc.data()) != 0; });
			ledger.take(desc[0].handle);
			give(desc[0].handle);
			if (i % 5 == 4)
				ccnic_consumer_return(&consumer);
		}
	});
	world.thread("peer", [=] {
		Borrower borrower(*there);
		ccnic_producer producer{};
		ccnic_desc desc{};

		ccnic_producer_init(&producer, &ring->ring);
		for (uint32_t i = 0; i < size.packets; i++) {
			uint32_t sent = 0;

			for (const uint32_t handle : borrower.borrow()) {
				pool->use(handle);
				desc.handle = handle;
				desc.len = 1;
				desc.flags = CCNIC_KIND_BUFFER | CCNIC_F_EOP;
				if (ccnic_producer_free(&producer) == 0) {
					await("room in the ring", [&] {
						return ccnic_producer_reclaim(&producer) != 0;
					});
				}
				check(ccnic_producer_put(&producer, &desc, 1), "no room");
				if (++sent % 5 == 0)
					ccnic_producer_flush(&producer);
			}
		}
	});
}

/* The peer gives one batch back twice, to two contexts of this side. */
void given_twice(World &world, const Size &size)
{
	auto first = std::make_shared<Exchange>(world, "first", size.lines);
	auto second = std::make_shared<Exchange>(world, "second", size.lines);
	auto pool = std::make_shared<Pool>(world, batch);
	auto owners = std::make_shared<std::array<uint32_t, batch>>();

	for (uint32_t i = 0; i < pool->handles; i++)
		ccnic_write_once(&pool->at_peer[i], 1);
	world.thread("peer", [=] {
		Lender to_first(*first);
		Lender to_second(*second);

		/* One more than once on the same queue, one that does not exist. */
		for (uint32_t i = 0; i < batch; i++)
			to_first.lend(i % 2);
		for (uint32_t i = 0; i < batch; i++)
			to_second.lend(i < 2 ? i : i + 1000);
	});
	const auto context = [=](const Exchange &exchange) {
		Borrower borrower(exchange);
		ccnic_ledger ledger = {pool->at_peer, pool->handles};

		for (const uint32_t handle : borrower.borrow()) {
			if (!ccnic_ledger_take(&ledger, handle))
				continue;
			pool->use(handle);
			(*owners)[handle]++;
		}
	};
	world.thread("context-1", [=] { context(*first); });
	world.thread("context-2", [=] { context(*second); });
	world.at_end([=] {
		for (uint32_t i = 0; i < batch; i++)
			check((*owners)[i] == (i < 2 ? 1 : 0), "not one owner");
	});
}

} // namespace

std::vector<Scenario> pool_scenarios()
{
	return {
		{"pool-round-trip", "batches to the peer and back, in circles", {2, 5}, round_trip},
		{"pool-packets",
		 "batches to the peer, which come back in packets",
		 {2, 3},
		 packets_home},
		{"pool-given-twice",
		 "a peer that gives the same handle to two queues",
		 {1, 1},
		 given_twice},
	};
}

} // namespace model
