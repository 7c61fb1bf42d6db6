/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CC-NIC: the host side of the driver.
 */
#ifndef CCNIC_H
#define CCNIC_H

#include <linux/netdevice.h>
#include <linux/sizes.h>
#include <linux/skbuff.h>
#include <linux/smp.h>
#include <linux/u64_stats_sync.h>
#include <linux/workqueue.h>

#include <ccnic/packet.h>
#include <ccnic/region.h>

#include "control.h"

struct sepia_ops;
struct sepia_user;

#define CCNIC_TX_BUFFERS_MAX	DIV_ROUND_UP(CCNIC_PACKET_BYTES_MAX, \
					     CCNIC_SMALL_SIZE)
/* A mapping is at most so long, that its length fits a descriptor. */
#define CCNIC_TX_MAP_BYTES	SZ_32K
/* Mappings of a packet: linear part and fragments, each cut once or twice. */
#define CCNIC_TX_MAPS_MAX	(MAX_SKB_FRAGS + 1 + \
				 CCNIC_PACKET_BYTES_MAX / CCNIC_TX_MAP_BYTES)
/*
 * Descriptors of a packet: a context, and buffers or mappings. A packet that
 * is copied has no mappings, one that is mapped at most one buffer or cell.
 */
#define CCNIC_TX_DESCS_MAX	(1 + CCNIC_TX_BUFFERS_MAX)
#define CCNIC_TX_RECLAIM_SLOTS	64	/* sent between two looks of xmit */
#define CCNIC_TX_COPYBREAK	256	/* bytes: up to here packets are copied */
#define CCNIC_RX_AHEAD_SLOTS	16	/* that reception looks ahead */
#define CCNIC_RX_HEADER_MAX	256	/* bytes of headers copied to the skb */

static_assert(CCNIC_TX_DESCS_MAX <= CCNIC_PACKET_DESCS_MAX);
static_assert(2 + CCNIC_TX_MAPS_MAX <= CCNIC_TX_DESCS_MAX);
static_assert(2 * CCNIC_TX_DESCS_MAX + CCNIC_LINE_DESCS <
	      CCNIC_RING_LINES_MIN * CCNIC_LINE_DESCS);
static_assert(PAGE_SIZE >= CCNIC_PAGE_BYTES);

enum ccnic_drop {
	CCNIC_DROP_TX_MEMORY,	/* no memory to pad a short frame */
	CCNIC_DROP_TX_LENGTH,	/* longer than a packet can be */
	CCNIC_DROP_TX_OFFLOAD,	/* an offload that no descriptor can say */
	CCNIC_DROP_TX_FULL,	/* the ring was full though the queue ran */
	CCNIC_DROP_RX_MEMORY,	/* no memory for an skb */
	CCNIC_DROP_RX_BAD,	/* the NIC's descriptors made no sense */
	CCNIC_DROP_RX_LENGTH,	/* longer than the MTU */
	CCNIC_DROPS
};

/**
 * struct ccnic_queue_stats - one direction of a queue
 * @packets: packets
 * @bytes: with their Ethernet headers
 * @syncp: for readers on 32-bit machines
 *
 * Written by the direction's only context, outlives down and up.
 */
struct ccnic_queue_stats {
	u64_stats_t packets;
	u64_stats_t bytes;
	struct u64_stats_sync syncp;
};

/**
 * struct ccnic_tx_slot - the packet that ends in a TX slot, if one does
 * @bytes: for BQL, when the slot comes back; 0: no packet ends here
 * @maps: its mappings
 * @skb: the packet, if it is kept until then
 */
struct ccnic_tx_slot {
	u32 bytes;
	u32 maps;
	struct sk_buff *skb;
};

/**
 * struct ccnic_tx - the transmit side of a queue; owned by the txq's lock
 * @ring: our view of the TX ring
 * @cache: small buffers to send in
 * @supply: ring on which the NIC gives us more
 * @slot: what each slot carries, by index
 * @kept: skbs in @slot
 * @look: slot from which on xmit looks for completions
 * @map: the queue's part of the device's mappings, used round and round
 * @map_next: count of mappings made
 * @map_clean: count of mappings revoked
 * @armed: our line in which we wait for a slot's return
 * @token: count of those waits
 * @nic_token: sleep of the NIC that was last woken
 * @stats: packets and bytes
 * @kicks: times the NIC had to be woken
 * @stops: times the queue was stopped for want of room
 */
struct ccnic_tx {
	struct ccnic_producer ring;
	struct ccnic_cache cache;
	struct ccnic_borrower supply;
	struct ccnic_tx_slot *slot;
	u32 kept;
	u32 look;
	struct ccnic_mapping *map;
	u32 map_next;
	u32 map_clean;
	struct ccnic_armed *armed;
	u32 token;
	u32 nic_token;
	struct ccnic_queue_stats stats;
	/* cold */
	u64 kicks;
	u64 stops;
} ____cacheline_aligned_in_smp;

/**
 * struct ccnic_rx - the receive side of a queue; owned by its NAPI
 * @ring: our view of the RX ring
 * @returns: ring on which small buffers go back to the NIC
 * @offer: ring on which pages are offered to the NIC
 * @free: page handles without a page
 * @spare: pages that wait for a full batch
 * @spares: how many
 * @armed: our line in which we announce our sleep
 * @token: count of those sleeps
 * @stats: packets and bytes
 * @plain_pages: pages that came from the ordinary allocator
 * @refill_failures: times that there was no page to be had
 * @desc: the packet in hand
 */
struct ccnic_rx {
	struct ccnic_consumer ring;
	struct ccnic_lender returns;
	struct ccnic_lender offer;
	struct ccnic_cache free;
	struct page *spare[CCNIC_LINE_HANDLES];
	unsigned int spares;
	struct ccnic_armed *armed;
	u32 token;
	struct ccnic_queue_stats stats;
	u64 plain_pages;
	u64 refill_failures;
	struct ccnic_desc desc[CCNIC_PACKET_DESCS_MAX];
} ____cacheline_aligned_in_smp;

/**
 * struct ccnic_queue - a queue pair
 * @tx: transmit side
 * @rx: receive side
 * @napi: reception, refill and transmit completion
 * @cc: device
 * @index: number
 * @cpu: where NAPI runs; changed by CPU hotplug only
 * @wanted_cpu: where it belongs
 * @csd: carries a wake-up to @cpu
 * @waking: bit 0: @csd is on its way; set by the waker, cleared by its arrival
 * @refill: tries again for pages when there was no memory
 */
struct ccnic_queue {
	struct ccnic_tx tx;
	struct ccnic_rx rx;
	struct napi_struct napi;
	struct ccnic_dev *cc;
	unsigned int index;
	int cpu;
	int wanted_cpu;
	call_single_data_t csd;
	unsigned long waking;
	struct delayed_work refill;
};

/**
 * struct ccnic_region - the memory of a region
 * @base: where it is mapped
 * @sb: our own copy of its superblock
 * @pages: its pages
 * @count: how many
 * @homed: how many of them are on the node they should be on
 */
struct ccnic_region {
	void *base;
	struct ccnic_superblock sb;
	struct page **pages;
	unsigned int count;
	unsigned int homed;
};

/**
 * struct ccnic_dev - a device
 * @region: what we share with the NIC; between up and down
 * @small_ledger: small handles that the NIC holds
 * @page_ledger: page handles that the NIC holds
 * @page: page behind each page handle
 * @translation: its address, for the NIC
 * @mapping: memory of the stack that TX descriptors name, for the NIC
 * @nic: the NIC's operations
 * @port: our port on it
 * @nic_armed: the NIC's line in which it announces its sleep
 * @sepia: Sepia's operations between up and down, or NULL without it
 * @sepia_user: our use of Sepia
 * @queue: queue pairs
 * @queues: how many
 * @drops: dropped packets by reason; any context
 * @dev: net device
 * @peer: the device at the wire's other end; RTNL, or RCU to read
 * @paired: a cable was plugged in once, so the wire is no loop
 * @place: nodes and CPUs
 * @geometry: of the region
 * @generation: starts so far
 * @resets: of them because host and NIC had lost step
 * @sepia_coloured: pages from Sepia's pools before the last start
 * @sepia_fallback: pages that Sepia took elsewhere before the last start
 * @backend: name of the back end that the pages came from
 * @reset: takes the device down and up again
 * @debugfs: folder
 * @member: in the list of devices
 * @id: number of the device's debugfs folder
 */
struct ccnic_dev {
	struct ccnic_region region;
	struct ccnic_ledger small_ledger;
	struct ccnic_ledger page_ledger;
	struct page **page;
	void **translation;
	struct ccnic_mapping *mapping;
	const struct ccnic_nic_ops *nic;
	struct ccnic_port *port;
	struct ccnic_armed *nic_armed;
	const struct sepia_ops *sepia;
	struct sepia_user *sepia_user;
	struct ccnic_queue *queue;
	unsigned int queues;
	atomic64_t drops[CCNIC_DROPS];
	/* cold */
	struct net_device *dev;
	struct net_device __rcu *peer;
	bool paired;
	struct ccnic_place place;
	struct ccnic_geometry geometry;
	u32 generation;
	u32 resets;
	u64 sepia_coloured;
	u64 sepia_fallback;
	char backend[16];
	struct work_struct reset;
	struct dentry *debugfs;
	struct list_head member;
	int id;
};

static inline void ccnic_count_drop(struct ccnic_dev *cc, enum ccnic_drop why)
{
	atomic64_inc(&cc->drops[why]);
}

static inline void ccnic_stats_add(struct ccnic_queue_stats *stats, u32 bytes)
{
	u64_stats_update_begin(&stats->syncp);
	u64_stats_inc(&stats->packets);
	u64_stats_add(&stats->bytes, bytes);
	u64_stats_update_end(&stats->syncp);
}

static inline void ccnic_stats_read(const struct ccnic_queue_stats *stats,
				    u64 *packets, u64 *bytes)
{
	unsigned int start;

	do {
		start = u64_stats_fetch_begin(&stats->syncp);
		*packets = u64_stats_read(&stats->packets);
		*bytes = u64_stats_read(&stats->bytes);
	} while (u64_stats_fetch_retry(&stats->syncp, start));
}

/* main.c */
extern int ccnic_nic_cpu;
extern unsigned int ccnic_ring_lines;

/* netdev.c */
int ccnic_up(struct ccnic_dev *cc);
void ccnic_down(struct ccnic_dev *cc);
void ccnic_setup(struct net_device *dev);
int ccnic_plug(struct ccnic_dev *cc, struct net_device *peer);
bool ccnic_is_ccnic(const struct net_device *dev);

/* queue.c */
extern const struct ccnic_host_ops ccnic_host_ops;

int ccnic_queues_create(struct ccnic_dev *cc);
void ccnic_queues_destroy(struct ccnic_dev *cc);
void ccnic_queues_place(struct ccnic_dev *cc);
int ccnic_queues_init(void);
void ccnic_queues_exit(void);
void ccnic_queue_wake(struct ccnic_queue *q);
void ccnic_queue_settle(struct ccnic_queue *q);
int ccnic_poll(struct napi_struct *napi, int budget);

/* region.c */
int ccnic_region_create(struct ccnic_dev *cc);
void ccnic_region_destroy(struct ccnic_dev *cc);

/* tx.c */
netdev_tx_t ccnic_start_xmit(struct sk_buff *skb, struct net_device *dev);
void ccnic_tx_poll(struct ccnic_queue *q);
bool ccnic_tx_awaited(const struct ccnic_queue *q);
int ccnic_tx_create(struct ccnic_queue *q);
void ccnic_tx_destroy(struct ccnic_queue *q);

/* rx.c */
int ccnic_rx_poll(struct ccnic_queue *q, int budget);
int ccnic_rx_create(struct ccnic_queue *q);
void ccnic_rx_destroy(struct ccnic_queue *q);

/* pages.c */
int ccnic_pages_create(struct ccnic_dev *cc);
void ccnic_pages_destroy(struct ccnic_dev *cc);
void ccnic_pages_refill(struct ccnic_queue *q);
struct page *ccnic_page_take(struct ccnic_queue *q, u32 handle);
void ccnic_pages_stats(struct ccnic_dev *cc, u64 *coloured, u64 *fallback);

/* ethtool.c */
extern const struct ethtool_ops ccnic_ethtool_ops;
extern const char * const ccnic_drop_names[CCNIC_DROPS];

/* debugfs.c */
int ccnic_debugfs_init(void);
void ccnic_debugfs_exit(void);
void ccnic_debugfs_add(struct ccnic_dev *cc);
void ccnic_debugfs_del(struct ccnic_dev *cc);

#endif /* CCNIC_H */
