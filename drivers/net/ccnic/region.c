// SPDX-License-Identifier: GPL-2.0
/*
 * CC-NIC: the memory of a region: pages of two nodes in one range.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "ccnic.h"

/*
 * Fail rather than press the machine: without its region a device stays
 * down, and nobody else should have to pay for it.
 */
#define REGION_GFP (GFP_KERNEL | __GFP_ZERO | __GFP_NORETRY | __GFP_NOWARN)

static void region_free_pages(struct ccnic_region *region)
{
	while (region->count)
		__free_page(region->pages[--region->count]);
	kvfree(region->pages);
	region->pages = NULL;
}

/**
 * ccnic_region_create - make a region for a device, with its superblock
 * @cc: device; cc->geometry and cc->place say what and where
 *
 * A page whose node has no memory to give comes from the nearest other one;
 * region.homed tells how many are where they belong.
 *
 * Context: process.
 * Return: 0 or a negative errno
 */
int ccnic_region_create(struct ccnic_dev *cc)
{
	struct ccnic_region *region = &cc->region;
	struct ccnic_superblock *sb = &region->sb;
	unsigned long total, host_pages;
	struct page *page;
	int node;

	if (ccnic_layout(&cc->geometry, ++cc->generation, sb))
		return -EINVAL;
	total = sb->size >> PAGE_SHIFT;
	host_pages = sb->host_bytes >> PAGE_SHIFT;

	region->count = 0;
	region->homed = 0;
	region->pages = kvmalloc_array(total, sizeof(*region->pages),
				       GFP_KERNEL);
	if (!region->pages)
		return -ENOMEM;
	while (region->count < total) {
		node = region->count < host_pages ? cc->place.host_node :
						    cc->place.nic_node;
		page = alloc_pages_node(node, REGION_GFP, 0);
		if (!page)
			goto free;
		region->homed += page_to_nid(page) == node;
		region->pages[region->count++] = page;
	}
	region->base = vmap(region->pages, total, VM_MAP, PAGE_KERNEL);
	if (!region->base)
		goto free;

	/* Fields first; the NIC is told of the region only later. */
	memcpy(region->base, sb, sizeof(*sb));
	return 0;

free:
	region_free_pages(region);
	netdev_err(cc->dev, "no memory for a region of %llu KiB\n",
		   sb->size >> 10);
	return -ENOMEM;
}

/**
 * ccnic_region_destroy - the mirror of ccnic_region_create()
 * @cc: device; its port is stopped
 */
void ccnic_region_destroy(struct ccnic_dev *cc)
{
	vunmap(cc->region.base);
	cc->region.base = NULL;
	region_free_pages(&cc->region);
}
