// SPDX-License-Identifier: GPL-2.0
/*
 * Sleeping, and being woken: a wake-up that is lost leaves a thread that waits
 * for ever.
 */
#include "ring_sides.hpp"
#include <model/scenario.hpp>

#include <ccnic/wake.h>

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
	/* Every sleep is ended by one more ring than were heard before. */
	void sleep(uint32_t *heard) const
	{
		await("a wake-up", [=, this] {
			const uint32_t rung = ccnic_load_acquire(rung_);

			if (rung == *heard)
				return false;
			*heard = rung;
			return true;
		});
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

/* A producer that sleeps until the last of its lines is back, then goes on. */
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
			ccnic_arm(shared->armed, &token, sender.ring()->next - 1);
			/*
			 * The second look, behind the fence in ccnic_arm(). A late
			 * wake-up of the sleep before leaves it armed.
			 */
			while (!ccnic_producer_returned(sender.ring(), sender.ring()->next - 1))
				shared->bed.sleep(&heard);
			ccnic_disarm(shared->armed);
			check(sender.reclaim() != 0, "woken, and the line was not back");
		}
	});
	world.thread("consumer", [=] {
		Receiver receiver(shared->ring);
		uint32_t last = 0;

		for (uint32_t i = 0; i < size.packets; i++) {
			receiver.receive(i, 1);
			receiver.give_back();
			/* One fence between the lines' return and the look at armed. */
			ccnic_mb();
			if (ccnic_armed_index(shared->armed, &last, receiver.ring()->returned))
				shared->bed.ring();
		}
	});
}

} // namespace

std::vector<Scenario> wake_scenarios()
{
	return {
		{"wake-packets", "a consumer that sleeps when the ring is empty", {2, 2}, packets},
		{"wake-completions",
		 "a producer that sleeps until its line is back",
		 {2, 2},
		 completions},
	};
}

} // namespace model
