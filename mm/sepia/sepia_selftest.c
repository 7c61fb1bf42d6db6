// SPDX-License-Identifier: GPL-2.0
/*
 * A client of Sepia that the selftests drive through debugfs
 * (sepia_selftest/control, one command a write):
 *
 *   attach          become a user of sepia.ko
 *   detach          stop being one; pages that are held stay held
 *   take CPU N      take N pages on that CPU, write a stamp into each
 *   put CPU N       give the N oldest back on that CPU, checking stamps
 *   thin N          give back all but each Nth of the pages held
 *   check           check the stamps of all pages that are held
 *   stray CPU       take a page where the pool must not be touched, twice: with
 *                   bottom halves on, and in an interrupt of that other CPU
 *   stress MS       all CPUs take, pass pages on, check and give back
 *
 * A page that is given to two holders, or given again or freed while it is
 * held, shows as a stamp that is not its holder's. Reading "status" gives
 * counters, "pages" the frame numbers held, oldest first.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bottom_half.h>
#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/sepia.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#define HELD_MAX	65536U
#define BATCH		16U
#define MAILBOX		256U

struct held {
	struct page *page;
	u64 stamp;
};

/* Serialises commands; protects everything below but the mailboxes. */
static DEFINE_MUTEX(selftest_lock);
static const struct sepia_ops *ops;
static struct sepia_user *user;
static struct held *held;	/* a ring */
static unsigned int held_head, held_nr;
static struct dentry *selftest_dir;

static atomic64_t stamps;
static atomic64_t taken;
static atomic64_t missing;
static atomic64_t mismatches;

/* Pages on their way to the CPU that gives them back. */
struct mailbox {
	spinlock_t lock;	/* protects the ring */
	unsigned int head, nr;
	struct held ring[MAILBOX];
};

static struct mailbox __percpu *mailboxes;

static void stamp_page(struct held *h, struct page *page)
{
	u64 *words = page_address(page);

	h->page = page;
	h->stamp = atomic64_inc_return(&stamps);
	words[0] = h->stamp;
	words[PAGE_SIZE / sizeof(u64) - 1] = ~h->stamp;
}

static void check_page(const struct held *h)
{
	const u64 *words = page_address(h->page);

	if (words[0] != h->stamp ||
	    words[PAGE_SIZE / sizeof(u64) - 1] != ~h->stamp)
		atomic64_inc(&mismatches);
}

static void check_and_put(const struct held *h)
{
	check_page(h);
	sepia_free(h->page);
}

struct batch {
	unsigned int nr, got;
	struct held held[BATCH];
};

static void take_batch(struct batch *b)
{
	struct page *pages[BATCH];
	unsigned int i;

	local_bh_disable();
	if (b->nr == 1) {
		pages[0] = ops->alloc(user, GFP_ATOMIC | __GFP_NOWARN);
		b->got = pages[0] ? 1 : 0;
	} else {
		b->got = ops->alloc_bulk(user, GFP_ATOMIC | __GFP_NOWARN,
					 b->nr, pages);
	}
	for (i = 0; i < b->got; i++)
		stamp_page(&b->held[i], pages[i]);
	local_bh_enable();
	atomic64_add(b->got, &taken);
	atomic64_add(b->nr - b->got, &missing);
}

static long take_fn(void *batch)
{
	take_batch(batch);
	return 0;
}

static long put_fn(void *batch)
{
	const struct batch *b = batch;
	unsigned int i;

	for (i = 0; i < b->nr; i++)
		check_and_put(&b->held[i]);
	return 0;
}

static int do_take(unsigned int cpu, unsigned int n)
{
	struct batch *b;
	unsigned int i;
	int err = 0;

	if (!user)
		return -ENOTCONN;
	if (n > HELD_MAX - held_nr)
		return -ENOSPC;
	b = kmalloc(sizeof(*b), GFP_KERNEL);
	if (!b)
		return -ENOMEM;
	while (n && !err) {
		b->nr = min(n, BATCH);
		err = work_on_cpu(cpu, take_fn, b);
		if (err)
			break;
		for (i = 0; i < b->got; i++)
			held[(held_head + held_nr++) % HELD_MAX] = b->held[i];
		n -= b->nr;
	}
	kfree(b);
	return err;
}

static int do_put(unsigned int cpu, unsigned int n)
{
	struct batch *b;
	unsigned int i;
	int err = 0;

	b = kmalloc(sizeof(*b), GFP_KERNEL);
	if (!b)
		return -ENOMEM;
	n = min(n, held_nr);
	while (n && !err) {
		b->nr = min(n, BATCH);
		for (i = 0; i < b->nr; i++)
			b->held[i] = held[(held_head + i) % HELD_MAX];
		err = work_on_cpu(cpu, put_fn, b);
		if (err)
			break;
		held_head = (held_head + b->nr) % HELD_MAX;
		held_nr -= b->nr;
		n -= b->nr;
	}
	kfree(b);
	return err;
}

static void stray_fn(void *unused)
{
	struct page *page = ops->alloc(user, GFP_ATOMIC | __GFP_NOWARN);

	if (page)
		sepia_free(page);
}

static int do_stray(unsigned int cpu)
{
	if (!user)
		return -ENOTCONN;
	stray_fn(NULL);
	return smp_call_function_single(cpu, stray_fn, NULL, 1);
}

static void do_check(void)
{
	unsigned int i;

	for (i = 0; i < held_nr; i++)
		check_page(&held[(held_head + i) % HELD_MAX]);
}

static int do_thin(unsigned int n)
{
	unsigned int i, kept = 0;

	if (!n)
		return -EINVAL;
	for (i = 0; i < held_nr; i++) {
		const struct held h = held[(held_head + i) % HELD_MAX];

		if (i % n)
			check_and_put(&h);
		else
			held[(held_head + kept++) % HELD_MAX] = h;
	}
	held_nr = kept;
	return 0;
}

static int do_attach(void)
{
	if (user)
		return -EISCONN;
	ops = sepia_get_ops();
	if (!ops)
		return -ENODEV;
	user = ops->init(KBUILD_MODNAME);
	if (IS_ERR(user)) {
		int err = PTR_ERR(user);

		user = NULL;
		sepia_put_ops();
		return err;
	}
	return 0;
}

static int do_detach(void)
{
	if (!user)
		return -ENOTCONN;
	ops->exit(user);
	user = NULL;
	sepia_put_ops();
	return 0;
}

static bool mailbox_push(struct mailbox *m, const struct held *h)
{
	bool room;

	spin_lock(&m->lock);
	room = m->nr < MAILBOX;
	if (room)
		m->ring[(m->head + m->nr++) % MAILBOX] = *h;
	spin_unlock(&m->lock);
	return room;
}

static bool mailbox_pop(struct mailbox *m, struct held *h)
{
	bool any;

	spin_lock(&m->lock);
	any = m->nr;
	if (any) {
		*h = m->ring[m->head];
		m->head = (m->head + 1) % MAILBOX;
		m->nr--;
	}
	spin_unlock(&m->lock);
	return any;
}

static unsigned int next_online_cpu(unsigned int cpu)
{
	cpu = cpumask_next(cpu, cpu_online_mask);
	return cpu < nr_cpu_ids ? cpu : cpumask_first(cpu_online_mask);
}

static int stress_thread(void *unused)
{
	unsigned int cpu = raw_smp_processor_id(), round = 0, i;
	struct mailbox *out = per_cpu_ptr(mailboxes, next_online_cpu(cpu));
	struct mailbox *in = per_cpu_ptr(mailboxes, cpu);
	struct batch b;
	struct held h;

	while (!kthread_should_stop()) {
		b.nr = 1 + round++ % BATCH;
		take_batch(&b);
		for (i = 0; i < b.got; i++)
			if (!mailbox_push(out, &b.held[i]))
				check_and_put(&b.held[i]);
		/* Keep some: what is held must differ from round to round. */
		for (i = 0; i < round % (2 * BATCH) && mailbox_pop(in, &h); i++)
			check_and_put(&h);
		cond_resched();
	}
	return 0;
}

static int do_stress(unsigned int ms)
{
	struct task_struct **threads;
	unsigned int cpu;
	struct held h;
	int err = 0;

	if (!user)
		return -ENOTCONN;
	threads = kcalloc(nr_cpu_ids, sizeof(*threads), GFP_KERNEL);
	if (!threads)
		return -ENOMEM;
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		threads[cpu] = kthread_create_on_node(stress_thread, NULL,
						      cpu_to_node(cpu),
						      "sepia_test/%u", cpu);
		if (IS_ERR(threads[cpu])) {
			err = PTR_ERR(threads[cpu]);
			threads[cpu] = NULL;
			break;
		}
		kthread_bind(threads[cpu], cpu);
	}
	for_each_online_cpu(cpu)
		if (threads[cpu])
			wake_up_process(threads[cpu]);
	if (!err)
		schedule_timeout_uninterruptible(msecs_to_jiffies(ms));
	for_each_online_cpu(cpu)
		if (threads[cpu])
			kthread_stop(threads[cpu]);
	cpus_read_unlock();
	kfree(threads);
	for_each_possible_cpu(cpu)
		while (mailbox_pop(per_cpu_ptr(mailboxes, cpu), &h))
			check_and_put(&h);
	return err;
}

static int run_command(const char *line)
{
	unsigned int cpu, n;

	if (!strcmp(line, "attach"))
		return do_attach();
	if (!strcmp(line, "detach"))
		return do_detach();
	if (!strcmp(line, "check")) {
		do_check();
		return 0;
	}
	if (sscanf(line, "stress %u", &n) == 1)
		return do_stress(min(n, 60000U));
	if (sscanf(line, "thin %u", &n) == 1)
		return do_thin(n);
	if (sscanf(line, "stray %u", &cpu) == 1)
		return cpu_online(cpu) ? do_stray(cpu) : -ENXIO;
	if (sscanf(line, "take %u %u", &cpu, &n) == 2)
		return cpu_online(cpu) ? do_take(cpu, n) : -ENXIO;
	if (sscanf(line, "put %u %u", &cpu, &n) == 2)
		return cpu_online(cpu) ? do_put(cpu, n) : -ENXIO;
	return -EINVAL;
}

static ssize_t control_write(struct file *file, const char __user *buf,
			     size_t count, loff_t *ppos)
{
	char line[64];
	int err;

	if (count >= sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, buf, count))
		return -EFAULT;
	line[count] = '\0';
	mutex_lock(&selftest_lock);
	err = run_command(strim(line));
	mutex_unlock(&selftest_lock);
	return err ?: count;
}

static const struct file_operations control_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = control_write,
	.llseek = noop_llseek,
};

static int status_show(struct seq_file *s, void *unused)
{
	struct sepia_stats stats = {};

	mutex_lock(&selftest_lock);
	if (user)
		ops->get_stats(user, &stats);
	seq_printf(s, "attached %d\n", !!user);
	seq_printf(s, "held %u\n", held_nr);
	seq_printf(s, "taken %lld\n", atomic64_read(&taken));
	seq_printf(s, "missing %lld\n", atomic64_read(&missing));
	seq_printf(s, "mismatches %lld\n", atomic64_read(&mismatches));
	seq_printf(s, "coloured %llu\n", stats.coloured);
	seq_printf(s, "fallback %llu\n", stats.fallback);
	seq_printf(s, "failed %llu\n", stats.failed);
	mutex_unlock(&selftest_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(status);

static int pages_show(struct seq_file *s, void *unused)
{
	unsigned int i;

	mutex_lock(&selftest_lock);
	for (i = 0; i < held_nr; i++) {
		const struct held *h = &held[(held_head + i) % HELD_MAX];

		seq_printf(s, "%lu %d\n", page_to_pfn(h->page),
			   page_to_nid(h->page));
	}
	mutex_unlock(&selftest_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(pages);

static int __init selftest_init(void)
{
	unsigned int cpu;

	held = kvcalloc(HELD_MAX, sizeof(*held), GFP_KERNEL);
	mailboxes = alloc_percpu(struct mailbox);
	if (!held || !mailboxes) {
		kvfree(held);
		free_percpu(mailboxes);
		return -ENOMEM;
	}
	for_each_possible_cpu(cpu)
		spin_lock_init(&per_cpu_ptr(mailboxes, cpu)->lock);

	selftest_dir = debugfs_create_dir(KBUILD_MODNAME, NULL);
	debugfs_create_file("control", 0200, selftest_dir, NULL, &control_fops);
	debugfs_create_file("status", 0400, selftest_dir, NULL, &status_fops);
	debugfs_create_file("pages", 0400, selftest_dir, NULL, &pages_fops);
	return 0;
}

static void __exit selftest_exit(void)
{
	debugfs_remove_recursive(selftest_dir);
	if (user)
		do_detach();
	while (held_nr) {
		check_and_put(&held[held_head]);
		held_head = (held_head + 1) % HELD_MAX;
		held_nr--;
	}
	free_percpu(mailboxes);
	kvfree(held);
}

module_init(selftest_init);
module_exit(selftest_exit);

MODULE_DESCRIPTION("Sepia: client for the selftests");
MODULE_LICENSE("GPL");
