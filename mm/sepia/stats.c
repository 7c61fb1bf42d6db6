// SPDX-License-Identifier: GPL-2.0
/*
 * Sepia: what debugfs shows. Lines of a key and a value in "summary", a table
 * with one line a core in "cores" and one line a user in "users".
 *
 * total = free + in_use, free as the pools know it; held is counted at the
 * time of reading, from the pages themselves: in_use - held pages have come
 * back and will be noticed by the sweep.
 */
#include <linux/debugfs.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/sched.h>

#include <linux/sepia.h>

#include "internal.h"

static struct dentry *sepia_debugfs;

struct sepia_core_view {
	unsigned int total, free, held;
	u64 coloured, fallback, failed, wrong_context;
	u64 holes, skipped, empty;
};

static void sepia_core_read(unsigned int cpu, struct sepia_core_view *v)
{
	const struct sepia_core *core = per_cpu_ptr(&sepia_cores, cpu);
	const struct sepia_pool *pool = core->pool;
	const struct sepia_block *block;

	memset(v, 0, sizeof(*v));
	v->coloured = READ_ONCE(core->coloured);
	v->fallback = READ_ONCE(core->fallback);
	v->failed = READ_ONCE(core->failed);
	v->wrong_context = READ_ONCE(core->wrong_context);
	if (!pool)
		return;
	v->total = pool->nr_pages;
	v->free = READ_ONCE(pool->nr_free);
	v->holes = READ_ONCE(pool->holes);
	v->skipped = READ_ONCE(pool->skipped);
	v->empty = READ_ONCE(pool->empty);
	list_for_each_entry(block, &pool->blocks, list) {
		v->held += sepia_block_held(block);
		cond_resched();
	}
}

static int sepia_summary_show(struct seq_file *s, void *unused)
{
	const struct sepia_config *config = s->private;
	struct sepia_core_view sum = {}, v;
	unsigned int cpu, cores = 0, users = 0;
	struct sepia_user *user;
	u64 wanted = 0;

	for_each_possible_cpu(cpu) {
		sepia_core_read(cpu, &v);
		cores += v.total != 0;
		wanted += per_cpu(sepia_cores, cpu).wanted;
		sum.total += v.total;
		sum.free += v.free;
		sum.held += v.held;
		sum.coloured += v.coloured;
		sum.fallback += v.fallback;
		sum.failed += v.failed;
		sum.wrong_context += v.wrong_context;
		sum.holes += v.holes;
		sum.skipped += v.skipped;
		sum.empty += v.empty;
	}
	mutex_lock(&sepia_users_lock);
	list_for_each_entry(user, &sepia_users, list)
		users++;
	mutex_unlock(&sepia_users_lock);

	seq_printf(s, "backend %s\n", sepia_backend());
	seq_printf(s, "groups %u\n", config->groups);
	seq_printf(s, "groups_origin %s\n", config->groups_origin);
	seq_printf(s, "users %u\n", users);
	seq_printf(s, "cores %u\n", cores);
	seq_printf(s, "wanted %llu\n", wanted);
	seq_printf(s, "total %u\n", sum.total);
	seq_printf(s, "free %u\n", sum.free);
	seq_printf(s, "in_use %u\n", sum.total - sum.free);
	seq_printf(s, "held %u\n", sum.held);
	seq_printf(s, "coloured %llu\n", sum.coloured);
	seq_printf(s, "fallback %llu\n", sum.fallback);
	seq_printf(s, "failed %llu\n", sum.failed);
	seq_printf(s, "holes %llu\n", sum.holes);
	seq_printf(s, "skipped %llu\n", sum.skipped);
	seq_printf(s, "empty %llu\n", sum.empty);
	seq_printf(s, "wrong_context %llu\n", sum.wrong_context);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(sepia_summary);

static int sepia_cores_show(struct seq_file *s, void *unused)
{
	struct sepia_core_view v;
	unsigned int cpu;

	seq_puts(s, "cpu node backend wanted total free in_use held coloured fallback failed holes skipped empty\n");
	for_each_possible_cpu(cpu) {
		const struct sepia_core *core = per_cpu_ptr(&sepia_cores, cpu);

		sepia_core_read(cpu, &v);
		if (!core->wanted && !v.fallback && !v.failed)
			continue;
		seq_printf(s, "%u %d %s %u %u %u %u %u %llu %llu %llu %llu %llu %llu\n",
			   cpu, core->wanted ? core->nid : cpu_to_node(cpu),
			   sepia_backends_name(core->backends),
			   core->wanted, v.total, v.free, v.total - v.free,
			   v.held, v.coloured, v.fallback, v.failed, v.holes,
			   v.skipped, v.empty);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(sepia_cores);

static int sepia_users_show(struct seq_file *s, void *unused)
{
	struct sepia_user_core sum;
	struct sepia_user *user;

	seq_puts(s, "name coloured fallback failed\n");
	mutex_lock(&sepia_users_lock);
	list_for_each_entry(user, &sepia_users, list) {
		sepia_user_sum(user, &sum);
		seq_printf(s, "%s %llu %llu %llu\n", user->name, sum.coloured,
			   sum.fallback, sum.failed);
	}
	mutex_unlock(&sepia_users_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(sepia_users);

/**
 * sepia_stats_open() - make the debugfs files
 * @config: the parameters; must outlive sepia_stats_close()
 *
 * Context: process context, after sepia_reserve().
 */
void sepia_stats_open(const struct sepia_config *config)
{
	sepia_debugfs = debugfs_create_dir("sepia", NULL);
	debugfs_create_file("summary", 0444, sepia_debugfs, (void *)config,
			    &sepia_summary_fops);
	debugfs_create_file("cores", 0444, sepia_debugfs, NULL,
			    &sepia_cores_fops);
	debugfs_create_file("users", 0444, sepia_debugfs, NULL,
			    &sepia_users_fops);
}

/**
 * sepia_stats_close() - remove the debugfs files
 *
 * Context: process context; returns when nobody reads them any more.
 */
void sepia_stats_close(void)
{
	debugfs_remove_recursive(sepia_debugfs);
}
