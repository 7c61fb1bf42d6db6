// SPDX-License-Identifier: GPL-2.0
/*
 * A NIC's data path: take a packet from a TX ring, check it, copy its bytes to
 * the receiver's RX ring.
 */
#include "nic.hpp"
#include "sleep.hpp"

#include <algorithm>
#include <ctime>

namespace ccnic
{

namespace
{

uint64_t now_ns()
{
	timespec now = {};

	clock_gettime(CLOCK_MONOTONIC, &now);
	return static_cast<uint64_t>(now.tv_sec) * 1000000000 + static_cast<uint64_t>(now.tv_nsec);
}

/* FNV-1a over the first bytes. They are shared: only the queue depends on it. */
uint32_t hash_of(const uint8_t *bytes, uint32_t len)
{
	uint32_t hash = 2166136261U;

	for (uint32_t i = 0; i < len && i < 64; i++)
		hash = (hash ^ ccnic_read_once(&bytes[i])) * 16777619U;
	return hash;
}

void copy_from(Source &source, uint8_t *to, uint32_t bytes)
{
	while (bytes > 0) {
		const uint32_t part = std::min<uint32_t>(bytes, source.desc->len - source.done);

		ccnic_copy(to, *source.from + source.done, part);
		to += part;
		bytes -= part;
		source.done += part;
		if (source.done == source.desc->len) {
			source.desc++;
			source.from++;
			source.done = 0;
		}
	}
}

} // namespace

/* Pool buffers that come home, from every queue. */
void Port::take_returns()
{
	uint32_t batch[CCNIC_LINE_HANDLES];
	int count = 0;

	for (NicQueue &q : queues_) {
		while ((count = ccnic_borrow(&q.returns, batch)) > 0) {
			for (int i = 0; i < count; i++) {
				if (ccnic_ledger_take(&ledger_, batch[i])) {
					ccnic_cache_push(&cache_, batch[i]);
					q.outstanding--;
				} else {
					bad_.add(1);
				}
			}
		}
	}
}

/* Brings what the host has of pool buffers back to its target, in batches. */
void Port::supply(NicQueue &q)
{
	const auto target = static_cast<int32_t>(ccnic_tx_target(&sb_.geometry));
	uint32_t handle = 0;

	if (q.outstanding > target - static_cast<int32_t>(CCNIC_LINE_HANDLES))
		return;
	/* Batches go when they are full. */
	while ((q.outstanding < target || q.supply.pending != 0) &&
	       ccnic_cache_pop(&cache_, &handle)) {
		ccnic_ledger_lend(&ledger_, handle);
		ccnic_lend(&q.supply, handle);
		q.outstanding++;
	}
}

/* A pool buffer that the host gives us. NULL: it is not the host's. */
const uint8_t *Port::take_buffer(NicQueue &q, const ccnic_desc &desc)
{
	if (!ccnic_ledger_take(&ledger_, desc.handle))
		return nullptr;
	q.outstanding--;
	return static_cast<const uint8_t *>(ccnic_region_small(memory_, &sb_, desc.handle)) +
	       std::min<uint32_t>(desc.offset, CCNIC_SMALL_SIZE);
}

/*
 * Takes the packet in q.desc from the host, if everything it names is the host's
 * to give. Otherwise what is goes to the cache and the rest is ignored.
 */
bool Port::accept_general(NicQueue &q, uint32_t count)
{
	bool good = ccnic_packet_parse(q.desc, count, 1, &q.packet) == 0;

	for (uint32_t i = 0; i < count; i++) {
		ccnic_desc &d = q.desc[i];

		q.from[i] = nullptr;
		switch (ccnic_desc_kind(&d)) {
		case CCNIC_KIND_CONTEXT:
			/* Anywhere but in front the parser refuses it. */
			continue;
		case CCNIC_KIND_BUFFER:
			q.from[i] = take_buffer(q, d);
			good = good && static_cast<uint32_t>(d.offset) + d.len <= CCNIC_SMALL_SIZE;
			break;
		case CCNIC_KIND_INLINE:
			if (d.len <= sb_.geometry.cell_bytes)
				q.from[i] = ccnic_consumer_cell(&q.tx, count, i);
			break;
		default:
			break;
		}
		if (q.from[i] == nullptr) {
			d.flags = CCNIC_KIND_NONE;
			good = false;
		}
	}
	if (good) {
		q.held = count;
		return true;
	}
	for (uint32_t i = 0; i < count; i++)
		if (ccnic_desc_kind(&q.desc[i]) == CCNIC_KIND_BUFFER)
			ccnic_cache_push(&cache_, q.desc[i].handle);
	bad_.add(1);
	return false;
}

bool Port::accept(NicQueue &q, uint32_t count)
{
	const ccnic_desc &d = q.desc[0];

	/* A small packet alone: nothing but its length can be wrong. */
	if (d.flags == (CCNIC_KIND_INLINE | CCNIC_F_EOP) && d.len != 0 &&
	    d.len <= sb_.geometry.cell_bytes) {
		q.packet = {};
		q.packet.count = 1;
		q.packet.bytes = d.len;
		q.from[0] = ccnic_consumer_cell(&q.tx, 1, 0);
		q.held = 1;
	} else if (!accept_general(q, count)) {
		return false;
	}
	if (options_.steer_flow)
		q.hash = hash_of(q.from[q.packet.first], q.desc[q.packet.first].len);
	return true;
}

/* The packet in hand was delivered or dropped: its buffers are free again. */
void Port::release(NicQueue &q)
{
	/* Last freed is first used: the top of the cache is warm here. */
	for (uint32_t i = q.packet.first; i < q.held; i++)
		if (ccnic_desc_kind(&q.desc[i]) == CCNIC_KIND_BUFFER)
			ccnic_cache_push(&cache_, q.desc[i].handle);
	q.held = 0;
	q.hold_until = 0;
}

bool Port::rx_room(NicQueue &rq, uint32_t count)
{
	if (ccnic_producer_free(&rq.rx) >= count)
		return true;
	ccnic_producer_reclaim(&rq.rx);
	return ccnic_producer_free(&rq.rx) >= count;
}

/* A small packet rides beside its descriptor. */
bool Port::put_inline(NicQueue &rq, Source &source, ccnic_packet &packet)
{
	ccnic_desc desc[2] = {};

	ccnic_packet_describe(&packet, desc);
	if (!rx_room(rq, packet.first + 1))
		return false;

	uint8_t *cell = ccnic_producer_cell(&rq.rx, packet.first);
	if (ccnic_desc_kind(source.desc) == CCNIC_KIND_INLINE && source.desc->len == packet.bytes)
		copy_lines(cell, *source.from, packet.bytes);
	else
		copy_from(source, cell, packet.bytes);
	desc[packet.first].len = static_cast<uint16_t>(packet.bytes);
	desc[packet.first].flags = CCNIC_KIND_INLINE;
	ccnic_packet_mark(&packet, desc, packet.first + 1);
	return ccnic_producer_put(&rq.rx, desc, packet.first + 1);
}

/* Any other goes into pool buffers, often such as were just sent. */
bool Port::put_buffers(NicQueue &rq, Source &source, ccnic_packet &packet)
{
	const uint32_t buffers = (packet.bytes + CCNIC_SMALL_SIZE - 1) / CCNIC_SMALL_SIZE;
	uint32_t left = packet.bytes;
	uint32_t handle = 0;

	if (cache_.count < buffers) {
		take_returns();
		if (cache_.count < buffers)
			return false;
	}
	ccnic_packet_describe(&packet, out_);
	uint32_t n = packet.first;
	if (!rx_room(rq, n + buffers))
		return false;
	for (; left > 0; n++) {
		ccnic_desc &d = out_[n];

		d = {};
		ccnic_cache_pop(&cache_, &handle);
		d.handle = handle;
		d.len = static_cast<uint16_t>(std::min(left, CCNIC_SMALL_SIZE));
		d.flags = CCNIC_KIND_BUFFER;
		copy_from(source,
			  static_cast<uint8_t *>(ccnic_region_small(memory_, &sb_, d.handle)),
			  d.len);
		left -= d.len;
		ccnic_ledger_lend(&ledger_, d.handle);
		rq.outstanding++;
	}
	ccnic_packet_mark(&packet, out_, n);
	return ccnic_producer_put(&rq.rx, out_, n);
}

/* A flow's packets all go to one queue, so they stay in order. */
NicQueue &Port::steer(const NicQueue &q, uint32_t index)
{
	const auto count = static_cast<uint32_t>(queues_.size());

	if (options_.steer_flow)
		return queues_[static_cast<uint64_t>(q.hash) * count >> 32];
	return queues_[index < count ? index : index % count];
}

/* As a pause frame does, wait a while before the packet is lost. */
bool Port::give_up(NicQueue &q)
{
	if (q.hold_until == 0) {
		dest_->holds_.add(1);
		q.hold_until = now_ns() + options_.hold_ns;
		return options_.hold_ns == 0;
	}
	return now_ns() >= q.hold_until;
}

/* Return: false if the packet in hand has to wait for its receiver */
bool Port::deliver(NicQueue &q, uint32_t index)
{
	ccnic_packet packet = q.packet;
	Source source = {&q.desc[packet.first], &q.from[packet.first], 0};

	if (!dest_->link()) {
		no_link_.add(1);
		release(q);
		return true;
	}

	NicQueue &rq = dest_->steer(q, index);
	const bool done = packet.bytes <= dest_->sb_.geometry.cell_bytes
				  ? dest_->put_inline(rq, source, packet)
				  : dest_->put_buffers(rq, source, packet);
	if (!done) {
		if (!give_up(q))
			return false;
		dest_->no_room_.add(1);
		release(q);
		return true;
	}
	rq.dirty = true;
	dest_->any_dirty_ = true;
	dest_->rx_packets_.add(1);
	dest_->rx_bytes_.add(packet.bytes);
	release(q);
	return true;
}

/* Everything that was put becomes visible, and sleepers are woken. */
void Port::publish()
{
	if (!any_dirty_)
		return;
	any_dirty_ = false;
	for (NicQueue &q : queues_)
		if (q.dirty)
			ccnic_producer_flush(&q.rx);
	if (host_sleeps_)
		ccnic_mb();
	for (NicQueue &q : queues_) {
		if (q.dirty && host_sleeps_ && ccnic_armed_any(&q.host->rx, &q.rx_token)) {
			wakes_.add(1);
			ring(&q.bells->rx);
		}
		q.dirty = false;
	}
}

/*
 * End of a burst. The payload was copied, so the host may have its slots back;
 * with a packet in hand they all wait for it, in order.
 */
void Port::finish(NicQueue &q, bool idle)
{
	const uint32_t part = options_.return_part;

	if (q.held == 0 &&
	    (idle || part == 0 || ccnic_consumer_owed(&q.tx) >= q.tx.ring.slots / part)) {
		const bool returned = ccnic_consumer_return(&q.tx) != 0;

		if (returned && host_sleeps_) {
			ccnic_mb();
			if (ccnic_armed_index(&q.host->tx, &q.tx_token, q.tx.returned)) {
				wakes_.add(1);
				ring(&q.bells->tx);
			}
		}
	}
	if (idle)
		take_returns();
	supply(q);
	dest_->publish();
	if (q.tx.broken || q.rx.broken || q.returns.broken) {
		/* Begin anew: as if we had just come. */
		running_.store(false, std::memory_order_relaxed);
		running_word_ = 0;
		ccnic_store_release(&control_->nic.word,
				    word_of(generation_of(ccnic_read_once(&control_->host.word)),
					    State::hello));
	}
}

/* The payload of the next packets, where it is in pool buffers; not trusted. */
void Port::fetch_ahead(const NicQueue &q, uint32_t most) const
{
	for (uint32_t i = 0; i < most; i++) {
		const uint32_t slot = q.tx.next + i;
		const ccnic_line *line = ccnic_ring_line(&q.tx.ring, slot);
		ccnic_desc d;

		ccnic_copy(&d, &line->slots.desc[ccnic_slot_in_line(slot)], sizeof(d));
		ccnic_barrier();
		if (ccnic_desc_kind(&d) == CCNIC_KIND_BUFFER && d.handle < sb_.small_count)
			ccnic_prefetch(
				ccnic_region_small(const_cast<void *>(memory_), &sb_, d.handle));
	}
}

/*
 * The common case: a small packet alone, between two rings with cells.
 * Return: was it carried?
 */
inline bool Port::pass_small(NicQueue &q, NicQueue &rq)
{
	const ccnic_desc &d = q.desc[0];
	ccnic_desc out = {};

	if (d.flags != (CCNIC_KIND_INLINE | CCNIC_F_EOP) || d.len == 0 ||
	    d.len > q.tx.ring.cell_bytes || d.len > rq.rx.ring.cell_bytes ||
	    ccnic_producer_free(&rq.rx) == 0)
		return false;
	copy_lines(ccnic_producer_cell(&rq.rx, 0), ccnic_consumer_cell(&q.tx, 1, 0), d.len);
	out.len = d.len;
	out.flags = CCNIC_KIND_INLINE | CCNIC_F_EOP;
	return ccnic_producer_put(&rq.rx, &out, 1);
}

uint32_t Port::serve(uint32_t index)
{
	NicQueue &q = queues_[index];
	NicQueue *straight = nullptr; /* where small packets go without a look */
	uint64_t bytes = 0;
	uint32_t sent = 0;
	uint32_t small = 0;
	uint64_t small_bytes = 0;

	if (!options_.steer_flow && dest_->link())
		straight = &dest_->steer(q, index);
	if (q.held == 0 && options_.look_ahead) {
		/* Together with the signal, not after it. */
		if (q.tx.inlined)
			ccnic_prefetch(ccnic_ring_cell(&q.tx.ring, q.tx.next));
		const int ahead = ccnic_consumer_ahead(&q.tx, options_.burst);

		if (ahead > 0 && !q.tx.inlined)
			fetch_ahead(q, std::min(static_cast<uint32_t>(ahead), options_.burst));
	}
	while (sent < options_.burst) {
		if (q.held == 0) {
			const int count = ccnic_consumer_next(&q.tx, q.desc);

			if (count <= 0)
				break;
			if (count == 1 && straight != nullptr && pass_small(q, *straight)) {
				small++;
				small_bytes += q.desc[0].len;
				sent++;
				continue;
			}
			tx_packets_.add(1);
			if (!accept(q, static_cast<uint32_t>(count))) {
				sent++;
				continue;
			}
			bytes += q.packet.bytes;
		}
		if (!deliver(q, index))
			break;
		sent++;
	}
	if (small != 0) {
		tx_packets_.add(small);
		bytes += small_bytes;
		straight->dirty = true;
		dest_->any_dirty_ = true;
		dest_->rx_packets_.add(small);
		dest_->rx_bytes_.add(small_bytes);
	}
	if (bytes != 0)
		tx_bytes_.add(bytes);
	finish(q, sent == 0);
	return sent;
}

} // namespace ccnic
