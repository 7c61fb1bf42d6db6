// SPDX-License-Identifier: GPL-2.0
/*
 * CC-NIC: transmission.
 *
 * A small packet is copied into its slot's cell, or if it does not fit there
 * into a buffer of the pool, and its skb released at once. Of a larger one
 * only short headers are copied: the rest stays where it is, is mapped for
 * the NIC, and the skb is kept until its slots are back.
 */
#include <linux/etherdevice.h>
#include <linux/mm.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/tcp.h>
#include <linux/udp.h>

#include "ccnic.h"

static struct netdev_queue *tx_queue(const struct ccnic_queue *q)
{
	return netdev_get_tx_queue(q->cc->dev, q->index);
}

/* Take what the NIC has supplied, until the largest packet can be sent. */
static void tx_take_supply(struct ccnic_queue *q)
{
	u32 handle[CCNIC_LINE_HANDLES];
	struct ccnic_tx *tx = &q->tx;
	int n, i;

	while (tx->cache.size - tx->cache.count >= CCNIC_LINE_HANDLES) {
		n = ccnic_borrow(&tx->supply, handle);
		if (unlikely(n < 0))
			ccnic_host_ops.fault(q->cc, q->index);
		if (n <= 0)
			return;
		for (i = 0; i < n; i++) {
			if (ccnic_ledger_take(&q->cc->small_ledger, handle[i]))
				ccnic_cache_push(&tx->cache, handle[i]);
			else
				ccnic_count_drop(q->cc, CCNIC_DROP_RX_BAD);
		}
	}
}

/* There are as many mappings as descriptors in the ring: a power of two. */
static u32 tx_map_mask(const struct ccnic_queue *q)
{
	return ccnic_tx_target(&q->cc->geometry) - 1;
}

/* Can a packet of any size be sent? */
static bool tx_has_room(struct ccnic_queue *q)
{
	if (q->tx.cache.count < CCNIC_TX_BUFFERS_MAX)
		tx_take_supply(q);
	return ccnic_producer_free(&q->tx.ring) >= CCNIC_TX_DESCS_MAX &&
	       q->tx.cache.count >= CCNIC_TX_BUFFERS_MAX &&
	       q->tx.map_next - q->tx.map_clean + CCNIC_TX_MAPS_MAX <=
	       tx_map_mask(q) + 1;
}

/*
 * Room enough to wake a stopped queue: a quarter of the ring, so that it does
 * not stop again with the next packet, but always more than one packet and
 * always less than the ring.
 */
static bool tx_may_wake(struct ccnic_queue *q)
{
	return tx_has_room(q) &&
	       ccnic_producer_free(&q->tx.ring) >=
	       max_t(u32, CCNIC_TX_DESCS_MAX, q->tx.ring.ring.slots / 4);
}

/* Revoke what a slot's packet had mapped, and release its skb. */
static void tx_free_kept(struct ccnic_queue *q, struct ccnic_tx_slot *slot)
{
	struct ccnic_tx *tx = &q->tx;

	/* Mappings are made and revoked in the order of the slots. */
	for (; slot->maps; slot->maps--)
		WRITE_ONCE(tx->map[tx->map_clean++ & tx_map_mask(q)].at, NULL);
	if (!slot->skb)
		return;
	dev_consume_skb_any(slot->skb);
	slot->skb = NULL;
	tx->kept--;
}

/* Account for the slots that came back. */
static void tx_reclaim(struct ccnic_queue *q)
{
	struct ccnic_producer *ring = &q->tx.ring;
	unsigned int packets = 0, bytes = 0;
	struct ccnic_tx_slot *slot;
	u32 index = ring->clean;
	u32 count = ccnic_producer_reclaim(ring);

	q->tx.look = ring->next + CCNIC_TX_RECLAIM_SLOTS;
	for (; count; count--, index++) {
		slot = &q->tx.slot[index & (ring->ring.slots - 1)];
		if (!slot->bytes)
			continue;
		packets++;
		bytes += slot->bytes;
		slot->bytes = 0;
		tx_free_kept(q, slot);
	}
	if (packets)
		netdev_tx_completed_queue(tx_queue(q), packets, bytes);
	if (unlikely(ring->broken))
		ccnic_host_ops.fault(q->cc, q->index);
	/* A slot that was waited for and is reclaimed here: the wait is over. */
	if (ccnic_armed_slot(q->tx.armed, &index) &&
	    (s32)(ring->clean - index) > 0)
		ccnic_disarm(q->tx.armed);
}

/*
 * Somebody waits for completion: the queue is stopped, by us or by BQL, or
 * skbs are kept. Ask to be woken, when all of a little or half of a lot has
 * come back, and look whether it has already.
 */
static void tx_wait(struct ccnic_queue *q)
{
	struct netdev_queue *txq = tx_queue(q);
	struct ccnic_producer *ring = &q->tx.ring;
	u32 busy, index;

	while (netif_xmit_stopped(txq) || q->tx.kept) {
		/* What is put and not published yet cannot come back. */
		busy = ring->published - ring->clean;
		if (busy) {
			index = ring->published - 1;
			if (busy > 2 * CCNIC_TX_DESCS_MAX)
				index -= busy / 2;
			ccnic_arm(q->tx.armed, &q->tx.token, index);
			/* The second look, behind the fence in ccnic_arm(). */
			if (!ccnic_producer_passed(ring, index))
				return;
			ccnic_disarm(q->tx.armed);
			tx_reclaim(q);
		}
		if (netif_tx_queue_stopped(txq) && tx_may_wake(q))
			netif_tx_wake_queue(txq);
		if (!busy)
			return;
	}
}

/**
 * ccnic_tx_awaited - has the slot that the queue waits for come back?
 * @q: queue
 */
bool ccnic_tx_awaited(const struct ccnic_queue *q)
{
	u32 index;

	return ccnic_armed_slot(q->tx.armed, &index) &&
	       ccnic_producer_passed(&q->tx.ring, index);
}

/**
 * ccnic_tx_poll - completion: start a queue again that waits for slots
 * @q: queue
 *
 * Context: NAPI.
 */
void ccnic_tx_poll(struct ccnic_queue *q)
{
	struct netdev_queue *txq = tx_queue(q);

	if (!ccnic_tx_awaited(q))
		return;
	__netif_tx_lock(txq, smp_processor_id());
	ccnic_disarm(q->tx.armed);
	tx_reclaim(q);
	if (netif_tx_queue_stopped(txq) && tx_may_wake(q))
		netif_tx_wake_queue(txq);
	tx_wait(q);
	__netif_tx_unlock(txq);
}

/* Publish what was gathered, and wake the NIC if it sleeps. */
static void tx_publish(struct ccnic_queue *q)
{
	ccnic_producer_flush(&q->tx.ring);
	/* One fence between the burst's publishes and the look at armed. */
	ccnic_mb();
	if (ccnic_armed_any(q->cc->nic_armed, &q->tx.nic_token)) {
		WRITE_ONCE(q->tx.kicks, q->tx.kicks + 1);
		q->cc->nic->kick(q->cc->port);
	}
}

/* Room for writing a packet's bytes, one small buffer after another. */
struct tx_target {
	struct ccnic_queue *q;
	struct ccnic_desc *desc;
	u32 count;
	u32 maps;
	u32 room;
	void *to;
};

static void tx_append(struct tx_target *target, const void *from, u32 bytes)
{
	struct ccnic_queue *q = target->q;
	struct ccnic_desc *d;
	u32 part, handle;

	while (bytes) {
		if (!target->room) {
			/* There are enough: the caller has looked. */
			ccnic_cache_pop(&q->tx.cache, &handle);
			ccnic_ledger_lend(&q->cc->small_ledger, handle);
			d = &target->desc[target->count++];
			d->handle = handle;
			d->offset = 0;
			d->len = 0;
			d->flags = CCNIC_KIND_BUFFER;
			d->meta[0] = 0;
			d->meta[1] = 0;
			target->to = ccnic_region_small(q->cc->region.base,
							&q->cc->region.sb,
							handle);
			target->room = CCNIC_SMALL_SIZE;
		}
		d = &target->desc[target->count - 1];
		part = min(bytes, target->room);
		memcpy(target->to, from, part);
		target->to += part;
		target->room -= part;
		d->len += part;
		from += part;
		bytes -= part;
	}
}

/* The next slot's cell holds these bytes: at most as many as a cell has. */
static void *tx_inline(struct tx_target *target, u32 bytes)
{
	u32 index = target->count++;

	target->desc[index] = (struct ccnic_desc) {
		.len = bytes,
		.flags = CCNIC_KIND_INLINE,
	};
	target->room = 0;
	return ccnic_producer_cell(&target->q->tx.ring, index);
}

/* Let the NIC read memory that stays until the descriptor's slot is back. */
static void tx_map(struct tx_target *target, const void *from, u32 bytes)
{
	struct ccnic_queue *q = target->q;
	struct ccnic_mapping *map;
	u32 part, slot;

	for (; bytes; from += part, bytes -= part) {
		part = min_t(u32, bytes, CCNIC_TX_MAP_BYTES);
		slot = q->tx.map_next++ & tx_map_mask(q);
		map = &q->tx.map[slot];
		/* Read by the NIC behind the signal's release. */
		WRITE_ONCE(map->len, part);
		WRITE_ONCE(map->at, from);
		target->desc[target->count++] = (struct ccnic_desc) {
			.handle = CCNIC_HANDLE_PAGE |
				  (q->index * (tx_map_mask(q) + 1) + slot),
			.len = part,
			.flags = CCNIC_KIND_PAGE,
		};
		target->maps++;
	}
	target->room = 0;
}

/* Say in our words what the stack wants done. False: there are no words. */
static bool tx_describe(const struct sk_buff *skb, struct ccnic_packet *packet)
{
	const struct skb_shared_info *info = skb_shinfo(skb);
	unsigned int type = info->gso_type;

	*packet = (struct ccnic_packet) { .bytes = skb->len };
	if (skb->ip_summed == CHECKSUM_PARTIAL) {
		packet->csum = CCNIC_F_CSUM_PARTIAL;
		packet->csum_start = skb_checksum_start_offset(skb);
		packet->csum_offset = skb->csum_offset;
	}
	if (!skb_is_gso(skb))
		return true;

	if (skb->ip_summed != CHECKSUM_PARTIAL)
		return false;
	packet->gso_size = info->gso_size;
	if (type & SKB_GSO_UDP_L4)
		packet->hdr_len = skb_transport_offset(skb) +
				  sizeof(struct udphdr);
	else
		packet->hdr_len = skb_tcp_all_headers(skb);
	if (type & SKB_GSO_TCP_ECN)
		packet->gso_type = CCNIC_GSO_ECN;
	switch (type & ~(SKB_GSO_TCP_ECN | SKB_GSO_DODGY)) {
	case SKB_GSO_TCPV4:
		packet->gso_type |= CCNIC_GSO_TCPV4;
		return true;
	case SKB_GSO_TCPV6:
		packet->gso_type |= CCNIC_GSO_TCPV6;
		return true;
	case SKB_GSO_UDP_L4:
		packet->gso_type = CCNIC_GSO_UDP_L4;
		return true;
	default:
		return false;
	}
}

/* Map the packet but for short headers, or copy it. */
static void tx_fill(struct tx_target *target, const struct sk_buff *skb)
{
	void (*add)(struct tx_target *target, const void *from, u32 bytes);
	u32 cell = target->q->tx.ring.ring.cell_bytes;
	u32 head = skb_headlen(skb);
	const skb_frag_t *frag;
	unsigned int i;

	if (skb->len <= cell) {
		skb_copy_bits(skb, 0, tx_inline(target, skb->len), skb->len);
		return;
	}
	add = skb->len > CCNIC_TX_COPYBREAK ? tx_map : tx_append;
	if (add == tx_map && head && head <= cell)
		memcpy(tx_inline(target, head), skb->data, head);
	else if (head <= CCNIC_TX_COPYBREAK)
		tx_append(target, skb->data, head);
	else
		add(target, skb->data, head);
	for (i = 0; i < skb_shinfo(skb)->nr_frags; i++) {
		frag = &skb_shinfo(skb)->frags[i];
		add(target, skb_frag_address(frag), skb_frag_size(frag));
	}
}

/* Put a packet's descriptors into the ring. */
static bool tx_put(struct ccnic_queue *q, struct sk_buff *skb,
		   struct ccnic_packet *packet)
{
	struct ccnic_desc desc[CCNIC_TX_DESCS_MAX];
	struct tx_target target = { .q = q, .desc = desc };
	struct ccnic_producer *ring = &q->tx.ring;
	struct ccnic_tx_slot *slot;

	if (unlikely(!tx_has_room(q)))
		return false;
	ccnic_packet_describe(packet, desc);
	target.count = packet->first;
	tx_fill(&target, skb);
	ccnic_packet_mark(packet, desc, target.count);
	ccnic_producer_put(ring, desc, target.count);

	/* The packet is done when the last of its slots is back. */
	slot = &q->tx.slot[(ring->next - 1) & (ring->ring.slots - 1)];
	slot->bytes = skb->len;
	slot->maps = target.maps;
	if (skb->len > CCNIC_TX_COPYBREAK) {
		slot->skb = skb;
		q->tx.kept++;
	}
	return true;
}

/**
 * ccnic_start_xmit - send a packet
 * @skb: packet
 * @dev: device
 *
 * Never asks the stack to try again: the queue is stopped while there is
 * still room for a packet of any size.
 *
 * Context: the queue's lock is held, BH off.
 * Return: NETDEV_TX_OK
 */
netdev_tx_t ccnic_start_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct ccnic_dev *cc = netdev_priv(dev);
	struct ccnic_queue *q = &cc->queue[skb_get_queue_mapping(skb)];
	struct netdev_queue *txq = tx_queue(q);
	bool more = netdev_xmit_more();
	struct ccnic_packet packet;
	enum ccnic_drop why;
	u32 bytes, index;

	if ((s32)(q->tx.ring.next - q->tx.look) >= 0)
		tx_reclaim(q);
	if (eth_skb_pad(skb)) {
		/* It has freed the skb. */
		skb = NULL;
		why = CCNIC_DROP_TX_MEMORY;
		goto drop;
	}
	if (skb->len > CCNIC_PACKET_BYTES_MAX) {
		why = CCNIC_DROP_TX_LENGTH;
		goto drop;
	}
	if (!tx_describe(skb, &packet)) {
		why = CCNIC_DROP_TX_OFFLOAD;
		goto drop;
	}
	bytes = skb->len;
	skb_tx_timestamp(skb);
	if (!tx_put(q, skb, &packet)) {
		why = CCNIC_DROP_TX_FULL;
		goto drop;
	}

	ccnic_stats_add(&q->tx.stats, bytes);
	if (!tx_has_room(q)) {
		WRITE_ONCE(q->tx.stops, q->tx.stops + 1);
		netif_tx_stop_queue(txq);
	}
	if (bytes <= CCNIC_TX_COPYBREAK)
		dev_consume_skb_any(skb);
	if (__netdev_tx_sent_queue(txq, bytes, more)) {
		tx_publish(q);
		/* Once armed is enough: the poll looks again. */
		if (netif_xmit_stopped(txq) ||
		    (q->tx.kept && !ccnic_armed_slot(q->tx.armed, &index)))
			tx_wait(q);
	}
	return NETDEV_TX_OK;

drop:
	ccnic_count_drop(cc, why);
	dev_kfree_skb_any(skb);
	/* What earlier packets of the burst gathered must not be left behind. */
	if (!more)
		tx_publish(q);
	return NETDEV_TX_OK;
}

/**
 * ccnic_tx_create - set up a queue's transmit side on a fresh region
 * @q: queue
 *
 * Return: 0 or -ENOMEM
 */
int ccnic_tx_create(struct ccnic_queue *q)
{
	struct ccnic_region *region = &q->cc->region;
	const struct ccnic_superblock *sb = &region->sb;
	int node = q->cc->place.host_node;
	struct ccnic_ring ring = ccnic_region_tx_ring(region->base, sb,
						      q->index);
	struct ccnic_tx *tx = &q->tx;
	u32 handles = ccnic_tx_target(&sb->geometry) + CCNIC_LINE_HANDLES;
	u32 *room;

	room = kvmalloc_node(array_size(handles, sizeof(*room)), GFP_KERNEL,
			     node);
	if (!room)
		return -ENOMEM;
	tx->slot = kvzalloc_node(array_size(ring.slots, sizeof(*tx->slot)),
				 GFP_KERNEL, node);
	if (!tx->slot) {
		kvfree(room);
		return -ENOMEM;
	}
	ccnic_cache_init(&tx->cache, room, handles);
	ccnic_producer_init(&tx->ring, &ring);
	ccnic_borrower_init(&tx->supply,
			    ccnic_region_exchange(region->base, sb,
						  sb->supply_ring, q->index),
			    sb->exchange_lines);
	tx->map = &q->cc->mapping[q->index * ccnic_tx_target(&sb->geometry)];
	tx->map_next = 0;
	tx->map_clean = 0;
	tx->look = CCNIC_TX_RECLAIM_SLOTS;
	tx->armed = &ccnic_region_host_lines(region->base, sb, q->index)->tx;
	tx->nic_token = 0;
	return 0;
}

/**
 * ccnic_tx_destroy - the mirror of ccnic_tx_create()
 * @q: queue; stopped, and the NIC too
 */
void ccnic_tx_destroy(struct ccnic_queue *q)
{
	u32 i;

	for (i = 0; i < q->tx.ring.ring.slots; i++)
		tx_free_kept(q, &q->tx.slot[i]);
	netdev_tx_reset_queue(tx_queue(q));
	kvfree(q->tx.slot);
	q->tx.slot = NULL;
	kvfree(q->tx.cache.handle);
	q->tx.cache.handle = NULL;
	q->tx.map = NULL;
	q->tx.armed = NULL;
}
