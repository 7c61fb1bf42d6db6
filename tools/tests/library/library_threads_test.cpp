// SPDX-License-Identifier: GPL-2.0
/*
 * libccnic between threads: every packet comes once, in order and whole, on every
 * queue, and sleepers are woken.
 */
#include "fixture.hpp"

#include <atomic>

namespace
{

constexpr uint64_t packets = test_packets / 200;

/* A NIC in a thread of its own. */
class NicThread
{
public:
	NicThread(const ccnic_nic_options &options, std::initializer_list<int> fds)
		: nic_(options, fds), sleeps_(options.sleeps != 0), thread_([this] { run(); })
	{
	}
	~NicThread()
	{
		stop_ = true;
		thread_.join();
	}
	NicThread(const NicThread &) = delete;
	NicThread &operator=(const NicThread &) = delete;
	NicThread(NicThread &&) = delete;
	NicThread &operator=(NicThread &&) = delete;

	ccnic_nic_stats stats(uint32_t port) const
	{
		return nic_.stats(port);
	}
	/* Waits until the NIC, too, knows of a host: until then it drops what is for it. */
	bool link(uint32_t port) const
	{
		const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);

		while (!nic_.link(port) && std::chrono::steady_clock::now() < end)
			std::this_thread::yield();
		return nic_.link(port);
	}

private:
	void run()
	{
		Backoff backoff;

		while (!stop_.load()) {
			if (nic_.poll() != 0)
				continue;
			if (sleeps_)
				nic_.wait(20);
			else
				backoff.wait();
		}
	}

	Nic nic_;
	bool sleeps_;
	std::atomic<bool> stop_ = false;
	std::thread thread_;
};

uint32_t size_of(uint64_t number)
{
	static constexpr std::array<uint32_t, 8> sizes = {1, 64, 8, 65, 1500, 63, 9000, 2048};

	return sizes[number % sizes.size()];
}

/* Packets from number first on are to be received, and checked. */
class Receiver
{
public:
	explicit Receiver(QueueRef queue) : queue_(queue)
	{
	}
	uint64_t next() const
	{
		return next_;
	}
	/* Return: false if something is wrong */
	bool take()
	{
		auto got = queue_.receive(room_);

		while (!got.empty()) {
			const size_t count = first_packet(got);
			const auto one = got.first(count);
			const auto result = is_packet(one, next_, size_of(next_));

			next_++;
			EXPECT_TRUE(result);
			EXPECT_EQ(queue_.free(one), 0);
			if (!result)
				return false;
			got = got.subspan(count);
		}
		return true;
	}

private:
	QueueRef queue_;
	Bufs room_{};
	uint64_t next_ = 0;
};

/* Sends packet after packet, as far as there is room. */
class Sender
{
public:
	explicit Sender(QueueRef queue) : queue_(queue)
	{
	}
	/* Return: was a packet sent? */
	bool put()
	{
		if (held_ == 0) {
			const int count = make_packet(queue_, next_, size_of(next_), bufs_);

			held_ = count > 0 ? static_cast<size_t>(count) : 0;
		}
		if (held_ == 0 || queue_.send(std::span(bufs_).first(held_)) == 0)
			return false;
		held_ = 0;
		next_++;
		return true;
	}
	uint64_t next() const
	{
		return next_;
	}

private:
	QueueRef queue_;
	Bufs bufs_{};
	size_t held_ = 0;
	uint64_t next_ = 0;
};

/* One thread that is both sides of a queue. */
void loop_queue(QueueRef queue, uint64_t count)
{
	Sender sender(queue);
	Receiver receiver(queue);
	Backoff backoff;

	while (receiver.next() < count) {
		const uint64_t before = receiver.next();
		bool sent = false;

		while (sender.next() < count && sender.next() - before < 60 && sender.put())
			sent = true;
		if (!receiver.take())
			return;
		if (!sent && receiver.next() == before)
			backoff.wait();
	}
}

} // namespace

TEST(LibraryThreads, LoopBringsEveryPacketBack)
{
	Region region = Region::create(small_options());
	NicThread nic(nic_options(), {region.fd()});

	ASSERT_TRUE(region.link(5000));
	loop_queue(region.queue(0), packets);
	EXPECT_EQ(nic.stats(0).drop_bad, 0U);
	EXPECT_EQ(nic.stats(0).drop_no_room, 0U);
}

TEST(LibraryThreads, QueuesAreIndependent)
{
	Region region = Region::create(small_options(4));
	NicThread nic(nic_options(), {region.fd()});
	std::vector<std::thread> threads;

	ASSERT_TRUE(region.link(5000));
	threads.reserve(4);
	for (uint32_t i = 0; i < 4; i++)
		threads.emplace_back([&, i] { loop_queue(region.queue(i), packets / 8); });
	for (std::thread &thread : threads)
		thread.join();
	EXPECT_EQ(nic.stats(0).drop_bad, 0U);
}

TEST(LibraryThreads, TwoSidesOfAQueueMayBeTwoThreads)
{
	ccnic_options options = small_options();
	options.split = 1;
	Region region = Region::create(options);
	NicThread nic(nic_options(), {region.fd()});
	std::atomic<bool> over = false;

	ASSERT_TRUE(region.link(5000));
	std::thread sending([&] {
		Sender sender(region.queue(0));
		Backoff backoff;

		while (sender.next() < packets / 4 && !over.load())
			if (!sender.put())
				backoff.wait();
	});
	Receiver receiver(region.queue(0));
	Backoff backoff;
	while (receiver.next() < packets / 4 && receiver.take())
		backoff.wait();
	over = true;
	sending.join();
	EXPECT_EQ(receiver.next(), packets / 4);
}

TEST(LibraryThreads, PairCarriesBothWays)
{
	Region left = Region::create(small_options());
	Region right = Region::create(small_options());
	NicThread nic(nic_options(CCNIC_WIRE_PAIR), {left.fd(), right.fd()});
	const auto both_ways = [](Region &region) {
		Sender sender(region.queue(0));
		Receiver receiver(region.queue(0));
		Backoff backoff;

		while (receiver.next() < packets / 4 || sender.next() < packets / 4) {
			const bool sent = sender.next() < packets / 4 && sender.put();

			if (!receiver.take())
				return;
			if (!sent)
				backoff.wait();
		}
	};

	ASSERT_TRUE(left.link(5000));
	ASSERT_TRUE(right.link(5000));
	ASSERT_TRUE(nic.link(0) && nic.link(1));
	std::thread there([&] { both_ways(left); });
	both_ways(right);
	there.join();
	EXPECT_EQ(nic.stats(0).rx_packets, packets / 4);
	EXPECT_EQ(nic.stats(1).rx_packets, packets / 4);
}

TEST(LibraryThreads, SleepersAreWoken)
{
	ccnic_options options = small_options();
	ccnic_nic_options nic_is = nic_options();
	const Rounds rounds(test_packets / 200);
	uint64_t played = 0;

	options.sleeps = 1;
	nic_is.sleeps = 1;
	Region region = Region::create(options);
	NicThread nic(nic_is, {region.fd()});
	ASSERT_TRUE(region.link(5000));
	Sender sender(region.queue(0));
	Receiver receiver(region.queue(0));
	for (; rounds.play(played); played++) {
		while (!sender.put())
			ASSERT_TRUE(region.queue(0).wait_tx(8, 5000));
		const auto start = std::chrono::steady_clock::now();
		ASSERT_TRUE(region.queue(0).wait_rx(5000));
		/* A sleeper who was not woken sleeps 20 ms at least, many times over. */
		ASSERT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(4));
		ASSERT_TRUE(receiver.take());
	}
	EXPECT_EQ(receiver.next(), played);
	EXPECT_GT(nic.stats(0).wakes, 0U);
}

TEST(LibraryThreads, NicComesAndGoesUnderTraffic)
{
	Region region = Region::create(small_options(2));
	std::atomic<bool> stop = false;
	std::atomic<uint64_t> got = 0;
	const auto traffic = [&](uint32_t index) {
		QueueRef queue = region.queue(index);
		Backoff backoff;
		Bufs bufs{};

		for (uint64_t i = 0; !stop.load(); i++) {
			const int count = queue.alloc(i % 3 == 0 ? 64 : 3000, bufs);

			if (count > 0) {
				const auto packet =
					std::span(bufs).first(static_cast<size_t>(count));
				const int sent = queue.send(packet);

				ASSERT_GE(sent, 0);
				if (sent == 0) {
					ASSERT_EQ(queue.free(packet), 0);
				}
			}
			const auto received = queue.receive(bufs);
			got += received.size();
			ASSERT_EQ(queue.free(received), 0);
			if (received.empty())
				backoff.wait();
		}
	};
	std::thread first([&] { traffic(0); });
	std::thread second([&] { traffic(1); });

	for (int life = 0; life < 20; life++) {
		const NicThread nic(nic_options(), {region.fd()});
		const uint64_t before = got.load();
		const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);

		while (got.load() < before + 500 && std::chrono::steady_clock::now() < end)
			std::this_thread::yield();
		EXPECT_GE(got.load(), before + 500) << "life " << life;
		EXPECT_EQ(nic.stats(0).drop_bad, 0U);
	}
	stop = true;
	first.join();
	second.join();
}
