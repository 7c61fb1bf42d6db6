// SPDX-License-Identifier: GPL-2.0
/*
 * CC-NIC: cards, their threads, and the CPUs these are pinned to.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/kthread.h>
#include <linux/mutex.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "nic.h"

static LIST_HEAD(nic_cards);
static DEFINE_MUTEX(nic_cards_lock);	/* nic_cards, card->thread, card->cpu */
static int nic_hotplug_state;

/**
 * nic_card_load - how many cards have their thread on a CPU?
 * @cpu: CPU
 */
unsigned int nic_card_load(int cpu)
{
	struct nic_card *card;
	unsigned int load = 0;

	mutex_lock(&nic_cards_lock);
	list_for_each_entry(card, &nic_cards, member)
		load += card->wanted_cpu == cpu;
	mutex_unlock(&nic_cards_lock);
	return load;
}

/**
 * nic_card_create - a card without ports
 * @cpu: where its thread is to run
 *
 * Return: the card, or NULL without memory
 */
struct nic_card *nic_card_create(int cpu)
{
	struct nic_card *card;

	card = kzalloc_node(sizeof(*card), GFP_KERNEL, cpu_to_node(cpu));
	if (!card)
		return NULL;
	card->cpu = cpu;
	card->wanted_cpu = cpu;
	card->loop = true;
	mutex_lock(&nic_cards_lock);
	list_add_tail(&card->member, &nic_cards);
	mutex_unlock(&nic_cards_lock);
	return card;
}

/**
 * nic_card_put - a port has left; free the card with the last one
 * @card: card
 *
 * Context: RTNL.
 */
void nic_card_put(struct nic_card *card)
{
	ASSERT_RTNL();
	if (card->port[0] || card->port[1])
		return;
	mutex_lock(&nic_cards_lock);
	list_del(&card->member);
	mutex_unlock(&nic_cards_lock);
	kfree(card);
}

/**
 * nic_card_start - a port is about to run; start the thread with the first
 * @card: card
 *
 * Context: RTNL.
 * Return: 0 or a negative errno
 */
int nic_card_start(struct nic_card *card)
{
	struct task_struct *thread;
	int cpu;

	ASSERT_RTNL();
	if (card->running++)
		return 0;

	mutex_lock(&nic_cards_lock);
	cpu = card->wanted_cpu;
	if (!cpu_online(cpu)) {
		cpu = cpumask_any(cpu_online_mask);
		pr_warn("CPU %d is offline: the NIC runs on CPU %d\n",
			card->wanted_cpu, cpu);
	}
	thread = kthread_create_on_node(nic_thread, card, cpu_to_node(cpu),
					"ccnic-nic/%d", cpu);
	if (IS_ERR(thread)) {
		mutex_unlock(&nic_cards_lock);
		card->running--;
		return PTR_ERR(thread);
	}
	kthread_bind(thread, cpu);
	card->cpu = cpu;
	card->thread = thread;
	mutex_unlock(&nic_cards_lock);
	wake_up_process(thread);
	return 0;
}

/**
 * nic_card_stop - a port has stopped; stop the thread with the last
 * @card: card
 *
 * Context: RTNL.
 */
void nic_card_stop(struct nic_card *card)
{
	struct task_struct *thread;

	ASSERT_RTNL();
	if (--card->running)
		return;
	mutex_lock(&nic_cards_lock);
	thread = card->thread;
	card->thread = NULL;
	card->cpu = card->wanted_cpu;
	mutex_unlock(&nic_cards_lock);
	kthread_stop(thread);
}

/**
 * nic_card_call - run a function where the card's thread is not
 * @port: its argument
 * @run: the function
 *
 * Runs it in the thread between two bursts, or here if there is no thread.
 *
 * Context: RTNL; sleeps.
 */
void nic_card_call(struct ccnic_port *port,
		   void (*run)(struct ccnic_port *port))
{
	struct nic_card *card = port->card;
	struct nic_command command = { .run = run, .port = port };

	ASSERT_RTNL();
	if (!card->thread) {
		run(port);
		return;
	}
	init_completion(&command.done);
	/* Release: the command's fields first; the thread reads with acquire. */
	smp_store_release(&card->command, &command);
	wake_up_process(card->thread);
	wait_for_completion(&command.done);
}

static void nic_card_move(struct nic_card *card, int cpu)
{
	if (!card->thread || card->cpu == cpu)
		return;
	if (set_cpus_allowed_ptr(card->thread, cpumask_of(cpu)))
		return;
	pr_info("NIC thread moved from CPU %d to CPU %d\n", card->cpu, cpu);
	WRITE_ONCE(card->cpu, cpu);
}

static int nic_cpu_online(unsigned int cpu)
{
	struct nic_card *card;

	mutex_lock(&nic_cards_lock);
	list_for_each_entry(card, &nic_cards, member)
		if (card->wanted_cpu == cpu)
			nic_card_move(card, cpu);
	mutex_unlock(&nic_cards_lock);
	return 0;
}

/* Another CPU that is online, of the same node where there is one. */
static int nic_other_cpu(int cpu)
{
	int other;

	for_each_cpu_and(other, cpumask_of_node(cpu_to_node(cpu)),
			 cpu_online_mask)
		if (other != cpu)
			return other;
	return cpumask_any_but(cpu_online_mask, cpu);
}

static int nic_cpu_offline(unsigned int cpu)
{
	struct nic_card *card;
	int other = nic_other_cpu(cpu);

	if (other >= nr_cpu_ids)
		return 0;
	mutex_lock(&nic_cards_lock);
	list_for_each_entry(card, &nic_cards, member)
		if (card->cpu == cpu)
			nic_card_move(card, other);
	mutex_unlock(&nic_cards_lock);
	return 0;
}

/**
 * ccnic_thread_nic_init - get ready for cards
 *
 * Return: 0 or a negative errno
 */
int ccnic_thread_nic_init(void)
{
	int state;

	state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "net/ccnic/nic:online",
				  nic_cpu_online, nic_cpu_offline);
	if (state < 0)
		return state;
	nic_hotplug_state = state;
	return 0;
}

/**
 * ccnic_thread_nic_exit - all ports are destroyed
 */
void ccnic_thread_nic_exit(void)
{
	cpuhp_remove_state(nic_hotplug_state);
}
