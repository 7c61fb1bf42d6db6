// SPDX-License-Identifier: GPL-2.0
#include "host.hpp"

#include <algorithm>
#include <cstring>
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ccnic
{

namespace
{

int membarrier(int command)
{
	return static_cast<int>(syscall(SYS_membarrier, command, 0, 0));
}

} // namespace

Host::Host(void *memory, const ccnic_superblock &sb, const HostOptions &options, Alive alive,
	   const void *context)
	: options_(options), memory_(memory), sb_(sb), control_(control_of(memory, sb)),
	  at_peer_(sb.small_count), holder_(sb.small_count), alive_(alive), context_(context)
{
	/* With it, who leaves the rings waits for all others, and bursts need no fence. */
	fence_ = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) != 0;
	ledger_.at_peer = at_peer_.data();
	ledger_.count = sb_.small_count;
	for (uint32_t i = 0; i < sb_.geometry.queues; i++)
		queues_.push_back(std::make_unique<Queue>(*this, i));

	const uint32_t host = generation_of(ccnic_read_once(&control_->host.word));
	const uint32_t nic = generation_of(ccnic_read_once(&control_->nic.word));
	generation_ = std::max(host, nic) + 1;
	ccnic_write_once(&control_->host.sleeps, options.sleeps ? 1U : 0U);
	ccnic_store_release(&control_->host.word, word_of(generation_, State::reset));
}

Host::~Host()
{
	running_ = 0;
	ccnic_store_release(&control_->host.word, word_of(generation_ + 1, State::reset));
}

/* Nobody enters any more, and those who are inside come out. */
void Host::leave()
{
	running_.store(0, std::memory_order_seq_cst);
	if (!fence_)
		(void)membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
	std::atomic_thread_fence(std::memory_order_seq_cst);
	for (const auto &queue : queues_)
		while (!queue->left())
			sched_yield();
}

void Host::begin()
{
	const std::lock_guard<std::mutex> lock(session_);

	if (running_.load(std::memory_order_relaxed) == 0)
		return;
	leave();
	generation_.fetch_add(1, std::memory_order_relaxed);
	ccnic_store_release(&control_->host.word, word_of(generation_, State::reset));
}

void Host::run()
{
	const ccnic_geometry &g = sb_.geometry;
	const size_t exchange = static_cast<size_t>(g.queues) * sb_.exchange_lines;
	uint64_t *kept = kept_of(memory_, sb_);
	uint64_t word = 0;

	/* The armed lines are those of whoever sleeps, now as before. */
	for (uint32_t i = 0; i < g.queues; i++)
		ccnic_write_once(&ccnic_region_host_lines(memory_, &sb_, i)->rx_done.slots, 0U);
	std::memset(ccnic_at(memory_, sb_.tx_ring), 0,
		    static_cast<size_t>(g.queues) * g.ring_lines * sizeof(ccnic_line));
	std::memset(ccnic_at(memory_, sb_.return_ring), 0, exchange * sizeof(ccnic_line));
	std::memset(ccnic_at(memory_, sb_.offer_ring), 0, exchange * sizeof(ccnic_line));
	for (uint32_t i = 0; i < sb_.small_count; i++) {
		const bool ours = holder_[i] != Holder::library;

		at_peer_[i] = ours ? 0 : 1;
		word |= static_cast<uint64_t>(ours) << i % 64;
		if (i % 64 == 63 || i + 1 == sb_.small_count) {
			ccnic_write_once(&kept[i / 64], word);
			word = 0;
		}
	}
	for (const auto &queue : queues_)
		queue->restart();
	nic_sleeps_ = ccnic_read_once(&control_->nic.sleeps) != 0;
	ccnic_store_release(&control_->host.word, word_of(generation_, State::run));
	running_.store(1, std::memory_order_release);
}

/* Whoever comes first takes the next step; the others need not wait for it. */
void Host::advance()
{
	const std::unique_lock<std::mutex> lock(session_, std::try_to_lock);

	if (!lock.owns_lock() || running_.load(std::memory_order_relaxed) != 0)
		return;
	if (ccnic_load_acquire(&control_->nic.word) == word_of(generation_, State::clean))
		run();
}

void Host::check(uint64_t *next_check)
{
	const bool runs = running_.load(std::memory_order_acquire) != 0;
	const uint32_t now = generation();

	/* It is our word, but not everybody respects that. */
	if (state_of(ccnic_read_once(&control_->host.word)) != (runs ? State::run : State::reset))
		repeat();
	if (!runs) {
		advance();
		return;
	}
	const uint64_t word = ccnic_read_once(&control_->nic.word);
	bool lost = word != word_of(now, State::clean) && word != word_of(now, State::run);

	if (!lost && cycles() > *next_check) {
		*next_check = cycles() + check_cycles();
		lost = !alive_(context_);
	}
	if (lost)
		begin();
}

/* Says again how things stand. */
void Host::repeat()
{
	const std::lock_guard<std::mutex> lock(session_);
	const bool runs = running_.load(std::memory_order_relaxed) != 0;

	ccnic_store_release(&control_->host.word,
			    word_of(generation_, runs ? State::run : State::reset));
}

void Host::fail()
{
	begin();
}

bool Host::give_up(uint32_t handle)
{
	const std::lock_guard<std::mutex> lock(session_);

	if (running_.load(std::memory_order_relaxed) != 0)
		return false;
	holder_[handle] = Holder::library;
	return true;
}

bool Host::link()
{
	uint64_t at_once = 0;

	check(&at_once);
	return running_.load(std::memory_order_acquire) != 0;
}

bool Host::wait_link(int timeout_ms)
{
	for (int waited = 0; !link(); waited++) {
		if (timeout_ms >= 0 && waited >= timeout_ms)
			return false;
		usleep(1000);
	}
	return true;
}

} // namespace ccnic
