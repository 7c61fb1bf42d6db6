// SPDX-License-Identifier: GPL-2.0
/*
 * Sepia: reserving memory for the pools, and giving it back.
 *
 * Each core gets what it was to have from its own node, back end by back end,
 * or less, or nothing: the module works with any of these. At most half of
 * what is free on a node is taken, shared evenly by its cores.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/nodemask.h>
#include <linux/page_ref.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/vmstat.h>

#include "internal.h"

const struct sepia_backend * const sepia_backends[SEPIA_NR_BACKENDS] = {
	&sepia_cma, &sepia_contig, &sepia_buddy,
};

#define PAGES_TO_MIB(pages) ((pages) >> (20 - PAGE_SHIFT))

/**
 * sepia_backends_name() - the word for a set of back ends
 * @backends: one bit each
 *
 * Return: the name of the only one, "mixed" or "none".
 */
const char *sepia_backends_name(unsigned int backends)
{
	unsigned int i;

	if (!backends)
		return "none";
	for (i = 0; i < SEPIA_NR_BACKENDS; i++)
		if (backends == sepia_backends[i]->bit)
			return sepia_backends[i]->name;
	return "mixed";
}

/**
 * sepia_block_add() - note a block that a back end got
 * @what: the block; copied
 * @blocks: list to add it to
 *
 * The pages lose what earlier owners left in fields that the network stack
 * reads: a page that looks like one from the emergency reserves would be
 * dropped by it, one that looks like a page_pool's would be given to that.
 *
 * Return: 0, or -ENOMEM; the block is then still the caller's.
 */
int sepia_block_add(const struct sepia_block *what, struct list_head *blocks)
{
	struct sepia_block *block = kmemdup(what, sizeof(*what), GFP_KERNEL);
	unsigned int i;

	if (!block)
		return -ENOMEM;
	for (i = 0; i < block->nr_pages; i++) {
		clear_page_pfmemalloc(block->page + i);
		set_page_private(block->page + i, 0);
	}
	list_add_tail(&block->list, blocks);
	return 0;
}

/**
 * sepia_block_held() - pages of a block that somebody holds
 * @block: the block
 *
 * Return: number of pages with more than the pool's reference.
 */
unsigned int sepia_block_held(const struct sepia_block *block)
{
	unsigned int i, held = 0;

	for (i = 0; i < block->nr_pages; i++)
		held += page_ref_count(block->page + i) > 1;
	return held;
}

/**
 * sepia_block_put() - drop the pool's reference to each page of a block
 * @block: the block
 *
 * A page that nobody holds goes back to the page allocator, another one when
 * its last holder lets go.
 *
 * Return: number of pages that were held.
 */
unsigned int sepia_block_put(struct sepia_block *block)
{
	unsigned int i, held = 0;

	for (i = 0; i < block->nr_pages; i++) {
		held += page_ref_count(block->page + i) > 1;
		put_page(block->page + i);
		if (!(i % SEPIA_BLOCK_PAGES))
			cond_resched();
	}
	return held;
}

static unsigned int sepia_release_blocks(struct list_head *blocks)
{
	struct sepia_block *block, *next;
	unsigned int held = 0;

	list_for_each_entry_safe(block, next, blocks, list) {
		list_del(&block->list);
		held += block->backend->release(block);
		kfree(block);
	}
	return held;
}

/* Free pages of the zones that pools may come from. */
static unsigned long sepia_node_free(int nid)
{
	unsigned long pages;

	pages = zone_page_state(&NODE_DATA(nid)->node_zones[ZONE_NORMAL],
				NR_FREE_PAGES);
#ifdef CONFIG_ZONE_DMA32
	pages += zone_page_state(&NODE_DATA(nid)->node_zones[ZONE_DMA32],
				 NR_FREE_PAGES);
#endif
	return pages;
}

/*
 * The node itself or, if it has no memory, or only such as must stay movable,
 * the nearest one that has.
 */
static int sepia_memory_node(int home)
{
	int nid, best = NUMA_NO_NODE;

	if (home != NUMA_NO_NODE && node_state(home, N_NORMAL_MEMORY))
		return home;
	for_each_node_state(nid, N_NORMAL_MEMORY)
		if (best == NUMA_NO_NODE ||
		    (home != NUMA_NO_NODE &&
		     node_distance(home, nid) < node_distance(home, best)))
			best = nid;
	return best;
}

/* Count the cores of each node and divide what may be taken of it. */
static void sepia_plan(const struct sepia_config *config,
		       struct sepia_node *nodes)
{
	int home, nid, last = NUMA_NO_NODE;
	unsigned int cpu;

	for_each_cpu(cpu, &config->cpus) {
		home = cpu_to_node(cpu);
		nid = sepia_memory_node(home);
		if (nid != home && home != last)
			pr_info("node %d has no memory that pools can use, those of its cores come from node %d\n",
				home, nid);
		last = home;
		per_cpu(sepia_cores, cpu).nid = nid;
		nodes[nid].cores++;
	}

	for (nid = 0; nid < nr_node_ids; nid++) {
		struct sepia_node *node = &nodes[nid];
		unsigned long free, limit;

		if (!node->cores)
			continue;
		node->nid = nid;
		free = sepia_node_free(nid);
		limit = rounddown(free / 2 / node->cores, SEPIA_BLOCK_PAGES);
		if (limit < config->pool_pages)
			pr_warn("node %d: %lu MiB wanted, at most half of its %lu MiB of free memory is taken\n",
				nid,
				PAGES_TO_MIB((unsigned long)node->cores *
					     config->pool_pages),
				PAGES_TO_MIB(free));
		node->core_limit = min_t(unsigned long, limit,
					 config->pool_pages);
	}
}

static void sepia_reserve_core(const struct sepia_config *config,
			       struct sepia_core *core, struct sepia_node *node)
{
	struct sepia_pool *pool;
	LIST_HEAD(blocks);
	unsigned int i;

	for (i = 0; i < SEPIA_NR_BACKENDS; i++) {
		const struct sepia_backend *backend = sepia_backends[i];
		unsigned int got;

		if (config->backend && config->backend != backend)
			continue;
		if (core->got >= node->core_limit)
			break;
		got = backend->reserve(node, node->core_limit - core->got,
				       &blocks);
		if (!got)
			continue;
		core->got += got;
		core->backends |= backend->bit;
	}
	if (!core->got)
		return;

	pool = sepia_pool_create(&blocks, config->groups, node->nid);
	if (!pool) {
		sepia_release_blocks(&blocks);
		core->got = 0;
		core->backends = 0;
		return;
	}
	core->pool = pool;
}

#define SEPIA_REPORT_CHARS 512

/* Which cores have less than they should, as much as fits. */
static void sepia_report_short(const struct sepia_config *config, char *text)
{
	unsigned int cpu, len = 0;

	text[0] = '\0';
	for_each_cpu(cpu, &config->cpus) {
		const struct sepia_core *core = per_cpu_ptr(&sepia_cores, cpu);

		if (core->got == core->wanted)
			continue;
		if (len > SEPIA_REPORT_CHARS - 64) {
			scnprintf(text + len, SEPIA_REPORT_CHARS - len, ", ...");
			return;
		}
		len += scnprintf(text + len, SEPIA_REPORT_CHARS - len,
				 "%s cpu %u: %u of %u MiB",
				 len ? "," : "; short:", cpu,
				 PAGES_TO_MIB(core->got),
				 PAGES_TO_MIB(core->wanted));
	}
}

/* One line: what there is, and what is missing. */
static void sepia_report(const struct sepia_config *config)
{
	char *text = kzalloc(SEPIA_REPORT_CHARS, GFP_KERNEL);
	unsigned int cores = cpumask_weight(&config->cpus);
	unsigned int cpu, backends = 0;
	u64 got = 0, wanted = 0;

	if (text)
		sepia_report_short(config, text);
	for_each_cpu(cpu, &config->cpus) {
		const struct sepia_core *core = per_cpu_ptr(&sepia_cores, cpu);

		got += core->got;
		wanted += core->wanted;
		backends |= core->backends;
	}

	if (got == wanted)
		pr_info("%llu MiB reserved for %u core%s, back end %s, %u page groups (%s)\n",
			PAGES_TO_MIB(got), cores, cores == 1 ? "" : "s",
			sepia_backends_name(backends), config->groups,
			config->groups_origin);
	else
		pr_warn("%llu of %llu MiB reserved for %u core%s, back end %s, %u page groups (%s)%s%s\n",
			PAGES_TO_MIB(got), PAGES_TO_MIB(wanted), cores,
			cores == 1 ? "" : "s",
			sepia_backends_name(backends), config->groups,
			config->groups_origin, text ?: "",
			got ? "" : "; all allocations fall back to ordinary pages");
	kfree(text);
}

/**
 * sepia_reserve() - reserve memory and make the pools
 * @config: the parameters
 *
 * What cannot be had is reported in the log and done without.
 *
 * Context: process context without locks; migrates pages, may take seconds.
 */
void sepia_reserve(const struct sepia_config *config)
{
	struct sepia_node *nodes;
	unsigned int cpu;

	for_each_cpu(cpu, &config->cpus)
		per_cpu(sepia_cores, cpu).wanted = config->pool_pages;

	nodes = kcalloc(nr_node_ids, sizeof(*nodes), GFP_KERNEL);
	if (nodes) {
		sepia_plan(config, nodes);
		for_each_cpu(cpu, &config->cpus) {
			struct sepia_core *core = per_cpu_ptr(&sepia_cores, cpu);

			sepia_reserve_core(config, core, &nodes[core->nid]);
			cond_resched();
		}
		kfree(nodes);
	}
	sepia_report(config);
}

/* Pages of CMA areas that are held: giving these back in whole would warn. */
static unsigned int sepia_cma_held(void)
{
	const struct sepia_block *block;
	unsigned int cpu, held = 0;

	for_each_possible_cpu(cpu) {
		const struct sepia_pool *pool = per_cpu(sepia_cores, cpu).pool;

		if (!pool)
			continue;
		list_for_each_entry(block, &pool->blocks, list)
			if (block->backend == &sepia_cma)
				held += sepia_block_held(block);
	}
	return held;
}

static void sepia_cma_linger(unsigned int linger_s)
{
	unsigned long end = jiffies + linger_s * HZ;
	unsigned int held = sepia_cma_held();

	if (!held || !linger_s)
		return;
	pr_info("%u pages of a CMA area are still held, waiting up to %u s for them\n",
		held, linger_s);
	while (sepia_cma_held() && time_before(jiffies, end))
		msleep(50);
}

/**
 * sepia_unreserve() - destroy the pools and give their memory back
 * @linger_s: seconds to wait for held pages of a CMA area
 *
 * Nothing is freed twice or early: pages that are still held outlive the pool.
 *
 * Context: process context, no users left.
 */
void sepia_unreserve(unsigned int linger_s)
{
	unsigned int cpu, held = 0;

	sepia_cma_linger(linger_s);
	for_each_possible_cpu(cpu) {
		struct sepia_core *core = per_cpu_ptr(&sepia_cores, cpu);
		struct sepia_pool *pool = core->pool;

		if (!pool)
			continue;
		core->pool = NULL;
		held += sepia_release_blocks(&pool->blocks);
		sepia_pool_destroy(pool);
		cond_resched();
	}
	if (held)
		pr_info("%u pages are still held, their last holder frees them\n",
			held);
	sepia_cma_cleanup();
}
