// SPDX-License-Identifier: GPL-2.0
/*
 * A NIC's ports: when their rings run, and whose turn it is.
 */
#include "nic.hpp"

#include "sleep.hpp"

#include <chrono>
#include <cstring>

namespace ccnic
{

Port::Port(void *memory, const ccnic_superblock &sb, const NicOptions &options, Alive alive,
	   const void *context)
	: sb_(sb), memory_(memory), options_(options), control_(control_of(memory, sb)),
	  dest_(this), queues_(sb.geometry.queues), room_(sb.small_count), at_peer_(sb.small_count),
	  alive_(alive), context_(context)
{
	ledger_.at_peer = at_peer_.data();
	ledger_.count = sb_.small_count;
	ccnic_write_once(&control_->nic.sleeps, options.sleeps ? 1U : 0U);
	step(ccnic_load_acquire(&control_->host.word));
}

/* The host sees that it must begin anew, should a NIC come. */
Port::~Port()
{
	ccnic_store_release(&control_->nic.word,
			    word_of(generation_of(running_word_), State::none));
}

/* Zeroes what the NIC writes. Nobody uses the rings. */
void Port::clean()
{
	const ccnic_geometry &g = sb_.geometry;

	std::memset(ccnic_at(memory_, sb_.nic_armed), 0, sizeof(ccnic_armed));
	std::memset(ccnic_at(memory_, sb_.nic_lines), 0, g.queues * sizeof(ccnic_nic_lines));
	std::memset(ccnic_at(memory_, sb_.rx_ring), 0,
		    static_cast<size_t>(g.queues) * g.ring_lines * sizeof(ccnic_line));
	std::memset(ccnic_at(memory_, sb_.supply_ring), 0,
		    static_cast<size_t>(g.queues) * sb_.exchange_lines * sizeof(ccnic_line));
}

/* The rings are zeroed: every buffer that the host does not keep is ours. */
void Port::run(uint32_t generation)
{
	const uint64_t *kept = kept_of(memory_, sb_);
	const uint32_t step = ccnic_scatter_step(sb_.small_count);
	std::vector<uint64_t> map(kept_words(sb_.small_count));
	uint32_t handle = 0;

	for (size_t i = 0; i < map.size(); i++)
		map[i] = ccnic_read_once(&kept[i]);
	ccnic_cache_init(&cache_, room_.data(), sb_.small_count);
	for (uint32_t i = 0; i < sb_.small_count; i++) {
		const bool theirs = (map[handle / 64] >> handle % 64 & 1) != 0;

		at_peer_[handle] = theirs ? 1 : 0;
		if (!theirs)
			ccnic_cache_push(&cache_, handle);
		handle = (handle + step) % sb_.small_count;
	}
	for (uint32_t i = 0; i < queues_.size(); i++) {
		NicQueue &q = queues_[i];
		const ccnic_ring tx = ccnic_region_tx_ring(memory_, &sb_, i);
		const ccnic_ring rx = ccnic_region_rx_ring(memory_, &sb_, i);

		ccnic_consumer_init(&q.tx, &tx);
		ccnic_producer_init(&q.rx, &rx);
		ccnic_lender_init(&q.supply,
				  ccnic_region_exchange(memory_, &sb_, sb_.supply_ring, i),
				  sb_.exchange_lines);
		ccnic_borrower_init(&q.returns,
				    ccnic_region_exchange(memory_, &sb_, sb_.return_ring, i),
				    sb_.exchange_lines);
		q.held = 0;
		q.dirty = false;
		q.outstanding = 0;
		q.rx_token = 0;
		q.tx_token = 0;
		q.host = ccnic_region_host_lines(memory_, &sb_, i);
		q.bells = &control_->bells[i];
	}
	for (NicQueue &q : queues_)
		supply(q);
	host_sleeps_ = ccnic_read_once(&control_->host.sleeps) != 0;
	sessions_.add(1);
	running_word_ = word_of(generation, State::run);
	running_.store(true, std::memory_order_relaxed);
	alive_now_.store(true, std::memory_order_relaxed);
	ccnic_store_release(&control_->nic.word, running_word_);
}

/* The host's word is not what it was; see control.hpp. */
void Port::step(uint64_t word)
{
	const uint32_t generation = generation_of(word);
	const uint64_t own = ccnic_read_once(&control_->nic.word);

	last_word_ = word;
	running_.store(false, std::memory_order_relaxed);
	switch (state_of(word)) {
	case State::reset:
		/* Said before, unless somebody wrote over it. */
		if (running_word_ == word && own == word_of(generation, State::clean))
			break;
		clean();
		running_word_ = word;
		ccnic_store_release(&control_->nic.word, word_of(generation, State::clean));
		break;
	case State::run:
		if (running_word_ == word_of(generation, State::reset))
			run(generation);
		else if (own != word_of(generation, State::hello))
			ccnic_store_release(&control_->nic.word, word_of(generation, State::hello));
		break;
	default:
		break;
	}
}

void Port::look_for_host()
{
	const uint64_t now = cycles();

	if (now < next_check_)
		return;
	next_check_ = now + check_cycles();
	alive_now_.store(alive_(context_), std::memory_order_relaxed);
}

uint32_t Port::poll()
{
	const uint64_t word = ccnic_load_acquire(&control_->host.word);
	uint32_t packets = 0;

	if (!running_.load(std::memory_order_relaxed) || word != running_word_) {
		step(word);
		if (!running_.load(std::memory_order_relaxed))
			return 0;
	}
	for (uint32_t i = 0; i < queues_.size(); i++)
		packets += serve(i);
	if (packets == 0)
		look_for_host();
	return packets;
}

bool Port::pending()
{
	const uint64_t word = ccnic_load_acquire(&control_->host.word);

	if (!running_.load(std::memory_order_relaxed))
		return word != last_word_;
	if (word != running_word_)
		return true;
	for (NicQueue &q : queues_)
		if (q.held != 0 || ccnic_consumer_pending(&q.tx))
			return true;
	return false;
}

void Port::stats(ccnic_nic_stats &stats) const
{
	stats.tx_packets = tx_packets_.get();
	stats.tx_bytes = tx_bytes_.get();
	stats.rx_packets = rx_packets_.get();
	stats.rx_bytes = rx_bytes_.get();
	stats.drop_no_room = no_room_.get();
	stats.drop_no_link = no_link_.get();
	stats.drop_bad = bad_.get();
	stats.holds = holds_.get();
	stats.wakes = wakes_.get();
	stats.sessions = sessions_.get();
}

Port &Nic::add(std::unique_ptr<Port> port)
{
	ports_.push_back(std::move(port));
	return *ports_.back();
}

void Nic::connect()
{
	for (size_t i = 0; i < ports_.size(); i++)
		ports_[i]->connect(ports_[ports_.size() - 1 - i].get());
}

/* When nothing was there, the next packet should not wait. */
constexpr uint32_t idle_part = 4;

uint32_t Nic::poll()
{
	uint32_t packets = 0;

	for (const auto &port : ports_)
		packets += port->poll();
	/*
	 * Looking again at once would only slow the hosts down, above all while
	 * they send a few packets at a time.
	 */
	if (packets < options_.pause_few) {
		const uint32_t pauses =
			packets != 0 ? options_.pauses : options_.pauses / idle_part;

		for (uint32_t i = 0; i < pauses; i++)
			pause_once();
	}
	return packets;
}

bool Nic::pending()
{
	for (const auto &port : ports_)
		if (port->pending())
			return true;
	return false;
}

bool Nic::wait(int timeout_ms)
{
	using Clock = std::chrono::steady_clock;
	const auto end = Clock::now() + std::chrono::milliseconds(timeout_ms);

	for (;;) {
		/* In a pair the second port's host is heard when the slice ends. */
		Port &first = *ports_.front();
		const uint32_t before = heard(first.bell());

		if (options_.sleeps)
			for (const auto &port : ports_)
				ccnic_arm(port->armed(), &sleep_token_, 0);
		const bool found = pending();
		const auto left =
			std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
		if (!found && (timeout_ms < 0 || left.count() > 0)) {
			const int slice = ports_.size() > 1 ? 1 : sleep_slice_ms;

			if (options_.sleeps)
				sleep_at(first.bell(), before, slice);
			else
				pause_once();
		}
		if (options_.sleeps)
			for (const auto &port : ports_)
				ccnic_disarm(port->armed());
		if (found || pending())
			return true;
		if (timeout_ms >= 0 && left.count() <= 0)
			return false;
	}
}

} // namespace ccnic
