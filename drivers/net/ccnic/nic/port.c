// SPDX-License-Identifier: GPL-2.0
/*
 * CC-NIC: ports, and the table by which hosts use them.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "nic.h"

/* Where each port's packets go now. In the thread, or without one. */
static void nic_card_route(struct nic_card *card)
{
	struct ccnic_port *a = card->port[0], *b = card->port[1];
	bool a_runs = a && a->running, b_runs = b && b->running;

	if (card->loop) {
		if (a)
			a->dest = a_runs ? a : NULL;
		if (b)
			b->dest = b_runs ? b : NULL;
		return;
	}
	if (a)
		a->dest = a_runs && b_runs ? b : NULL;
	if (b)
		b->dest = a_runs && b_runs ? a : NULL;
}

static void nic_port_route(struct ccnic_port *port)
{
	nic_card_route(port->card);
}

static void nic_port_attach(struct ccnic_port *port)
{
	port->running = true;
	nic_card_route(port->card);
}

static void nic_port_detach(struct ccnic_port *port)
{
	unsigned int i;

	for (i = 0; i < port->queues; i++)
		nic_queue_drop_held(port, &port->queue[i]);
	port->running = false;
	nic_card_route(port->card);
}

/* Tell the hosts of a card whether their wire has two ends. */
static void nic_card_link(struct nic_card *card)
{
	struct ccnic_port *port;
	unsigned int i;

	for (i = 0; i < NIC_PORTS; i++) {
		port = card->port[i];
		if (port && port->running)
			port->attachment.ops->link(port->attachment.host,
						   !!port->dest);
	}
}

static struct ccnic_port *nic_port_create(unsigned int queues,
					  struct ccnic_port *peer, int cpu)
{
	struct nic_card *card = peer ? peer->card : NULL;
	struct ccnic_port *port;

	ASSERT_RTNL();
	if (card && card->port[0] && card->port[1])
		return ERR_PTR(-EBUSY);

	port = kzalloc_node(sizeof(*port), GFP_KERNEL, cpu_to_node(cpu));
	if (!port)
		return ERR_PTR(-ENOMEM);
	port->queues = queues;
	port->queue = kvcalloc(queues, sizeof(*port->queue), GFP_KERNEL);
	if (!port->queue)
		goto free_port;
	if (!card) {
		card = nic_card_create(cpu);
		if (!card)
			goto free_queue;
	}
	port->card = card;
	port->slot = card->port[0] ? 1 : 0;
	card->port[port->slot] = port;
	if (peer) {
		card->loop = false;
		nic_card_call(port, nic_port_route);
		nic_card_link(card);
	}
	return port;

free_queue:
	kvfree(port->queue);
free_port:
	kfree(port);
	return ERR_PTR(-ENOMEM);
}

static void nic_port_destroy(struct ccnic_port *port)
{
	struct nic_card *card = port->card;

	ASSERT_RTNL();
	/* A stopped port is nobody's destination: nothing points here. */
	WRITE_ONCE(card->port[port->slot], NULL);
	if (card->thread) {
		/* The thread may be in the middle of a look at the ports. */
		struct ccnic_port *other = card->port[!port->slot];

		nic_card_call(other, nic_port_route);
	}
	nic_card_put(card);
	kvfree(port->queue);
	kfree(port);
}

static void nic_port_free_memory(struct ccnic_port *port)
{
	unsigned int i;

	for (i = 0; i < port->queues; i++) {
		kvfree(port->queue[i].pages);
		port->queue[i].pages = NULL;
	}
	kvfree(port->page_ledger.at_peer);
	port->page_ledger.at_peer = NULL;
	kvfree(port->small_ledger.at_peer);
	port->small_ledger.at_peer = NULL;
	kvfree(port->cache.handle);
	port->cache.handle = NULL;
}

static int nic_port_alloc_memory(struct ccnic_port *port)
{
	int node = cpu_to_node(port->card->cpu);
	u32 smalls = port->sb.small_count;
	u32 pages = port->queues * port->sb.geometry.pages;
	u32 *room;
	unsigned int i;

	room = kvmalloc_node(array_size(smalls, sizeof(*room)), GFP_KERNEL,
			     node);
	if (!room)
		return -ENOMEM;
	ccnic_cache_init(&port->cache, room, smalls);
	port->small_ledger.at_peer = kvzalloc_node(smalls, GFP_KERNEL, node);
	port->small_ledger.count = smalls;
	port->page_ledger.at_peer = kvzalloc_node(pages, GFP_KERNEL, node);
	port->page_ledger.count = pages;
	if (!port->small_ledger.at_peer || !port->page_ledger.at_peer)
		goto free;
	for (i = 0; i < port->queues; i++) {
		room = kvmalloc_node(array_size(port->sb.geometry.pages,
						sizeof(*room)),
				     GFP_KERNEL, node);
		if (!room)
			goto free;
		port->queue[i].pages = room;
	}
	return 0;

free:
	nic_port_free_memory(port);
	return -ENOMEM;
}

static void nic_queue_init(struct ccnic_port *port, unsigned int index)
{
	const struct ccnic_superblock *sb = &port->sb;
	struct nic_queue *q = &port->queue[index];
	void *region = port->region;
	struct ccnic_ring tx = ccnic_region_tx_ring(region, sb, index);
	struct ccnic_ring rx = ccnic_region_rx_ring(region, sb, index);

	ccnic_consumer_init(&q->tx, &tx);
	ccnic_producer_init(&q->rx, &rx);
	ccnic_lender_init(&q->supply,
			  ccnic_region_exchange(region, sb, sb->supply_ring,
						index), sb->exchange_lines);
	ccnic_borrower_init(&q->returns,
			    ccnic_region_exchange(region, sb, sb->return_ring,
						  index), sb->exchange_lines);
	ccnic_borrower_init(&q->offers,
			    ccnic_region_exchange(region, sb, sb->offer_ring,
						  index), sb->exchange_lines);
	q->armed = ccnic_region_host_lines(region, sb, index);
	q->held = 0;
	q->outstanding = 0;
	q->rx_token = 0;
	q->tx_token = 0;
	q->page_head = 0;
	q->page_count = 0;
	q->hold_until = 0;
}

/* All small buffers are ours at first, in scattered order; no page is. */
static void nic_port_fill(struct ccnic_port *port)
{
	u32 count = port->sb.small_count, handle = 0, i;
	u32 step = ccnic_scatter_step(count);

	for (i = 0; i < count; i++) {
		ccnic_cache_push(&port->cache, handle);
		handle = (handle + step) % count;
	}
	for (i = 0; i < port->page_ledger.count; i++)
		ccnic_ledger_lend(&port->page_ledger, i);
	for (i = 0; i < port->queues; i++)
		nic_queue_supply(port, &port->queue[i]);
}

static int nic_port_start(struct ccnic_port *port,
			  const struct ccnic_attachment *attachment)
{
	unsigned int i;
	int err;

	ASSERT_RTNL();
	/* Copied, then checked: the host could rewrite the original. */
	memcpy(&port->sb, attachment->region, sizeof(port->sb));
	if (!ccnic_superblock_valid(&port->sb, attachment->size) ||
	    port->sb.geometry.queues != port->queues ||
	    attachment->translations !=
	    port->queues * port->sb.geometry.pages ||
	    attachment->mappings !=
	    port->queues * ccnic_tx_target(&port->sb.geometry))
		return -EINVAL;

	err = nic_port_alloc_memory(port);
	if (err)
		return err;
	port->attachment = *attachment;
	port->region = attachment->region;
	port->translation = attachment->translation;
	port->mapping = attachment->mapping;
	port->armed = ccnic_region_nic_armed(port->region, &port->sb);
	port->armed_token = 0;
	port->faulted = false;
	for (i = 0; i < port->queues; i++)
		nic_queue_init(port, i);
	nic_port_fill(port);

	err = nic_card_start(port->card);
	if (err) {
		nic_port_free_memory(port);
		return err;
	}
	nic_card_call(port, nic_port_attach);
	nic_card_link(port->card);
	return 0;
}

static void nic_port_stop(struct ccnic_port *port)
{
	ASSERT_RTNL();
	nic_card_call(port, nic_port_detach);
	nic_card_link(port->card);
	nic_card_stop(port->card);
	nic_port_free_memory(port);
}

static void nic_port_kick(struct ccnic_port *port)
{
	/* The port runs, so the thread is there. */
	wake_up_process(port->card->thread);
}

static void nic_port_counts(const struct ccnic_port *port, unsigned int queue,
			    struct ccnic_nic_counts *counts)
{
	const u64 *from = (const u64 *)&port->queue[queue].counts;
	u64 *to = (u64 *)counts;
	unsigned int i;

	/* Each is written whole by the thread; no order among them. */
	for (i = 0; i < sizeof(*counts) / sizeof(u64); i++)
		to[i] = READ_ONCE(from[i]);
}

static int nic_port_cpu(const struct ccnic_port *port)
{
	return READ_ONCE(port->card->cpu);
}

static u64 nic_port_sleeps(const struct ccnic_port *port)
{
	return READ_ONCE(port->card->sleeps);
}

const struct ccnic_nic_ops ccnic_thread_nic = {
	.create = nic_port_create,
	.destroy = nic_port_destroy,
	.start = nic_port_start,
	.stop = nic_port_stop,
	.kick = nic_port_kick,
	.counts = nic_port_counts,
	.cpu = nic_port_cpu,
	.sleeps = nic_port_sleeps,
};
