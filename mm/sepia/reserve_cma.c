// SPDX-License-Identifier: GPL-2.0
/*
 * Sepia back end "cma": the kernel's contiguous memory areas, reached through
 * a device of our own on the node and dma_alloc_pages().
 *
 * That function takes from the node's area, the default area (maybe on
 * another node) or, for what is no larger than the page allocator's largest
 * block, from there, with tail pages that are not counted. So only more than
 * that is asked for, and what comes is checked before it is accepted.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cc_platform.h>
#include <linux/dma-mapping.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/page_ref.h>
#include <linux/platform_device.h>

#include "internal.h"

static struct platform_device *sepia_cma_pdev[MAX_NUMNODES];

static struct device *sepia_cma_device(int nid)
{
	struct platform_device_info info = {
		.name = KBUILD_MODNAME,
		.id = nid,
		.dma_mask = DMA_BIT_MASK(64),
	};
	struct platform_device *pdev = sepia_cma_pdev[nid];

	if (!pdev) {
		pdev = platform_device_register_full(&info);
		if (IS_ERR(pdev))
			return NULL;
		set_dev_node(&pdev->dev, nid);
		sepia_cma_pdev[nid] = pdev;
	}
	return &pdev->dev;
}

static bool sepia_cma_acceptable(const struct page *page, unsigned int nr_pages,
				 int nid)
{
	unsigned int i;

	if (page_ref_count(page + nr_pages - 1) != 1)
		return false;
	for (i = 0; i < nr_pages; i++)
		if (page_to_nid(page + i) != nid)
			return false;
	return true;
}

static bool sepia_cma_take(int nid, unsigned int nr_pages,
			   struct list_head *blocks)
{
	struct sepia_block block = {
		.nr_pages = nr_pages,
		.backend = &sepia_cma,
		.dev = sepia_cma_device(nid),
	};
	size_t size = (size_t)nr_pages << PAGE_SHIFT;

	if (!block.dev)
		return false;
	block.page = dma_alloc_pages(block.dev, size, &block.dma,
				     DMA_BIDIRECTIONAL,
				     GFP_KERNEL | __GFP_NOWARN | __GFP_NORETRY);
	if (!block.page)
		return false;
	block.pfn = page_to_pfn(block.page);
	if (!sepia_cma_acceptable(block.page, nr_pages, nid) ||
	    sepia_block_add(&block, blocks)) {
		dma_free_pages(block.dev, size, block.page, block.dma,
			       DMA_BIDIRECTIONAL);
		return false;
	}
	return true;
}

static unsigned int sepia_cma_reserve(struct sepia_node *node,
				      unsigned int nr_pages,
				      struct list_head *blocks)
{
	unsigned int size = min(nr_pages, SEPIA_CHUNK_PAGES), got = 0;

	/* An encrypted guest would share what it allocates for a device. */
	if (!IS_ENABLED(CONFIG_DMA_CMA) ||
	    cc_platform_has(CC_ATTR_GUEST_MEM_ENCRYPT))
		return 0;

	/* 16 MiB or the whole of a smaller pool, else halves of that. */
	while (size > MAX_ORDER_NR_PAGES) {
		while (got + size <= nr_pages &&
		       sepia_cma_take(node->nid, size, blocks))
			got += size;
		size = rounddown(size / 2, SEPIA_BLOCK_PAGES);
	}
	return got;
}

static void sepia_cma_free(const struct sepia_block *block, unsigned int first,
			   unsigned int nr_pages)
{
	if (nr_pages)
		dma_free_pages(block->dev, (size_t)nr_pages << PAGE_SHIFT,
			       block->page + first,
			       block->dma + ((dma_addr_t)first << PAGE_SHIFT),
			       DMA_BIDIRECTIONAL);
}

/*
 * The area wants its pages back unheld. Runs of such pages are given back;
 * of the others only our reference is dropped: their last holder gives them
 * to the page allocator, but the area does not learn of that.
 */
static unsigned int sepia_cma_release(struct sepia_block *block)
{
	unsigned int i, first = 0, held = 0;

	for (i = 0; i < block->nr_pages; i++) {
		if (page_ref_count(block->page + i) == 1)
			continue;
		sepia_cma_free(block, first, i - first);
		put_page(block->page + i);
		first = i + 1;
		held++;
	}
	sepia_cma_free(block, first, block->nr_pages - first);
	if (held)
		pr_warn("node %d: %u pages are lost to the CMA area until the next boot\n",
			dev_to_node(block->dev), held);
	return held;
}

/**
 * sepia_cma_cleanup() - remove the devices
 *
 * Context: process context, after the last block was released.
 */
void sepia_cma_cleanup(void)
{
	unsigned int nid;

	for (nid = 0; nid < MAX_NUMNODES; nid++) {
		platform_device_unregister(sepia_cma_pdev[nid]);
		sepia_cma_pdev[nid] = NULL;
	}
}

const struct sepia_backend sepia_cma = {
	.name = "cma",
	.bit = BIT(0),
	.reserve = sepia_cma_reserve,
	.release = sepia_cma_release,
};
