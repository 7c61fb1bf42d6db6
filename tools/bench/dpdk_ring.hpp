// SPDX-License-Identifier: GPL-2.0
/** @file
 * DPDK's rte_ring with mbufs of one pool.
 */
#pragma once

#include "dpdk.hpp"
#include "memory.hpp"
#include "shape.hpp"

#include <algorithm>
#include <rte_mbuf.h>
#include <rte_mempool.h>
#include <rte_ring.h>
#include <stdexcept>

namespace bench
{

/** Two rings of one producer and one consumer; each side has its cache of mbufs. */
class DpdkRing
{
public:
	/* The pool's memory is this process's own. */
	static constexpr bool for_processes = false;

	/** @throws std::runtime_error if DPDK has no memory */
	explicit DpdkRing(const Shape &shape)
		: pool_(pool_size, shape.largest), tx_(make_ring()), rx_(make_ring()),
		  host_cache_(rte_mempool_cache_create(cache_size, SOCKET_ID_ANY)),
		  nic_cache_(rte_mempool_cache_create(cache_size, SOCKET_ID_ANY))
	{
	}
	~DpdkRing()
	{
		rte_mempool_cache_flush(host_cache_, pool_.get());
		rte_mempool_cache_flush(nic_cache_, pool_.get());
		rte_mempool_cache_free(host_cache_);
		rte_mempool_cache_free(nic_cache_);
		rte_ring_free(tx_);
		rte_ring_free(rx_);
	}
	DpdkRing(const DpdkRing &) = delete;
	DpdkRing &operator=(const DpdkRing &) = delete;
	DpdkRing(DpdkRing &&) = delete;
	DpdkRing &operator=(DpdkRing &&) = delete;

	template <typename Source>
	uint32_t tx_burst(Source &source, uint32_t count)
	{
		void *mbufs[burst];

		count = std::min({count, burst, rte_ring_free_count(tx_)});
		if (count == 0 || !allocate(mbufs, count, host_cache_))
			return 0;
		for (uint32_t i = 0; i < count; i++) {
			auto *mbuf = static_cast<rte_mbuf *>(mbufs[i]);
			const uint32_t bytes = source.bytes();

			source.write(rte_pktmbuf_mtod(mbuf, uint8_t *), 0, bytes);
			set_length(mbuf, bytes);
			source.done();
		}
		return rte_ring_sp_enqueue_burst(tx_, mbufs, count, nullptr);
	}

	template <typename Sink>
	uint32_t rx_burst(Sink &sink, uint32_t most)
	{
		void *mbufs[burst];
		const uint32_t count =
			rte_ring_sc_dequeue_burst(rx_, mbufs, std::min(most, burst), nullptr);

		fetch(mbufs, count);
		for (uint32_t i = 0; i < count; i++) {
			auto *mbuf = static_cast<rte_mbuf *>(mbufs[i]);

			sink.read(rte_pktmbuf_mtod(mbuf, uint8_t *), 0, mbuf->data_len);
			sink.done(mbuf->data_len);
		}
		if (count != 0)
			rte_mempool_generic_put(pool_.get(), mbufs, count, host_cache_);
		return count;
	}

	void nic_poll()
	{
		void *from[burst];
		void *to[burst];
		const uint32_t room = std::min(burst, rte_ring_free_count(rx_));
		const uint32_t count = rte_ring_sc_dequeue_burst(tx_, from, room, nullptr);

		if (count == 0)
			return;
		while (!allocate(to, count, nic_cache_))
			;
		fetch(from, count);
		for (uint32_t i = 0; i < count; i++) {
			auto *source = static_cast<rte_mbuf *>(from[i]);
			auto *target = static_cast<rte_mbuf *>(to[i]);

			rte_memcpy(rte_pktmbuf_mtod(target, void *),
				   rte_pktmbuf_mtod(source, void *), source->data_len);
			set_length(target, source->data_len);
		}
		rte_ring_sp_enqueue_bulk(rx_, to, count, nullptr);
		rte_mempool_generic_put(pool_.get(), from, count, nic_cache_);
	}

private:
	static constexpr uint32_t pool_size = 8192;
	static constexpr uint32_t slots = 1024;
	static constexpr uint32_t burst = 32;
	static constexpr uint32_t cache_size = 256;

	static rte_ring *make_ring()
	{
		rte_ring *ring =
			rte_ring_create(unique_name("bench-ring").c_str(), slots, SOCKET_ID_ANY,
					RING_F_SP_ENQ | RING_F_SC_DEQ | RING_F_EXACT_SZ);

		if (ring == nullptr)
			throw std::runtime_error("DPDK: no memory for a ring");
		return ring;
	}
	bool allocate(void **mbufs, uint32_t count, rte_mempool_cache *cache) const
	{
		return rte_mempool_generic_get(pool_.get(), mbufs, count, cache) == 0;
	}
	static void set_length(rte_mbuf *mbuf, uint32_t bytes)
	{
		mbuf->data_len = static_cast<uint16_t>(bytes);
		mbuf->pkt_len = bytes;
	}
	/* Headers first, then what they name. */
	static void fetch(void *const *mbufs, uint32_t count)
	{
		for (uint32_t i = 0; i < count; i++)
			__builtin_prefetch(mbufs[i]);
		for (uint32_t i = 0; i < count; i++)
			__builtin_prefetch(
				rte_pktmbuf_mtod(static_cast<rte_mbuf *>(mbufs[i]), void *));
	}

	MbufPool pool_;
	rte_ring *tx_;
	rte_ring *rx_;
	rte_mempool_cache *host_cache_;
	rte_mempool_cache *nic_cache_;
};

} // namespace bench
