// SPDX-License-Identifier: GPL-2.0
/*
 * Packets through a ring: all of them, in order, whole, and with their payload.
 */
#include "ring_sides.hpp"
#include <model/scenario.hpp>

#include <memory>

namespace model
{

namespace
{

/* How packets are made, gathered and given back. */
struct Traffic {
	uint32_t (*descs)(uint32_t number);
	uint32_t flush_every;
	uint32_t return_every;
};

uint32_t one(uint32_t /*number*/)
{
	return 1;
}

/* 1, 2, 3, 1, ...: some share a line, some do not fit behind one another. */
uint32_t up_to_three(uint32_t number)
{
	return 1 + number % 3;
}

/* Every second one takes two lines. */
uint32_t two_lines(uint32_t number)
{
	return number % 2 == 1 ? 6 : 1;
}

void pass(World &world, const Size &size, const Traffic &traffic)
{
	auto ring = std::make_shared<SharedRing>(world, size.lines);

	world.thread("producer", [=] {
		Sender sender(*ring);

		for (uint32_t i = 0; i < size.packets; i++) {
			sender.send(i, traffic.descs(i));
			if (i % traffic.flush_every == traffic.flush_every - 1)
				sender.flush();
		}
		sender.flush();
	});
	world.thread("consumer", [=] {
		Receiver receiver(*ring);

		for (uint32_t i = 0; i < size.packets; i++) {
			receiver.receive(i, traffic.descs(i));
			if (i % traffic.return_every == traffic.return_every - 1)
				receiver.give_back();
		}
		check(!receiver.pending(), "more than was sent");
		receiver.give_back();
	});
}

void single(World &world, const Size &size)
{
	pass(world, size, {one, 1, 1});
}

void shared_lines(World &world, const Size &size)
{
	pass(world, size, {up_to_three, 3, 1});
}

void several_lines(World &world, const Size &size)
{
	pass(world, size, {two_lines, 1, 1});
}

/* Lines go back when there are no more, as late as it can be. */
void hoarder(World &world, const Size &size)
{
	auto ring = std::make_shared<SharedRing>(world, size.lines);

	world.thread("producer", [=] {
		Sender sender(*ring);

		for (uint32_t i = 0; i < size.packets; i++) {
			sender.send(i, 1);
			sender.flush();
		}
	});
	world.thread("consumer", [=] {
		Receiver receiver(*ring);

		for (uint32_t i = 0; i < size.packets;) {
			if (receiver.take(i, 1)) {
				i++;
				continue;
			}
			receiver.give_back();
			receiver.receive(i, 1);
			i++;
		}
	});
}

} // namespace

std::vector<Scenario> ring_scenarios()
{
	return {
		{"ring-single",
		 "packets of one line each, more than the ring holds",
		 {2, 5},
		 single},
		{"ring-full", "one line, so that it is always empty or full", {1, 3}, single},
		{"ring-shared",
		 "packets that share lines, flushed every third time",
		 {2, 5},
		 shared_lines},
		{"ring-large", "packets of two lines between small ones", {4, 5}, several_lines},
		{"ring-hoarder",
		 "lines go back only when there is nothing to read",
		 {2, 4},
		 hoarder},
	};
}

} // namespace model
