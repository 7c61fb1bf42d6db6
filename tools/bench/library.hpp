// SPDX-License-Identifier: GPL-2.0
/** @file
 * The design as a user has it: libccnic, its host side and its NIC.
 */
#pragma once

#include "shape.hpp"

#include <algorithm>
#include <cstdint>
#include <libccnic.h>
#include <vector>

namespace bench
{

/** A region of one queue pair, seen from its host. */
class LibraryHost
{
public:
	/** @throws std::runtime_error saying why there is no region */
	explicit LibraryHost(const Shape &shape);
	~LibraryHost();
	LibraryHost(const LibraryHost &) = delete;
	LibraryHost &operator=(const LibraryHost &) = delete;
	LibraryHost(LibraryHost &&) = delete;
	LibraryHost &operator=(LibraryHost &&) = delete;

	ccnic_region *region() const
	{
		return region_;
	}

	template <typename Source>
	uint32_t tx_burst(Source &source, uint32_t count)
	{
		uint32_t packets = 0;

		/* What did not go the last time goes first. */
		for (; packets < count && kept_ + CCNIC_PACKET_BUFS <= room; packets++)
			if (!add(source))
				break;
		flush();
		return packets;
	}

	template <typename Sink>
	uint32_t rx_burst(Sink &sink, uint32_t most)
	{
		flush();

		const int buffers = ccnic_rx_burst(queue_, rx_, std::min(most * pieces_, room));
		uint32_t packets = 0;
		uint32_t bytes = 0;

		if (buffers <= 0)
			return 0;
		for (int i = 0; i < buffers; i++) {
			sink.read(static_cast<const uint8_t *>(rx_[i].data), bytes, rx_[i].len);
			bytes += rx_[i].len;
			if ((rx_[i].flags & CCNIC_BUF_MORE) != 0)
				continue;
			sink.done(bytes);
			bytes = 0;
			packets++;
		}
		ccnic_buf_free(queue_, rx_, static_cast<uint32_t>(buffers));
		return packets;
	}

private:
	static constexpr uint32_t room = 128;
	static constexpr uint32_t small_bytes = 256;

	/* @return false if there are no buffers */
	template <typename Source>
	bool add(Source &source)
	{
		const uint32_t bytes = source.bytes();
		uint32_t at = 0;

		/* Small ones from memory of our own: the library copies them into the ring. */
		if (bytes <= cell_bytes_) {
			uint8_t *to = small_ + kept_ * small_bytes;

			source.write(to, 0, bytes);
			source.done();
			tx_[kept_++] = {to, 0, static_cast<uint16_t>(bytes), CCNIC_BUF_COPY};
			return true;
		}
		const int parts = ccnic_buf_alloc(queue_, bytes, tx_ + kept_, room - kept_);
		if (parts <= 0)
			return false;
		for (int i = 0; i < parts; i++, kept_++) {
			source.write(static_cast<uint8_t *>(tx_[kept_].data), at, tx_[kept_].len);
			at += tx_[kept_].len;
		}
		source.done();
		return true;
	}

	/* Sends what is kept, as far as there is room; the rest stays for the next time. */
	void flush()
	{
		if (kept_ == 0)
			return;
		const int sent = ccnic_tx_burst(queue_, tx_, kept_);
		if (sent == static_cast<int>(kept_))
			kept_ = 0;
		else if (sent > 0)
			move_up(static_cast<uint32_t>(sent));
	}
	void move_up(uint32_t sent);

	ccnic_region *region_ = nullptr;
	ccnic_queue *queue_ = nullptr;
	uint32_t cell_bytes_ = 0;
	uint32_t pieces_ = 1;
	/* Buffers in tx_ that are still to be sent. */
	uint32_t kept_ = 0;
	ccnic_buf tx_[room] = {};
	ccnic_buf rx_[room] = {};
	alignas(64) uint8_t small_[room * small_bytes] = {};
};

/** A NIC of the library's. */
class LibraryNic
{
public:
	/**
	 * @param regions one: what it sends comes back; two: to each other
	 * @throws std::runtime_error saying why there is no NIC or no link
	 */
	explicit LibraryNic(const std::vector<ccnic_region *> &regions);
	~LibraryNic();
	LibraryNic(const LibraryNic &) = delete;
	LibraryNic &operator=(const LibraryNic &) = delete;
	LibraryNic(LibraryNic &&) = delete;
	LibraryNic &operator=(LibraryNic &&) = delete;

	void poll()
	{
		ccnic_nic_poll(nic_);
	}

private:
	ccnic_nic *nic_ = nullptr;
};

/** One queue pair of a region of its own, and a NIC with the loop wire. */
class Library
{
public:
	static constexpr bool for_processes = true;

	explicit Library(const Shape &shape) : host_(shape), nic_({host_.region()})
	{
	}

	template <typename Source>
	uint32_t tx_burst(Source &source, uint32_t count)
	{
		return host_.tx_burst(source, count);
	}

	template <typename Sink>
	uint32_t rx_burst(Sink &sink, uint32_t most)
	{
		return host_.rx_burst(sink, most);
	}

	void nic_poll()
	{
		nic_.poll();
	}

private:
	LibraryHost host_;
	LibraryNic nic_;
};

} // namespace bench
