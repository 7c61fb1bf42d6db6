// SPDX-License-Identifier: GPL-2.0
/*
 * Sepia back end "buddy": the largest blocks of the page allocator, split.
 */
#include <linux/gfp.h>
#include <linux/mm.h>

#include "internal.h"

/* 4 MiB or what the allocator's largest block is, then a pool's 2 MiB. */
static unsigned int sepia_buddy_order(unsigned int nr_pages)
{
	unsigned int pages = min3(nr_pages, 2 * SEPIA_BLOCK_PAGES,
				  (unsigned int)MAX_ORDER_NR_PAGES);

	return ilog2(pages);
}

static unsigned int sepia_buddy_reserve(struct sepia_node *node,
					unsigned int nr_pages,
					struct list_head *blocks)
{
	unsigned int order = sepia_buddy_order(nr_pages), got = 0;

	while (got < nr_pages) {
		struct sepia_block block = { .backend = &sepia_buddy };

		order = min(order, sepia_buddy_order(nr_pages - got));
		block.page = alloc_pages_node(node->nid,
					      GFP_KERNEL | __GFP_THISNODE |
					      __GFP_NORETRY | __GFP_NOWARN,
					      order);
		if (!block.page) {
			if (1U << order <= SEPIA_BLOCK_PAGES)
				break;
			order--;
			continue;
		}
		split_page(block.page, order);
		block.pfn = page_to_pfn(block.page);
		block.nr_pages = 1U << order;
		if (sepia_block_add(&block, blocks)) {
			sepia_block_put(&block);
			break;
		}
		got += block.nr_pages;
	}
	return got;
}

const struct sepia_backend sepia_buddy = {
	.name = "buddy",
	.bit = BIT(2),
	.reserve = sepia_buddy_reserve,
	.release = sepia_block_put,
};
