// SPDX-License-Identifier: GPL-2.0
/*
 * Sepia: one core's pool, a two-dimensional array of pages: group x position.
 *
 * Stride-1: allocations walk the groups (colours) round-robin; inside a group
 * they walk ascending addresses, wrapping at the end. That is the order of
 * the addresses of a contiguous region, so each turn touches the sets of the
 * cache evenly.
 *
 * A page is lent by raising its reference count from 1 to 2 and has come back
 * when the count is 1 again. Nobody tells the pool: each allocation looks at
 * the next SEPIA_SWEEP cells and notes in a bitmap which pages came back. All
 * decisions use that bitmap, "free" below always means known to be free.
 *
 * When the page that the walk expects is not free (a hole), the walk stays on
 * the colour and takes the group's earliest free page: the first one at or
 * above the expected position, from the group's start when there is none.
 * A group without a free page is passed over.
 *
 * This file knows only struct page and its reference count, so that the tests
 * can run it on pages that are none.
 */
#include <linux/bitmap.h>
#include <linux/list_sort.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/page_ref.h>
#include <linux/slab.h>

#include "internal.h"

static void sepia_pool_set_free(struct sepia_pool *pool, unsigned int group,
				unsigned int pos)
{
	__set_bit(pos, pool->groups[group].free);
	__set_bit(group, pool->open);
	WRITE_ONCE(pool->nr_free, pool->nr_free + 1);
}

/* Look at the next cells; never at more than SEPIA_SWEEP reference counts. */
static void sepia_pool_sweep(struct sepia_pool *pool)
{
	unsigned int group = pool->sweep_group;
	unsigned int row = pool->sweep_row;
	unsigned int i;

	if (pool->nr_free == pool->nr_pages)
		return;

	for (i = 0; i < SEPIA_SWEEP; i++) {
		const struct sepia_group *g = &pool->groups[group];

		if (row < g->nr && !test_bit(row, g->free) &&
		    page_ref_count(g->pages[row]) == 1) {
			/*
			 * Pairs with the full order of the put_page() that
			 * lowered the count: what the last holder did to the
			 * page is over before the next holder touches it.
			 */
			smp_acquire__after_ctrl_dep();
			sepia_pool_set_free(pool, group, row);
		}

		if (++group == pool->nr_groups) {
			group = 0;
			if (++row == pool->nr_rows)
				row = 0;
		}
	}
	pool->sweep_group = group;
	pool->sweep_row = row;
}

/* The next set bit at or after start, from the bitmap's begin if none. */
static unsigned int sepia_next_bit_wrap(const unsigned long *bits,
					unsigned int nr, unsigned int start)
{
	unsigned int bit = find_next_bit(bits, nr, start);

	return bit < nr ? bit : find_first_bit(bits, nr);
}

/**
 * sepia_pool_take() - lend the next page of a pool
 * @pool: the pool of the core that this runs on
 *
 * The cost is bounded by SEPIA_SWEEP reference counts and two short bitmaps
 * (one bit a group, one bit a position of one group), whatever is held.
 *
 * Context: bottom halves off, on the owner's core. Takes no lock.
 * Return: a page with a reference for the caller, or NULL when none is known
 * to be free.
 */
struct page *sepia_pool_take(struct sepia_pool *pool)
{
	unsigned int group, pos, passed;
	struct sepia_group *g;
	struct page *page;

	sepia_pool_sweep(pool);

	group = sepia_next_bit_wrap(pool->open, pool->nr_groups,
				    pool->next_group);
	if (unlikely(group >= pool->nr_groups)) {
		WRITE_ONCE(pool->empty, pool->empty + 1);
		return NULL;
	}
	if (unlikely(group != pool->next_group)) {
		passed = (group - pool->next_group) & (pool->nr_groups - 1);
		WRITE_ONCE(pool->skipped, pool->skipped + passed);
	}

	g = &pool->groups[group];
	pos = sepia_next_bit_wrap(g->free, g->nr, g->next);
	if (unlikely(pos != g->next))
		WRITE_ONCE(pool->holes, pool->holes + 1);

	__clear_bit(pos, g->free);
	if (unlikely(bitmap_empty(g->free, g->nr)))
		__clear_bit(group, pool->open);
	WRITE_ONCE(pool->nr_free, pool->nr_free - 1);

	g->next = pos + 1 < g->nr ? pos + 1 : 0;
	pool->next_group = (group + 1) & (pool->nr_groups - 1);

	page = g->pages[pos];
	get_page(page);
	return page;
}

static int sepia_block_cmp(void *priv, const struct list_head *a,
			   const struct list_head *b)
{
	const struct sepia_block *x = list_entry(a, struct sepia_block, list);
	const struct sepia_block *y = list_entry(b, struct sepia_block, list);

	return x->pfn < y->pfn ? -1 : x->pfn > y->pfn;
}

/**
 * sepia_pool_create() - make a pool of reserved memory
 * @blocks: the memory; sorted here and, on success, moved into the pool
 * @nr_groups: number of page groups, a power of two
 * @nid: node for the pool's own data
 *
 * All pages are known to be free at first. A page's group is its frame number
 * modulo @nr_groups.
 *
 * Context: process context.
 * Return: the pool, or NULL without memory; @blocks then stay the caller's.
 */
struct sepia_pool *sepia_pool_create(struct list_head *blocks,
				     unsigned int nr_groups, int nid)
{
	unsigned int i, rows = 0, words, nr_pages = 0;
	struct sepia_block *block;
	struct sepia_group *g;
	struct sepia_pool *pool;

	pool = kzalloc_node(sizeof(*pool), GFP_KERNEL, nid);
	if (!pool)
		return NULL;
	INIT_LIST_HEAD(&pool->blocks);
	pool->nr_groups = nr_groups;

	pool->open = kcalloc_node(BITS_TO_LONGS(nr_groups),
				  sizeof(*pool->open), GFP_KERNEL, nid);
	pool->groups = kvzalloc_node(array_size(nr_groups, sizeof(*pool->groups)),
				     GFP_KERNEL, nid);
	if (!pool->open || !pool->groups)
		goto err;

	list_sort(NULL, blocks, sepia_block_cmp);
	list_for_each_entry(block, blocks, list) {
		nr_pages += block->nr_pages;
		for (i = 0; i < block->nr_pages; i++)
			pool->groups[(block->pfn + i) & (nr_groups - 1)].nr++;
	}
	for (i = 0; i < nr_groups; i++)
		rows = max(rows, pool->groups[i].nr);
	words = BITS_TO_LONGS(rows);

	pool->bits = kvzalloc_node(array3_size(nr_groups, words, sizeof(*pool->bits)),
				   GFP_KERNEL, nid);
	pool->table = kvzalloc_node(array3_size(nr_groups, rows, sizeof(*pool->table)),
				    GFP_KERNEL, nid);
	if (!pool->bits || !pool->table)
		goto err;

	for (i = 0; i < nr_groups; i++) {
		g = &pool->groups[i];
		g->free = pool->bits + i * words;
		g->pages = pool->table + i * rows;
		g->nr = 0;
	}
	list_for_each_entry(block, blocks, list) {
		for (i = 0; i < block->nr_pages; i++) {
			unsigned int group = (block->pfn + i) & (nr_groups - 1);

			g = &pool->groups[group];
			g->pages[g->nr] = block->page + i;
			sepia_pool_set_free(pool, group, g->nr++);
		}
	}
	pool->nr_rows = rows;
	pool->nr_pages = nr_pages;
	list_splice_init(blocks, &pool->blocks);
	return pool;

err:
	sepia_pool_destroy(pool);
	return NULL;
}

/**
 * sepia_pool_destroy() - free a pool's own data
 * @pool: the pool; its blocks have been released or moved away
 *
 * Context: process context, after the last sepia_pool_take().
 */
void sepia_pool_destroy(struct sepia_pool *pool)
{
	kvfree(pool->table);
	kvfree(pool->bits);
	kvfree(pool->groups);
	kfree(pool->open);
	kfree(pool);
}
