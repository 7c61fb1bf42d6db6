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

/** One queue pair of a region of its own, and a NIC with the loop wire. */
class Library
{
public:
	static constexpr bool for_processes = true;

	/** @throws std::runtime_error saying why there is no region, NIC or link */
	explicit Library(const Shape &shape);
	~Library();
	Library(const Library &) = delete;
	Library &operator=(const Library &) = delete;
	Library(Library &&) = delete;
	Library &operator=(Library &&) = delete;

	template <typename Source>
	uint32_t tx_burst(Source &source, uint32_t count)
	{
		const uint32_t bytes = source.bytes();

		return bytes <= cell_bytes_ ? send_small(source, std::min(count, burst))
					    : send_large(source, count);
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

	void nic_poll()
	{
		ccnic_nic_poll(nic_);
	}

private:
	static constexpr uint32_t burst = 32;
	static constexpr uint32_t room = 256;
	static constexpr uint32_t small_bytes = 256;

	/* From memory of our own: the library copies it into the ring. */
	template <typename Source>
	uint32_t send_small(Source &source, uint32_t count)
	{
		const uint32_t packets = count > kept_ ? count - kept_ : 0;

		for (uint32_t i = 0; i < packets; i++, kept_++) {
			const uint32_t bytes = source.bytes();
			uint8_t *to = small_ + kept_ * small_bytes;

			source.write(to, 0, bytes);
			source.done();
			tx_[kept_] = {to, 0, static_cast<uint16_t>(bytes), CCNIC_BUF_COPY};
		}
		flush();
		return packets;
	}

	template <typename Source>
	uint32_t send_large(Source &source, uint32_t count)
	{
		uint32_t packets = 0;

		for (; packets < count && kept_ + CCNIC_PACKET_BUFS <= room; packets++) {
			const int parts =
				ccnic_buf_alloc(queue_, source.bytes(), tx_ + kept_, room - kept_);
			uint32_t at = 0;

			if (parts <= 0)
				break;
			for (int i = 0; i < parts; i++, kept_++) {
				source.write(static_cast<uint8_t *>(tx_[kept_].data), at,
					     tx_[kept_].len);
				at += tx_[kept_].len;
			}
			source.done();
		}
		flush();
		return packets;
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
	ccnic_nic *nic_ = nullptr;
	uint32_t cell_bytes_ = 0;
	uint32_t pieces_ = 1;
	/* Buffers in tx_ that are still to be sent. */
	uint32_t kept_ = 0;
	ccnic_buf tx_[room] = {};
	ccnic_buf rx_[room] = {};
	alignas(64) uint8_t small_[burst * small_bytes] = {};
};

} // namespace bench
