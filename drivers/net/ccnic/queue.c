// SPDX-License-Identifier: GPL-2.0
/*
 * CC-NIC: queue pairs: their NAPI, the CPU it runs on, and how it is woken.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/wait_bit.h>

#include "ccnic.h"

static LIST_HEAD(ccnic_devs);
static DEFINE_MUTEX(ccnic_devs_lock);	/* ccnic_devs and queue->cpu */
static int ccnic_hotplug_state;

/* A wake-up has arrived: on the queue's CPU, with interrupts off. */
static void queue_woken(void *data)
{
	struct ccnic_queue *q = data;

	napi_schedule(&q->napi);
	/*
	 * Last: whoever found the bit set until now has published before it
	 * looked, and the poll has yet to run. Release, for
	 * ccnic_queue_settle(): we touch nothing of the queue after it.
	 */
	clear_bit_unlock(0, &q->waking);
}

/**
 * ccnic_queue_wake - schedule a queue's NAPI on the queue's CPU
 * @q: queue
 *
 * Context: any that may not sleep but hard interrupts.
 */
void ccnic_queue_wake(struct ccnic_queue *q)
{
	int cpu, tries;

	if (test_and_set_bit(0, &q->waking))
		return;		/* on its way; it looks at the ring then */
	/* BH off: if this is the CPU, NAPI runs when they are on again. */
	local_bh_disable();
	cpu = READ_ONCE(q->cpu);
	for (tries = 0; tries < 3; tries++) {
		if (!smp_call_function_single_async(cpu, &q->csd))
			goto out;
		/* It went offline under us: any other will do. */
		cpu = cpumask_any_but(cpu_online_mask, cpu);
	}
	queue_woken(q);
out:
	local_bh_enable();
}

/**
 * ccnic_queue_settle - wait until no wake-up is on its way
 * @q: queue; nobody sends any more
 *
 * Context: process.
 */
void ccnic_queue_settle(struct ccnic_queue *q)
{
	/* Acquire: pairs with the arrival's release. It takes microseconds. */
	while (test_bit_acquire(0, &q->waking))
		cond_resched();
}

/**
 * ccnic_poll - NAPI: completion, reception, refill, sleep
 * @napi: of a queue
 * @budget: packets at most; 0: completion only
 *
 * Return: packets received, or @budget to be called again
 */
int ccnic_poll(struct napi_struct *napi, int budget)
{
	struct ccnic_queue *q = container_of(napi, struct ccnic_queue, napi);
	int done;

	ccnic_disarm(q->rx.armed);
	ccnic_tx_poll(q);
	if (!budget)
		return 0;
	done = ccnic_rx_poll(q, budget);
	ccnic_pages_refill(q);
	if (done == budget)
		return budget;

	/*
	 * Armed before NAPI is complete: a wake-up in between finds it
	 * scheduled, which NAPI remembers; after it nothing is touched.
	 */
	ccnic_arm(q->rx.armed, &q->rx.token, 0);
	/* The second look, behind the fence in ccnic_arm(). */
	if (ccnic_consumer_pending(&q->rx.ring) || ccnic_tx_awaited(q))
		return budget;
	napi_complete_done(napi, done);
	return done;
}

static void queue_refill_work(struct work_struct *work)
{
	ccnic_queue_wake(container_of(to_delayed_work(work),
				      struct ccnic_queue, refill));
}

static void host_wake(void *host, unsigned int queue)
{
	struct ccnic_dev *cc = host;

	ccnic_queue_wake(&cc->queue[queue]);
}

static void host_link(void *host, bool up)
{
	struct ccnic_dev *cc = host;

	if (up)
		netif_carrier_on(cc->dev);
	else
		netif_carrier_off(cc->dev);
}

static void host_fault(void *host, unsigned int queue)
{
	struct ccnic_dev *cc = host;

	if (schedule_work(&cc->reset) && net_ratelimit())
		netdev_warn(cc->dev, "queue %u: lost step with the NIC; reset\n",
			    queue);
}

const struct ccnic_host_ops ccnic_host_ops = {
	.wake = host_wake,
	.link = host_link,
	.fault = host_fault,
};

/* The @n-th CPU online for the host's queues, round and round. */
static int queue_cpu(const struct ccnic_place *place, unsigned int n)
{
	const struct cpumask *node = cpumask_of_node(place->host_node);
	unsigned int count = 0;
	int cpu;

	for_each_cpu_and(cpu, node, cpu_online_mask)
		count += cpu != place->nic_cpu;
	if (!count)
		return cpumask_any_and(node, cpu_online_mask) < nr_cpu_ids ?
		       cpumask_any_and(node, cpu_online_mask) :
		       cpumask_any(cpu_online_mask);
	n %= count;
	for_each_cpu_and(cpu, node, cpu_online_mask)
		if (cpu != place->nic_cpu && !n--)
			break;
	return cpu;
}

/**
 * ccnic_queues_place - say which CPUs send on which queue (XPS)
 * @cc: registered device
 *
 * A queue's own CPU sends on it; the other CPUs are dealt out in turn.
 *
 * Context: RTNL.
 */
void ccnic_queues_place(struct ccnic_dev *cc)
{
	unsigned int i, next = 0;
	cpumask_var_t *mask;
	int cpu;

	mask = kcalloc(cc->queues, sizeof(*mask), GFP_KERNEL);
	if (!mask)
		return;		/* the stack's own choice works too */
	for (i = 0; i < cc->queues; i++)
		if (!zalloc_cpumask_var(&mask[i], GFP_KERNEL))
			goto free;
	for_each_possible_cpu(cpu) {
		for (i = 0; i < cc->queues; i++)
			if (cc->queue[i].wanted_cpu == cpu)
				break;
		if (i == cc->queues)
			i = next++ % cc->queues;
		cpumask_set_cpu(cpu, mask[i]);
	}
	for (i = 0; i < cc->queues; i++)
		if (netif_set_xps_queue(cc->dev, mask[i], i))
			break;
	i = cc->queues;
free:
	while (i--)
		free_cpumask_var(mask[i]);
	kfree(mask);
}

/**
 * ccnic_queues_create - a device's queue pairs, without a region
 * @cc: device; cc->queues and cc->place are set
 *
 * Return: 0 or -ENOMEM
 */
int ccnic_queues_create(struct ccnic_dev *cc)
{
	struct ccnic_queue *q;
	unsigned int i;

	cc->queue = kvcalloc(cc->queues, sizeof(*cc->queue), GFP_KERNEL);
	if (!cc->queue)
		return -ENOMEM;
	for (i = 0; i < cc->queues; i++) {
		q = &cc->queue[i];
		q->cc = cc;
		q->index = i;
		q->wanted_cpu = queue_cpu(&cc->place, i);
		q->cpu = q->wanted_cpu;
		u64_stats_init(&q->tx.stats.syncp);
		u64_stats_init(&q->rx.stats.syncp);
		INIT_CSD(&q->csd, queue_woken, q);
		INIT_DELAYED_WORK(&q->refill, queue_refill_work);
		netif_napi_add(cc->dev, &q->napi, ccnic_poll);
	}
	mutex_lock(&ccnic_devs_lock);
	list_add_tail(&cc->member, &ccnic_devs);
	mutex_unlock(&ccnic_devs_lock);
	return 0;
}

/**
 * ccnic_queues_destroy - the mirror of ccnic_queues_create()
 * @cc: device
 */
void ccnic_queues_destroy(struct ccnic_dev *cc)
{
	unsigned int i;

	mutex_lock(&ccnic_devs_lock);
	list_del(&cc->member);
	mutex_unlock(&ccnic_devs_lock);
	for (i = 0; i < cc->queues; i++)
		netif_napi_del(&cc->queue[i].napi);
	kvfree(cc->queue);
	cc->queue = NULL;
}

/* Queues whose own CPU is @cpu come back to it. */
static int queue_cpu_online(unsigned int cpu)
{
	struct ccnic_dev *cc;
	unsigned int i;

	mutex_lock(&ccnic_devs_lock);
	list_for_each_entry(cc, &ccnic_devs, member)
		for (i = 0; i < cc->queues; i++)
			if (cc->queue[i].wanted_cpu == cpu)
				WRITE_ONCE(cc->queue[i].cpu, cpu);
	mutex_unlock(&ccnic_devs_lock);
	return 0;
}

/* Queues that are on @cpu go to another one of its node, or to any. */
static int queue_cpu_offline(unsigned int cpu)
{
	int other = cpumask_any_but(cpu_online_mask, cpu), near;
	struct ccnic_dev *cc;
	unsigned int i;

	if (other >= nr_cpu_ids)
		return 0;
	for_each_cpu_and(near, cpumask_of_node(cpu_to_node(cpu)),
			 cpu_online_mask)
		if (near != cpu)
			other = near;
	mutex_lock(&ccnic_devs_lock);
	list_for_each_entry(cc, &ccnic_devs, member)
		for (i = 0; i < cc->queues; i++)
			if (cc->queue[i].cpu == cpu)
				WRITE_ONCE(cc->queue[i].cpu, other);
	mutex_unlock(&ccnic_devs_lock);
	return 0;
}

/**
 * ccnic_queues_init - follow CPUs as they come and go
 *
 * Return: 0 or a negative errno
 */
int ccnic_queues_init(void)
{
	int state;

	state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN,
					  "net/ccnic/queue:online",
					  queue_cpu_online, queue_cpu_offline);
	if (state < 0)
		return state;
	ccnic_hotplug_state = state;
	return 0;
}

/**
 * ccnic_queues_exit - the mirror of ccnic_queues_init()
 */
void ccnic_queues_exit(void)
{
	cpuhp_remove_state_nocalls(ccnic_hotplug_state);
}
