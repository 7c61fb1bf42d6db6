// SPDX-License-Identifier: GPL-2.0
/*
 * The ring between two threads, with payload.
 *
 * Each slot's payload is one word of plain memory that belongs to the slot, and
 * the slot's cell. The producer writes both before it publishes, the consumer
 * reads both before it returns the slot. So ThreadSanitizer, which knows of no
 * order but that of signals and progress, reports any that is missing between
 * the two.
 */
#include "ring_fixture.hpp"
#include "threads.hpp"

#include <cstring>

namespace
{

constexpr uint32_t ring_lines = 64;

constexpr uint32_t ring_slots = ring_lines * CCNIC_LINE_DESCS;

struct Shared {
	RingMemory memory = RingMemory(ring_lines, CCNIC_LINE_SIZE);
	std::vector<uint64_t> payload = std::vector<uint64_t>(ring_slots);
	Alarm alarm;
};

uint64_t scramble(uint64_t value)
{
	return (value + 1) * 0x9e3779b97f4a7c15ULL;
}

/* How many descriptors packet number n has; both sides can tell. */
struct Traffic {
	uint32_t (*size)(uint64_t number);
	uint32_t flush_every;
	uint32_t return_every;
	uint32_t ahead;
};

uint32_t always_one(uint64_t /*number*/)
{
	return 1;
}

uint32_t up_to_four(uint64_t number)
{
	return 1 + static_cast<uint32_t>(scramble(number) >> 33) % CCNIC_LINE_DESCS;
}

uint32_t any_size(uint64_t number)
{
	const uint64_t random = scramble(number) >> 33;

	/* Mostly small ones, so that large ones find partial lines before them. */
	return 1 + static_cast<uint32_t>(random % 4 != 0 ? random % CCNIC_LINE_DESCS
							 : random % CCNIC_PACKET_DESCS_MAX);
}

void fill_in(Descriptors &packet, uint64_t number)
{
	for (size_t i = 0; i < packet.size(); i++) {
		packet[i].handle = static_cast<uint32_t>(number);
		packet[i].offset = static_cast<uint16_t>(scramble(number) >> 48);
		packet[i].len = static_cast<uint16_t>(i + 1);
		packet[i].flags = CCNIC_KIND_BUFFER;
		packet[i].meta[0] = static_cast<uint16_t>(scramble(number) >> 32);
		packet[i].meta[1] = static_cast<uint16_t>(scramble(number) >> 16);
	}
	packet.back().flags |= CCNIC_F_EOP;
}

class Sender
{
public:
	explicit Sender(Shared &shared) : shared_(shared)
	{
		const ccnic_ring ring = shared.memory.ring();

		ccnic_producer_init(&producer_, &ring);
	}

	void run(uint64_t packets, const Traffic &traffic)
	{
		Descriptors packet;
		Backoff backoff;

		for (uint64_t number = 0; number < packets; number++) {
			packet.assign(traffic.size(number), ccnic_desc{});
			fill_in(packet, number);
			while (!send(packet, number)) {
				if (shared_.alarm.raised())
					return;
				/* What was gathered must not wait for room. */
				ccnic_producer_flush(&producer_);
				ccnic_producer_reclaim(&producer_);
				backoff.wait();
			}
			if (number % traffic.flush_every == traffic.flush_every - 1)
				ccnic_producer_flush(&producer_);
		}
		ccnic_producer_flush(&producer_);
	}

private:
	bool send(Descriptors &packet, uint64_t number)
	{
		const auto count = static_cast<uint32_t>(packet.size());

		if (ccnic_producer_free(&producer_) < count)
			return false;
		/* The slots are ours, and with them payload and cells. */
		for (uint32_t i = 0; i < count; i++) {
			const uint64_t word = scramble(number + i);

			shared_.payload[(producer_.next + i) % ring_slots] = word;
			std::memcpy(ccnic_producer_cell(&producer_, i), &word, sizeof(word));
		}
		return ccnic_producer_put(&producer_, packet.data(), count);
	}

	Shared &shared_;
	ccnic_producer producer_{};
};

class Receiver
{
public:
	explicit Receiver(Shared &shared) : shared_(shared)
	{
		const ccnic_ring ring = shared.memory.ring();

		ccnic_consumer_init(&consumer_, &ring);
	}

	void run(uint64_t packets, const Traffic &traffic)
	{
		Descriptors want;
		Backoff backoff;

		for (uint64_t number = 0; number < packets;) {
			if (traffic.ahead != 0 && consumer_.next == consumer_.end)
				ccnic_consumer_ahead(&consumer_, traffic.ahead);
			const int count = ccnic_consumer_next(&consumer_, got_);

			if (count == 0) {
				ccnic_consumer_return(&consumer_);
				backoff.wait();
				continue;
			}
			if (count < 0)
				return fail("the ring broke", number);
			want.assign(traffic.size(number), ccnic_desc{});
			fill_in(want, number);
			if (!matches(want, count))
				return fail("other descriptors than were sent", number);
			if (!payload_matches(number, static_cast<uint32_t>(count)))
				return fail("other payload than was sent", number);
			number++;
			if (number % traffic.return_every == 0)
				ccnic_consumer_return(&consumer_);
		}
		if (ccnic_consumer_next(&consumer_, got_) != 0)
			return fail("more packets than were sent", packets);
		ccnic_consumer_return(&consumer_);
		if (ccnic_load_acquire(&shared_.memory.progress.slots) != consumer_.end)
			return fail("a slot was not returned", packets);
	}

private:
	void fail(const char *what, uint64_t number)
	{
		shared_.alarm.raise();
		FAIL() << what << ", at packet " << number;
	}
	bool matches(const Descriptors &want, int count) const
	{
		if (count != static_cast<int>(want.size()))
			return false;
		for (size_t i = 0; i < want.size(); i++) {
			const ccnic_desc &a = want[i];
			const ccnic_desc &b = got_[i];

			if (a.handle != b.handle || a.offset != b.offset || a.len != b.len ||
			    a.flags != b.flags || a.meta[0] != b.meta[0] || a.meta[1] != b.meta[1])
				return false;
		}
		return true;
	}
	bool payload_matches(uint64_t number, uint32_t count) const
	{
		for (uint32_t i = 0; i < count; i++) {
			uint64_t word = 0;

			std::memcpy(&word, ccnic_consumer_cell(&consumer_, count, i), sizeof(word));
			if (word != scramble(number + i) ||
			    shared_.payload[(consumer_.next - count + i) % ring_slots] != word)
				return false;
		}
		return true;
	}

	Shared &shared_;
	ccnic_consumer consumer_{};
	ccnic_desc got_[CCNIC_PACKET_DESCS_MAX] = {};
};

void pass(uint64_t packets, const Traffic &traffic)
{
	Shared shared;
	std::thread sender([&] { Sender(shared).run(packets, traffic); });

	Receiver(shared).run(packets, traffic);
	sender.join();
}

} // namespace

TEST(RingThreads, TenMillionPacketsArriveInOrderAndWhole)
{
	pass(test_packets, {always_one, 16, 8, 16});
}

TEST(RingThreads, OnePacketAtATimeIsAppended)
{
	pass(test_packets / 10, {always_one, 1, 1, 0});
}

TEST(RingThreads, SmallPacketsShareLines)
{
	pass(test_packets / 10, {up_to_four, 7, 5, 0});
}

TEST(RingThreads, PacketsOfSeveralLinesArriveWhole)
{
	pass(test_packets / 20, {any_size, 3, 2, 8});
}

TEST(RingThreads, ReceiverThatHoldsSlotsAsLongAsItCan)
{
	/* It returns slots only when it finds none. */
	pass(test_packets / 10, {up_to_four, 4, UINT32_MAX, 64});
}
