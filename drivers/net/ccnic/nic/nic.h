/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CC-NIC: the emulated device. A card is a kernel thread with one port on a
 * looped wire, or with two ports cabled to each other.
 *
 * Everything here belongs to the card's thread while the thread runs. RTNL
 * holders change a port by nic_card_call(), which runs their function in the
 * thread, between two bursts.
 */
#ifndef CCNIC_NIC_H
#define CCNIC_NIC_H

#include <linux/completion.h>
#include <linux/list.h>
#include <linux/sched.h>

#include <ccnic/packet.h>
#include <ccnic/region.h>

#include "../control.h"

#define NIC_BURST_PACKETS	32	/* of one queue before the next is served */
#define NIC_SMALL_FRAME		256	/* bytes: up to here a small buffer */
#define NIC_PORTS		2
#define NIC_HOLD_MAX_US		USEC_PER_SEC	/* less than a TX time-out */

/**
 * struct nic_queue - one queue pair, seen from the NIC
 * @tx: the host's TX ring
 * @rx: the RX ring, which this side writes
 * @held: descriptors in @desc: a packet taken and not yet delivered
 * @outstanding: small handles at the host for transmission
 * @desc: descriptors of the packet in hand
 * @from: where each one's bytes are
 * @packet: what they say
 * @out: descriptors under which it goes to the receiver
 * @hash: of the flow that the packet belongs to
 * @armed: the host's lines for this queue
 * @rx_token: sleep of the host's reception that was last woken
 * @tx_token: sleep of the host's transmission that was last woken
 * @supply: ring that gives small handles to the host
 * @returns: ring on which the host gives them back
 * @offers: ring on which the host offers pages
 * @pages: pages offered and not yet used, in the order offered
 * @page_head: index of the next page to use
 * @page_count: how many there are
 * @hold_until: ktime in ns at which a held packet is dropped
 * @counts: since the port was made; written by the thread
 */
struct nic_queue {
	struct ccnic_consumer tx;
	struct ccnic_producer rx;
	u32 held;
	u32 outstanding;
	struct ccnic_desc desc[CCNIC_PACKET_DESCS_MAX];
	const void *from[CCNIC_PACKET_DESCS_MAX];
	struct ccnic_packet packet;
	struct ccnic_desc out[CCNIC_PACKET_DESCS_MAX];
	u32 hash;
	struct ccnic_host_lines *armed;
	u32 rx_token;
	u32 tx_token;
	struct ccnic_lender supply;
	struct ccnic_borrower returns;
	struct ccnic_borrower offers;
	u32 *pages;
	u32 page_head;
	u32 page_count;
	/* cold */
	u64 hold_until;
	struct ccnic_nic_counts counts;
};

/**
 * struct ccnic_port - one end of a wire
 * @card: the card it belongs to
 * @dest: where its packets go, or NULL while nobody is there
 * @running: between start and stop
 * @faulted: the host broke the protocol; nothing of its TX rings is read
 * @queues: queue pairs
 * @queue: those
 * @region: the host's region
 * @sb: checked copy of its superblock
 * @translation: see struct ccnic_attachment
 * @mapping: see struct ccnic_attachment
 * @cache: small buffers that this side holds
 * @small_ledger: small handles that the host holds
 * @page_ledger: page handles that the host holds
 * @armed: line in which the thread announces its sleep to this host
 * @armed_token: count of those sleeps
 * @slot: index in card->port
 * @attachment: what start was given
 */
struct ccnic_port {
	struct nic_card *card;
	struct ccnic_port *dest;
	bool running;
	bool faulted;
	unsigned int queues;
	struct nic_queue *queue;
	void *region;
	struct ccnic_superblock sb;
	void * const *translation;
	const struct ccnic_mapping *mapping;
	struct ccnic_cache cache;
	struct ccnic_ledger small_ledger;
	struct ccnic_ledger page_ledger;
	struct ccnic_armed *armed;
	u32 armed_token;
	/* cold */
	unsigned int slot;
	struct ccnic_attachment attachment;
};

/**
 * struct nic_card - a thread and its ports
 * @port: those, or NULL
 * @command: what an RTNL holder wants done in the thread, or NULL
 * @loop: the wire leads a lone port's packets back to it
 * @thread: between the first port's start and the last one's stop
 * @cpu: CPU of the thread now
 * @wanted_cpu: where it belongs; it goes back there when the CPU comes back
 * @running: ports that are
 * @sleeps: times that the thread slept; written by it
 * @member: in the list of cards
 */
struct nic_card {
	struct ccnic_port *port[NIC_PORTS];
	struct nic_command *command;
	bool loop;
	/* cold */
	struct task_struct *thread;
	int cpu;
	int wanted_cpu;
	unsigned int running;
	u64 sleeps;
	struct list_head member;
};

/**
 * struct nic_command - a function to be run between two bursts
 * @run: the function
 * @port: its argument
 * @done: completed when it has run
 */
struct nic_command {
	void (*run)(struct ccnic_port *port);
	struct ccnic_port *port;
	struct completion done;
};

/* card.c */
struct nic_card *nic_card_create(int cpu);
void nic_card_put(struct nic_card *card);
int nic_card_start(struct nic_card *card);
void nic_card_stop(struct nic_card *card);
void nic_card_call(struct ccnic_port *port,
		   void (*run)(struct ccnic_port *port));
unsigned int nic_card_load(int cpu);

/* thread.c */
int nic_thread(void *data);

/* steer.c */
u32 nic_flow_hash(const void *frame, u32 bytes);

/* wire.c */
bool nic_queue_serve(struct ccnic_port *port, unsigned int index);
void nic_queue_supply(struct ccnic_port *port, struct nic_queue *q);
void nic_queue_drop_held(struct ccnic_port *port, struct nic_queue *q);

#endif /* CCNIC_NIC_H */
