// SPDX-License-Identifier: GPL-2.0
/*
 * A peer that goes on writing to lines which it has handed over: whatever it
 * writes and whenever, nothing out of range comes out at our side, because
 * each line is copied once and the copy is what is checked and used.
 *
 * The race is the subject here, so these tests are not for ThreadSanitizer.
 */
#include "ring_fixture.hpp"
#include "threads.hpp"

#include <ccnic/packet.h>
#include <ccnic/pool.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>

namespace
{

constexpr uint32_t ring_lines = CCNIC_RING_LINES_MIN;
constexpr uint64_t wanted_packets = 50000;

/* How long the victim is attacked, and by when it must have seen everything. */
class Deadline
{
public:
	bool enough() const
	{
		return std::chrono::steady_clock::now() - start_ > std::chrono::seconds(3);
	}
	bool over() const
	{
		return std::chrono::steady_clock::now() - start_ > std::chrono::seconds(120);
	}

private:
	std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/* Writes to a ring until it is told to stop. */
class Scribbler
{
public:
	using Scribble = std::function<void(Random &random, uint32_t index)>;

	explicit Scribbler(Scribble scribble)
		: scribble_(std::move(scribble)), thread_([this] { run(); })
	{
	}
	~Scribbler()
	{
		stop_.raise();
		thread_.join();
	}
	Scribbler(const Scribbler &) = delete;
	Scribbler &operator=(const Scribbler &) = delete;
	Scribbler(Scribbler &&) = delete;
	Scribbler &operator=(Scribbler &&) = delete;

	/** Tells where the victim reads, so that it gets something to swallow. */
	void aim(uint32_t index)
	{
		aim_.store(index, std::memory_order_relaxed);
	}

private:
	void run()
	{
		Random random(0xbad);
		Backoff backoff;

		for (; !stop_.raised(); backoff.wait())
			scribble_(random, aim_.load(std::memory_order_relaxed));
	}

	Scribble scribble_;
	Alarm stop_;
	std::atomic<uint32_t> aim_ = 0;
	std::thread thread_;
};

ccnic_desc any_descriptor(Random &random)
{
	ccnic_desc desc{};

	desc.handle = static_cast<uint32_t>(random.next());
	desc.offset = static_cast<uint16_t>(random.next());
	desc.len = static_cast<uint16_t>(random.next());
	desc.flags = static_cast<uint16_t>(random.next());
	if (random.below(4) != 0)
		desc.flags = static_cast<uint16_t>(CCNIC_KIND_BUFFER +
						   (random.below(2) != 0 ? CCNIC_F_EOP : 0));
	return desc;
}

void scribble_line(ccnic_line &line, Random &random, uint32_t index)
{
	for (ccnic_desc &desc : line.slots.desc)
		desc = any_descriptor(random);

	/* One that makes sense, and perhaps another right behind it. */
	ccnic_store_release(&line.signal, ccnic_signal(index, 1 + random.below(CCNIC_LINE_DESCS)));
	if (random.below(4) == 0)
		ccnic_store_release(&line.signal, static_cast<uint32_t>(random.next()));
}

/* A packet of three lines as it should be; what it says may change any time. */
void scribble_packet(Lines &lines, Random &random, uint32_t index)
{
	for (uint32_t i = 3; i-- > 0;) {
		ccnic_line &line = lines[(index + i) % ring_lines];

		for (ccnic_desc &desc : line.slots.desc) {
			desc = any_descriptor(random);
			desc.flags = CCNIC_KIND_BUFFER;
		}
		if (i == 2)
			line.slots.desc[3].flags |= CCNIC_F_EOP;
		ccnic_store_release(&line.signal, ccnic_signal(index + i, CCNIC_LINE_DESCS));
	}
}

bool ends_only_at_the_end(const ccnic_desc *desc, int count)
{
	for (int i = 0; i < count; i++) {
		if (((desc[i].flags & CCNIC_F_EOP) != 0) != (i == count - 1))
			return false;
	}
	return true;
}

} // namespace

TEST(Hostile, PacketRingYieldsOnlyWhatWasChecked)
{
	RingMemory memory(ring_lines);
	Lines &lines = memory.lines;
	const ccnic_ring ring = memory.ring();
	ccnic_consumer consumer{};
	ccnic_desc got[CCNIC_PACKET_DESCS_MAX + 1] = {};
	uint64_t packets = 0;
	uint64_t large = 0;
	uint64_t breaks = 0;
	const uint32_t guard = 0x5a5a5a5a;

	ccnic_consumer_init(&consumer, &ring);
	got[CCNIC_PACKET_DESCS_MAX].handle = guard;
	Scribbler peer([&](Random &random, uint32_t index) {
		const uint32_t near = index + random.below(4);

		if (random.below(4) == 0)
			scribble_packet(lines, random, index);
		else
			scribble_line(lines[near % ring_lines], random, near);
	});

	const Deadline deadline;
	for (Backoff backoff;
	     !deadline.enough() || packets < wanted_packets || large == 0 || breaks == 0;
	     backoff.wait()) {
		ASSERT_FALSE(deadline.over()) << packets << " packets, " << large << " large, "
					      << breaks << " breaks: not hostile enough";
		peer.aim(consumer.end / CCNIC_LINE_DESCS);
		const int count = ccnic_consumer_next(&consumer, got);

		if (count == CCNIC_EPROTO) {
			const uint32_t slot = consumer.next - consumer.next % CCNIC_LINE_DESCS;

			ASSERT_TRUE(consumer.broken);
			breaks++;
			ccnic_consumer_init(&consumer, &ring);
			consumer.next = consumer.end = consumer.returned = slot;
			continue;
		}
		ASSERT_GE(count, 0);
		ASSERT_LE(count, static_cast<int>(CCNIC_PACKET_DESCS_MAX));
		ASSERT_EQ(got[CCNIC_PACKET_DESCS_MAX].handle, guard);
		if (count > 0) {
			ccnic_packet packet{};

			packets++;
			large += count > static_cast<int>(CCNIC_LINE_DESCS) ? 1 : 0;
			ASSERT_TRUE(ends_only_at_the_end(got, count))
				<< "it was checked in one reading and copied in another";
			if (ccnic_packet_parse(got, static_cast<uint32_t>(count), 1, &packet) ==
			    0) {
				uint32_t bytes = 0;

				for (uint32_t i = packet.first; i < packet.count; i++)
					bytes += got[i].len;
				ASSERT_EQ(bytes, packet.bytes);
				ASSERT_LE(packet.bytes, CCNIC_PACKET_BYTES_MAX);
			}
		}
		ccnic_consumer_return(&consumer);
	}
}

TEST(Hostile, ProgressFreesOnlyWhatWasPublished)
{
	RingMemory memory(ring_lines);
	const ccnic_ring ring = memory.ring();
	ccnic_producer producer{};
	uint64_t breaks = 0;
	uint64_t freed = 0;

	ccnic_producer_init(&producer, &ring);
	Scribbler peer([&](Random &random, uint32_t index) {
		ccnic_store_release(&memory.progress.slots,
				    random.below(2) != 0 ? index - 8 + random.below(16)
							 : static_cast<uint32_t>(random.next()));
	});

	const Deadline deadline;
	for (Backoff backoff; !deadline.enough() || breaks == 0 || freed < wanted_packets;
	     backoff.wait()) {
		const Descriptors packet = make_packet(1, 3);

		ASSERT_FALSE(deadline.over()) << breaks << " breaks, " << freed << " freed";
		ccnic_producer_put(&producer, packet.data(), 3);
		ccnic_producer_flush(&producer);
		peer.aim(producer.published);
		const uint32_t clean = producer.clean;
		const uint32_t count = ccnic_producer_reclaim(&producer);

		ASSERT_LE(count, producer.published - clean);
		ASSERT_LE(ccnic_producer_busy(&producer), ring.slots);
		ASSERT_LE(ccnic_producer_free(&producer), ring.slots);
		freed += count;
		if (producer.broken) {
			breaks++;
			producer.broken = false;
		}
	}
}

TEST(Hostile, ExchangeYieldsOnlyHandlesThatWereLent)
{
	constexpr uint32_t handles = 64;
	std::vector<ccnic_line> lines(16);
	std::array<uint8_t, handles> at_peer{};
	std::array<bool, handles> lent{};
	std::array<uint32_t, CCNIC_LINE_HANDLES + 1> got{};
	ccnic_ledger ledger = {at_peer.data(), handles};
	ccnic_borrower borrower{};
	uint64_t taken = 0;
	uint64_t refused = 0;
	uint64_t breaks = 0;
	const uint32_t guard = 0x5a5a5a5a;
	Random random(1);

	ccnic_borrower_init(&borrower, lines.data(), 16);
	got[CCNIC_LINE_HANDLES] = guard;
	Scribbler peer([&](Random &chance, uint32_t index) {
		ccnic_line &line = lines[index % 16];

		for (uint32_t &handle : line.handle)
			handle = chance.below(4) == 0 ? static_cast<uint32_t>(chance.next())
						      : chance.below(2 * handles);
		/* One that makes sense, and perhaps another right behind it. */
		ccnic_store_release(&line.signal, ccnic_batch_signal(index));
		if (chance.below(2) == 0)
			ccnic_store_release(&line.signal, static_cast<uint32_t>(chance.next()));
	});

	const Deadline deadline;
	for (Backoff backoff;
	     !deadline.enough() || taken < wanted_packets || refused == 0 || breaks == 0;
	     backoff.wait()) {
		ASSERT_FALSE(deadline.over()) << taken << " taken, " << refused << " refused, "
					      << breaks << " breaks: not hostile enough";
		for (uint32_t handle = 0; handle < handles; handle++) {
			if (lent[handle] || random.below(2) != 0)
				continue;
			ccnic_ledger_lend(&ledger, handle);
			lent[handle] = true;
		}
		peer.aim(borrower.next);
		const int count = ccnic_borrow(&borrower, got.data());
		if (count == CCNIC_EPROTO) {
			breaks++;
			borrower.broken = false;
			continue;
		}
		ASSERT_GE(count, 0);
		ASSERT_LE(count, static_cast<int>(CCNIC_LINE_HANDLES));
		ASSERT_EQ(got[CCNIC_LINE_HANDLES], guard);
		for (int i = 0; i < count; i++) {
			if (!ccnic_ledger_take(&ledger, got[i])) {
				refused++;
				ASSERT_TRUE(got[i] >= handles || !lent[got[i]]) << got[i];
				continue;
			}
			taken++;
			ASSERT_LT(got[i], handles);
			ASSERT_TRUE(lent[got[i]]) << got[i];
			lent[got[i]] = false;
		}
	}
}
