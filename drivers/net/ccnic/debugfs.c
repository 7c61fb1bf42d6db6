// SPDX-License-Identifier: GPL-2.0
/*
 * CC-NIC: debugfs: one folder a device, /sys/kernel/debug/ccnic/ID/, since
 * two devices in two namespaces may have one name.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>

#include "ccnic.h"

static struct dentry *ccnic_debugfs;

/* "key value" lines: what the device is and where it runs. */
static int device_show(struct seq_file *m, void *unused)
{
	const struct ccnic_dev *cc = m->private;

	seq_printf(m, "name %s\n", netdev_name(cc->dev));
	seq_printf(m, "wire %s\n", cc->paired ? "pair" : "loop");
	seq_printf(m, "queues %u\n", cc->queues);
	seq_printf(m, "ring_lines %u\n", cc->geometry.ring_lines);
	seq_printf(m, "cell_bytes %u\n", cc->geometry.cell_bytes);
	seq_printf(m, "host_node %d\n", cc->place.host_node);
	seq_printf(m, "nic_node %d\n", cc->place.nic_node);
	seq_printf(m, "nic_cpu %d\n", cc->nic->cpu(cc->port));
	seq_printf(m, "nic_sleeps %llu\n", cc->nic->sleeps(cc->port));
	seq_printf(m, "page_backend %s\n", cc->backend);
	seq_printf(m, "generation %u\n", READ_ONCE(cc->generation));
	seq_printf(m, "resets %u\n", READ_ONCE(cc->resets));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(device);

static void show_ring(struct seq_file *m, const char *name, unsigned int queue,
		      int cpu, u64 packets, u64 lines, u64 descs)
{
	u64 hundredths = lines ? div64_u64(descs * 100, lines) : 0;

	seq_printf(m, "%s%-3u %3d %12llu %12llu %12llu %6llu.%02llu\n", name,
		   queue, cpu, packets, lines, descs, hundredths / 100,
		   hundredths % 100);
}

/* One line a ring: what was published and how full the lines were. */
static int rings_show(struct seq_file *m, void *unused)
{
	const struct ccnic_dev *cc = m->private;
	struct ccnic_nic_counts counts;
	const struct ccnic_queue *q;
	u64 packets, bytes;
	unsigned int i;

	seq_puts(m, "ring  cpu      packets        lines  descriptors  a line\n");
	for (i = 0; i < cc->queues; i++) {
		q = &cc->queue[i];
		ccnic_stats_read(&q->tx.stats, &packets, &bytes);
		show_ring(m, "tx", i, READ_ONCE(q->cpu), packets,
			  READ_ONCE(q->tx.ring.published_lines),
			  READ_ONCE(q->tx.ring.published_descs));
	}
	for (i = 0; i < cc->queues; i++) {
		q = &cc->queue[i];
		cc->nic->counts(cc->port, i, &counts);
		ccnic_stats_read(&q->rx.stats, &packets, &bytes);
		show_ring(m, "rx", i, READ_ONCE(q->cpu), packets,
			  counts.rx_lines, counts.rx_descs);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(rings);

/*
 * The region as it stands, to look at, and to write to as a peer that has gone
 * wild would: for tests of what the two sides do then.
 */
static ssize_t region_access(struct file *file, char __user *read_to,
			     const char __user *write_from, size_t count,
			     loff_t *pos)
{
	struct ccnic_dev *cc = file->private_data;
	ssize_t done = -ENODEV;

	/* Whoever deletes the device holds RTNL and waits for us. */
	if (!rtnl_trylock())
		return restart_syscall();
	if (cc->region.base && read_to)
		done = simple_read_from_buffer(read_to, count, pos,
					       cc->region.base,
					       cc->region.sb.size);
	else if (cc->region.base)
		done = simple_write_to_buffer(cc->region.base,
					      cc->region.sb.size, pos,
					      write_from, count);
	rtnl_unlock();
	return done;
}

static ssize_t region_read(struct file *file, char __user *to, size_t count,
			   loff_t *pos)
{
	return region_access(file, to, NULL, count, pos);
}

static ssize_t region_write(struct file *file, const char __user *from,
			    size_t count, loff_t *pos)
{
	return region_access(file, NULL, from, count, pos);
}

static const struct file_operations region_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = region_read,
	.write = region_write,
	.llseek = default_llseek,
};

/**
 * ccnic_debugfs_add - a device's folder
 * @cc: registered device
 */
void ccnic_debugfs_add(struct ccnic_dev *cc)
{
	char name[12];

	snprintf(name, sizeof(name), "%d", cc->id);
	cc->debugfs = debugfs_create_dir(name, ccnic_debugfs);
	debugfs_create_file("device", 0444, cc->debugfs, cc, &device_fops);
	debugfs_create_file("rings", 0444, cc->debugfs, cc, &rings_fops);
	debugfs_create_file("region", 0600, cc->debugfs, cc, &region_fops);
}

/**
 * ccnic_debugfs_del - remove it; nobody reads it when this returns
 * @cc: device
 */
void ccnic_debugfs_del(struct ccnic_dev *cc)
{
	debugfs_remove(cc->debugfs);
	cc->debugfs = NULL;
}

/**
 * ccnic_debugfs_init - the folder of folders
 *
 * Return: 0; a kernel without debugfs is none the worse
 */
int ccnic_debugfs_init(void)
{
	ccnic_debugfs = debugfs_create_dir("ccnic", NULL);
	return 0;
}

/**
 * ccnic_debugfs_exit - the mirror of ccnic_debugfs_init()
 */
void ccnic_debugfs_exit(void)
{
	debugfs_remove(ccnic_debugfs);
}
