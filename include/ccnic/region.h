/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CC-NIC: the region that host and NIC share, and its superblock.
 *
 * The region is one range of addresses. Its first part is homed on the host's
 * node, the rest on the NIC's: each ring lives with the side that writes it.
 *
 *   host's node   superblock                        written once by the host
 *                 a struct ccnic_host_lines a queue     written by the host
 *                 TX rings and cells, one a queue       written by the host
 *                 return rings (small handles to NIC)   written by the host
 *                 offer rings (page handles to NIC)     written by the host
 *                 small buffers                         written by both
 *   NIC's node    a struct ccnic_armed                  written by the NIC
 *                 a struct ccnic_nic_lines a queue      written by the NIC
 *                 RX rings and cells, one a queue       written by the NIC
 *                 supply rings (small handles to host)  written by the NIC
 *
 * At the start the NIC has every small buffer and no page; it supplies each
 * queue's transmit side with ccnic_tx_target() handles, and the host offers
 * pages.
 */
#ifndef CCNIC_REGION_H
#define CCNIC_REGION_H

#include "ring.h"
#include "pool.h"
#include "wake.h"

#define CCNIC_MAGIC		0x31522d43494e4343ull	/* "CCNIC-R1" */
#define CCNIC_VERSION		2u
#define CCNIC_REGION_ALIGN	4096ull	/* where the home changes */

#define CCNIC_QUEUES_MAX	64u
#define CCNIC_SMALL_SIZE	2048u	/* bytes used of a small buffer */
#define CCNIC_SMALL_STRIDE	2112u	/* ... and their distance: 33 lines */
#define CCNIC_PAGE_BYTES	4096u	/* bytes used of a page */

/**
 * struct ccnic_geometry - what the rest of the layout follows from
 * @queues: queue pairs
 * @ring_lines: lines of each packet ring, a power of two
 * @pages: page handles a queue, at most a ring's descriptors
 * @cell_bytes: size of a cell: 0, 64, 128 or 256; packets of up to so many
 *              bytes ride beside their descriptor
 */
struct ccnic_geometry {
	__u32 queues;
	__u32 ring_lines;
	__u32 pages;
	__u32 cell_bytes;
};

/**
 * struct ccnic_superblock - the region's first line and what follows it
 * @magic: CCNIC_MAGIC; written last, so that a half-made region has none
 * @version: CCNIC_VERSION
 * @generation: counts the region's starts on this device
 * @geometry: what the offsets follow from
 * @size: bytes of the region
 * @host_bytes: bytes of the part on the host's node; the NIC's part follows
 * @small_count: small buffers in the pool
 * @exchange_lines: lines of each exchange ring
 * @host_lines: offset of the queues' struct ccnic_host_lines
 * @tx_ring: offset of the TX rings
 * @tx_cells: offset of the TX rings' cells
 * @return_ring: offset of the rings that return small handles to the NIC
 * @offer_ring: offset of the rings that offer pages to the NIC
 * @small: offset of the small buffers
 * @nic_armed: offset of the NIC's struct ccnic_armed
 * @nic_lines: offset of the queues' struct ccnic_nic_lines
 * @rx_ring: offset of the RX rings
 * @rx_cells: offset of the RX rings' cells
 * @supply_ring: offset of the rings that supply the host with small handles
 */
struct ccnic_superblock {
	__u64 magic;
	__u32 version;
	__u32 generation;
	struct ccnic_geometry geometry;
	__u64 size;
	__u64 host_bytes;
	__u32 small_count;
	__u32 exchange_lines;
	__u64 host_lines;
	__u64 tx_ring;
	__u64 tx_cells;
	__u64 return_ring;
	__u64 offer_ring;
	__u64 small;
	__u64 nic_armed;
	__u64 nic_lines;
	__u64 rx_ring;
	__u64 rx_cells;
	__u64 supply_ring;
} __aligned(64);

static_assert(sizeof(struct ccnic_superblock) == 192, "superblock size");

/**
 * struct ccnic_host_lines - a queue's lines that only the host writes
 * @rx: armed when the queue's reception sleeps
 * @tx: armed when the queue waits for a transmit slot's return
 * @rx_done: the host's progress on the RX ring
 */
struct ccnic_host_lines {
	struct ccnic_armed rx;
	struct ccnic_armed tx;
	struct ccnic_progress rx_done;
};

/**
 * struct ccnic_nic_lines - a queue's lines that only the NIC writes
 * @tx_done: the NIC's progress on the TX ring
 */
struct ccnic_nic_lines {
	struct ccnic_progress tx_done;
};

/* Small handles that a queue's transmit side has or has in flight. */
static inline __u32 ccnic_tx_target(const struct ccnic_geometry *g)
{
	return g->ring_lines * CCNIC_LINE_DESCS;
}

/*
 * Enough for all queues' transmit side, for RX rings full of small packets,
 * and for the batches that are on their way.
 */
static inline __u32 ccnic_small_count(const struct ccnic_geometry *g)
{
	return g->queues * (2 * ccnic_tx_target(g) + 4 * CCNIC_LINE_HANDLES);
}

static inline bool ccnic_cell_bytes_valid(__u32 bytes)
{
	return !bytes || bytes == 64 || bytes == 128 ||
	       bytes == CCNIC_CELL_BYTES_MAX;
}

/**
 * ccnic_geometry_valid - can a region be laid out like this?
 * @g: geometry
 */
static inline bool ccnic_geometry_valid(const struct ccnic_geometry *g)
{
	return g->queues && g->queues <= CCNIC_QUEUES_MAX &&
	       g->ring_lines >= CCNIC_RING_LINES_MIN &&
	       g->ring_lines <= CCNIC_RING_LINES_MAX &&
	       !(g->ring_lines & (g->ring_lines - 1)) &&
	       g->pages >= CCNIC_PACKET_DESCS_MAX &&
	       g->pages <= ccnic_tx_target(g) &&
	       ccnic_cell_bytes_valid(g->cell_bytes);
}

static inline __u64 ccnic_place(__u64 *end, __u64 bytes)
{
	__u64 at = *end;

	*end = (at + bytes + CCNIC_LINE_SIZE - 1) & ~(CCNIC_LINE_SIZE - 1ull);
	return at;
}

static inline __u64 ccnic_align_home(__u64 at)
{
	return (at + CCNIC_REGION_ALIGN - 1) & ~(CCNIC_REGION_ALIGN - 1);
}

/**
 * ccnic_layout - lay out a region
 * @g: geometry
 * @generation: for the superblock
 * @sb: filled in, complete with magic
 *
 * Return: 0, or CCNIC_EINVAL if the geometry is not valid
 */
static inline int ccnic_layout(const struct ccnic_geometry *g, __u32 generation,
			       struct ccnic_superblock *sb)
{
	__u64 ring, cells, exchange, end = 0;

	if (!ccnic_geometry_valid(g))
		return CCNIC_EINVAL;

	sb->magic = CCNIC_MAGIC;
	sb->version = CCNIC_VERSION;
	sb->generation = generation;
	sb->geometry = *g;
	sb->small_count = ccnic_small_count(g);
	sb->exchange_lines = ccnic_exchange_lines(sb->small_count);
	ring = (__u64)g->queues * g->ring_lines * CCNIC_LINE_SIZE;
	cells = (__u64)g->queues * g->ring_lines * CCNIC_LINE_DESCS *
		g->cell_bytes;
	exchange = (__u64)g->queues * sb->exchange_lines * CCNIC_LINE_SIZE;

	ccnic_place(&end, sizeof(*sb));
	sb->host_lines = ccnic_place(&end, (__u64)g->queues *
				     sizeof(struct ccnic_host_lines));
	sb->tx_ring = ccnic_place(&end, ring);
	sb->tx_cells = ccnic_place(&end, cells);
	sb->return_ring = ccnic_place(&end, exchange);
	sb->offer_ring = ccnic_place(&end, exchange);
	sb->small = ccnic_place(&end, (__u64)sb->small_count *
				CCNIC_SMALL_STRIDE);
	end = ccnic_align_home(end);
	sb->host_bytes = end;
	sb->nic_armed = ccnic_place(&end, sizeof(struct ccnic_armed));
	sb->nic_lines = ccnic_place(&end, (__u64)g->queues *
				    sizeof(struct ccnic_nic_lines));
	sb->rx_ring = ccnic_place(&end, ring);
	sb->rx_cells = ccnic_place(&end, cells);
	sb->supply_ring = ccnic_place(&end, exchange);
	sb->size = ccnic_align_home(end);
	return 0;
}

/**
 * ccnic_superblock_valid - may a side work with this region?
 * @sb: private copy of the superblock
 * @size: bytes that the side has mapped
 *
 * The layout follows from the geometry alone, so anything else is refused.
 */
static inline bool ccnic_superblock_valid(const struct ccnic_superblock *sb,
					  __u64 size)
{
	struct ccnic_superblock want;

	if (ccnic_layout(&sb->geometry, sb->generation, &want))
		return false;
	return sb->magic == want.magic && sb->version == want.version &&
	       sb->size == want.size && want.size <= size &&
	       sb->host_bytes == want.host_bytes &&
	       sb->small_count == want.small_count &&
	       sb->exchange_lines == want.exchange_lines &&
	       sb->host_lines == want.host_lines &&
	       sb->tx_ring == want.tx_ring && sb->tx_cells == want.tx_cells &&
	       sb->return_ring == want.return_ring &&
	       sb->offer_ring == want.offer_ring && sb->small == want.small &&
	       sb->nic_armed == want.nic_armed &&
	       sb->nic_lines == want.nic_lines && sb->rx_ring == want.rx_ring &&
	       sb->rx_cells == want.rx_cells &&
	       sb->supply_ring == want.supply_ring;
}

/* Where things stand in a mapped region whose superblock was checked. */

static inline void *ccnic_at(void *region, __u64 offset)
{
	return (char *)region + offset;
}

static inline struct ccnic_host_lines *
ccnic_region_host_lines(void *region, const struct ccnic_superblock *sb,
			__u32 queue)
{
	return (struct ccnic_host_lines *)ccnic_at(region, sb->host_lines) +
	       queue;
}

static inline struct ccnic_armed *
ccnic_region_nic_armed(void *region, const struct ccnic_superblock *sb)
{
	return (struct ccnic_armed *)ccnic_at(region, sb->nic_armed);
}

static inline struct ccnic_nic_lines *
ccnic_region_nic_lines(void *region, const struct ccnic_superblock *sb,
		       __u32 queue)
{
	return (struct ccnic_nic_lines *)ccnic_at(region, sb->nic_lines) +
	       queue;
}

static inline void ccnic_region_ring(void *region,
				     const struct ccnic_superblock *sb,
				     __u64 lines, __u64 cells, __u32 queue,
				     struct ccnic_ring *ring)
{
	ring->slots = sb->geometry.ring_lines * CCNIC_LINE_DESCS;
	ring->cell_bytes = sb->geometry.cell_bytes;
	ring->lines = (struct ccnic_line *)ccnic_at(region, lines) +
		      (__u64)queue * sb->geometry.ring_lines;
	ring->cells = (__u8 *)ccnic_at(region, cells) +
		      (__u64)queue * ring->slots * ring->cell_bytes;
}

/* A queue's TX ring: the host produces, the NIC consumes. */
static inline struct ccnic_ring
ccnic_region_tx_ring(void *region, const struct ccnic_superblock *sb,
		     __u32 queue)
{
	struct ccnic_ring ring;

	ccnic_region_ring(region, sb, sb->tx_ring, sb->tx_cells, queue, &ring);
	ring.progress = &ccnic_region_nic_lines(region, sb, queue)->tx_done;
	return ring;
}

/* A queue's RX ring: the NIC produces, the host consumes. */
static inline struct ccnic_ring
ccnic_region_rx_ring(void *region, const struct ccnic_superblock *sb,
		     __u32 queue)
{
	struct ccnic_ring ring;

	ccnic_region_ring(region, sb, sb->rx_ring, sb->rx_cells, queue, &ring);
	ring.progress = &ccnic_region_host_lines(region, sb, queue)->rx_done;
	return ring;
}

/* @ring: return_ring, offer_ring or supply_ring */
static inline struct ccnic_line *
ccnic_region_exchange(void *region, const struct ccnic_superblock *sb,
		      __u64 ring, __u32 queue)
{
	return (struct ccnic_line *)ccnic_at(region, ring) +
	       (__u64)queue * sb->exchange_lines;
}

/* @index: less than small_count */
static inline void *ccnic_region_small(void *region,
				       const struct ccnic_superblock *sb,
				       __u32 index)
{
	return ccnic_at(region, sb->small + (__u64)index * CCNIC_SMALL_STRIDE);
}

#endif /* CCNIC_REGION_H */
