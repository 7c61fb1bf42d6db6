/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sepia: page-coloured receive buffers for network drivers.
 *
 * sepia.ko reserves one pool of pages for each core when it is loaded and
 * hands them out so that consecutive allocations walk the sets of the last
 * level cache evenly (Stride-1).  When a core's pool is empty, or there is
 * none, callers get ordinary pages: an allocation never blocks and never
 * fails for want of colour.
 *
 * A page given by Sepia has order 0, is not compound and has a reference
 * count of 2 (the pool's and the caller's); an ordinary one has 1.  The caller
 * need not know which it got: put_page() is right for both, on any CPU and in
 * any context.  There is no call-back on free: the pool sees that only its own
 * reference is left.
 */
#ifndef _LINUX_SEPIA_H
#define _LINUX_SEPIA_H

#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/types.h>

struct sepia_user;

/**
 * struct sepia_stats - what one user, or all of them, got from Sepia
 * @coloured: pages given from a core's pool
 * @fallback: ordinary pages given because no coloured one could be
 * @failed: allocations that got no page at all
 * @total: pages in all pools
 * @free: pages of @total that their pool knows to be free
 * @in_use: the other pages of @total: held, or back but not yet noticed
 *
 * The first three count allocations of the user asked about and never go
 * backwards; coloured + fallback + failed is the number of pages asked for.
 * The last three describe the pools, which all users share.
 */
struct sepia_stats {
	u64 coloured;
	u64 fallback;
	u64 failed;
	u32 total;
	u32 free;
	u32 in_use;
};

struct sepia_user *sepia_init(const char *name);
void sepia_exit(struct sepia_user *user);
struct page *sepia_alloc(struct sepia_user *user, gfp_t gfp);
unsigned int sepia_alloc_bulk(struct sepia_user *user, gfp_t gfp,
			      unsigned int n, struct page **pages);
void sepia_get_stats(struct sepia_user *user, struct sepia_stats *stats);
const char *sepia_backend(void);

/**
 * sepia_free() - give a page of sepia_alloc() back
 * @page: the page
 *
 * Drops the caller's reference, as put_page() does; pages that went up the
 * stack come back by the stack's own put_page().
 *
 * Context: any CPU, any context.
 */
static inline void sepia_free(struct page *page)
{
	put_page(page);
}

/**
 * struct sepia_ops - Sepia's functions for a driver that can do without it
 * @init: sepia_init()
 * @exit: sepia_exit()
 * @alloc: sepia_alloc()
 * @alloc_bulk: sepia_alloc_bulk()
 * @get_stats: sepia_get_stats()
 * @backend: sepia_backend()
 *
 * A driver that calls the functions by name cannot be loaded without
 * sepia.ko.  One that takes this table with sepia_get_ops() can.
 */
struct sepia_ops {
	struct sepia_user *(*init)(const char *name);
	void (*exit)(struct sepia_user *user);
	struct page *(*alloc)(struct sepia_user *user, gfp_t gfp);
	unsigned int (*alloc_bulk)(struct sepia_user *user, gfp_t gfp,
				   unsigned int n, struct page **pages);
	void (*get_stats)(struct sepia_user *user, struct sepia_stats *stats);
	const char *(*backend)(void);
};

extern const struct sepia_ops sepia_ops;

/**
 * sepia_get_ops() - Sepia's functions, if the module is loaded
 *
 * Context: process context.
 * Return: the table, or NULL when sepia.ko is not loaded.  It stays valid, and
 * the module loaded, until sepia_put_ops().
 */
static inline const struct sepia_ops *sepia_get_ops(void)
{
	return symbol_get(sepia_ops);
}

/**
 * sepia_put_ops() - give back what sepia_get_ops() returned
 *
 * To be called once for each sepia_get_ops() that did not return NULL, after
 * the last sepia_exit().
 */
static inline void sepia_put_ops(void)
{
	symbol_put(sepia_ops);
}

#endif /* _LINUX_SEPIA_H */
