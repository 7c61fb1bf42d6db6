// SPDX-License-Identifier: GPL-2.0
/*
 * The wake-up handshake: once a sleep, and never lost.
 */
#include "ring_fixture.hpp"
#include "threads.hpp"

#include <ccnic/wake.h>

#include <chrono>

TEST(Wake, NobodyAsleepNobodyWoken)
{
	ccnic_armed armed{};
	uint32_t last = 0;

	EXPECT_FALSE(ccnic_armed_any(&armed, &last));
}

TEST(Wake, OnceASleep)
{
	ccnic_armed armed{};
	uint32_t token = 0;
	uint32_t last = 0;

	for (int sleep = 0; sleep < 3; sleep++) {
		ccnic_arm(&armed, &token, 0);
		EXPECT_TRUE(ccnic_armed_any(&armed, &last));
		EXPECT_FALSE(ccnic_armed_any(&armed, &last));
	}
}

TEST(Wake, DisarmedIsAwake)
{
	ccnic_armed armed{};
	uint32_t token = 0;
	uint32_t last = 0;

	ccnic_arm(&armed, &token, 0);
	ccnic_disarm(&armed);
	EXPECT_FALSE(ccnic_armed_any(&armed, &last));
	ccnic_arm(&armed, &token, 0);
	EXPECT_TRUE(ccnic_armed_any(&armed, &last));
}

TEST(Wake, TokenIsNeverZero)
{
	ccnic_armed armed{};
	uint32_t token = 0xfffffffeU;
	uint32_t last = 0xfffffffeU;

	for (int sleep = 0; sleep < 4; sleep++) {
		ccnic_arm(&armed, &token, 0);
		EXPECT_NE(token, 0U);
		EXPECT_TRUE(ccnic_armed_any(&armed, &last));
	}
}

TEST(Wake, CompletionWakesWhenItsSlotIsBack)
{
	ccnic_armed armed{};
	uint32_t token = 0;
	uint32_t last = 0;

	ccnic_arm(&armed, &token, 10);
	EXPECT_FALSE(ccnic_armed_index(&armed, &last, 9));
	EXPECT_FALSE(ccnic_armed_index(&armed, &last, 10)) << "slot 10 itself is still out";
	EXPECT_TRUE(ccnic_armed_index(&armed, &last, 11));
	EXPECT_FALSE(ccnic_armed_index(&armed, &last, 12)) << "once a sleep";
}

TEST(Wake, CompletionIndexMayOverflow)
{
	for (const uint32_t index : {0x7fffffffU, 0x80000000U, 0xffffffffU}) {
		ccnic_armed armed{};
		uint32_t token = 0;
		uint32_t last = 0;

		ccnic_arm(&armed, &token, index);
		EXPECT_FALSE(ccnic_armed_index(&armed, &last, index - 5));
		EXPECT_FALSE(ccnic_armed_index(&armed, &last, index));
		EXPECT_TRUE(ccnic_armed_index(&armed, &last, index + 1));
	}
}

namespace
{

constexpr auto lost_after = std::chrono::seconds(20);
constexpr uint32_t longest_pause = 256; /* turns of a loop, a nanosecond or two each */

void pause(uint32_t turns)
{
	for (volatile uint32_t left = turns; left != 0;)
		left = left - 1;
}

/* The bed that the wake-up gets somebody out of. */
struct Bed {
	std::atomic<bool> rung = false;

	void ring()
	{
		rung.store(true, std::memory_order_relaxed);
	}
	/** @return false if nobody rang for so long that nobody will */
	bool sleep(const Alarm &alarm)
	{
		const auto start = std::chrono::steady_clock::now();
		Backoff backoff;

		for (uint32_t turn = 1; !rung.exchange(false, std::memory_order_relaxed); turn++) {
			backoff.wait();
			if (turn % 1024 == 0 &&
			    (alarm.raised() ||
			     std::chrono::steady_clock::now() - start > lost_after))
				return false;
		}
		return true;
	}
};

} // namespace

TEST(WakeThreads, NoWakeUpIsLost)
{
	/*
	 * The producer publishes one packet and waits until it was taken, so a
	 * wake-up that is lost leaves both waiting. Random pauses, about as
	 * long as a line takes from CPU to CPU, move the two critical sections
	 * over each other.
	 */
	constexpr uint32_t ring_lines = CCNIC_RING_LINES_MIN;
	const Rounds rounds(test_packets / 20);
	Alarm over;
	RingMemory memory(ring_lines);
	const ccnic_ring where = memory.ring();
	ccnic_armed armed{};
	Bed bed;
	Alarm alarm;
	std::atomic<uint64_t> taken = 0;
	uint64_t wakes = 0;
	uint64_t sleeps = 0;

	std::thread producer([&] {
		ccnic_producer ring{};
		uint32_t last = 0;
		Random random(1);
		Descriptors packet = make_packet(1, 1);

		ccnic_producer_init(&ring, &where);
		for (uint64_t i = 0; !over.raised() && !alarm.raised(); i++) {
			Backoff backoff;

			pause(random.below(longest_pause / 4));
			ccnic_producer_reclaim(&ring);
			if (!ccnic_producer_put(&ring, packet.data(), 1))
				ADD_FAILURE() << "no room for the only packet";
			ccnic_producer_flush(&ring);
			ccnic_mb();
			if (ccnic_armed_any(&armed, &last)) {
				wakes++;
				bed.ring();
			}
			while (taken.load(std::memory_order_relaxed) <= i && !alarm.raised() &&
			       !over.raised())
				backoff.wait();
		}
	});

	ccnic_consumer ring{};
	ccnic_desc got[CCNIC_PACKET_DESCS_MAX] = {};
	uint32_t token = 0;
	Random random(2);
	ccnic_consumer_init(&ring, &where);
	for (uint64_t i = 0; rounds.play(i);) {
		if (ccnic_consumer_next(&ring, got) == 1) {
			ccnic_consumer_return(&ring);
			taken.store(++i, std::memory_order_relaxed);
			pause(random.below(longest_pause));
			continue;
		}
		ccnic_arm(&armed, &token, 0);
		if (!ccnic_consumer_pending(&ring)) {
			sleeps++;
			if (!bed.sleep(alarm)) {
				alarm.raise();
				ADD_FAILURE() << "slept through packet " << i;
				break;
			}
		}
		ccnic_disarm(&armed);
	}
	over.raise();
	producer.join();
	EXPECT_GT(wakes, 0U);
	EXPECT_GT(sleeps, 0U) << "nobody slept, so nothing was tried";
}

TEST(WakeThreads, NoCompletionIsLost)
{
	/* The same with the roles exchanged: the producer waits for a slot's return. */
	constexpr uint32_t ring_lines = CCNIC_RING_LINES_MIN;
	const Rounds rounds(test_packets / 20);
	Alarm over;
	RingMemory memory(ring_lines);
	const ccnic_ring where = memory.ring();
	ccnic_armed armed{};
	Bed bed;
	Alarm alarm;
	uint64_t sleeps = 0;

	std::thread consumer([&] {
		ccnic_consumer ring{};
		ccnic_desc got[CCNIC_PACKET_DESCS_MAX] = {};
		uint32_t last = 0;
		Random random(3);

		ccnic_consumer_init(&ring, &where);
		for (Backoff backoff; !over.raised() && !alarm.raised();) {
			if (ccnic_consumer_next(&ring, got) != 1) {
				backoff.wait();
				continue;
			}
			pause(random.below(longest_pause / 4));
			ccnic_consumer_return(&ring);
			ccnic_mb();
			if (ccnic_armed_index(&armed, &last, ring.returned))
				bed.ring();
		}
	});

	ccnic_producer ring{};
	uint32_t token = 0;
	Random random(4);
	Descriptors packet = make_packet(1, 1);
	ccnic_producer_init(&ring, &where);
	for (uint64_t i = 0; rounds.play(i); i++) {
		if (!ccnic_producer_put(&ring, packet.data(), 1))
			ADD_FAILURE() << "no room for the only packet";
		ccnic_producer_flush(&ring);
		pause(random.below(longest_pause));
		ccnic_arm(&armed, &token, ring.clean);
		if (ccnic_producer_reclaim(&ring) == 0) {
			sleeps++;
			if (!bed.sleep(alarm)) {
				alarm.raise();
				ADD_FAILURE() << "slept through the return of slot " << i;
				break;
			}
		}
		ccnic_disarm(&armed);
		for (Backoff backoff; ccnic_producer_busy(&ring) != 0; backoff.wait())
			ccnic_producer_reclaim(&ring);
	}
	over.raise();
	consumer.join();
	EXPECT_GT(sleeps, 0U) << "nobody slept, so nothing was tried";
}
