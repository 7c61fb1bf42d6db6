// SPDX-License-Identifier: GPL-2.0
/*
 * CC-NIC: the pages that large frames are received into: from Sepia's pools
 * where it is loaded, ordinary ones otherwise.
 *
 * A page is offered to the NIC under a handle of its queue, comes back with
 * one packet, and leaves for good with the packet's skb; the handle is then
 * free for the next page. The stack's last put_page() gives a coloured page
 * back to its pool.
 */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/sepia.h>
#include <linux/slab.h>

#include "ccnic.h"

#define REFILL_RETRY_MS 10

/**
 * ccnic_pages_create - get ready to offer pages
 * @cc: device, with its region
 *
 * Uses Sepia if it is loaded now, and until ccnic_pages_destroy().
 *
 * Return: 0 or -ENOMEM
 */
int ccnic_pages_create(struct ccnic_dev *cc)
{
	u32 count = cc->queues * cc->geometry.pages;
	struct sepia_user *user;

	cc->page = kvcalloc(count, sizeof(*cc->page), GFP_KERNEL);
	cc->translation = kvcalloc(count, sizeof(*cc->translation), GFP_KERNEL);
	if (!cc->page || !cc->translation)
		goto free;

	strscpy(cc->backend, "plain", sizeof(cc->backend));
	cc->sepia = sepia_get_ops();
	if (!cc->sepia)
		return 0;
	user = cc->sepia->init(netdev_name(cc->dev));
	if (IS_ERR(user)) {
		netdev_warn(cc->dev, "Sepia refused (%ld): ordinary pages\n",
			    PTR_ERR(user));
		sepia_put_ops();
		cc->sepia = NULL;
		return 0;
	}
	cc->sepia_user = user;
	strscpy(cc->backend, cc->sepia->backend(), sizeof(cc->backend));
	return 0;

free:
	kvfree(cc->page);
	cc->page = NULL;
	kvfree(cc->translation);
	cc->translation = NULL;
	return -ENOMEM;
}

/**
 * ccnic_pages_destroy - the mirror of ccnic_pages_create()
 * @cc: device; its port is stopped
 */
void ccnic_pages_destroy(struct ccnic_dev *cc)
{
	u32 count = cc->queues * cc->geometry.pages, i;
	struct sepia_stats stats;

	for (i = 0; i < count; i++)
		if (cc->page[i])
			put_page(cc->page[i]);
	kvfree(cc->page);
	cc->page = NULL;
	kvfree(cc->translation);
	cc->translation = NULL;
	if (!cc->sepia)
		return;
	cc->sepia->get_stats(cc->sepia_user, &stats);
	cc->sepia_coloured += stats.coloured;
	cc->sepia_fallback += stats.fallback;
	cc->sepia->exit(cc->sepia_user);
	cc->sepia_user = NULL;
	cc->sepia = NULL;
	strscpy(cc->backend, "none", sizeof(cc->backend));
	sepia_put_ops();
}

/**
 * ccnic_pages_stats - pages that Sepia gave since the device was made
 * @cc: device
 * @coloured: from its pools
 * @fallback: from the ordinary allocator, for want of a coloured one
 *
 * Context: RTNL, so that the device goes neither up nor down meanwhile.
 */
void ccnic_pages_stats(struct ccnic_dev *cc, u64 *coloured, u64 *fallback)
{
	struct sepia_stats stats = {};

	if (cc->sepia)
		cc->sepia->get_stats(cc->sepia_user, &stats);
	*coloured = cc->sepia_coloured + stats.coloured;
	*fallback = cc->sepia_fallback + stats.fallback;
}

static unsigned int pages_get(struct ccnic_queue *q, unsigned int want,
			      struct page **page)
{
	const gfp_t gfp = GFP_ATOMIC | __GFP_NOWARN | __GFP_MEMALLOC;
	struct ccnic_dev *cc = q->cc;
	unsigned int got;

	if (cc->sepia)
		return cc->sepia->alloc_bulk(cc->sepia_user, gfp, want, page);
	for (got = 0; got < want; got++) {
		page[got] = alloc_pages_node(cc->place.host_node, gfp, 0);
		if (!page[got])
			break;
	}
	q->rx.plain_pages += got;
	return got;
}

/**
 * ccnic_pages_refill - offer a page for every free handle, in full batches
 * @q: queue
 *
 * Without memory it tries again a little later, and what is there stays in
 * use meanwhile.
 *
 * Context: the queue's NAPI, on the queue's own CPU: Sepia's pools are the
 * core's.
 */
void ccnic_pages_refill(struct ccnic_queue *q)
{
	struct ccnic_dev *cc = q->cc;
	struct ccnic_rx *rx = &q->rx;
	unsigned int i;
	u32 index;

	while (rx->free.count >= CCNIC_LINE_HANDLES) {
		rx->spares += pages_get(q, CCNIC_LINE_HANDLES - rx->spares,
					&rx->spare[rx->spares]);
		if (rx->spares < CCNIC_LINE_HANDLES) {
			WRITE_ONCE(rx->refill_failures, rx->refill_failures + 1);
			schedule_delayed_work(&q->refill,
					      msecs_to_jiffies(REFILL_RETRY_MS));
			return;
		}
		for (i = 0; i < CCNIC_LINE_HANDLES; i++) {
			ccnic_cache_pop(&rx->free, &index);
			cc->page[index] = rx->spare[i];
			/* Read by the NIC behind the batch's release. */
			WRITE_ONCE(cc->translation[index],
				   page_address(rx->spare[i]));
			ccnic_ledger_lend(&cc->page_ledger, index);
			/* The ring has a line for every batch there can be. */
			ccnic_lend(&rx->offer, CCNIC_HANDLE_PAGE | index);
		}
		rx->spares = 0;
	}
}

/**
 * ccnic_page_take - the NIC gives a page back
 * @q: queue
 * @handle: what the NIC named; any value
 *
 * Return: the page, now the caller's, its handle free and revoked; NULL if
 * the NIC does not hold such a page of this queue
 */
struct page *ccnic_page_take(struct ccnic_queue *q, u32 handle)
{
	u32 index = CCNIC_HANDLE_INDEX(handle);
	struct ccnic_dev *cc = q->cc;
	struct page *page;

	if (!(handle & CCNIC_HANDLE_PAGE) ||
	    index / cc->geometry.pages != q->index ||
	    !ccnic_ledger_take(&cc->page_ledger, index))
		return NULL;
	page = cc->page[index];
	cc->page[index] = NULL;
	WRITE_ONCE(cc->translation[index], NULL);
	ccnic_cache_push(&q->rx.free, index);
	return page;
}
