// SPDX-License-Identifier: GPL-2.0
/*
 * Sepia: the module, and the functions that drivers call.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/completion.h>
#include <linux/err.h>
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/sepia.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/workqueue.h>

#include "internal.h"

static struct sepia_config sepia_config;
static DECLARE_COMPLETION(sepia_reserved);

DEFINE_PER_CPU(struct sepia_core, sepia_cores);

/* Protects the list of users, for those who read it. */
DEFINE_MUTEX(sepia_users_lock);
LIST_HEAD(sepia_users);

/* Checks that are not for production kernels. */
#define SEPIA_DEBUG (IS_ENABLED(CONFIG_DEBUG_VM) || IS_ENABLED(CONFIG_PROVE_LOCKING))

/*
 * With bottom halves off, outside of hard interrupts, nothing else on this
 * core can be in its pool and the task does not leave the core.
 */
static bool sepia_owns_core(void)
{
	return softirq_count() && !in_hardirq() && !in_nmi();
}

static void sepia_count_coloured(struct sepia_user *user, unsigned int n)
{
	this_cpu_add(sepia_cores.coloured, n);
	this_cpu_add(user->cores->coloured, n);
}

/* No colour to be had: an ordinary page of this node, or none. */
static noinline struct page *sepia_alloc_plain(struct sepia_user *user,
					       gfp_t gfp)
{
	struct page *page;

	gfp &= ~(__GFP_DIRECT_RECLAIM | __GFP_NOFAIL);
	page = alloc_pages_node(numa_mem_id(), gfp, 0);
	if (likely(page)) {
		this_cpu_inc(sepia_cores.fallback);
		this_cpu_inc(user->cores->fallback);
	} else {
		this_cpu_inc(sepia_cores.failed);
		this_cpu_inc(user->cores->failed);
	}
	return page;
}

static struct page *sepia_take(gfp_t gfp)
{
	struct sepia_pool *pool;
	struct page *page;

	if (unlikely(!sepia_owns_core())) {
		this_cpu_inc(sepia_cores.wrong_context);
		WARN_ON_ONCE(SEPIA_DEBUG);
		return NULL;
	}
	pool = this_cpu_read(sepia_cores.pool);
	if (unlikely(!pool))
		return NULL;
	page = sepia_pool_take(pool);
	if (page && unlikely(gfp & __GFP_ZERO))
		clear_highpage(page);
	return page;
}

/**
 * sepia_alloc() - allocate a page, coloured if possible
 * @user: from sepia_init()
 * @gfp: for an ordinary page, should it come to that; __GFP_ZERO holds for
 *	both kinds. Direct reclaim is never done, whatever @gfp says
 *
 * Takes from the pool of the core that it runs on. When that has no page
 * known to be free, or there is no such pool, an ordinary page of order 0 is
 * allocated on the core's node. Both cases are counted.
 *
 * Context: bottom halves off (a NAPI poll, or local_bh_disable()), not in a
 * hard interrupt. From anywhere else the pool is not touched: callers get
 * ordinary pages, counted as wrong_context, and a warning where CONFIG_DEBUG_VM
 * or CONFIG_PROVE_LOCKING is set. Never blocks, takes no lock of its own.
 * Return: the page, for put_page(), or NULL when there was no ordinary page
 * either.
 */
struct page *sepia_alloc(struct sepia_user *user, gfp_t gfp)
{
	struct page *page = sepia_take(gfp);

	if (unlikely(!page))
		return sepia_alloc_plain(user, gfp);
	sepia_count_coloured(user, 1);
	return page;
}
EXPORT_SYMBOL_GPL(sepia_alloc);

/**
 * sepia_alloc_bulk() - allocate several pages, coloured if possible
 * @user: from sepia_init()
 * @gfp: as for sepia_alloc()
 * @n: number of pages
 * @pages: filled with the pages, in the order of the walk
 *
 * The same as @n calls of sepia_alloc(), up to the first that gets nothing.
 *
 * Context: as for sepia_alloc().
 * Return: number of pages, less than @n when memory ran out; the others count
 * as failed.
 */
unsigned int sepia_alloc_bulk(struct sepia_user *user, gfp_t gfp,
			      unsigned int n, struct page **pages)
{
	unsigned int i, coloured = 0;

	for (i = 0; i < n; i++) {
		pages[i] = sepia_take(gfp);
		if (likely(pages[i])) {
			coloured++;
			continue;
		}
		pages[i] = sepia_alloc_plain(user, gfp);
		if (unlikely(!pages[i])) {
			/* That call has counted the first of them. */
			this_cpu_add(sepia_cores.failed, n - i - 1);
			this_cpu_add(user->cores->failed, n - i - 1);
			break;
		}
	}
	sepia_count_coloured(user, coloured);
	return i;
}
EXPORT_SYMBOL_GPL(sepia_alloc_bulk);

/**
 * sepia_init() - become a user of the pools
 * @name: name in debugfs; copied
 *
 * The module cannot be unloaded before sepia_exit().
 *
 * Context: process context, may sleep.
 * Return: the user, or an ERR_PTR: -ENOMEM, or -ENODEV when the module is on
 * its way out.
 */
struct sepia_user *sepia_init(const char *name)
{
	struct sepia_user *user;

	if (!try_module_get(THIS_MODULE))
		return ERR_PTR(-ENODEV);
	user = kzalloc(sizeof(*user), GFP_KERNEL);
	if (!user)
		goto err_put;
	user->cores = alloc_percpu(struct sepia_user_core);
	if (!user->cores)
		goto err_free;
	strscpy(user->name, name, sizeof(user->name));

	mutex_lock(&sepia_users_lock);
	list_add_tail(&user->list, &sepia_users);
	mutex_unlock(&sepia_users_lock);
	return user;

err_free:
	kfree(user);
err_put:
	module_put(THIS_MODULE);
	return ERR_PTR(-ENOMEM);
}
EXPORT_SYMBOL_GPL(sepia_init);

/**
 * sepia_exit() - stop being a user
 * @user: from sepia_init()
 *
 * Pages that the user allocated may still be held, by the stack or by itself;
 * they are freed by put_page() as before.
 *
 * Context: process context, may sleep; no allocation of @user is under way.
 */
void sepia_exit(struct sepia_user *user)
{
	mutex_lock(&sepia_users_lock);
	list_del(&user->list);
	mutex_unlock(&sepia_users_lock);
	free_percpu(user->cores);
	kfree(user);
	module_put(THIS_MODULE);
}
EXPORT_SYMBOL_GPL(sepia_exit);

/* One user's counters, all cores together. */
void sepia_user_sum(const struct sepia_user *user, struct sepia_user_core *sum)
{
	unsigned int cpu;

	memset(sum, 0, sizeof(*sum));
	for_each_possible_cpu(cpu) {
		const struct sepia_user_core *c = per_cpu_ptr(user->cores, cpu);

		sum->coloured += READ_ONCE(c->coloured);
		sum->fallback += READ_ONCE(c->fallback);
		sum->failed += READ_ONCE(c->failed);
	}
}

/**
 * sepia_get_stats() - counters of a user, and the state of the pools
 * @user: from sepia_init()
 * @stats: filled in
 *
 * Context: any; reads what other cores are writing, each figure on its own.
 */
void sepia_get_stats(struct sepia_user *user, struct sepia_stats *stats)
{
	struct sepia_user_core sum;
	unsigned int cpu;

	memset(stats, 0, sizeof(*stats));
	sepia_user_sum(user, &sum);
	stats->coloured = sum.coloured;
	stats->fallback = sum.fallback;
	stats->failed = sum.failed;

	for_each_possible_cpu(cpu) {
		const struct sepia_pool *pool = per_cpu(sepia_cores, cpu).pool;

		if (!pool)
			continue;
		stats->total += pool->nr_pages;
		stats->free += READ_ONCE(pool->nr_free);
	}
	stats->in_use = stats->total - stats->free;
}
EXPORT_SYMBOL_GPL(sepia_get_stats);

/**
 * sepia_backend() - where the pools' memory comes from
 *
 * Context: any.
 * Return: "cma", "contig", "buddy", "mixed" (more than one), or "none".
 */
const char *sepia_backend(void)
{
	unsigned int cpu, backends = 0;

	for_each_possible_cpu(cpu)
		backends |= per_cpu(sepia_cores, cpu).backends;
	return sepia_backends_name(backends);
}
EXPORT_SYMBOL_GPL(sepia_backend);

const struct sepia_ops sepia_ops = {
	.init = sepia_init,
	.exit = sepia_exit,
	.alloc = sepia_alloc,
	.alloc_bulk = sepia_alloc_bulk,
	.get_stats = sepia_get_stats,
	.backend = sepia_backend,
};
EXPORT_SYMBOL_GPL(sepia_ops);

/*
 * Reserving moves pages and waits for other CPUs to drain their caches, which
 * must not happen under whatever locks the one who loads the module holds.
 */
static void sepia_reserve_work(struct work_struct *work)
{
	sepia_reserve(&sepia_config);
	complete(&sepia_reserved);
}

static int __init sepia_module_init(void)
{
	static DECLARE_WORK(work, sepia_reserve_work);
	int err;

	err = sepia_params_check(&sepia_config);
	if (err)
		return err;
	queue_work(system_unbound_wq, &work);
	/* In steps: a large reservation is not a hung task. */
	while (!wait_for_completion_timeout(&sepia_reserved, 10 * HZ))
		pr_info("still reserving memory\n");
	flush_work(&work);
	sepia_stats_open(&sepia_config);
	return 0;
}

static void __exit sepia_module_exit(void)
{
	sepia_stats_close();
	sepia_unreserve(sepia_config.linger_s);
}

module_init(sepia_module_init);
module_exit(sepia_module_exit);

MODULE_DESCRIPTION("Sepia: page-coloured receive buffers for network drivers");
MODULE_LICENSE("GPL");
