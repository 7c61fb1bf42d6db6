// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of Sepia's pool. The pages are struct pages of the tests' own,
 * with no memory behind them: the pool looks at nothing but their count.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include <linux/prandom.h>
#include <linux/slab.h>

#include "../pool.c"

static unsigned int ops = 100000;
module_param(ops, uint, 0444);
MODULE_PARM_DESC(ops, "operations of the comparison with the reference model");

static unsigned long seed = 1;
module_param(seed, ulong, 0444);
MODULE_PARM_DESC(seed, "seed of its random numbers");

#define BASE_PFN	0x40000UL
#define MAX_BLOCKS	4

/* One test's pool, and the pages that it was made of. */
struct fixture {
	struct page *pages;
	unsigned long *pfns;
	unsigned int nr;
	struct sepia_block blocks[MAX_BLOCKS];
	unsigned int nr_blocks;
	struct sepia_pool *pool;
};

/* Frame number of a page that the pool gave. */
static unsigned long pfn_of(const struct fixture *f, const struct page *page)
{
	return f->pfns[page - f->pages];
}

static struct page *page_at(const struct fixture *f, unsigned long pfn)
{
	unsigned int i;

	for (i = 0; i < f->nr; i++)
		if (f->pfns[i] == pfn)
			return &f->pages[i];
	return NULL;
}

static void add_block(struct fixture *f, unsigned long pfn, unsigned int nr)
{
	struct sepia_block *block = &f->blocks[f->nr_blocks++];
	unsigned int i;

	block->page = &f->pages[f->nr];
	block->pfn = pfn;
	block->nr_pages = nr;
	for (i = 0; i < nr; i++) {
		set_page_count(&f->pages[f->nr], 1);
		f->pfns[f->nr++] = pfn + i;
	}
}

static void make_pool(struct kunit *test, unsigned int groups)
{
	struct fixture *f = test->priv;
	LIST_HEAD(blocks);
	unsigned int i;

	for (i = 0; i < f->nr_blocks; i++)
		list_add_tail(&f->blocks[i].list, &blocks);
	f->pool = sepia_pool_create(&blocks, groups, NUMA_NO_NODE);
	KUNIT_ASSERT_NOT_NULL(test, f->pool);
	KUNIT_ASSERT_TRUE(test, list_empty(&blocks));
	KUNIT_ASSERT_EQ(test, f->pool->nr_pages, f->nr);
	KUNIT_ASSERT_EQ(test, f->pool->nr_free, f->nr);
}

static void make_simple(struct kunit *test, unsigned int groups,
			unsigned int rows)
{
	add_block(test->priv, BASE_PFN, groups * rows);
	make_pool(test, groups);
}

/* Take a page and insist on which one; returns it for giving back. */
static struct page *take_pfn(struct kunit *test, unsigned long pfn)
{
	struct fixture *f = test->priv;
	struct page *page = sepia_pool_take(f->pool);

	KUNIT_ASSERT_NOT_NULL(test, page);
	KUNIT_ASSERT_EQ(test, pfn_of(f, page), pfn);
	KUNIT_ASSERT_EQ(test, page_ref_count(page), 2);
	return page;
}

static void take_all(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < f->nr; i++)
		KUNIT_ASSERT_NOT_NULL(test, sepia_pool_take(f->pool));
	KUNIT_ASSERT_EQ(test, f->pool->nr_free, 0u);
	KUNIT_ASSERT_NULL(test, sepia_pool_take(f->pool));
}

/* Let the sweep pass over all cells, which finds all that came back. */
static void sweep_all(struct fixture *f)
{
	unsigned int cells = f->pool->nr_groups * f->pool->nr_rows, i;

	for (i = 0; i < DIV_ROUND_UP(cells, SEPIA_SWEEP); i++)
		sepia_pool_sweep(f->pool);
}

static void pool_stride1(struct kunit *test)
{
	unsigned int i, turn;

	make_simple(test, 32, 4);
	/* The order of addresses, which is each colour in its turn ... */
	for (turn = 0; turn < 3; turn++)
		for (i = 0; i < 32 * 4; i++)
			page_ref_dec(take_pfn(test, BASE_PFN + i));
	/* ... even over the end, as long as pages come back in time. */
	KUNIT_EXPECT_EQ(test, ((struct fixture *)test->priv)->pool->holes, 0ull);
}

static void pool_blocks_sorted(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int row, group;

	/* Blocks come in any order; inside a colour addresses ascend. */
	add_block(f, BASE_PFN + 64, 8);
	add_block(f, BASE_PFN, 8);
	add_block(f, BASE_PFN + 24, 8);
	make_pool(test, 8);
	for (row = 0; row < 3; row++) {
		static const unsigned int start[] = { 0, 24, 64 };

		for (group = 0; group < 8; group++)
			take_pfn(test, BASE_PFN + start[row] + group);
	}
	KUNIT_EXPECT_NULL(test, sepia_pool_take(f->pool));
}

static void pool_uneven_groups(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i, next = 0, passed = 0;

	/* 21 pages from colour 5 on: colours 5 to 9 have one page more. */
	add_block(f, BASE_PFN + 5, 21);
	make_pool(test, 16);
	KUNIT_EXPECT_EQ(test, f->pool->nr_rows, 2u);
	for (i = 0; i < 21; i++) {
		struct page *page = sepia_pool_take(f->pool);
		unsigned int group;

		KUNIT_ASSERT_NOT_NULL(test, page);
		KUNIT_ASSERT_EQ(test, page_ref_count(page), 2);
		group = pfn_of(f, page) % 16;
		passed += (group - next) % 16;
		next = (group + 1) % 16;
	}
	KUNIT_EXPECT_NULL(test, sepia_pool_take(f->pool));
	KUNIT_EXPECT_EQ(test, f->pool->skipped, (u64)passed);
	for (i = 0; i < 21; i++)
		KUNIT_EXPECT_EQ(test, page_ref_count(&f->pages[i]), 2);
}

static void pool_hole_stays_on_colour(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct page *page;
	unsigned int i;

	make_simple(test, 8, 4);
	take_all(test);
	/* All come back but row 0 of colour 3 and rows 0 and 1 of colour 5. */
	for (i = 0; i < f->nr; i++)
		if (i != 3 && i != 5 && i != 8 + 5)
			page_ref_dec(&f->pages[i]);
	sweep_all(f);

	for (i = 0; i < 8; i++) {
		unsigned int row = i == 3 ? 1 : i == 5 ? 2 : 0;

		take_pfn(test, BASE_PFN + row * 8 + i);
	}
	KUNIT_EXPECT_EQ(test, f->pool->holes, 2ull);
	/* The walk goes on above what it took. */
	for (i = 0; i < 8; i++) {
		unsigned int row = i == 3 ? 2 : i == 5 ? 3 : 1;

		take_pfn(test, BASE_PFN + row * 8 + i);
	}
	KUNIT_EXPECT_EQ(test, f->pool->holes, 2ull);
	KUNIT_EXPECT_EQ(test, f->pool->skipped, 0ull);

	/* Colour 5 is at its end: the earliest one is its lowest that is free. */
	page = page_at(f, BASE_PFN + 8 + 5);
	page_ref_dec(page);
	sweep_all(f);
	for (i = 0; i < 5; i++)
		sepia_pool_take(f->pool);
	take_pfn(test, BASE_PFN + 8 + 5);
	KUNIT_EXPECT_EQ(test, f->pool->holes, 3ull);
}

static void pool_group_skipped(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i, row;

	make_simple(test, 8, 3);
	take_all(test);
	/* Colours 2 and 7 stay held. */
	for (i = 0; i < f->nr; i++)
		if (i % 8 != 2 && i % 8 != 7)
			page_ref_dec(&f->pages[i]);
	sweep_all(f);
	for (row = 0; row < 3; row++)
		for (i = 0; i < 8; i++)
			if (i != 2 && i != 7)
				take_pfn(test, BASE_PFN + row * 8 + i);
	/* 3 times colour 2, but only twice colour 7: the walk ends before it. */
	KUNIT_EXPECT_EQ(test, f->pool->skipped, 5ull);
	KUNIT_EXPECT_EQ(test, f->pool->holes, 0ull);

	/* One page of colour 2 comes back: the walk visits the colour again. */
	page_ref_dec(&f->pages[8 + 2]);
	sweep_all(f);
	take_pfn(test, BASE_PFN + 8 + 2);
}

static void pool_empty_and_heals(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i, got = 0;

	make_simple(test, 16, 8);
	take_all(test);
	KUNIT_EXPECT_EQ(test, f->pool->empty, 1ull);
	for (i = 0; i < 100; i++)
		KUNIT_EXPECT_NULL(test, sepia_pool_take(f->pool));
	KUNIT_EXPECT_EQ(test, f->pool->empty, 101ull);

	/* One page comes back: found within pages / S allocations. */
	page_ref_dec(&f->pages[77]);
	for (i = 0; i < f->nr / SEPIA_SWEEP && !got; i++) {
		struct page *page = sepia_pool_take(f->pool);

		if (page) {
			KUNIT_EXPECT_PTR_EQ(test, page, &f->pages[77]);
			got++;
		}
	}
	KUNIT_EXPECT_EQ(test, got, 1u);

	/* All come back: all can be had again, each once. */
	for (i = 0; i < f->nr; i++)
		page_ref_dec(&f->pages[i]);
	take_all(test);
	for (i = 0; i < f->nr; i++)
		KUNIT_EXPECT_EQ(test, page_ref_count(&f->pages[i]), 2);
}

static void pool_held_twice(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	make_simple(test, 4, 2);
	take_all(test);
	/* Another holder: a clone of a packet. The first lets go. */
	page_ref_inc(&f->pages[6]);
	page_ref_dec(&f->pages[6]);
	for (i = 0; i < 10; i++)
		KUNIT_EXPECT_NULL(test, sepia_pool_take(f->pool));
	page_ref_dec(&f->pages[6]);
	KUNIT_EXPECT_PTR_EQ(test, sepia_pool_take(f->pool), &f->pages[6]);
}

static void pool_known_free_only(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct page *page;

	make_simple(test, 32, 8);
	take_all(test);
	/* The next sweep starts after the cells that the last one looked at. */
	f->pool->sweep_group = 0;
	f->pool->sweep_row = 4;
	page_ref_dec(&f->pages[0]);
	page_ref_dec(&f->pages[4 * 32 + 7]);
	page_ref_dec(&f->pages[4 * 32 + 8]);
	/* Colours 0 to 7 of row 4 are looked at, no more and no less. */
	page = sepia_pool_take(f->pool);
	KUNIT_EXPECT_PTR_EQ(test, page, &f->pages[4 * 32 + 7]);
	KUNIT_EXPECT_EQ(test, f->pool->nr_free, 0u);
	page = sepia_pool_take(f->pool);
	KUNIT_EXPECT_PTR_EQ(test, page, &f->pages[4 * 32 + 8]);
	KUNIT_EXPECT_NULL(test, sepia_pool_take(f->pool));
}

static void pool_sweep_bound(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i, before, calls = 0;

	make_simple(test, 32, 16);
	take_all(test);
	for (i = 0; i < f->nr; i++)
		page_ref_dec(&f->pages[i]);
	while (f->pool->nr_free < f->nr - SEPIA_SWEEP) {
		before = f->pool->nr_free;
		sepia_pool_sweep(f->pool);
		calls++;
		KUNIT_ASSERT_LE(test, f->pool->nr_free - before, SEPIA_SWEEP);
		KUNIT_ASSERT_LE(test, calls, f->nr / SEPIA_SWEEP);
	}
	KUNIT_EXPECT_EQ(test, calls, f->nr / SEPIA_SWEEP - 1);
}

static void pool_shapes(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	/* One colour. */
	make_simple(test, 1, 100);
	for (i = 0; i < 100; i++)
		take_pfn(test, BASE_PFN + i);
	KUNIT_EXPECT_NULL(test, sepia_pool_take(f->pool));
	sepia_pool_destroy(f->pool);

	/* One row, and as many colours as a 2 MiB block can have. */
	f->nr = 0;
	f->nr_blocks = 0;
	make_simple(test, 512, 1);
	for (i = 0; i < 512; i++)
		take_pfn(test, BASE_PFN + i);
	KUNIT_EXPECT_NULL(test, sepia_pool_take(f->pool));
	sepia_pool_destroy(f->pool);

	/* Colours that have no page at all. */
	f->nr = 0;
	f->nr_blocks = 0;
	add_block(f, BASE_PFN + 40, 3);
	add_block(f, BASE_PFN + 64 + 43, 1);
	make_pool(test, 64);
	KUNIT_EXPECT_EQ(test, f->pool->nr_rows, 1u);
	for (i = 0; i < 3; i++)
		take_pfn(test, BASE_PFN + 40 + i);
	take_pfn(test, BASE_PFN + 64 + 43);
	KUNIT_EXPECT_NULL(test, sepia_pool_take(f->pool));
}

/*
 * The reference model: the definition, cell by cell, with no bitmap, cursor
 * structure or shortcut of the pool's.
 */
struct model {
	unsigned int groups, rows, nr;
	unsigned int next_group, sweep;
	unsigned int next[64];		/* by group */
	unsigned int height[64];	/* by group */
	bool known[64][64];		/* by group and row */
	struct page *page[64][64];	/* likewise */
	u64 holes, skipped, empty;
};

static void model_init(struct model *m, const struct fixture *f,
		       unsigned int groups)
{
	unsigned int i, j;

	memset(m, 0, sizeof(*m));
	m->groups = groups;
	m->nr = f->nr;
	/* By ascending address: the tests add blocks in any order. */
	for (i = 0; i < f->nr; i++) {
		unsigned int group = f->pfns[i] % groups, row = 0;

		for (j = 0; j < f->nr; j++)
			row += f->pfns[j] % groups == group &&
			       f->pfns[j] < f->pfns[i];
		m->page[group][row] = &f->pages[i];
		m->known[group][row] = true;
		m->height[group]++;
		m->rows = max(m->rows, row + 1);
	}
}

static struct page *model_take(struct model *m)
{
	unsigned int i, j, known = 0;

	for (i = 0; i < m->groups; i++)
		for (j = 0; j < m->height[i]; j++)
			known += m->known[i][j];

	for (i = 0; known < m->nr && i < SEPIA_SWEEP; i++) {
		unsigned int group = m->sweep % m->groups;
		unsigned int row = m->sweep / m->groups;

		if (row < m->height[group] &&
		    page_ref_count(m->page[group][row]) == 1)
			m->known[group][row] = true;
		m->sweep = (m->sweep + 1) % (m->groups * m->rows);
	}

	for (i = 0; i < m->groups; i++) {
		unsigned int group = (m->next_group + i) % m->groups;

		for (j = 0; j < m->height[group]; j++) {
			unsigned int row = (m->next[group] + j) %
					   m->height[group];

			if (!m->known[group][row])
				continue;
			m->known[group][row] = false;
			m->holes += j != 0;
			m->skipped += i;
			m->next[group] = (row + 1) % m->height[group];
			m->next_group = (group + 1) % m->groups;
			return m->page[group][row];
		}
	}
	m->empty++;
	return NULL;
}

/* Take, give back and hold longer at random; both must agree on each page. */
static void compare_with_model(struct kunit *test, struct model *m,
			       unsigned int count, struct rnd_state *rnd)
{
	struct fixture *f = test->priv;
	unsigned int i, j, bias = 50;
	struct page *page;

	for (i = 0; i < count; i++) {
		/* Phases that fill the pool, and phases that drain it. */
		if (i % 512 == 0)
			bias = 30 + prandom_u32_state(rnd) % 50;

		if (prandom_u32_state(rnd) % 100 < bias) {
			/* The model first: the pool raises counts. */
			struct page *want = model_take(m);

			page = sepia_pool_take(f->pool);
			if (page != want)
				KUNIT_FAIL(test, "operation %u: got page %ld, want %ld",
					   i, page ? page - f->pages : -1L,
					   want ? want - f->pages : -1L);
			KUNIT_ASSERT_PTR_EQ(test, page, want);
			if (page)
				KUNIT_ASSERT_EQ(test, page_ref_count(page), 2);
			continue;
		}
		j = prandom_u32_state(rnd) % f->nr;
		page = &f->pages[j];
		if (page_ref_count(page) == 1)
			continue;
		if (prandom_u32_state(rnd) % 8 == 0)
			page_ref_inc(page);
		else
			page_ref_dec(page);
	}
	KUNIT_EXPECT_EQ(test, f->pool->holes, m->holes);
	KUNIT_EXPECT_EQ(test, f->pool->skipped, m->skipped);
	KUNIT_EXPECT_EQ(test, f->pool->empty, m->empty);
}

static void pool_random(struct kunit *test)
{
	static const unsigned int groups[] = { 1, 4, 8, 32, 64 };
	struct fixture *f = test->priv;
	u64 holes = 0, skipped = 0, empty = 0;
	struct rnd_state rnd;
	struct model *m;
	unsigned int i;

	m = kunit_kzalloc(test, sizeof(*m), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, m);
	prandom_seed_state(&rnd, seed);
	for (i = 0; i < ARRAY_SIZE(groups); i++) {
		if (f->pool)
			sepia_pool_destroy(f->pool);
		f->pool = NULL;
		f->nr = 0;
		f->nr_blocks = 0;
		/* Uneven, in pieces, unsorted; none higher than 64 rows. */
		add_block(f, BASE_PFN + 512, 20 + prandom_u32_state(&rnd) % 20);
		add_block(f, BASE_PFN + 3, 1 + prandom_u32_state(&rnd) % 20);
		make_pool(test, groups[i]);
		model_init(m, f, groups[i]);
		compare_with_model(test, m, ops / ARRAY_SIZE(groups), &rnd);
		holes += f->pool->holes;
		skipped += f->pool->skipped;
		empty += f->pool->empty;
	}
	/* The random walk has been in all the corners. */
	KUNIT_EXPECT_GT(test, holes, 0ull);
	KUNIT_EXPECT_GT(test, skipped, 0ull);
	KUNIT_EXPECT_GT(test, empty, 0ull);
}

static int pool_test_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	f->pages = kunit_kzalloc(test, 1024 * sizeof(*f->pages), GFP_KERNEL);
	f->pfns = kunit_kzalloc(test, 1024 * sizeof(*f->pfns), GFP_KERNEL);
	if (!f->pages || !f->pfns)
		return -ENOMEM;
	test->priv = f;
	return 0;
}

static void pool_test_exit(struct kunit *test)
{
	struct fixture *f = test->priv;

	if (f && f->pool)
		sepia_pool_destroy(f->pool);
}

static struct kunit_case pool_cases[] = {
	KUNIT_CASE(pool_stride1),
	KUNIT_CASE(pool_blocks_sorted),
	KUNIT_CASE(pool_uneven_groups),
	KUNIT_CASE(pool_hole_stays_on_colour),
	KUNIT_CASE(pool_group_skipped),
	KUNIT_CASE(pool_empty_and_heals),
	KUNIT_CASE(pool_held_twice),
	KUNIT_CASE(pool_known_free_only),
	KUNIT_CASE(pool_sweep_bound),
	KUNIT_CASE(pool_shapes),
	KUNIT_CASE(pool_random),
	{}
};

static struct kunit_suite pool_suite = {
	.name = "sepia_pool",
	.init = pool_test_init,
	.exit = pool_test_exit,
	.test_cases = pool_cases,
};

kunit_test_suite(pool_suite);

MODULE_DESCRIPTION("Sepia: KUnit tests");
MODULE_LICENSE("GPL");
