// SPDX-License-Identifier: GPL-2.0
/*
 * Data races, waiting, and what the explorer says about both.
 */
#include "litmus.hpp"

#include <csignal>
#include <memory>

using namespace model;

namespace
{

/* A plain word, published by a flag. */
std::string publish(bool release, bool acquire)
{
	return failure_of([=](World &world) {
		auto *data = world.shared<uint32_t>("data");
		auto *flag = world.shared<uint32_t>("flag");

		world.thread("a", [=] {
			write(data, 1U);
			store(flag, 1, release);
		});
		world.thread("b", [=] {
			if (load(flag, acquire) == 1)
				check(read(data) == 1, "the old value");
		});
	});
}

} // namespace

TEST(Races, PublishingTakesReleaseAndAcquire)
{
	EXPECT_EQ(publish(true, true), "");
	EXPECT_NE(publish(false, true), "");
	EXPECT_NE(publish(true, false), "");
}

TEST(Races, FencesAloneMakeNoHappensBefore)
{
	const std::string failure = failure_of([](World &world) {
		auto *data = world.shared<uint32_t>("data");
		auto *flag = world.shared<uint32_t>("flag");

		world.thread("a", [=] {
			write(data, 1U);
			fence();
			load(flag, false);
		});
		world.thread("b", [=] {
			store(flag, 1, false);
			fence();
			read(data);
		});
	});

	EXPECT_NE(failure.find("data race"), std::string::npos);
}

TEST(Races, ReadersDoNotRace)
{
	EXPECT_EQ(failure_of([](World &world) {
			  auto *data = world.shared<uint32_t>("data");

			  world.thread("a", [=] { read(data); });
			  world.thread("b", [=] { read(data); });
		  }),
		  "");
}

TEST(Races, NeighboursDoNotRace)
{
	EXPECT_EQ(failure_of([](World &world) {
			  auto *data = world.shared<uint16_t>("data", 2);

			  world.thread("a", [=] { write(data, uint16_t{1}); });
			  world.thread("b", [=] { write(data + 1, uint16_t{1}); });
		  }),
		  "");
}

TEST(Races, PlainAccessToAnAtomicWord)
{
	EXPECT_NE(failure_of([](World &world) {
			  auto *word = world.shared<uint32_t>("word");

			  world.thread("a", [=] { write(word, 1U); });
			  world.thread("b", [=] { load(word, true); });
		  }),
		  "");
}

TEST(Explorer, FailureComesWithItsTrace)
{
	const Report report =
		Explorer([](World &world) {
			auto *x = world.shared<uint32_t>("x");

			world.thread("a", [=] { store(x, 7, true); });
			world.thread("b", [=] { check(load(x, true) != 7, "seven"); });
		}).run();

	EXPECT_EQ(report.failure.value_or(""), "b: seven");
	EXPECT_EQ(report.trace, "   #1  a          store release x = 0x7\n"
				"   #2  b          load acquire  x = 0x7, from #1\n");
}

TEST(Explorer, WaitingEndsWhenThereIsMore)
{
	/* One execution: whatever b finds before it is there does not count. */
	const auto build = [](World &world) {
		auto *x = world.shared<uint32_t>("x");

		world.thread("a", [=] {
			for (uint32_t i = 1; i <= 5; i++)
				store(x, i, true);
		});
		world.thread("b", [=] { await("five", [=] { return load(x, true) == 5; }); });
	};
	const Report report = Explorer(build).run();

	EXPECT_EQ(report.failure.value_or(""), "");
	EXPECT_EQ(report.complete, 1U);
	EXPECT_EQ(Explorer(build, Reduction::none).run().failure.value_or(""), "");
}

TEST(Explorer, WaitingForEverIsAFailure)
{
	EXPECT_EQ(failure_of([](World &world) {
			  auto *x = world.shared<uint32_t>("x");

			  world.thread("a", [=] { store(x, 1, true); });
			  world.thread("b",
				       [=] { await("two", [=] { return load(x, true) == 2; }); });
		  }),
		  "b waits for ever for two");
}

TEST(Explorer, WaitingForTwoWords)
{
	const Outcomes found = explore([](World &world) {
		auto *x = world.shared<uint32_t>("x");
		auto *y = world.shared<uint32_t>("y");
		auto r = std::make_shared<Registers>(2);

		world.thread("a", [=] { store(x, 1, true); });
		world.thread("b", [=] { store(y, 1, true); });
		world.thread("c", [=] {
			await("either", [=] {
				(*r)[0] = load(x, true);
				(*r)[1] = load(y, true);
				return (*r)[0] + (*r)[1] != 0;
			});
		});
		world.at_end([=] { outcome(r->text()); });
	});

	EXPECT_EQ(found, (Outcomes{"0 1", "1 0", "1 1"}));
}

TEST(Explorer, WaitingTakesNothingFromWhatItDidNotSee)
{
	/* To have looked at x in vain orders nothing behind what was seen there. */
	const Outcomes found = explore([](World &world) {
		auto *data = world.shared<uint32_t>("data");
		auto *x = world.shared<uint32_t>("x");
		auto r = std::make_shared<Registers>(1);

		world.thread("a", [=] {
			store(data, 1, false);
			store(x, 1, true);
		});
		world.thread("b", [=] {
			await("one", [=] { return load(x, false) == 1; });
			store(x, 2, false);
		});
		world.thread("c", [=] {
			await("two", [=] { return load(x, true) == 2; });
			(*r)[0] = load(data, false);
		});
		world.at_end([=] { outcome(r->text()); });
	});

	EXPECT_EQ(found, (Outcomes{"0", "1"}));
}

TEST(Explorer, LockByExchange)
{
	/* Two turns each under a lock that one exchange takes and a store gives back. */
	const auto lock = [](bool release) {
		return failure_of([=](World &world) {
			auto *word = world.shared<uint32_t>("lock");
			auto *count = world.shared<uint32_t>("count");

			for (const char *name : {"a", "b"}) {
				world.thread(name, [=] {
					for (int i = 0; i < 2; i++) {
						if (exchange(word, 1) != 0)
							return;
						write(count, read(count) + 1);
						store(word, 0, release);
					}
				});
			}
		});
	};

	EXPECT_EQ(lock(true), "");
	EXPECT_NE(lock(false).find("data race"), std::string::npos);
}

TEST(Explorer, AFewExecutionsOnly)
{
	/* Threads that have nothing to do with each other: one order is enough. */
	const Report report = Explorer([](World &world) {
				      for (const char *name : {"a", "b", "c", "d"}) {
					      auto *x = world.shared<uint32_t>(name);

					      world.thread(name, [=] {
						      for (int i = 0; i < 20; i++)
							      store(x, load(x, true) + 1, true);
					      });
				      }
			      }).run();

	EXPECT_EQ(report.complete, 1U);
	EXPECT_EQ(report.redundant, 0U);
	EXPECT_EQ(report.deepest, 160U);
}

TEST(Arena, CannotBeAccessedPastThePlatform)
{
	Arena arena;
	auto *word = static_cast<volatile uint32_t *>(arena.allocate("word", 4, 1, {}));

	EXPECT_EXIT(*word = 1, testing::KilledBySignal(SIGSEGV), "");
}
