// SPDX-License-Identifier: GPL-2.0
/*
 * CC-NIC: take packets from a TX ring, carry their bytes over the wire, and
 * put them into an RX ring.
 *
 * The payload is copied from the sender's TX buffers to the receiver's RX
 * buffers, as a device's fetch and its delivery would do. Packets that are to
 * be segmented, or that lack a checksum, are passed on as they are: the peer
 * is a host of the same kind, and takes them.
 */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "nic.h"

/* Counters are the thread's own, and read by others while it writes. */
static void nic_count(u64 *counter)
{
	WRITE_ONCE(*counter, *counter + 1);
}

/* The host broke the protocol: read nothing more from it, and have it reset. */
static void nic_fault(struct ccnic_port *port, unsigned int queue)
{
	if (port->faulted)
		return;
	port->faulted = true;
	port->attachment.ops->fault(port->attachment.host, queue);
}

/**
 * nic_queue_supply - bring the host's transmit side back to its target
 * @port: port
 * @q: its queue
 *
 * Context: the card's thread, or before the port runs.
 */
void nic_queue_supply(struct ccnic_port *port, struct nic_queue *q)
{
	u32 target = ccnic_tx_target(&port->sb.geometry), handle;

	while (q->outstanding < target &&
	       ccnic_cache_pop(&port->cache, &handle)) {
		ccnic_ledger_lend(&port->small_ledger, handle);
		ccnic_lend(&q->supply, handle);
		q->outstanding++;
	}
}

/* Take back the small buffers that the host has read and returned. */
static void nic_take_returns(struct ccnic_port *port)
{
	u32 handle[CCNIC_LINE_HANDLES];
	struct nic_queue *q;
	unsigned int i;
	int n, j;

	for (i = 0; i < port->queues; i++) {
		q = &port->queue[i];
		while ((n = ccnic_borrow(&q->returns, handle)) > 0)
			for (j = 0; j < n; j++) {
				if (ccnic_ledger_take(&port->small_ledger,
						      handle[j]))
					ccnic_cache_push(&port->cache,
							 handle[j]);
				else
					nic_count(&q->counts.drop_bad);
			}
		if (unlikely(n < 0))
			nic_fault(port, i);
	}
}

/* Note the pages that the host has offered, in its order. */
static void nic_take_offers(struct ccnic_port *port, struct nic_queue *q)
{
	u32 handle[CCNIC_LINE_HANDLES], room = port->sb.geometry.pages, index;
	int n, i;

	while ((n = ccnic_borrow(&q->offers, handle)) > 0)
		for (i = 0; i < n; i++) {
			index = CCNIC_HANDLE_INDEX(handle[i]);
			if (!(handle[i] & CCNIC_HANDLE_PAGE) ||
			    q->page_count == room ||
			    !ccnic_ledger_take(&port->page_ledger, index) ||
			    !READ_ONCE(port->translation[index])) {
				nic_count(&q->counts.drop_bad);
				continue;
			}
			q->pages[(q->page_head + q->page_count) % room] = index;
			q->page_count++;
		}
	if (unlikely(n < 0))
		nic_fault(port, q - port->queue);
}

/* A small buffer that the host gives us. NULL: it is not the host's. */
static const void *nic_take_small(struct ccnic_port *port, struct nic_queue *q,
				  const struct ccnic_desc *d)
{
	if (!ccnic_ledger_take(&port->small_ledger, d->handle))
		return NULL;
	q->outstanding--;
	return ccnic_region_small(port->region, &port->sb, d->handle) +
	       d->offset;
}

/*
 * Memory that the host has mapped for this queue, until the slot goes back.
 * NULL: it has not, or not so much.
 */
static const void *nic_translate(struct ccnic_port *port, struct nic_queue *q,
				 const struct ccnic_desc *d)
{
	u32 index = CCNIC_HANDLE_INDEX(d->handle);
	const struct ccnic_mapping *map;
	const void *at;

	if (!(d->handle & CCNIC_HANDLE_PAGE) ||
	    index / ccnic_tx_target(&port->sb.geometry) != q - port->queue)
		return NULL;
	map = &port->mapping[index];
	at = READ_ONCE(map->at);
	if (!at || (u32)d->offset + d->len > READ_ONCE(map->len))
		return NULL;
	return at + d->offset;
}

/*
 * Take the packet in q->desc from the host, if everything it names is the
 * host's to give. Otherwise what is goes to the cache and the rest is ignored.
 */
static bool nic_accept(struct ccnic_port *port, struct nic_queue *q, u32 count)
{
	bool good = !ccnic_packet_parse(q->desc, count, CCNIC_PACKET_BYTES_MIN,
					&q->packet);
	struct ccnic_desc *d;
	u32 i;

	for (i = 0; i < count; i++) {
		d = &q->desc[i];
		switch (ccnic_desc_kind(d)) {
		case CCNIC_KIND_CONTEXT:
			/* Anywhere but in front the parser refuses it. */
			continue;
		case CCNIC_KIND_BUFFER:
			q->from[i] = nic_take_small(port, q, d);
			if ((u32)d->offset + d->len > CCNIC_SMALL_SIZE)
				good = false;
			break;
		case CCNIC_KIND_PAGE:
			q->from[i] = nic_translate(port, q, d);
			break;
		case CCNIC_KIND_INLINE:
			q->from[i] = ccnic_consumer_cell(&q->tx, count, i);
			if (d->offset || d->len > q->tx.ring.cell_bytes)
				good = false;
			break;
		default:
			q->from[i] = NULL;
		}
		if (!q->from[i]) {
			d->flags = CCNIC_KIND_NONE;
			good = false;
		}
	}
	nic_count(&q->counts.tx_packets);
	if (good) {
		q->held = count;
		i = q->packet.first;
		q->hash = nic_flow_hash(q->from[i], q->desc[i].len);
		return true;
	}
	for (i = 0; i < count; i++)
		if (ccnic_desc_kind(&q->desc[i]) == CCNIC_KIND_BUFFER)
			ccnic_cache_push(&port->cache, q->desc[i].handle);
	nic_count(&q->counts.drop_bad);
	return false;
}

/* The packet in hand was delivered or dropped: its buffers are free again. */
static void nic_release(struct ccnic_port *port, struct nic_queue *q)
{
	u32 i;

	/* Last freed is first used: the top of the cache is warm here. */
	for (i = q->packet.first; i < q->held; i++)
		if (ccnic_desc_kind(&q->desc[i]) == CCNIC_KIND_BUFFER)
			ccnic_cache_push(&port->cache, q->desc[i].handle);
	q->held = 0;
	q->hold_until = 0;
}

/**
 * nic_queue_drop_held - the port stops with a packet in hand
 * @port: port
 * @q: its queue
 */
void nic_queue_drop_held(struct ccnic_port *port, struct nic_queue *q)
{
	if (!q->held)
		return;
	nic_count(&q->counts.drop_no_link);
	nic_release(port, q);
}

/* A walk over the bytes of a packet. */
struct nic_source {
	const struct ccnic_desc *desc;
	const void * const *from;
	u32 done;
};

static void nic_copy(struct nic_source *src, void *to, u32 bytes)
{
	u32 part;

	while (bytes) {
		part = min(bytes, src->desc->len - src->done);
		memcpy(to, *src->from + src->done, part);
		to += part;
		bytes -= part;
		src->done += part;
		if (src->done == src->desc->len) {
			src->desc++;
			src->from++;
			src->done = 0;
		}
	}
}

/* Are there slots for @count descriptors in the RX ring? */
static bool nic_rx_room(struct nic_queue *rq, u32 count)
{
	if (ccnic_producer_free(&rq->rx) >= count)
		return true;
	ccnic_producer_reclaim(&rq->rx);
	return ccnic_producer_free(&rq->rx) >= count;
}

/* A frame that a cell holds goes into the slot's own. */
static bool nic_deliver_inline(struct nic_queue *rq, struct nic_source *src,
			       struct ccnic_packet *packet)
{
	struct ccnic_desc desc[2] = {};
	u32 n;

	ccnic_packet_describe(packet, desc);
	n = packet->first;
	if (!nic_rx_room(rq, n + 1))
		return false;
	nic_copy(src, ccnic_producer_cell(&rq->rx, n), packet->bytes);
	desc[n].len = packet->bytes;
	desc[n].flags = CCNIC_KIND_INLINE;
	ccnic_packet_mark(packet, desc, n + 1);
	ccnic_producer_put(&rq->rx, desc, n + 1);
	return true;
}

/* A small frame goes into a small buffer: often one that was just sent. */
static bool nic_deliver_small(struct ccnic_port *dest, struct nic_queue *rq,
			      struct nic_source *src,
			      struct ccnic_packet *packet)
{
	struct ccnic_desc desc[2] = {};
	u32 handle, n;

	ccnic_packet_describe(packet, desc);
	n = packet->first;
	if (!nic_rx_room(rq, n + 1))
		return false;
	if (!ccnic_cache_pop(&dest->cache, &handle)) {
		nic_take_returns(dest);
		if (!ccnic_cache_pop(&dest->cache, &handle))
			return false;
	}
	nic_copy(src, ccnic_region_small(dest->region, &dest->sb, handle),
		 packet->bytes);
	desc[n].handle = handle;
	desc[n].len = packet->bytes;
	desc[n].flags = CCNIC_KIND_BUFFER;
	ccnic_packet_mark(packet, desc, n + 1);
	ccnic_ledger_lend(&dest->small_ledger, handle);
	ccnic_producer_put(&rq->rx, desc, n + 1);
	return true;
}

/* Any other frame goes into pages, in the order in which they were offered. */
static bool nic_deliver_pages(struct ccnic_port *dest, struct nic_queue *rq,
			      struct nic_source *src,
			      struct ccnic_packet *packet)
{
	u32 pages = DIV_ROUND_UP(packet->bytes, CCNIC_PAGE_BYTES);
	u32 left = packet->bytes, room = dest->sb.geometry.pages, n, i;
	struct ccnic_desc *desc = rq->out;
	void *page;

	memset(desc, 0, (pages + 1) * sizeof(*desc));
	ccnic_packet_describe(packet, desc);
	n = packet->first;
	if (rq->page_count < pages) {
		nic_take_offers(dest, rq);
		if (rq->page_count < pages)
			return false;
	}
	if (!nic_rx_room(rq, n + pages))
		return false;

	for (i = 0; i < pages; i++, n++) {
		u32 index = rq->pages[rq->page_head];

		rq->page_head = (rq->page_head + 1) % room;
		rq->page_count--;
		/*
		 * The host wrote the address before it offered the page, and
		 * leaves it there until we have given the page back.
		 */
		page = READ_ONCE(dest->translation[index]);
		desc[n].handle = CCNIC_HANDLE_PAGE | index;
		desc[n].len = min(left, CCNIC_PAGE_BYTES);
		desc[n].flags = CCNIC_KIND_PAGE;
		nic_copy(src, page, desc[n].len);
		left -= desc[n].len;
		ccnic_ledger_lend(&dest->page_ledger, index);
	}
	ccnic_packet_mark(packet, desc, n);
	ccnic_producer_put(&rq->rx, desc, n);
	return true;
}

/*
 * Carry the packet in hand to the wire's other end, and note the queue there
 * in @dirty. A flow's packets all go to one queue, so they stay in order
 * although their sender may change its own.
 * Return: false if it has to wait for a buffer or a slot there
 */
static bool nic_deliver(struct ccnic_port *port, struct nic_queue *q,
			u64 *dirty)
{
	struct ccnic_port *dest = port->dest;
	struct nic_source src = {
		.desc = &q->desc[q->packet.first],
		.from = &q->from[q->packet.first],
	};
	struct ccnic_packet packet = q->packet;
	struct nic_queue *rq;
	unsigned int to;
	bool done;

	if (!dest) {
		nic_count(&q->counts.drop_no_link);
		nic_release(port, q);
		return true;
	}
	to = reciprocal_scale(q->hash, dest->queues);
	rq = &dest->queue[to];
	if (packet.bytes <= rq->rx.ring.cell_bytes)
		done = nic_deliver_inline(rq, &src, &packet);
	else if (packet.bytes <= NIC_SMALL_FRAME)
		done = nic_deliver_small(dest, rq, &src, &packet);
	else
		done = nic_deliver_pages(dest, rq, &src, &packet);
	if (done) {
		*dirty |= BIT_ULL(to);
		nic_count(&rq->counts.rx_packets);
		nic_release(port, q);
		return true;
	}

	if (unlikely(rq->rx.broken))
		nic_fault(dest, to);

	/* As a pause frame does, wait a while before the packet is lost. */
	if (!q->hold_until) {
		nic_count(&rq->counts.holds);
		q->hold_until = ktime_get_ns() +
				min_t(u64, READ_ONCE(ccnic_hold_us),
				      NIC_HOLD_MAX_US) * NSEC_PER_USEC;
		return false;
	}
	if (ktime_get_ns() < q->hold_until)
		return false;
	nic_count(&rq->counts.drop_no_buffer);
	nic_release(port, q);
	return true;
}

/*
 * End of a burst: everything becomes visible, and sleepers are woken.
 * @dirty: the receiver's queues that got something
 */
static void nic_finish(struct ccnic_port *port, unsigned int index, u64 dirty)
{
	struct nic_queue *q = &port->queue[index];
	struct ccnic_port *dest = port->dest;
	struct nic_queue *rq;
	u64 left;

	nic_queue_supply(port, q);
	/*
	 * The payload was copied: the host may write its slots again. With a
	 * packet in hand they all wait for it, in order.
	 */
	if (!q->held)
		ccnic_consumer_return(&q->tx);
	for (left = dirty; left; left &= left - 1) {
		rq = &dest->queue[__ffs64(left)];
		ccnic_producer_flush(&rq->rx);
		WRITE_ONCE(rq->counts.rx_lines, rq->rx.published_lines);
		WRITE_ONCE(rq->counts.rx_descs, rq->rx.published_descs);
	}

	/* One fence between all that was published and the looks at armed. */
	ccnic_mb();
	for (left = dirty; left; left &= left - 1) {
		rq = &dest->queue[__ffs64(left)];
		if (!ccnic_armed_any(&rq->armed->rx, &rq->rx_token))
			continue;
		nic_count(&rq->counts.wakes);
		dest->attachment.ops->wake(dest->attachment.host,
					   __ffs64(left));
	}
	if (ccnic_armed_index(&q->armed->tx, &q->tx_token, q->tx.returned)) {
		nic_count(&q->counts.wakes);
		port->attachment.ops->wake(port->attachment.host, index);
	}
}

/**
 * nic_queue_serve - send what a host has put into one of its TX rings
 * @port: a running port
 * @index: queue
 *
 * Context: the card's thread.
 * Return: true if there was anything to do, or a packet waits for its peer
 */
bool nic_queue_serve(struct ccnic_port *port, unsigned int index)
{
	struct nic_queue *q = &port->queue[index];
	unsigned int sent = 0;
	u64 dirty = 0;
	int count = 1;

	while (sent < NIC_BURST_PACKETS) {
		if (!q->held) {
			if (q->tx.next == q->tx.end)
				ccnic_consumer_ahead(&q->tx,
						     NIC_BURST_PACKETS - sent);
			count = ccnic_consumer_next(&q->tx, q->desc);
			if (count <= 0)
				break;
			if (!nic_accept(port, q, count)) {
				sent++;
				continue;
			}
		}
		if (!nic_deliver(port, q, &dirty))
			break;
		sent++;
	}
	if (sent)
		nic_finish(port, index, dirty);
	if (unlikely(count < 0))
		nic_fault(port, index);
	return sent || q->held;
}
