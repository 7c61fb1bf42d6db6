// SPDX-License-Identifier: GPL-2.0
/** @file
 * The NIC side: takes packets from TX rings and puts their bytes into RX rings.
 */
#pragma once

#include "control.hpp"
#include "cpu.hpp"
#include "host.hpp"
#include "libccnic.h"

#include <ccnic/packet.h>

#include <atomic>
#include <memory>
#include <vector>

namespace ccnic
{

/** How a NIC works. */
struct NicOptions {
	bool steer_flow = false;
	uint64_t hold_ns = 0;
	uint32_t burst = 0;
	uint32_t pauses = 0;
	uint32_t pause_few = 0;
	uint32_t return_part = 0;
	bool look_ahead = true;
	bool sleeps = false;
};

/** A queue pair, seen from the NIC. */
struct alignas(apart) NicQueue {
	ccnic_consumer tx{};
	ccnic_producer rx{};
	uint32_t held = 0;       /**< descriptors in desc that wait for their receiver */
	bool dirty = false;      /**< something in rx is to be published */
	int32_t outstanding = 0; /**< pool buffers that the host has */
	uint32_t hash = 0;
	uint32_t rx_token = 0;
	uint32_t tx_token = 0;
	uint64_t hold_until = 0;
	ccnic_lender supply{};
	ccnic_borrower returns{};
	ccnic_packet packet{};
	ccnic_desc desc[CCNIC_PACKET_DESCS_MAX]{};
	const uint8_t *from[CCNIC_PACKET_DESCS_MAX]{};
	ccnic_host_lines *host = nullptr;
	QueueBells *bells = nullptr;
};

/** A walk over the bytes of a packet. */
struct Source {
	const ccnic_desc *desc;
	const uint8_t *const *from;
	uint32_t done;
};

/** One region that a NIC serves. */
class Port
{
public:
	/** @param memory file_bytes(sb) bytes @param sb checked */
	Port(void *memory, const ccnic_superblock &sb, const NicOptions &options, Alive alive,
	     const void *context);
	~Port();
	Port(const Port &) = delete;
	Port &operator=(const Port &) = delete;
	Port(Port &&) = delete;
	Port &operator=(Port &&) = delete;

	/** Where its packets go; itself in a loop. */
	void connect(Port *dest)
	{
		dest_ = dest;
	}
	/** Serves every queue. @return packets carried */
	uint32_t poll();
	/** Is there anything to do? */
	bool pending();
	/** @return does a host use the rings? */
	bool link() const
	{
		return running_.load(std::memory_order_relaxed) &&
		       alive_now_.load(std::memory_order_relaxed);
	}
	void stats(ccnic_nic_stats &stats) const;
	ccnic_armed *armed()
	{
		return ccnic_region_nic_armed(memory_, &sb_);
	}
	Bell *bell()
	{
		return &control_->nic_bell;
	}

private:
	void step(uint64_t word);
	void clean();
	void run(uint32_t generation);
	void look_for_host();

	uint32_t serve(uint32_t index);
	static bool pass_small(NicQueue &q, NicQueue &rq);
	void fetch_ahead(const NicQueue &q, uint32_t most) const;
	bool accept(NicQueue &q, uint32_t count);
	bool accept_general(NicQueue &q, uint32_t count);
	const uint8_t *take_buffer(NicQueue &q, const ccnic_desc &desc);
	void release(NicQueue &q);
	bool deliver(NicQueue &q, uint32_t index);
	bool give_up(NicQueue &q);
	NicQueue &steer(const NicQueue &q, uint32_t index);
	bool put_inline(NicQueue &rq, Source &source, ccnic_packet &packet);
	bool put_buffers(NicQueue &rq, Source &source, ccnic_packet &packet);
	bool rx_room(NicQueue &rq, uint32_t count);
	void take_returns();
	void supply(NicQueue &q);
	void publish();
	void wake_hosts();
	void finish(NicQueue &q, bool idle);

	ccnic_superblock sb_;
	void *memory_;
	NicOptions options_;
	Control *control_;
	Port *dest_ = nullptr;
	std::atomic<bool> running_ = false;
	std::atomic<bool> alive_now_ = true;
	bool host_sleeps_ = false;
	bool any_dirty_ = false;
	uint64_t running_word_ = 0; /**< the host's word while the rings run */
	uint64_t last_word_ = 0;    /**< the host's word that was looked at last */
	uint64_t next_check_ = 0;
	ccnic_cache cache_{};
	ccnic_ledger ledger_{};
	std::vector<NicQueue> queues_;
	std::vector<uint32_t> room_;
	std::vector<uint8_t> at_peer_;
	ccnic_desc out_[CCNIC_PACKET_DESCS_MAX]{};
	Alive alive_;
	const void *context_;

	Counter tx_packets_, tx_bytes_, rx_packets_, rx_bytes_;
	Counter no_room_, no_link_, bad_, holds_, wakes_, sessions_;
};

/** The ports of a NIC, and the loop's pace. */
class Nic
{
public:
	explicit Nic(const NicOptions &options) : options_(options)
	{
	}
	Port &add(std::unique_ptr<Port> port);
	/** Says where each port's packets go, after the last add(). */
	void connect();
	uint32_t poll();
	bool wait(int timeout_ms);
	const Port *port(uint32_t index) const
	{
		return index < ports_.size() ? ports_[index].get() : nullptr;
	}

private:
	bool pending();

	NicOptions options_;
	std::vector<std::unique_ptr<Port>> ports_;
	uint32_t sleep_token_ = 0;
};

} // namespace ccnic
