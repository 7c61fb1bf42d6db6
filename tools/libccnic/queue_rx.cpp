// SPDX-License-Identifier: GPL-2.0
/*
 * Receiving: descriptors are checked and become buffers of the application.
 */
#include "inside.hpp"

#include <cerrno>

namespace ccnic
{

/* One buffer's descriptor. Return: may it be used? */
bool Queue::accept_one(const ccnic_desc &desc)
{
	switch (ccnic_desc_kind(&desc)) {
	case CCNIC_KIND_INLINE:
		return desc.len <= host_.sb_.geometry.cell_bytes;
	case CCNIC_KIND_BUFFER:
		return ccnic_ledger_take(&host_.ledger_, desc.handle);
	default:
		return false;
	}
}

/*
 * The packet in rx_.desc: are all its buffers the NIC's to give? Otherwise those
 * that are go back, and the rest is ignored.
 */
bool Queue::accept(uint32_t count)
{
	ccnic_packet packet{};
	bool good = ccnic_packet_parse(rx_.desc, count, 1, &packet) == 0 &&
		    packet.bytes <= CCNIC_PACKET_MAX;

	for (uint32_t i = 0; i < count; i++) {
		ccnic_desc &d = rx_.desc[i];

		/* Anywhere but in front the parser refuses it. */
		if (ccnic_desc_kind(&d) == CCNIC_KIND_CONTEXT)
			continue;
		if (!accept_one(d)) {
			d.flags = CCNIC_KIND_NONE;
			good = false;
		} else if (ccnic_desc_kind(&d) == CCNIC_KIND_BUFFER &&
			   static_cast<uint32_t>(d.offset) + d.len > CCNIC_SMALL_SIZE) {
			good = false;
		}
	}
	if (good) {
		rx_.held = count;
		rx_.first = packet.first;
		return true;
	}
	for (uint32_t i = 0; i < count; i++)
		if (ccnic_desc_kind(&rx_.desc[i]) == CCNIC_KIND_BUFFER)
			give_pool(rx_.desc[i].handle, Holder::rx_side);
	rx_.bad.add(1);
	return false;
}

/* The held packet becomes the application's, all of it or nothing. */
int Queue::hand_out(ccnic_buf *buf, uint32_t room)
{
	const uint32_t count = rx_.held - rx_.first;
	uint32_t number = 0;

	if (count > room)
		return -EMSGSIZE;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t at = rx_.first + i;
		const ccnic_desc &d = rx_.desc[at];

		if (ccnic_desc_kind(&d) == CCNIC_KIND_INLINE) {
			if (!rx_.stash.take(&number)) {
				while (i-- > 0)
					if (is_private(buf[i].handle))
						rx_.stash.give(buf[i].handle);
				return 0;
			}
			buf[i].data = rx_.stash.at(number);
			buf[i].handle = number;
			copy_lines(buf[i].data, ccnic_consumer_cell(&rx_.ring, rx_.held, at),
				   d.len);
		} else {
			auto *small = static_cast<uint8_t *>(
				ccnic_region_small(host_.memory_, &host_.sb_, d.handle));

			buf[i].data = small + d.offset;
			buf[i].handle = d.handle;
		}
		buf[i].len = d.len;
		buf[i].flags = i + 1 < count ? CCNIC_BUF_MORE : 0;
	}
	for (uint32_t i = 0; i < count; i++)
		if (!is_private(buf[i].handle))
			host_.holder_[buf[i].handle] = Holder::rx_side;
	rx_.held = 0;
	return static_cast<int>(count);
}

/* Return: buffers; 0 if there is nothing, or no private buffer, for now */
inline int Queue::take_packet(ccnic_buf *buf, uint32_t room)
{
	while (rx_.held == 0) {
		const int count = ccnic_consumer_next(&rx_.ring, rx_.desc);

		if (count <= 0)
			return 0;

		/* A small packet alone: nothing but its length can be wrong. */
		const ccnic_desc &d = rx_.desc[0];
		uint32_t number = 0;
		if (d.flags == (CCNIC_KIND_INLINE | CCNIC_F_EOP) && d.len != 0 &&
		    d.len <= host_.sb_.geometry.cell_bytes && rx_.stash.take(&number)) {
			buf->data = rx_.stash.at(number);
			buf->handle = number;
			buf->len = d.len;
			buf->flags = 0;
			copy_lines(buf->data, ccnic_consumer_cell(&rx_.ring, 1, 0), d.len);
			return 1;
		}
		accept(static_cast<uint32_t>(count));
	}
	return hand_out(buf, room);
}

/*
 * The payload of the next packets, where it is in pool buffers: fetched while
 * the first ones are dealt with. What is read here is not trusted.
 */
void Queue::fetch_ahead(uint32_t most) const
{
	for (uint32_t i = 0; i < most; i++) {
		const uint32_t slot = rx_.ring.next + i;
		const ccnic_line *line = ccnic_ring_line(&rx_.ring.ring, slot);
		ccnic_desc d;

		ccnic_copy(&d, &line->slots.desc[ccnic_slot_in_line(slot)], sizeof(d));
		ccnic_barrier();
		if (ccnic_desc_kind(&d) == CCNIC_KIND_BUFFER && d.handle < host_.sb_.small_count)
			ccnic_prefetch(ccnic_region_small(host_.memory_, &host_.sb_, d.handle));
	}
}

/*
 * After a few packets more are likely to be on their way, and come for the same
 * transfer if they are given some time. When nothing was there, the next packet
 * should not wait, and the looks only be apart.
 */
constexpr uint32_t idle_part = 8;

int Queue::receive_inside(ccnic_buf *buf, uint32_t room)
{
	const uint32_t part = host_.options_.return_part;
	uint32_t packets = 0;
	uint64_t bytes = 0;
	uint32_t got = 0;
	int result = 0;

	if (host_.options_.look_ahead && rx_.held == 0) {
		/* Together with the signal, not after it. */
		if (rx_.ring.inlined)
			ccnic_prefetch(ccnic_ring_cell(&rx_.ring.ring, rx_.ring.next));
		const int ahead = ccnic_consumer_ahead(&rx_.ring, room);

		if (ahead > 0 && !rx_.ring.inlined)
			fetch_ahead(static_cast<uint32_t>(ahead) < room
					    ? static_cast<uint32_t>(ahead)
					    : room);
	}
	while (got < room) {
		result = take_packet(buf + got, room - got);
		if (result <= 0)
			break;
		packets++;
		for (int i = 0; i < result; i++)
			bytes += buf[got++].len;
	}
	/* A packet in hand still has its cells. */
	if (rx_.held == 0 &&
	    (got == 0 || part == 0 || ccnic_consumer_owed(&rx_.ring) >= rx_.ring.ring.slots / part))
		ccnic_consumer_return(&rx_.ring);
	if (host_.options_.rx_gate_cycles != 0 && packets < host_.options_.rx_gate_few)
		rx_.gate = cycles() + (packets != 0 ? host_.options_.rx_gate_cycles
						    : host_.options_.rx_gate_cycles / idle_part);
	if (packets != 0) {
		rx_.packets.add(packets);
		rx_.bytes.add(bytes);
	}
	return got == 0 && result < 0 ? result : static_cast<int>(got);
}

int Queue::receive(ccnic_buf *buf, uint32_t room)
{
	bool broken = false;
	int got = 0;

	/* Looking again so soon would only slow the NIC down. */
	if (rx_.gate != 0 && cycles() < rx_.gate)
		return 0;
	{
		const Inside inside(host_, rx_.busy);
		if (inside) {
			got = receive_inside(buf, room);
			broken = rx_.ring.broken;
		}
	}
	if (got == 0) {
		if (broken)
			host_.fail();
		else if (rx_.idle++ % 16 == 0)
			host_.check(&rx_.next_check);
	}
	return got;
}

bool Queue::readable()
{
	const Inside inside(host_, rx_.busy);

	return inside && (rx_.held != 0 || ccnic_consumer_pending(&rx_.ring));
}

} // namespace ccnic
