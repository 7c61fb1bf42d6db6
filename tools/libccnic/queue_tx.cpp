// SPDX-License-Identifier: GPL-2.0
/*
 * Sending: buffers become descriptors, and small ones ride in their cells.
 */
#include "inside.hpp"
#include "sleep.hpp"

#include <cerrno>

namespace ccnic
{

namespace
{

/* Does [data, data + len) lie in a buffer? */
bool lies_in(const void *data, uint32_t len, const void *buffer, uint32_t bytes)
{
	const auto at = reinterpret_cast<uintptr_t>(data);
	const auto start = reinterpret_cast<uintptr_t>(buffer);

	return at >= start && at - start <= bytes && len <= bytes - (at - start);
}

} // namespace

/* Return: slots that the buffer takes; -EINVAL if it cannot be sent */
int Queue::slots_of(const ccnic_buf &buf) const
{
	const uint32_t cell = host_.sb_.geometry.cell_bytes;

	if (buf.len == 0)
		return -EINVAL;
	if ((buf.flags & CCNIC_BUF_COPY) != 0)
		return buf.len <= cell ? 1
				       : static_cast<int>((buf.len + CCNIC_SMALL_SIZE - 1) /
							  CCNIC_SMALL_SIZE);
	if (is_private(buf.handle)) {
		const bool tx_side = tx_.stash.owns(buf.handle);
		const Stash &stash = tx_side ? tx_.stash : rx_.stash;

		if ((!tx_side && host_.options_.split) || !stash.taken(buf.handle))
			return -EINVAL;
		return lies_in(buf.data, buf.len, stash.at(buf.handle), cell) ? 1 : -EINVAL;
	}
	if (buf.handle >= host_.sb_.small_count)
		return -EINVAL;

	const Holder holder = host_.holder_[buf.handle];
	if (holder == Holder::library || (holder == Holder::rx_side && host_.options_.split))
		return -EINVAL;
	return lies_in(buf.data, buf.len, ccnic_region_small(host_.memory_, &host_.sb_, buf.handle),
		       CCNIC_SMALL_SIZE)
		       ? 1
		       : -EINVAL;
}

bool Queue::has_room(uint32_t slots)
{
	if (ccnic_producer_free(&tx_.ring) >= slots)
		return true;
	ccnic_producer_reclaim(&tx_.ring);
	return ccnic_producer_free(&tx_.ring) >= slots;
}

void Queue::put_cell(ccnic_desc &desc, uint32_t index, const ccnic_buf &buf)
{
	uint8_t *cell = ccnic_producer_cell(&tx_.ring, index);

	desc.handle = 0;
	desc.offset = 0;
	desc.len = buf.len;
	desc.flags = CCNIC_KIND_INLINE;
	if ((buf.flags & CCNIC_BUF_COPY) != 0) {
		/* Most are of these lengths, and then the copy is a few moves. */
		if (buf.len == 64)
			ccnic_copy(cell, buf.data, 64);
		else
			ccnic_copy(cell, buf.data, buf.len);
		return;
	}

	const Stash &stash = tx_.stash.owns(buf.handle) ? tx_.stash : rx_.stash;
	if (buf.data == stash.at(buf.handle))
		copy_lines(cell, buf.data, buf.len);
	else
		ccnic_copy(cell, buf.data, buf.len);
}

/* There is room, and so are buffers. Return: descriptors made */
uint32_t Queue::put_buffer(const ccnic_buf &buf, ccnic_desc *desc, uint32_t index)
{
	const auto *from = static_cast<const uint8_t *>(buf.data);
	uint32_t left = buf.len;
	uint32_t made = 0;

	if (((buf.flags & CCNIC_BUF_COPY) != 0 && left <= host_.sb_.geometry.cell_bytes) ||
	    ((buf.flags & CCNIC_BUF_COPY) == 0 && is_private(buf.handle))) {
		put_cell(desc[index], index, buf);
		return 1;
	}
	do {
		ccnic_desc &d = desc[index + made];

		uint32_t handle = buf.handle;

		d.len = buf.len;
		d.flags = CCNIC_KIND_BUFFER;
		if ((buf.flags & CCNIC_BUF_COPY) != 0) {
			if (!ccnic_cache_pop(&tx_.cache, &handle))
				break;
			d.len = static_cast<uint16_t>(left < CCNIC_SMALL_SIZE ? left
									      : CCNIC_SMALL_SIZE);
			ccnic_copy(ccnic_region_small(host_.memory_, &host_.sb_, handle), from,
				   d.len);
			d.offset = 0;
		} else {
			d.offset = static_cast<uint16_t>(
				from - static_cast<const uint8_t *>(ccnic_region_small(
					       host_.memory_, &host_.sb_, handle)));
			host_.holder_[handle] = Holder::library;
		}
		d.handle = handle;
		ccnic_ledger_lend(&host_.ledger_, handle);
		from += d.len;
		left -= d.len;
		made++;
	} while (left > 0);
	return made;
}

/*
 * The common case, a small packet in one buffer, as far as it can be told here.
 * Return: was it put?
 */
inline bool Queue::send_small(const ccnic_buf &buf)
{
	const uint32_t cell_bytes = tx_.ring.ring.cell_bytes;
	ccnic_desc desc = {};

	if ((buf.flags & CCNIC_BUF_MORE) != 0 || buf.len == 0 || buf.len > cell_bytes ||
	    ccnic_producer_free(&tx_.ring) == 0)
		return false;

	uint8_t *cell = ccnic_producer_cell(&tx_.ring, 0);
	if ((buf.flags & CCNIC_BUF_COPY) != 0) {
		/* Most are of this length, and then the copy is a few moves. */
		if (buf.len == 64)
			ccnic_copy(cell, buf.data, 64);
		else
			ccnic_copy(cell, buf.data, buf.len);
	} else {
		Stash &stash = tx_.stash.owns(buf.handle) ? tx_.stash : rx_.stash;

		if ((&stash == &rx_.stash && host_.options_.split) || !stash.taken(buf.handle) ||
		    buf.data != stash.at(buf.handle))
			return false;
		copy_lines(cell, buf.data, buf.len);
		stash.give(buf.handle);
	}
	desc.len = buf.len;
	desc.flags = CCNIC_KIND_INLINE | CCNIC_F_EOP;
	return ccnic_producer_put(&tx_.ring, &desc, 1);
}

/* Return: buffers of the packet; 0 if there is no room; negative errno number */
int Queue::send_packet(const ccnic_buf *buf, uint32_t count)
{
	ccnic_desc desc[CCNIC_PACKET_DESCS_MAX];
	uint32_t slots = 0;
	uint32_t bytes = 0;
	uint32_t copies = 0;
	uint32_t n = 0;
	bool more = true;

	while (more) {
		if (n == count)
			return -EINVAL;
		const int part = slots_of(buf[n]);

		if (part < 0)
			return part;
		slots += static_cast<uint32_t>(part);
		bytes += buf[n].len;
		if ((buf[n].flags & CCNIC_BUF_COPY) != 0 &&
		    buf[n].len > host_.sb_.geometry.cell_bytes)
			copies += static_cast<uint32_t>(part);
		if (bytes > CCNIC_PACKET_MAX || slots > CCNIC_PACKET_DESCS_MAX)
			return -EINVAL;
		more = (buf[n++].flags & CCNIC_BUF_MORE) != 0;
	}
	if (!has_room(slots))
		return 0;
	while (tx_.cache.count < copies) {
		const uint32_t before = tx_.cache.count;

		borrow();
		if (tx_.cache.count == before)
			return 0;
	}

	slots = 0;
	for (uint32_t i = 0; i < n; i++)
		slots += put_buffer(buf[i], desc, slots);
	desc[slots - 1].flags |= CCNIC_F_EOP;
	for (uint32_t i = 0; i < slots; i++)
		desc[i].meta[0] = desc[i].meta[1] = 0;
	ccnic_producer_put(&tx_.ring, desc, slots);
	for (uint32_t i = 0; i < n; i++)
		if ((buf[i].flags & CCNIC_BUF_COPY) == 0 && is_private(buf[i].handle))
			(tx_.stash.owns(buf[i].handle) ? tx_.stash : rx_.stash).give(buf[i].handle);
	return static_cast<int>(n);
}

/* Wakes the NIC if it sleeps. One that never does costs nothing here. */
void Queue::ring_nic()
{
	if (!host_.nic_sleeps_)
		return;
	ccnic_mb();
	if (ccnic_armed_any(ccnic_region_nic_armed(host_.memory_, &host_.sb_), &tx_.nic_token))
		ring(&host_.control_->nic_bell);
}

int Queue::send(const ccnic_buf *buf, uint32_t count)
{
	uint32_t sent = 0;
	uint64_t packets = 0;
	uint64_t bytes = 0;
	int result = 0;
	bool broken = false;

	{
		const Inside inside(host_, tx_.busy);
		if (inside) {
			while (sent < count) {
				if (send_small(buf[sent])) {
					packets++;
					bytes += buf[sent++].len;
					continue;
				}
				result = send_packet(buf + sent, count - sent);
				if (result <= 0)
					break;
				packets++;
				for (int i = 0; i < result; i++)
					bytes += buf[sent++].len;
			}
			if (sent > 0) {
				ccnic_producer_flush(&tx_.ring);
				ring_nic();
				tx_.packets.add(packets);
				tx_.bytes.add(bytes);
			}
			if (sent < count)
				tx_.full.add(1);
			broken = tx_.ring.broken || tx_.supply.broken;
		}
	}
	if (broken)
		host_.fail();
	else if (sent == 0)
		host_.check(&tx_.next_check);
	return sent == 0 && result < 0 ? result : static_cast<int>(sent);
}

bool Queue::writable(uint32_t slots)
{
	const Inside inside(host_, tx_.busy);

	return inside && has_room(slots);
}

} // namespace ccnic
