/* SPDX-License-Identifier: GPL-2.0 */
/* Sepia: what the module's own files share. */
#ifndef _SEPIA_INTERNAL_H
#define _SEPIA_INTERNAL_H

#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/mmzone.h>
#include <linux/percpu.h>
#include <linux/types.h>

struct device;
struct page;

/* Reference counts that one allocation looks at, at most. */
#define SEPIA_SWEEP		8
/* What pools are built from: 2 MiB, every one of up to 512 groups in it. */
#define SEPIA_BLOCK_PAGES	((unsigned int)(SZ_2M >> PAGE_SHIFT))
#define SEPIA_MAX_GROUPS	512U
/* What back ends ask for at once, at most: 16 MiB. It is also cleared at once. */
#define SEPIA_CHUNK_PAGES	(8 * SEPIA_BLOCK_PAGES)
#define SEPIA_DEFAULT_GROUPS	32U

/* ---- parameters (params.c) ---- */

/**
 * struct sepia_config - the checked parameters
 * @pool_pages: pages wanted for each core
 * @groups: number of page groups, a power of two
 * @groups_origin: where @groups came from
 * @backend: the only back end to use, or NULL for all in their order
 * @linger_s: seconds that unloading waits for pages of a CMA area
 * @cpus: the cores that get a pool
 */
struct sepia_config {
	unsigned int pool_pages;
	unsigned int groups;
	const char *groups_origin;
	const struct sepia_backend *backend;
	unsigned int linger_s;
	struct cpumask cpus;
};

int sepia_params_check(struct sepia_config *config);

/* ---- geometry (geometry.c) ---- */

unsigned int sepia_groups_of(unsigned int sets, unsigned int slices,
			     unsigned int line_bytes);
unsigned int sepia_detect_groups(const char **origin);

/* ---- reservation (reserve.c and its back ends) ---- */

/**
 * struct sepia_block - physically contiguous pages that a back end gave
 * @list: in the pool's list
 * @page: first page; each has a reference count of 1 and is not compound
 * @pfn: its frame number
 * @nr_pages: number of pages
 * @backend: where they came from, and go back to
 * @dev: the device they were allocated for (cma)
 * @dma: its address of them (cma)
 */
struct sepia_block {
	struct list_head list;
	struct page *page;
	unsigned long pfn;
	unsigned int nr_pages;
	const struct sepia_backend *backend;
	struct device *dev;
	dma_addr_t dma;
};

/* Zones that the contig back end searches, in this order. */
enum { SEPIA_ZONE_NORMAL, SEPIA_ZONE_DMA32, SEPIA_NR_ZONES };
/* ... for chunks, or whole pools, first, then for single blocks. */
enum { SEPIA_WHOLE, SEPIA_PIECES, SEPIA_NR_PASSES };

/**
 * struct sepia_node - one node during reservation
 * @nid: the node
 * @cores: cores whose pool comes from it
 * @core_limit: most pages that one core may have of it
 * @contig_next: where the next search starts
 * @contig_failures: ranges that could not be had
 */
struct sepia_node {
	int nid;
	unsigned int cores;
	unsigned int core_limit;
	unsigned long contig_next[SEPIA_NR_PASSES][SEPIA_NR_ZONES];
	unsigned int contig_failures;
};

/**
 * struct sepia_backend - one way to reserve memory
 * @name: as in backend= and in the reports
 * @bit: its bit in &struct sepia_core.backends
 * @reserve: add blocks of at most nr_pages pages together; returns the pages
 * @release: give a block back; pages that somebody holds must survive.
 *	Returns how many were held
 */
struct sepia_backend {
	const char *name;
	unsigned int bit;
	unsigned int (*reserve)(struct sepia_node *node, unsigned int nr_pages,
				struct list_head *blocks);
	unsigned int (*release)(struct sepia_block *block);
};

extern const struct sepia_backend sepia_cma;
extern const struct sepia_backend sepia_contig;
extern const struct sepia_backend sepia_buddy;
extern const struct sepia_backend * const sepia_backends[];
#define SEPIA_NR_BACKENDS 3

void sepia_reserve(const struct sepia_config *config);
void sepia_unreserve(unsigned int linger_s);
const char *sepia_backends_name(unsigned int backends);
int sepia_block_add(const struct sepia_block *what, struct list_head *blocks);
unsigned int sepia_block_held(const struct sepia_block *block);
unsigned int sepia_block_put(struct sepia_block *block);
void sepia_cma_cleanup(void);

/* ---- one core's pool (pool.c) ---- */

/**
 * struct sepia_group - the pages of one colour, by ascending address
 * @next: position that the walk expects here next
 * @nr: number of positions
 * @free: one bit a position: known to be free
 * @pages: the pages
 */
struct sepia_group {
	unsigned int next;
	unsigned int nr;
	unsigned long *free;
	struct page **pages;
};

/**
 * struct sepia_pool - the coloured pages of one core
 * @groups: page groups, by colour
 * @open: one bit a group: has a page known to be free
 * @nr_groups: number of groups
 * @nr_rows: positions of the largest group
 * @next_group: group that the walk expects next
 * @sweep_group: where the sweep goes on
 * @sweep_row: likewise
 * @nr_free: pages known to be free
 * @holes: expected page was held, another of its group was given
 * @skipped: groups that were passed over because they had none
 * @empty: no page was known to be free
 * @nr_pages: pages in the pool
 * @blocks: the memory they are in
 * @bits: all @free bitmaps
 * @table: all @pages arrays
 *
 * Written by the core that owns it only, with bottom halves off. Others may
 * read the counters, with READ_ONCE(). The pages' reference counts are the
 * only thing that other cores write.
 */
struct sepia_pool {
	struct sepia_group *groups;
	unsigned long *open;
	unsigned int nr_groups;
	unsigned int nr_rows;
	unsigned int next_group;
	unsigned int sweep_group;
	unsigned int sweep_row;
	unsigned int nr_free;
	unsigned int nr_pages;
	u64 holes;
	u64 skipped;
	u64 empty;
	/* cold: written at set-up */
	struct list_head blocks;
	unsigned long *bits;
	struct page **table;
} ____cacheline_aligned_in_smp;

struct sepia_pool *sepia_pool_create(struct list_head *blocks,
				     unsigned int nr_groups, int nid);
void sepia_pool_destroy(struct sepia_pool *pool);
struct page *sepia_pool_take(struct sepia_pool *pool);

/* ---- cores, users, counters (main.c, stats.c) ---- */

/**
 * struct sepia_core - what one core has
 * @pool: its pool, or NULL. Set before and cleared after all use
 * @coloured: pages given here from @pool
 * @fallback: ordinary pages given here
 * @failed: allocations here that got nothing
 * @wrong_context: allocations of @fallback and @failed that could not look at
 *	@pool because bottom halves were not off
 * @wanted: pages asked for at reservation
 * @got: pages in @pool
 * @backends: back ends that they came from, one bit each
 * @nid: node that they are on
 */
struct sepia_core {
	struct sepia_pool *pool;
	u64 coloured;
	u64 fallback;
	u64 failed;
	u64 wrong_context;
	/* cold: written at set-up */
	unsigned int wanted;
	unsigned int got;
	unsigned int backends;
	int nid;
};

DECLARE_PER_CPU(struct sepia_core, sepia_cores);

/* One user's counters on one core. */
struct sepia_user_core {
	u64 coloured;
	u64 fallback;
	u64 failed;
};

/* A driver instance that takes pages. Only its counters are its own. */
struct sepia_user {
	struct sepia_user_core __percpu *cores;
	struct list_head list;
	char name[32];
};

extern struct list_head sepia_users;
extern struct mutex sepia_users_lock;

void sepia_user_sum(const struct sepia_user *user, struct sepia_user_core *sum);
void sepia_stats_open(const struct sepia_config *config);
void sepia_stats_close(void);

#endif /* _SEPIA_INTERNAL_H */
