// SPDX-License-Identifier: GPL-2.0
/*
 * Sepia back end "contig": alloc_contig_range(), which empties a range of
 * ordinary memory by moving what is in it elsewhere. One page that cannot be
 * moved spoils a range, so ranges that show one are not tried. 16 MiB, or the
 * whole of a smaller pool, are looked for first, then 2 MiB blocks.
 *
 * Only ZONE_NORMAL and ZONE_DMA32 are searched, a range never crosses zones.
 * ZONE_MOVABLE is left alone: pools cannot be moved.
 */
#include <linux/gfp.h>
#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/page_ref.h>
#include <linux/sched.h>

#include "internal.h"

#ifdef CONFIG_CONTIG_ALLOC

/* A range that fails costs milliseconds: a node's search ends after these. */
#define SEPIA_CONTIG_FAILURES	512U

static struct zone *sepia_contig_zone(int nid, unsigned int which)
{
	switch (which) {
	case SEPIA_ZONE_NORMAL:
		return &NODE_DATA(nid)->node_zones[ZONE_NORMAL];
#ifdef CONFIG_ZONE_DMA32
	case SEPIA_ZONE_DMA32:
		return &NODE_DATA(nid)->node_zones[ZONE_DMA32];
#endif
	default:
		return NULL;
	}
}

/*
 * Could this page be in a range? A racy look without references: a wrong yes
 * costs a failing call, a wrong no costs a range.
 */
static bool sepia_contig_page_ok(unsigned long pfn, const struct zone *zone)
{
	struct page *page = pfn_to_online_page(pfn);
	struct page *head;

	if (!page || page_zone(page) != zone || PageReserved(page))
		return false;
	head = compound_head(page);
	return !page_ref_count(head) || PageLRU(head);
}

/* First frame of a range that does not suit, or end when all do. */
static unsigned long sepia_contig_bad_pfn(unsigned long pfn, unsigned long end,
					  const struct zone *zone)
{
	while (pfn < end && sepia_contig_page_ok(pfn, zone))
		pfn++;
	return pfn;
}

static bool sepia_contig_take(unsigned long pfn, unsigned int nr_pages,
			      struct list_head *blocks)
{
	struct sepia_block block = {
		.page = pfn_to_page(pfn),
		.pfn = pfn,
		.nr_pages = nr_pages,
		.backend = &sepia_contig,
	};

	if (alloc_contig_range(pfn, pfn + nr_pages, MIGRATE_MOVABLE,
			       GFP_KERNEL | __GFP_NOWARN))
		return false;
	if (sepia_block_add(&block, blocks)) {
		sepia_block_put(&block);
		return false;
	}
	return true;
}

/* Go on where the last search of this zone for this size ended. */
static unsigned int sepia_contig_search(struct sepia_node *node,
					unsigned int pass, unsigned int which,
					unsigned int size, unsigned int nr_pages,
					struct list_head *blocks)
{
	unsigned long *next = &node->contig_next[pass][which];
	struct zone *zone = sepia_contig_zone(node->nid, which);
	unsigned long pfn, end, bad;
	unsigned int got = 0;

	if (!zone || !zone_managed_pages(zone))
		return 0;
	end = zone_end_pfn(zone);
	pfn = ALIGN(max(*next, zone->zone_start_pfn), SEPIA_BLOCK_PAGES);

	while (got + size <= nr_pages && pfn + size <= end &&
	       node->contig_failures < SEPIA_CONTIG_FAILURES) {
		cond_resched();
		bad = sepia_contig_bad_pfn(pfn, pfn + size, zone);
		if (bad < pfn + size) {
			pfn = ALIGN(bad + 1, SEPIA_BLOCK_PAGES);
			continue;
		}
		if (sepia_contig_take(pfn, size, blocks))
			got += size;
		else
			node->contig_failures++;
		pfn += size;
	}
	*next = pfn;
	return got;
}

static unsigned int sepia_contig_reserve(struct sepia_node *node,
					 unsigned int nr_pages,
					 struct list_head *blocks)
{
	unsigned int pass, which, size, got = 0;

	for (pass = 0; pass < SEPIA_NR_PASSES; pass++) {
		size = SEPIA_BLOCK_PAGES;
		if (pass == SEPIA_WHOLE)
			size = min(nr_pages, SEPIA_CHUNK_PAGES);
		for (which = 0; which < SEPIA_NR_ZONES; which++)
			got += sepia_contig_search(node, pass, which, size,
						   nr_pages - got, blocks);
	}
	return got;
}

#else

static unsigned int sepia_contig_reserve(struct sepia_node *node,
					 unsigned int nr_pages,
					 struct list_head *blocks)
{
	return 0;
}

#endif

const struct sepia_backend sepia_contig = {
	.name = "contig",
	.bit = BIT(1),
	.reserve = sepia_contig_reserve,
	.release = sepia_block_put,
};
