// SPDX-License-Identifier: GPL-2.0
/*
 * CC-NIC: reception. Small frames are copied out of their cell, or out of
 * their pool buffer, which goes back to the NIC at once; large ones keep their
 * pages.
 */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/mm.h>
#include <linux/prefetch.h>
#include <linux/skbuff.h>
#include <linux/slab.h>

#include "ccnic.h"

/* Take a small buffer from the NIC. NULL: it does not hold that one. */
static const void *rx_small_take(struct ccnic_queue *q,
				 const struct ccnic_desc *d)
{
	struct ccnic_dev *cc = q->cc;

	if (!ccnic_ledger_take(&cc->small_ledger, d->handle))
		return NULL;
	return ccnic_region_small(cc->region.base, &cc->region.sb, d->handle);
}

/* Give it back. The ring has a line for every batch there can be. */
static void rx_small_return(struct ccnic_queue *q, u32 handle)
{
	ccnic_ledger_lend(&q->cc->small_ledger, handle);
	ccnic_lend(&q->rx.returns, handle);
}

static void rx_drop(struct ccnic_queue *q, enum ccnic_drop why)
{
	ccnic_count_drop(q->cc, why);
	if (why == CCNIC_DROP_RX_BAD && net_ratelimit())
		netdev_warn(q->cc->dev,
			    "queue %u: descriptors that make no sense\n",
			    q->index);
}

/* A packet is not wanted: everything of it that we can have comes back. */
static void rx_discard(struct ccnic_queue *q, const struct ccnic_desc *desc,
		       u32 count)
{
	struct page *page;
	u32 i;

	for (i = 0; i < count; i++) {
		switch (ccnic_desc_kind(&desc[i])) {
		case CCNIC_KIND_BUFFER:
			if (rx_small_take(q, &desc[i]))
				rx_small_return(q, desc[i].handle);
			break;
		case CCNIC_KIND_PAGE:
			page = ccnic_page_take(q, desc[i].handle);
			if (page)
				put_page(page);
			break;
		}
	}
}

/* The packet's bytes are in its slot's cell: copy them. */
static struct sk_buff *rx_build_inline(struct ccnic_queue *q,
				       const struct ccnic_desc *d)
{
	const struct ccnic_consumer *ring = &q->rx.ring;
	struct sk_buff *skb;

	if (d->offset || d->len > ring->ring.cell_bytes)
		return ERR_PTR(-EPROTO);
	skb = napi_alloc_skb(&q->napi, d->len);
	if (unlikely(!skb))
		return ERR_PTR(-ENOMEM);
	/* The only descriptor behind a context: the slot taken last. */
	skb_put_data(skb, ccnic_consumer_cell(ring, 1, 0), d->len);
	return skb;
}

/*
 * One small buffer: copy it. As below, an error leaves nothing of the packet
 * behind: what the NIC gave up is ours or is back with the NIC.
 */
static struct sk_buff *rx_build_small(struct ccnic_queue *q,
				      const struct ccnic_desc *d)
{
	const void *from;
	struct sk_buff *skb;

	if ((u32)d->offset + d->len > CCNIC_SMALL_SIZE) {
		rx_discard(q, d, 1);
		return ERR_PTR(-EPROTO);
	}
	from = rx_small_take(q, d);
	if (!from)
		return ERR_PTR(-EPROTO);
	skb = napi_alloc_skb(&q->napi, d->len);
	if (likely(skb))
		skb_put_data(skb, from + d->offset, d->len);
	rx_small_return(q, d->handle);
	return skb ?: ERR_PTR(-ENOMEM);
}

/* Pages: the headers are copied, the pages go with the skb. */
static struct sk_buff *rx_build_pages(struct ccnic_queue *q,
				      const struct ccnic_desc *desc, u32 count)
{
	struct sk_buff *skb;
	struct page *page;
	unsigned int head;
	void *from;
	u32 i, offset;

	if (count > MAX_SKB_FRAGS) {
		rx_discard(q, desc, count);
		return ERR_PTR(-EPROTO);
	}
	skb = napi_alloc_skb(&q->napi, CCNIC_RX_HEADER_MAX);
	if (unlikely(!skb)) {
		rx_discard(q, desc, count);
		return ERR_PTR(-ENOMEM);
	}

	for (i = 0; i < count; i++) {
		const struct ccnic_desc *d = &desc[i];

		offset = d->offset;
		if (offset + d->len > CCNIC_PAGE_BYTES)
			goto bad;
		page = ccnic_page_take(q, d->handle);
		if (!page)
			goto bad;
		head = 0;
		if (!i) {
			from = page_address(page) + offset;
			prefetch(from);
			head = eth_get_headlen(q->cc->dev, from,
					       min_t(u32, d->len,
						     CCNIC_RX_HEADER_MAX));
			skb_put_data(skb, from, head);
		}
		if (d->len > head)
			skb_add_rx_frag(skb, skb_shinfo(skb)->nr_frags, page,
					offset + head, d->len - head,
					PAGE_SIZE);
		else
			put_page(page);
	}
	return skb;

bad:
	/* The skb frees the pages taken so far. */
	kfree_skb(skb);
	rx_discard(q, &desc[i], count - i);
	return ERR_PTR(-EPROTO);
}

/* Tell the stack what the NIC says of checksum and segments. */
static bool rx_set_offloads(struct sk_buff *skb,
			    const struct ccnic_packet *packet)
{
	struct skb_shared_info *info = skb_shinfo(skb);
	unsigned int need = packet->csum_start + packet->csum_offset + 2;

	/* The first buffer may hold less than a header. */
	if (!pskb_may_pull(skb, ETH_HLEN))
		return false;
	if (packet->csum == CCNIC_F_CSUM_VALID)
		skb->ip_summed = CHECKSUM_UNNECESSARY;
	if (packet->csum != CCNIC_F_CSUM_PARTIAL)
		return true;
	if (!pskb_may_pull(skb, need) ||
	    !skb_partial_csum_set(skb, packet->csum_start,
				  packet->csum_offset))
		return false;
	if (!packet->gso_size)
		return true;

	switch (packet->gso_type & CCNIC_GSO_TYPE_MASK) {
	case CCNIC_GSO_TCPV4:
		info->gso_type = SKB_GSO_TCPV4;
		break;
	case CCNIC_GSO_TCPV6:
		info->gso_type = SKB_GSO_TCPV6;
		break;
	default:
		info->gso_type = SKB_GSO_UDP_L4;
	}
	if (packet->gso_type & CCNIC_GSO_ECN)
		info->gso_type |= SKB_GSO_TCP_ECN;
	/* Whoever segments it must look at it first: the peer made it. */
	info->gso_type |= SKB_GSO_DODGY;
	info->gso_size = packet->gso_size;
	info->gso_segs = 0;
	return true;
}

static void rx_packet(struct ccnic_queue *q, u32 count)
{
	struct ccnic_desc *desc = q->rx.desc;
	struct net_device *dev = q->cc->dev;
	enum ccnic_drop why = CCNIC_DROP_RX_BAD;
	struct ccnic_packet packet;
	struct sk_buff *skb;

	if (ccnic_packet_parse(desc, count, CCNIC_PACKET_BYTES_MIN, &packet)) {
		rx_discard(q, desc, count);
		goto drop;
	}
	desc += packet.first;
	count -= packet.first;
	if (!packet.gso_size &&
	    packet.bytes > dev->mtu + ETH_HLEN + 2 * VLAN_HLEN) {
		why = CCNIC_DROP_RX_LENGTH;
		rx_discard(q, desc, count);
		goto drop;
	}

	if (count == 1 && ccnic_desc_kind(desc) == CCNIC_KIND_INLINE)
		skb = rx_build_inline(q, desc);
	else if (count == 1 && ccnic_desc_kind(desc) == CCNIC_KIND_BUFFER)
		skb = rx_build_small(q, desc);
	else
		skb = rx_build_pages(q, desc, count);
	if (IS_ERR(skb)) {
		if (PTR_ERR(skb) == -ENOMEM)
			why = CCNIC_DROP_RX_MEMORY;
		goto drop;
	}
	if (!rx_set_offloads(skb, &packet)) {
		kfree_skb(skb);
		goto drop;
	}

	ccnic_stats_add(&q->rx.stats, skb->len);
	skb_record_rx_queue(skb, q->index);
	skb->protocol = eth_type_trans(skb, dev);
	napi_gro_receive(&q->napi, skb);
	return;

drop:
	rx_drop(q, why);
}

/**
 * ccnic_rx_poll - receive
 * @q: queue
 * @budget: packets at most
 *
 * Context: the queue's NAPI.
 * Return: packets received
 */
int ccnic_rx_poll(struct ccnic_queue *q, int budget)
{
	struct ccnic_consumer *ring = &q->rx.ring;
	int done = 0, count;

	while (done < budget) {
		if (ring->next == ring->end)
			ccnic_consumer_ahead(ring, CCNIC_RX_AHEAD_SLOTS);
		count = ccnic_consumer_next(ring, q->rx.desc);
		if (count <= 0) {
			if (unlikely(count < 0))
				ccnic_host_ops.fault(q->cc, q->index);
			break;
		}
		rx_packet(q, count);
		done++;
		/*
		 * Its slots and cells were copied, and buffers are given back
		 * on rings of their own.
		 */
		if (ccnic_consumer_owed(ring) >= ring->ring.slots / 4)
			ccnic_consumer_return(ring);
	}
	ccnic_consumer_return(ring);
	return done;
}

/**
 * ccnic_rx_create - set up a queue's receive side on a fresh region
 * @q: queue
 *
 * Return: 0 or -ENOMEM
 */
int ccnic_rx_create(struct ccnic_queue *q)
{
	struct ccnic_region *region = &q->cc->region;
	const struct ccnic_superblock *sb = &region->sb;
	u32 pages = sb->geometry.pages, i;
	struct ccnic_ring ring = ccnic_region_rx_ring(region->base, sb,
						      q->index);
	struct ccnic_rx *rx = &q->rx;
	u32 *room;

	room = kvmalloc_node(array_size(pages, sizeof(*room)), GFP_KERNEL,
			     q->cc->place.host_node);
	if (!room)
		return -ENOMEM;
	ccnic_cache_init(&rx->free, room, pages);
	for (i = pages; i; i--)
		ccnic_cache_push(&rx->free, q->index * pages + i - 1);
	rx->spares = 0;
	ccnic_consumer_init(&rx->ring, &ring);
	ccnic_lender_init(&rx->returns,
			  ccnic_region_exchange(region->base, sb,
						sb->return_ring, q->index),
			  sb->exchange_lines);
	ccnic_lender_init(&rx->offer,
			  ccnic_region_exchange(region->base, sb,
						sb->offer_ring, q->index),
			  sb->exchange_lines);
	rx->armed = &ccnic_region_host_lines(region->base, sb, q->index)->rx;
	return 0;
}

/**
 * ccnic_rx_destroy - the mirror of ccnic_rx_create()
 * @q: queue; its NAPI is disabled and the NIC stopped
 */
void ccnic_rx_destroy(struct ccnic_queue *q)
{
	while (q->rx.spares)
		put_page(q->rx.spare[--q->rx.spares]);
	kvfree(q->rx.free.handle);
	q->rx.free.handle = NULL;
	q->rx.armed = NULL;
}
