// SPDX-License-Identifier: GPL-2.0
/*
 * The ring between two threads, with payload.
 *
 * Each descriptor's payload is one word of plain memory that belongs to its
 * place in the ring. The producer writes it before it publishes, the consumer
 * reads it before it returns the line. So ThreadSanitizer, which knows of no
 * order but that of the signals, reports any that is missing between the two.
 */
#include "ring_fixture.hpp"
#include "threads.hpp"

namespace
{

constexpr uint32_t ring_lines = 64;

struct Shared {
	Lines lines = Lines(ring_lines);
	std::vector<uint64_t> payload = std::vector<uint64_t>(ring_lines * CCNIC_LINE_DESCS);
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
		ccnic_producer_init(&producer_, shared.lines.data(), ring_lines);
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
		const bool joins =
			producer_.staged != 0 && producer_.staged + count <= CCNIC_LINE_DESCS;
		const uint32_t lines =
			joins ? 0 : (count + CCNIC_LINE_DESCS - 1) / CCNIC_LINE_DESCS;

		if (ccnic_producer_free(&producer_) < lines)
			return false;
		/* The lines are ours, and with them the payload. */
		const uint32_t line = producer_.next + (!joins && producer_.staged != 0 ? 1 : 0);
		const uint32_t slot = joins ? producer_.staged : 0;
		for (uint32_t i = 0; i < count; i++)
			payload(line, slot + i) = scramble(number + i);
		return ccnic_producer_put(&producer_, packet.data(), count);
	}
	uint64_t &payload(uint32_t line, uint32_t slot)
	{
		const uint32_t first = (line & (ring_lines - 1)) * CCNIC_LINE_DESCS;

		return shared_.payload[(first + slot) % shared_.payload.size()];
	}

	Shared &shared_;
	ccnic_producer producer_{};
};

class Receiver
{
public:
	explicit Receiver(Shared &shared) : shared_(shared)
	{
		ccnic_consumer_init(&consumer_, shared.lines.data(), ring_lines);
	}

	void run(uint64_t packets, const Traffic &traffic)
	{
		Descriptors want;
		Backoff backoff;

		for (uint64_t number = 0; number < packets;) {
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
		for (const ccnic_line &line : shared_.lines) {
			if (ccnic_load_acquire(&line.signal) != 0)
				return fail("a line was not returned", packets);
		}
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
			    a.flags != (b.flags & ~CCNIC_LINES_MASK) || a.meta[0] != b.meta[0] ||
			    a.meta[1] != b.meta[1])
				return false;
		}
		return true;
	}
	/* The packet's last descriptor stands before the next one in its line. */
	bool payload_matches(uint64_t number, uint32_t count) const
	{
		const uint32_t end = (consumer_.next - 1) * CCNIC_LINE_DESCS +
				     (count > CCNIC_LINE_DESCS ? (count - 1) % CCNIC_LINE_DESCS + 1
							       : consumer_.pos);

		for (uint32_t i = 0; i < count; i++) {
			const uint32_t at = (end - count + i) % (ring_lines * CCNIC_LINE_DESCS);

			if (shared_.payload[at] != scramble(number + i))
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
	pass(test_packets, {always_one, 16, 8});
}

TEST(RingThreads, OnePacketALine)
{
	pass(test_packets / 10, {always_one, 1, 1});
}

TEST(RingThreads, SmallPacketsShareLines)
{
	pass(test_packets / 10, {up_to_four, 7, 5});
}

TEST(RingThreads, PacketsOfSeveralLinesArriveWhole)
{
	pass(test_packets / 20, {any_size, 3, 2});
}

TEST(RingThreads, ReceiverThatHoldsLinesAsLongAsItCan)
{
	/* It returns lines only when it finds none. */
	pass(test_packets / 10, {up_to_four, 4, UINT32_MAX});
}
