// SPDX-License-Identifier: GPL-2.0
/*
 * Packets through a ring: all of them, in order, whole, and with their payload.
 */
#include "ring_sides.hpp"

#include <memory>
#include <model/scenario.hpp>

namespace model
{

namespace
{

/* How packets are made, gathered and given back. */
struct Traffic {
	uint32_t (*descs)(uint32_t number);
	uint32_t flush_every;
	uint32_t return_every;
	uint32_t start;
};

uint32_t one(uint32_t /*number*/)
{
	return 1;
}

/* 1, 2, 3, 1, ...: some lie in two lines. */
uint32_t up_to_three(uint32_t number)
{
	return 1 + number % 3;
}

/* Every second one takes more than a line. */
uint32_t large(uint32_t number)
{
	return number % 2 == 1 ? 6 : 1;
}

void add_sender(World &world, const std::shared_ptr<SharedRing> &ring, const Size &size,
		const Traffic &traffic)
{
	world.thread("producer", [=] {
		Sender sender(*ring);

		for (uint32_t i = 0; i < size.packets; i++) {
			sender.send(i, traffic.descs(i));
			if (i % traffic.flush_every == traffic.flush_every - 1)
				sender.flush();
		}
		sender.flush();
	});
}

void pass(World &world, const Size &size, const Traffic &traffic)
{
	auto ring = std::make_shared<SharedRing>(world, size.lines, traffic.start);

	add_sender(world, ring, size, traffic);
	world.thread("consumer", [=] {
		Receiver receiver(*ring);

		for (uint32_t i = 0; i < size.packets; i++) {
			receiver.receive(i, traffic.descs(i));
			if (i % traffic.return_every == traffic.return_every - 1)
				receiver.give_back();
		}
		check(!receiver.pending(), "more than was sent");
	});
}

void append(World &world, const Size &size)
{
	pass(world, size, {one, 1, 1, 0});
}

void burst(World &world, const Size &size)
{
	pass(world, size, {up_to_three, 3, 2, 0});
}

void several_lines(World &world, const Size &size)
{
	pass(world, size, {large, 1, 1, 0});
}

void overflow(World &world, const Size &size)
{
	pass(world, size, {one, 2, 1, 0U - size.lines * CCNIC_LINE_DESCS});
}

/* As the drivers do it: look, take what was found, give back once. */
void ahead(World &world, const Size &size)
{
	auto ring = std::make_shared<SharedRing>(world, size.lines);

	add_sender(world, ring, size, {one, 3, 1, 0});
	world.thread("consumer", [=] {
		Receiver receiver(*ring);

		for (uint32_t i = 0; i < size.packets;) {
			for (uint32_t left = receiver.look_ahead(6); left != 0; left--, i++)
				check(receiver.take(i, 1), "less than was there");
			receiver.give_back();
		}
	});
}

/* Slots go back when there is nothing to read, as late as it can be. */
void hoarder(World &world, const Size &size)
{
	auto ring = std::make_shared<SharedRing>(world, size.lines);

	add_sender(world, ring, size, {one, 1, 1, 0});
	world.thread("consumer", [=] {
		Receiver receiver(*ring);

		for (uint32_t i = 0; i < size.packets; i++) {
			if (receiver.take(i, 1))
				continue;
			receiver.give_back();
			receiver.receive(i, 1);
		}
	});
}

} // namespace

std::vector<Scenario> ring_scenarios()
{
	return {
		{"ring-append",
		 "packets published one by one, more than the ring holds",
		 {2, 12},
		 append},
		{"ring-full", "one line only, so that it is soon full", {1, 9}, append},
		{"ring-burst", "bursts that lie in more than one line", {2, 12}, burst},
		{"ring-large",
		 "packets larger than a line between small ones",
		 {4, 7},
		 several_lines},
		{"ring-overflow", "indices that pass 2^32", {2, 14}, overflow},
		{"ring-ahead", "a consumer that looks for several packets at once", {2, 12}, ahead},
		{"ring-hoarder",
		 "slots go back only when there is nothing to read",
		 {1, 7},
		 hoarder},
	};
}

} // namespace model
