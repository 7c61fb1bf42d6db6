// SPDX-License-Identifier: GPL-2.0
/*
 * The classic litmus tests: exactly what RC11 allows, but for load buffering.
 */
#include "litmus.hpp"

#include <memory>

using namespace model;

namespace
{

struct State {
	Word x;
	Word y;
	Registers r;

	State(World &world, size_t registers)
		: x{world.shared<uint32_t>("x")}, y{world.shared<uint32_t>("y")}, r(registers)
	{
	}
};

std::shared_ptr<State> state(World &world, size_t registers)
{
	auto s = std::make_shared<State>(world, registers);

	world.at_end([s] { outcome(s->r.text()); });
	return s;
}

Outcomes store_buffering(bool fence_a, bool fence_b)
{
	return explore([=](World &world) {
		auto s = state(world, 2);

		world.thread("a", [=] {
			s->x.release(1);
			if (fence_a)
				fence();
			s->r[0] = s->y.acquire();
		});
		world.thread("b", [=] {
			s->y.release(1);
			if (fence_b)
				fence();
			s->r[1] = s->x.acquire();
		});
	});
}

Outcomes message_passing(bool release, bool acquire)
{
	return explore([=](World &world) {
		auto s = state(world, 2);

		world.thread("a", [=] {
			s->x.relaxed(1);
			store(s->y.at, 1, release);
		});
		world.thread("b", [=] {
			s->r[0] = load(s->y.at, acquire);
			s->r[1] = s->x.relaxed();
		});
	});
}

Outcomes independent_readers(bool fences)
{
	return explore([=](World &world) {
		auto s = state(world, 4);

		world.thread("a", [=] { s->x.release(1); });
		world.thread("b", [=] { s->y.release(1); });
		world.thread("c", [=] {
			s->r[0] = s->x.acquire();
			if (fences)
				fence();
			s->r[1] = s->y.acquire();
		});
		world.thread("d", [=] {
			s->r[2] = s->y.acquire();
			if (fences)
				fence();
			s->r[3] = s->x.acquire();
		});
	});
}

const Outcomes all_pairs = {"0 0", "0 1", "1 0", "1 1"};

/* Every outcome of two readers of two words each. */
Outcomes all_fours()
{
	Outcomes outcomes;

	for (unsigned i = 0; i < 16; i++) {
		Registers r(4);

		for (unsigned k = 0; k < 4; k++)
			r[k] = i >> k & 1;
		outcomes.insert(r.text());
	}
	return outcomes;
}

} // namespace

TEST(Litmus, StoreBuffering)
{
	EXPECT_EQ(store_buffering(false, false), all_pairs);
	EXPECT_EQ(store_buffering(true, false), all_pairs);
	EXPECT_EQ(store_buffering(false, true), all_pairs);
	EXPECT_EQ(store_buffering(true, true), (Outcomes{"0 1", "1 0", "1 1"}));
}

TEST(Litmus, MessagePassing)
{
	EXPECT_EQ(message_passing(false, false), all_pairs);
	EXPECT_EQ(message_passing(true, false), all_pairs);
	EXPECT_EQ(message_passing(false, true), all_pairs);
	EXPECT_EQ(message_passing(true, true), (Outcomes{"0 0", "0 1", "1 1"}));
}

TEST(Litmus, MessagePassingWithFences)
{
	/* Full fences stand for release and acquire as well. */
	const Outcomes found = explore([](World &world) {
		auto s = state(world, 2);

		world.thread("a", [=] {
			s->x.relaxed(1);
			fence();
			s->y.relaxed(1);
		});
		world.thread("b", [=] {
			s->r[0] = s->y.relaxed();
			fence();
			s->r[1] = s->x.relaxed();
		});
	});

	EXPECT_EQ(found, (Outcomes{"0 0", "0 1", "1 1"}));
}

TEST(Litmus, IndependentReadersOfIndependentWrites)
{
	Outcomes with_fences = all_fours();

	EXPECT_EQ(independent_readers(false), all_fours());
	with_fences.erase("1 0 1 0");
	EXPECT_EQ(independent_readers(true), with_fences);
}

TEST(Litmus, CoherenceOfReads)
{
	const Outcomes found = explore([](World &world) {
		auto s = state(world, 2);

		world.thread("a", [=] {
			s->x.relaxed(1);
			s->x.relaxed(2);
		});
		world.thread("b", [=] {
			s->r[0] = s->x.relaxed();
			s->r[1] = s->x.relaxed();
		});
	});

	EXPECT_EQ(found, (Outcomes{"0 0", "0 1", "0 2", "1 1", "1 2", "2 2"}));
}

TEST(Litmus, CoherenceOfWritesAmongReaders)
{
	/* Two readers agree on the order of two stores that nothing orders. */
	const Outcomes found = explore([](World &world) {
		auto s = state(world, 4);

		world.thread("a", [=] { s->x.relaxed(1); });
		world.thread("b", [=] { s->x.relaxed(2); });
		for (size_t reader = 0; reader < 2; reader++) {
			world.thread(reader == 0 ? "c" : "d", [=] {
				s->r[2 * reader] = s->x.relaxed();
				s->r[2 * reader + 1] = s->x.relaxed();
			});
		}
	});

	EXPECT_FALSE(found.contains("1 2 2 1"));
	EXPECT_FALSE(found.contains("2 1 1 2"));
	EXPECT_TRUE(found.contains("1 2 1 2"));
	EXPECT_TRUE(found.contains("2 1 2 1"));
	/* 7 pairs a reader, none of which goes back to 0; less those that disagree. */
	EXPECT_EQ(found.size(), 7U * 7U - 2U);
}

TEST(Litmus, TwoPlusTwoWrites)
{
	/* Each location's last value; both first values at once is the weak one. */
	const auto writes = [](bool fences) {
		return explore([=](World &world) {
			auto s = std::make_shared<State>(world, 2);

			world.thread("a", [=] {
				s->x.relaxed(1);
				if (fences)
					fence();
				s->y.relaxed(2);
			});
			world.thread("b", [=] {
				s->y.relaxed(1);
				if (fences)
					fence();
				s->x.relaxed(2);
			});
			world.at_end([=] {
				s->r[0] = s->x.relaxed();
				s->r[1] = s->y.relaxed();
				outcome(s->r.text());
			});
		});
	};

	EXPECT_EQ(writes(false), (Outcomes{"1 1", "1 2", "2 1", "2 2"}));
	EXPECT_EQ(writes(true), (Outcomes{"1 2", "2 1", "2 2"}));
}

TEST(Litmus, LoadBufferingIsNotModelled)
{
	const Outcomes found = explore([](World &world) {
		auto s = state(world, 2);

		world.thread("a", [=] {
			s->r[0] = s->x.relaxed();
			s->y.relaxed(1);
		});
		world.thread("b", [=] {
			s->r[1] = s->y.relaxed();
			s->x.relaxed(1);
		});
	});

	EXPECT_EQ(found, (Outcomes{"0 0", "0 1", "1 0"}));
}

TEST(Litmus, WriteToReadCausality)
{
	const auto chain = [](bool ordered) {
		return explore([=](World &world) {
			auto s = state(world, 3);

			world.thread("a", [=] { s->x.relaxed(1); });
			world.thread("b", [=] {
				s->r[0] = load(s->x.at, ordered);
				store(s->y.at, 1, ordered);
			});
			world.thread("c", [=] {
				s->r[1] = s->y.acquire();
				s->r[2] = s->x.relaxed();
			});
		});
	};

	EXPECT_TRUE(chain(false).contains("1 1 0"));
	EXPECT_FALSE(chain(true).contains("1 1 0"));
	EXPECT_EQ(chain(true).size(), 7U);
}

TEST(Litmus, ReleaseSequence)
{
	/* An exchange behind a release store hands on what the store released. */
	const auto sequence = [](bool exchange_between) {
		return explore([=](World &world) {
			auto s = state(world, 2);

			world.thread("a", [=] {
				s->x.relaxed(1);
				s->y.release(1);
			});
			world.thread("b", [=] {
				if (exchange_between)
					exchange(s->y.at, 2);
				else if (s->y.relaxed() == 1)
					s->y.relaxed(2);
			});
			world.thread("c", [=] {
				s->r[0] = s->y.acquire();
				s->r[1] = s->x.relaxed();
			});
		});
	};

	/* The exchange may come first, and then 2 says nothing about x. */
	EXPECT_EQ(sequence(true), (Outcomes{"0 0", "0 1", "1 1", "2 0", "2 1"}));
	/* A store is no part of a release sequence: 2 is behind 1, and x still 0. */
	EXPECT_EQ(sequence(false), (Outcomes{"0 0", "0 1", "1 1", "2 0", "2 1"}));

	const Outcomes behind = explore([](World &world) {
		auto s = state(world, 3);

		world.thread("a", [=] {
			s->x.relaxed(1);
			s->y.release(1);
		});
		world.thread("b", [=] { s->r[0] = exchange(s->y.at, 2); });
		world.thread("c", [=] {
			s->r[1] = s->y.acquire();
			s->r[2] = s->x.relaxed();
		});
	});
	EXPECT_FALSE(behind.contains("1 2 0"));
	EXPECT_TRUE(behind.contains("1 2 1"));
	EXPECT_TRUE(behind.contains("0 2 0"));
}

TEST(Litmus, ExchangesAreAtomic)
{
	const Outcomes found = explore([](World &world) {
		auto s = state(world, 3);

		for (uint32_t i = 0; i < 3; i++)
			world.thread("thread", [=] { s->r[i] = exchange(s->x.at, i + 1); });
	});

	/* One for each order of the three. */
	EXPECT_EQ(found, (Outcomes{"0 1 2", "0 3 1", "2 0 1", "3 0 2", "2 3 0", "3 1 0"}));
}

TEST(Litmus, DekkerWithExchanges)
{
	/* An exchange is no full fence here: weaker than the kernel's. */
	const Outcomes found = explore([](World &world) {
		auto s = state(world, 2);

		world.thread("a", [=] {
			exchange(s->x.at, 1);
			s->r[0] = s->y.relaxed();
		});
		world.thread("b", [=] {
			exchange(s->y.at, 1);
			s->r[1] = s->x.relaxed();
		});
	});

	EXPECT_EQ(found, all_pairs);
}
