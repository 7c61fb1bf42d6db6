// SPDX-License-Identifier: GPL-2.0
/** @file
 * The host side of a region: queues, buffers, and the start of the rings.
 */
#pragma once

#include "control.hpp"
#include "cpu.hpp"
#include "libccnic.h"
#include "mapping.hpp"

#include <ccnic/packet.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace ccnic
{

class Host;

/** Private buffers are told from pool buffers by this bit. */
inline constexpr uint32_t private_handle = 0x40000000U;

/**
 * Private buffers for small packets, last in first out: the few that are in use
 * stay in the first-level cache.
 */
class Stash
{
public:
	/** @param first number of the first buffer; the others follow */
	void init(uint32_t first, uint32_t count, uint32_t bytes);

	/** @return false if there is none */
	bool take(uint32_t *number)
	{
		if (!ccnic_cache_pop(&free_, number))
			return false;
		taken_[*number - first_] = 1;
		return true;
	}
	/** @return false if it was not taken, or is none of these */
	bool give(uint32_t number)
	{
		if (!taken(number))
			return false;
		taken_[number - first_] = 0;
		return ccnic_cache_push(&free_, number);
	}
	bool taken(uint32_t number) const
	{
		return owns(number) && taken_[number - first_] != 0;
	}
	/** Is this one of its buffers? */
	bool owns(uint32_t number) const
	{
		return number - first_ < taken_.size();
	}
	bool empty() const
	{
		return free_.count == 0;
	}
	uint8_t *at(uint32_t number) const
	{
		return memory_.get() + static_cast<size_t>(number - first_) * bytes_;
	}

private:
	struct Free {
		void operator()(void *memory) const;
	};

	ccnic_cache free_{};
	uint32_t first_ = 0;
	uint32_t bytes_ = 0;
	std::vector<uint32_t> room_;
	std::vector<uint8_t> taken_;
	std::unique_ptr<uint8_t, Free> memory_;
};

/** Who has a pool buffer, as far as the application is concerned. */
enum class Holder : uint8_t { library = 0, tx_side = 1, rx_side = 2 };

/** One queue pair. Its two sides share no line, and neither does a neighbour. */
class Queue
{
public:
	Queue(Host &host, uint32_t index);

	int alloc(uint32_t bytes, ccnic_buf *buf, uint32_t room);
	int free(const ccnic_buf *buf, uint32_t count);
	int send(const ccnic_buf *buf, uint32_t count);
	int receive(ccnic_buf *buf, uint32_t room);
	/** Is there something to receive? Looks at the ring at once. */
	bool readable();
	/** Is there room for so many buffers to be sent? */
	bool writable(uint32_t slots);
	int wait_rx(int timeout_ms);
	int wait_tx(uint32_t slots, int timeout_ms);
	void stats(ccnic_queue_stats &stats) const;

	/** The rings begin anew; nobody is in them. */
	void restart();
	/** Is nobody in the rings? */
	bool left() const;

private:
	/** Held over a call while the rings are used. */
	class Inside;

	struct alignas(apart) Tx {
		std::atomic<uint32_t> busy = 0;
		uint32_t nic_token = 0;
		ccnic_producer ring{};
		ccnic_cache cache{};
		ccnic_borrower supply{};
		Stash stash;
		std::vector<uint32_t> room;
		uint32_t sleep_token = 0;
		uint64_t next_check = 0;
		Counter packets;
		Counter bytes;
		Counter full;
		Counter bad;
		Counter sleeps;
	};
	struct alignas(apart) Rx {
		std::atomic<uint32_t> busy = 0;
		uint32_t held = 0;  /**< descriptors of a packet that waits for room */
		uint32_t first = 0; /**< ... the first of them that names a buffer */
		uint64_t gate = 0;
		ccnic_consumer ring{};
		ccnic_lender returns{};
		Stash stash;
		ccnic_desc desc[CCNIC_PACKET_DESCS_MAX]{};
		uint32_t sleep_token = 0;
		uint32_t idle = 0; /**< polls in vain */
		uint64_t next_check = 0;
		Counter packets;
		Counter bytes;
		Counter bad;
		Counter sleeps;
	};

	bool take_pool(uint32_t *handle);
	void borrow();
	void give_pool(uint32_t handle, Holder holder);
	int free_one(const ccnic_buf &buf);
	int free_outside(const ccnic_buf &buf);
	static bool is_private(uint32_t handle)
	{
		return (handle & private_handle) != 0;
	}

	bool send_small(const ccnic_buf &buf);
	int send_packet(const ccnic_buf *buf, uint32_t count);
	int slots_of(const ccnic_buf &buf) const;
	bool has_room(uint32_t slots);
	uint32_t put_buffer(const ccnic_buf &buf, ccnic_desc *desc, uint32_t index);
	void put_cell(ccnic_desc &desc, uint32_t index, const ccnic_buf &buf);
	void ring_nic();

	int take_packet(ccnic_buf *buf, uint32_t room);
	bool accept(uint32_t count);
	bool accept_one(const ccnic_desc &desc);
	int hand_out(ccnic_buf *buf, uint32_t room);
	void fetch_ahead(uint32_t most) const;
	int receive_inside(ccnic_buf *buf, uint32_t room);
	int sleep(ccnic_armed *armed, uint32_t *token, Counter &count, Bell *bell, int timeout_ms,
		  bool (*ready)(Queue &, uint32_t), uint32_t argument);

	Host &host_;
	uint32_t index_;
	Tx tx_;
	Rx rx_;
};

/** What the host side is told besides the geometry. */
struct HostOptions {
	bool split = false;
	bool sleeps = false;
	uint32_t private_buffers = 0;
	uint32_t rx_gate_cycles = 0;
	uint32_t rx_gate_few = 0;
	uint32_t return_part = 0;
	bool look_ahead = true;
};

/** What tells whether the peer lives; a test has its own. */
using Alive = bool (*)(const void *context);

/** The host side of a region that is mapped. */
class Host
{
public:
	/**
	 * @param memory file_bytes(sb) bytes
	 * @param sb checked
	 */
	Host(void *memory, const ccnic_superblock &sb, const HostOptions &options, Alive alive,
	     const void *context);
	~Host();
	Host(const Host &) = delete;
	Host &operator=(const Host &) = delete;
	Host(Host &&) = delete;
	Host &operator=(Host &&) = delete;

	Queue *queue(uint32_t index)
	{
		return index < queues_.size() ? queues_[index].get() : nullptr;
	}
	/** Do the rings run? What the NIC's word says of it is looked at. */
	bool link();
	/** Waits for link(). */
	bool wait_link(int timeout_ms);
	/** Looks whether the peer is still what it was; begins anew if not. */
	void check(uint64_t *next_check);
	/** A ring is broken: begin anew. */
	void fail();
	/**
	 * The application is done with a pool buffer while the rings stand.
	 * @return false if they run
	 */
	bool give_up(uint32_t handle);
	uint32_t generation() const
	{
		return generation_.load(std::memory_order_relaxed);
	}

private:
	friend class Queue;

	void begin();
	void advance();
	void repeat();
	void run();
	void leave();

	/* Read by every burst, written at a start. */
	std::atomic<uint32_t> running_ = 0;
	bool fence_ = false;
	bool nic_sleeps_ = false;
	HostOptions options_;
	void *memory_;
	ccnic_superblock sb_;
	Control *control_;
	ccnic_ledger ledger_{};
	std::vector<uint8_t> at_peer_;
	std::vector<Holder> holder_;

	/* cold */
	std::mutex session_;
	std::atomic<uint32_t> generation_ = 0;
	Alive alive_;
	const void *context_;
	std::vector<std::unique_ptr<Queue>> queues_;
};

} // namespace ccnic
