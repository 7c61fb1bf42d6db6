// SPDX-License-Identifier: GPL-2.0
/** @file
 * What is to be had without any of this: a queue with a lock, and sockets.
 */
#pragma once

#include "memory.hpp"
#include "shape.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

namespace bench
{

/** Two queues of packets, each with a mutex and a condition variable. */
class LockedQueue
{
public:
	static constexpr bool for_processes = false;

	explicit LockedQueue(const Shape & /*shape*/)
	{
	}

	template <typename Source>
	uint32_t tx_burst(Source &source, uint32_t count)
	{
		std::vector<Packet> packets;

		for (uint32_t i = 0; i < count; i++) {
			packets.emplace_back(source.bytes());
			source.write(packets.back().data(), 0, source.bytes());
			source.done();
		}
		to_nic_.put(std::move(packets));
		return count;
	}

	template <typename Sink>
	uint32_t rx_burst(Sink &sink, uint32_t most)
	{
		const std::vector<Packet> packets = to_host_.take(most, false);

		for (const Packet &packet : packets) {
			sink.read(packet.data(), 0, static_cast<uint32_t>(packet.size()));
			sink.done(static_cast<uint32_t>(packet.size()));
		}
		return static_cast<uint32_t>(packets.size());
	}

	void nic_poll()
	{
		std::vector<Packet> packets = to_nic_.take(burst, true);

		if (!packets.empty())
			to_host_.put(std::move(packets));
	}

private:
	static constexpr uint32_t burst = 32;
	using Packet = std::vector<uint8_t>;

	/** One direction. */
	class alignas(writer_gap) Queue
	{
	public:
		void put(std::vector<Packet> packets)
		{
			{
				const std::lock_guard lock(mutex_);
				for (Packet &packet : packets)
					packets_.push_back(std::move(packet));
			}
			filled_.notify_one();
		}
		std::vector<Packet> take(uint32_t most, bool wait)
		{
			std::unique_lock lock(mutex_);
			std::vector<Packet> packets;

			if (wait)
				filled_.wait_for(lock, std::chrono::milliseconds(1),
						 [this] { return !packets_.empty(); });
			while (packets.size() < most && !packets_.empty()) {
				packets.push_back(std::move(packets_.front()));
				packets_.pop_front();
			}
			return packets;
		}

	private:
		std::mutex mutex_;
		std::condition_variable filled_;
		std::deque<Packet> packets_;
	};

	Queue to_nic_;
	Queue to_host_;
};

/** A pair of AF_UNIX sockets that keep packets apart. */
class SocketPair
{
public:
	static constexpr bool for_processes = true;

	/** @throws std::system_error if there are no sockets */
	explicit SocketPair(const Shape &shape);
	~SocketPair();
	SocketPair(const SocketPair &) = delete;
	SocketPair &operator=(const SocketPair &) = delete;
	SocketPair(SocketPair &&) = delete;
	SocketPair &operator=(SocketPair &&) = delete;

	template <typename Source>
	uint32_t tx_burst(Source &source, uint32_t count)
	{
		uint32_t sent = 0;

		for (; sent < count; sent++) {
			/* The packet stays for the next call if there is no room. */
			source.write(tx_.data(), 0, source.bytes());
			if (!send(host_fd_, tx_.data(), source.bytes()))
				break;
			source.done();
		}
		return sent;
	}

	template <typename Sink>
	uint32_t rx_burst(Sink &sink, uint32_t most)
	{
		uint32_t received = 0;

		for (; received < most; received++) {
			const uint32_t bytes = receive(host_fd_, rx_.data());
			if (bytes == 0)
				break;
			sink.read(rx_.data(), 0, bytes);
			sink.done(bytes);
		}
		return received;
	}

	void nic_poll();

private:
	static constexpr uint32_t burst = 32;

	bool send(int fd, const uint8_t *from, uint32_t bytes) const;
	uint32_t receive(int fd, uint8_t *to) const;

	std::vector<uint8_t> tx_;
	std::vector<uint8_t> rx_;
	std::vector<uint8_t> nic_;
	uint32_t kept_ = 0;
	int host_fd_ = -1;
	int nic_fd_ = -1;
};

} // namespace bench
