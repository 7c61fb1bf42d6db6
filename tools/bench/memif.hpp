// SPDX-License-Identifier: GPL-2.0
/** @file
 * DPDK's net_memif: packets through shared memory, copied on both sides.
 */
#pragma once

#include "dpdk.hpp"
#include "shape.hpp"

#include <algorithm>
#include <cstdint>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

namespace bench
{

/** The two ends of a memif in this process; the NIC's is the server's. */
class MemifPair
{
public:
	/** @throws std::runtime_error if the ends do not connect */
	explicit MemifPair(uint32_t largest);
	~MemifPair();
	MemifPair(const MemifPair &) = delete;
	MemifPair &operator=(const MemifPair &) = delete;
	MemifPair(MemifPair &&) = delete;
	MemifPair &operator=(MemifPair &&) = delete;

	uint16_t host() const
	{
		return ports_[0];
	}
	uint16_t nic() const
	{
		return ports_[1];
	}

private:
	void configure(uint16_t port, rte_mempool *pool) const;

	MbufPool host_pool_;
	MbufPool nic_pool_;
	std::string names_[2];
	uint16_t ports_[2] = {};

	friend class Memif;
};

/** @return why memif does not work here; empty if it does */
const std::string &memif_trouble();

/** Bursts of mbufs over the two ends. */
class Memif
{
public:
	static constexpr bool for_processes = false;

	explicit Memif(const Shape &shape) : pair_(shape.largest)
	{
	}

	template <typename Source>
	uint32_t tx_burst(Source &source, uint32_t count)
	{
		rte_mbuf *mbufs[burst];

		/* What did not go the last time goes first. */
		if (kept_ != 0)
			return flush_kept(count);
		count = std::min(count, burst);
		if (rte_pktmbuf_alloc_bulk(pair_.host_pool_.get(), mbufs, count) != 0)
			return 0;
		for (uint32_t i = 0; i < count; i++) {
			const uint32_t bytes = source.bytes();

			source.write(rte_pktmbuf_mtod(mbufs[i], uint8_t *), 0, bytes);
			mbufs[i]->data_len = static_cast<uint16_t>(bytes);
			mbufs[i]->pkt_len = bytes;
			source.done();
		}
		const uint32_t sent =
			rte_eth_tx_burst(pair_.host(), 0, mbufs, static_cast<uint16_t>(count));
		for (uint32_t i = sent; i < count; i++)
			waiting_[kept_++] = mbufs[i];
		return count;
	}

	template <typename Sink>
	uint32_t rx_burst(Sink &sink, uint32_t most)
	{
		rte_mbuf *mbufs[burst];

		if (kept_ != 0)
			flush_kept(0);
		const uint32_t count = rte_eth_rx_burst(
			pair_.host(), 0, mbufs, static_cast<uint16_t>(std::min(most, burst)));
		for (uint32_t i = 0; i < count; i++) {
			uint32_t bytes = 0;

			for (const rte_mbuf *part = mbufs[i]; part != nullptr; part = part->next) {
				sink.read(rte_pktmbuf_mtod(part, uint8_t *), bytes, part->data_len);
				bytes += part->data_len;
			}
			sink.done(bytes);
		}
		if (count != 0)
			rte_pktmbuf_free_bulk(mbufs, count);
		return count;
	}

	void nic_poll()
	{
		if (nic_count_ == 0)
			nic_count_ = rte_eth_rx_burst(pair_.nic(), 0, nic_mbufs_, burst);
		if (nic_count_ == 0)
			return;
		const uint32_t sent = rte_eth_tx_burst(pair_.nic(), 0, nic_mbufs_,
						       static_cast<uint16_t>(nic_count_));
		std::copy(nic_mbufs_ + sent, nic_mbufs_ + nic_count_, nic_mbufs_);
		nic_count_ -= sent;
	}

private:
	static constexpr uint32_t burst = 32;

	uint32_t flush_kept(uint32_t /*count*/)
	{
		const uint32_t sent =
			rte_eth_tx_burst(pair_.host(), 0, waiting_, static_cast<uint16_t>(kept_));
		std::copy(waiting_ + sent, waiting_ + kept_, waiting_);
		kept_ -= sent;
		return 0;
	}

	MemifPair pair_;
	rte_mbuf *waiting_[burst] = {};
	uint32_t kept_ = 0;
	alignas(256) rte_mbuf *nic_mbufs_[burst] = {};
	uint32_t nic_count_ = 0;
	alignas(256) char end_[256] = {};
};

} // namespace bench
