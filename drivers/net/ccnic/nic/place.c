// SPDX-License-Identifier: GPL-2.0
/*
 * CC-NIC: which CPU plays the NIC, and which node the host.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/nodemask.h>
#include <linux/printk.h>
#include <linux/topology.h>

#include "nic.h"

static bool node_has_cpu(int node)
{
	return cpumask_intersects(cpumask_of_node(node), cpu_online_mask);
}

/* The node nearest to @node that has a CPU online, or @node itself. */
static int nearest_other_node(int node)
{
	int other, best = node;

	for_each_online_node(other) {
		if (other == node || !node_has_cpu(other))
			continue;
		if (best == node ||
		    node_distance(node, other) < node_distance(node, best))
			best = other;
	}
	return best;
}

static int first_node_with_cpu(void)
{
	int node;

	for_each_online_node(node)
		if (node_has_cpu(node))
			return node;
	return 0;
}

/* The last CPU of @node with the fewest cards; not CPU 0 if there is another. */
static int quietest_cpu(int node)
{
	unsigned int load, least = UINT_MAX;
	int cpu, best = cpumask_first(cpu_online_mask);

	for_each_cpu_and(cpu, cpumask_of_node(node), cpu_online_mask) {
		load = nic_card_load(cpu);
		if (!cpu && num_online_cpus() > 1)
			continue;
		if (load <= least) {
			least = load;
			best = cpu;
		}
	}
	return best;
}

/**
 * ccnic_place_check - can a NIC's thread run on a CPU?
 * @cpu: what the administrator asked for; -1 leaves the choice to us
 *
 * Says what is wrong in the log.
 *
 * Return: 0 or -EINVAL
 */
int ccnic_place_check(int cpu)
{
	if (cpu == -1)
		return 0;
	if (cpu < 0 || cpu >= nr_cpu_ids || !cpu_possible(cpu)) {
		pr_err("nic_cpu=%d: there is no such CPU; online are %*pbl\n",
		       cpu, cpumask_pr_args(cpu_online_mask));
		return -EINVAL;
	}
	if (!cpu_online(cpu)) {
		pr_err("nic_cpu=%d: that CPU is offline; online are %*pbl\n",
		       cpu, cpumask_pr_args(cpu_online_mask));
		return -EINVAL;
	}
	return 0;
}

/**
 * ccnic_place_choose - choose nodes and the NIC's CPU
 * @cpu: what the administrator asked for, or -1
 * @place: filled in
 *
 * The host is on the first node with CPUs, the NIC on the nearest other one,
 * on its last CPU that has the fewest cards. On a machine of one node both
 * share it; on a machine of one CPU they share that.
 */
void ccnic_place_choose(int cpu, struct ccnic_place *place)
{
	place->host_node = first_node_with_cpu();
	if (cpu < 0 || !cpu_online(cpu))
		cpu = quietest_cpu(nearest_other_node(place->host_node));
	place->nic_cpu = cpu;
	place->nic_node = cpu_to_node(cpu);
	if (place->nic_node == place->host_node)
		place->host_node = nearest_other_node(place->nic_node);
}
