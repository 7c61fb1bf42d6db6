// SPDX-License-Identifier: GPL-2.0
/*
 * CC-NIC: the card's thread: poll, and sleep when there is nothing.
 */
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/rcupdate.h>
#include <linux/rcupdate_wait.h>
#include <linux/sched/clock.h>

#include "nic.h"

/* Run what an RTNL holder wants done; it waits, so there is one at a time. */
static void nic_run_command(struct nic_card *card)
{
	/* Acquire: pairs with the release in nic_card_call(). */
	struct nic_command *command = smp_load_acquire(&card->command);

	if (!command)
		return;
	command->run(command->port);
	WRITE_ONCE(card->command, NULL);
	complete(&command->done);
}

/* Serve every queue once. Return: was there anything to do? */
static bool nic_poll(struct nic_card *card)
{
	struct ccnic_port *port;
	unsigned int i, j;
	bool busy = false;

	for (i = 0; i < NIC_PORTS; i++) {
		port = READ_ONCE(card->port[i]);
		if (!port || !port->running || port->faulted)
			continue;
		for (j = 0; j < port->queues; j++)
			busy |= nic_queue_serve(port, j);
	}
	return busy;
}

static bool nic_pending(struct nic_card *card)
{
	struct ccnic_port *port;
	unsigned int i, j;

	if (READ_ONCE(card->command) || kthread_should_stop())
		return true;
	for (i = 0; i < NIC_PORTS; i++) {
		port = READ_ONCE(card->port[i]);
		if (!port || !port->running || port->faulted)
			continue;
		for (j = 0; j < port->queues; j++)
			if (port->queue[j].held ||
			    ccnic_consumer_pending(&port->queue[j].tx))
				return true;
	}
	return false;
}

static void nic_sleep(struct nic_card *card)
{
	struct ccnic_port *port;
	unsigned int i;

	/*
	 * State, then armed (each with its fence), then the second look: a
	 * host that publishes after the look finds the line armed, and its
	 * wake-up finds the state.
	 */
	set_current_state(TASK_IDLE);
	for (i = 0; i < NIC_PORTS; i++) {
		port = READ_ONCE(card->port[i]);
		if (port && port->running)
			ccnic_arm(port->armed, &port->armed_token, 0);
	}
	if (!nic_pending(card)) {
		WRITE_ONCE(card->sleeps, card->sleeps + 1);
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	for (i = 0; i < NIC_PORTS; i++) {
		port = READ_ONCE(card->port[i]);
		if (port && port->running)
			ccnic_disarm(port->armed);
	}
}

/**
 * nic_thread - the emulated device
 * @data: its struct nic_card
 *
 * Polls while there is work and for ccnic_spin_us after; not at all without
 * work on a machine whose only CPU it shares with the host.
 *
 * Return: 0
 */
int nic_thread(void *data)
{
	struct nic_card *card = data;
	u64 idle_since = local_clock();

	while (!kthread_should_stop()) {
		nic_run_command(card);
		if (nic_poll(card)) {
			idle_since = local_clock();
		} else if (num_online_cpus() == 1 ||
			 local_clock() - idle_since >=
			 (u64)READ_ONCE(ccnic_spin_us) * NSEC_PER_USEC) {
			nic_sleep(card);
			idle_since = local_clock();
		}
		/* A poller never leaves the CPU by itself: tell RCU tasks. */
		cond_resched_tasks_rcu_qs();
	}
	return 0;
}
