// SPDX-License-Identifier: GPL-2.0
/*
 * Sleeping, and being woken: a wake-up that is lost leaves a thread that waits
 * for ever.
 */
#include "ring_sides.hpp"
#include <model/scenario.hpp>

#include <ccnic/wake.h>

#include <array>
#include <memory>

namespace model
{

namespace
{

/*
 * The bed that a wake-up gets somebody out of. Whoever is woken sees what came
 * before the wake-up: an interrupt and a scheduler give that much.
 */
class Bed
{
public:
	explicit Bed(World &world) : rung_(world.shared<uint32_t>("bed"))
	{
	}
	void ring() const
	{
		ccnic_store_release(rung_, ccnic_read_once(rung_) + 1);
	}
	/** @return has it rung more often than was heard before? */
	bool heard(uint32_t *count) const
	{
		const uint32_t rung = ccnic_load_acquire(rung_);

		if (rung == *count)
			return false;
		*count = rung;
		return true;
	}
	/** A late wake-up of the sleep before ends this one. */
	void sleep(uint32_t *count) const
	{
		await("a wake-up", [=, this] { return heard(count); });
	}

private:
	uint32_t *rung_;
};

struct Shared {
	SharedRing ring;
	ccnic_armed *armed;
	Bed bed;

	Shared(World &world, uint32_t lines)
		: ring(world, lines), armed(world.shared<ccnic_armed>("armed")), bed(world)
	{
	}
};

/* A consumer that sleeps whenever it finds nothing. */
void packets(World &world, const Size &size)
{
	auto shared = std::make_shared<Shared>(world, size.lines);

	world.thread("producer", [=] {
		Sender sender(shared->ring);
		uint32_t last = 0;

		for (uint32_t i = 0; i < size.packets; i++) {
			sender.send(i, 1);
			sender.flush();
			/* One fence between the burst's publishes and the look at armed. */
			ccnic_mb();
			if (ccnic_armed_any(shared->armed, &last))
				shared->bed.ring();
		}
	});
	world.thread("consumer", [=] {
		Receiver receiver(shared->ring);
		uint32_t token = 0;
		uint32_t heard = 0;

		for (uint32_t i = 0; i < size.packets;) {
			if (receiver.take(i, 1)) {
				receiver.give_back();
				i++;
				continue;
			}
			ccnic_arm(shared->armed, &token, 0);
			/* The second look, behind the fence in ccnic_arm(). */
			if (!receiver.pending())
				shared->bed.sleep(&heard);
			ccnic_disarm(shared->armed);
		}
	});
}

/* A producer that sleeps until its packet is done with, then goes on. */
void completions(World &world, const Size &size)
{
	auto shared = std::make_shared<Shared>(world, size.lines);

	world.thread("producer", [=] {
		Sender sender(shared->ring);
		uint32_t token = 0;
		uint32_t heard = 0;

		for (uint32_t i = 0; i < size.packets; i++) {
			sender.send(i, 1);
			sender.flush();
			const uint32_t slot = sender.ring()->next - 1;
			ccnic_arm(shared->armed, &token, slot);
			/*
			 * The second look, behind the fence in ccnic_arm(). A late
			 * wake-up of the sleep before leaves it armed.
			 */
			while (!ccnic_producer_passed(sender.ring(), slot))
				shared->bed.sleep(&heard);
			ccnic_disarm(shared->armed);
			check(sender.reclaim() != 0, "woken, and the slot was not back");
		}
	});
	world.thread("consumer", [=] {
		Receiver receiver(shared->ring);
		uint32_t last = 0;

		for (uint32_t i = 0; i < size.packets; i++) {
			receiver.receive(i, 1);
			receiver.give_back();
			/* One fence between the slots' return and the look at armed. */
			ccnic_mb();
			if (ccnic_armed_index(shared->armed, &last, receiver.ring()->returned))
				shared->bed.ring();
		}
	});
}

/*
 * Both at once, in each other's way: the consumer sleeps when the ring is empty,
 * the producer when it is full. A packet fills a line.
 */
void both_sides(World &world, const Size &size)
{
	auto shared = std::make_shared<Shared>(world, size.lines);
	auto *full = world.shared<ccnic_armed>("armed_full");
	auto alarm = std::make_shared<Bed>(world);

	world.thread("producer", [=] {
		Sender sender(shared->ring);
		uint32_t token = 0;
		uint32_t heard = 0;
		uint32_t last = 0;

		for (uint32_t i = 0; i < size.packets; i++) {
			while (ccnic_producer_free(sender.ring()) < CCNIC_LINE_DESCS) {
				const uint32_t slot = sender.ring()->next - 1;

				ccnic_arm(full, &token, slot);
				while (!ccnic_producer_passed(sender.ring(), slot))
					alarm->sleep(&heard);
				ccnic_disarm(full);
				sender.reclaim();
			}
			sender.send(i, CCNIC_LINE_DESCS);
			sender.flush();
			ccnic_mb();
			if (ccnic_armed_any(shared->armed, &last))
				shared->bed.ring();
		}
	});
	world.thread("consumer", [=] {
		Receiver receiver(shared->ring);
		uint32_t token = 0;
		uint32_t heard = 0;
		uint32_t last = 0;

		for (uint32_t i = 0; i < size.packets;) {
			if (receiver.take(i, CCNIC_LINE_DESCS)) {
				i++;
				receiver.give_back();
				ccnic_mb();
				if (ccnic_armed_index(full, &last, receiver.ring()->returned))
					alarm->ring();
				continue;
			}
			ccnic_arm(shared->armed, &token, 0);
			if (!receiver.pending())
				shared->bed.sleep(&heard);
			ccnic_disarm(shared->armed);
		}
	});
}

/*
 * A consumer of two rings, each with a producer of its own, and one armed line
 * for both: the NIC's thread. Each producer knows only which wake-ups were its
 * own.
 */
void two_rings(World &world, const Size &size)
{
	std::array<std::shared_ptr<SharedRing>, 2> rings;
	std::array<std::shared_ptr<Bed>, 2> beds;
	auto *armed = world.shared<ccnic_armed>("armed");

	for (size_t i = 0; i < rings.size(); i++) {
		rings[i] = std::make_shared<SharedRing>(world, size.lines);
		beds[i] = std::make_shared<Bed>(world);
		world.thread(i == 0 ? "producer-1" : "producer-2",
			     [=, ring = rings[i], bed = beds[i]] {
				     Sender sender(*ring);
				     uint32_t last = 0;

				     for (uint32_t number = 0; number < size.packets; number++) {
					     sender.send(number, 1);
					     sender.flush();
					     ccnic_mb();
					     if (ccnic_armed_any(armed, &last))
						     bed->ring();
				     }
			     });
	}
	world.thread("consumer", [=] {
		std::array<Receiver, 2> receiver = {Receiver(*rings[0]), Receiver(*rings[1])};
		std::array<uint32_t, 2> taken{};
		std::array<uint32_t, 2> heard{};
		uint32_t token = 0;

		while (taken[0] + taken[1] < 2 * size.packets) {
			bool any = false;

			for (size_t i = 0; i < receiver.size(); i++) {
				if (taken[i] == size.packets || !receiver[i].take(taken[i], 1))
					continue;
				receiver[i].give_back();
				taken[i]++;
				any = true;
			}
			if (any)
				continue;
			ccnic_arm(armed, &token, 0);
			if (!receiver[0].pending() && !receiver[1].pending()) {
				await("a wake-up", [&] {
					const bool first = beds[0]->heard(&heard[0]);

					return beds[1]->heard(&heard[1]) || first;
				});
			}
			ccnic_disarm(armed);
		}
	});
}

} // namespace

std::vector<Scenario> wake_scenarios()
{
	return {
		{"wake-packets", "a consumer that sleeps when the ring is empty", {2, 3}, packets},
		{"wake-completions",
		 "a producer that sleeps until its slot is back",
		 {2, 3},
		 completions},
		{"wake-both",
		 "a consumer that sleeps when the ring is empty, a producer when it is full",
		 {1, 3},
		 both_sides},
		{"wake-two-rings",
		 "a consumer of two rings that has one armed line for both",
		 {1, 1},
		 two_rings},
	};
}

} // namespace model
