// SPDX-License-Identifier: GPL-2.0
/*
 * A queue's buffers: taken, given back, and where they are meanwhile.
 */
#include "inside.hpp"

#include <cerrno>

namespace ccnic
{

Queue::Queue(Host &host, uint32_t index) : host_(host), index_(index)
{
	const ccnic_geometry &g = host.sb_.geometry;
	const uint32_t slots = g.ring_lines * CCNIC_LINE_DESCS;
	uint32_t count = host.options_.private_buffers;

	if (g.cell_bytes == 0)
		count = 0;
	else if (count == 0)
		count = 4 * slots;
	tx_.stash.init(private_handle, count, g.cell_bytes);
	rx_.stash.init(private_handle + count, count, g.cell_bytes);
	tx_.room.resize(host.sb_.small_count);
}

void Queue::restart()
{
	const ccnic_superblock &sb = host_.sb_;
	void *memory = host_.memory_;
	const ccnic_ring tx = ccnic_region_tx_ring(memory, &sb, index_);
	const ccnic_ring rx = ccnic_region_rx_ring(memory, &sb, index_);

	ccnic_producer_init(&tx_.ring, &tx);
	ccnic_cache_init(&tx_.cache, tx_.room.data(), sb.small_count);
	ccnic_borrower_init(&tx_.supply, ccnic_region_exchange(memory, &sb, sb.supply_ring, index_),
			    sb.exchange_lines);
	tx_.nic_token = 0;
	ccnic_consumer_init(&rx_.ring, &rx);
	ccnic_lender_init(&rx_.returns, ccnic_region_exchange(memory, &sb, sb.return_ring, index_),
			  sb.exchange_lines);
	rx_.held = 0;
}

bool Queue::left() const
{
	return tx_.busy.load(std::memory_order_acquire) == 0 &&
	       rx_.busy.load(std::memory_order_acquire) == 0;
}

/* One batch from the NIC. What is not ours to take is counted and ignored. */
void Queue::borrow()
{
	uint32_t batch[CCNIC_LINE_HANDLES];
	const int count = ccnic_borrow(&tx_.supply, batch);

	for (int i = 0; i < count; i++) {
		if (!ccnic_ledger_take(&host_.ledger_, batch[i]) ||
		    !ccnic_cache_push(&tx_.cache, batch[i]))
			tx_.bad.add(1);
	}
}

bool Queue::take_pool(uint32_t *handle)
{
	if (ccnic_cache_pop(&tx_.cache, handle))
		return true;
	borrow();
	return ccnic_cache_pop(&tx_.cache, handle);
}

/*
 * The last buffer freed is the next one used. More than a ring's worth goes back
 * to the NIC, as does everything that the transmit side may not touch.
 */
void Queue::give_pool(uint32_t handle, Holder holder)
{
	const bool ours = !host_.options_.split || holder == Holder::tx_side;

	host_.holder_[handle] = Holder::library;
	if (ours && (tx_.cache.count < tx_.ring.ring.slots || host_.options_.split) &&
	    ccnic_cache_push(&tx_.cache, handle))
		return;
	ccnic_ledger_lend(&host_.ledger_, handle);
	ccnic_lend(&rx_.returns, handle);
}

int Queue::alloc(uint32_t bytes, ccnic_buf *buf, uint32_t room)
{
	const uint32_t count = (bytes + CCNIC_SMALL_SIZE - 1) / CCNIC_SMALL_SIZE;
	uint32_t handle = 0;

	if (bytes == 0 || bytes > CCNIC_PACKET_MAX || count > room)
		return -EMSGSIZE;
	if (bytes <= host_.sb_.geometry.cell_bytes) {
		if (!tx_.stash.take(&handle))
			return -ENOBUFS;
		buf->data = tx_.stash.at(handle);
		buf->handle = handle;
		buf->len = static_cast<uint16_t>(bytes);
		buf->flags = 0;
		return 1;
	}

	const Inside inside(host_, tx_.busy);
	if (!inside)
		return -ENOBUFS;
	for (uint32_t i = 0; i < count; i++) {
		if (!take_pool(&handle)) {
			while (i-- > 0)
				give_pool(buf[i].handle, Holder::tx_side);
			return -ENOBUFS;
		}
		host_.holder_[handle] = Holder::tx_side;
		buf[i].data = ccnic_region_small(host_.memory_, &host_.sb_, handle);
		buf[i].handle = handle;
		buf[i].len = static_cast<uint16_t>(i + 1 < count ? CCNIC_SMALL_SIZE
								 : bytes - i * CCNIC_SMALL_SIZE);
		buf[i].flags = i + 1 < count ? CCNIC_BUF_MORE : 0;
	}
	return static_cast<int>(count);
}

int Queue::free_one(const ccnic_buf &buf)
{
	if ((buf.flags & CCNIC_BUF_COPY) != 0)
		return -EINVAL;
	if (is_private(buf.handle)) {
		Stash &stash = tx_.stash.owns(buf.handle) ? tx_.stash : rx_.stash;

		return stash.give(buf.handle) ? 0 : -EINVAL;
	}
	if (buf.handle >= host_.sb_.small_count || host_.holder_[buf.handle] == Holder::library)
		return -EINVAL;

	const Holder holder = host_.holder_[buf.handle];
	{
		const Inside inside(host_, holder == Holder::tx_side ? tx_.busy : rx_.busy);
		if (inside) {
			give_pool(buf.handle, holder);
			return 0;
		}
	}
	return free_outside(buf);
}

/* While there is no NIC: it will find the buffer in its pool. */
int Queue::free_outside(const ccnic_buf &buf)
{
	return host_.give_up(buf.handle) ? 0 : -EAGAIN;
}

int Queue::free(const ccnic_buf *buf, uint32_t count)
{
	int result = 0;

	for (uint32_t i = 0; i < count; i++) {
		int one = free_one(buf[i]);

		while (one == -EAGAIN)
			one = free_one(buf[i]);
		if (one != 0)
			result = one;
	}
	return result;
}

void Queue::stats(ccnic_queue_stats &stats) const
{
	stats.tx_packets = tx_.packets.get();
	stats.tx_bytes = tx_.bytes.get();
	stats.rx_packets = rx_.packets.get();
	stats.rx_bytes = rx_.bytes.get();
	stats.tx_full = tx_.full.get();
	stats.rx_bad = rx_.bad.get() + tx_.bad.get();
	stats.sleeps = rx_.sleeps.get() + tx_.sleeps.get();
}

} // namespace ccnic
