/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CC-NIC: the control operations between a host driver and its NIC.
 *
 * Packets go through the region and nothing else. What cannot be said there,
 * because there is no region yet or because somebody sleeps, goes through the
 * two tables below. None of it is on the path of a packet.
 */
#ifndef CCNIC_CONTROL_H
#define CCNIC_CONTROL_H

#include <linux/types.h>

struct ccnic_port;

/**
 * struct ccnic_host_ops - what a NIC asks of a host
 * @wake: a sleeping queue has work; NIC's thread context, may not sleep
 * @link: the wire came up or went away; under RTNL
 * @fault: the NIC found the host's rings out of step and reads no more of
 *         them until the port is started again; NIC's thread context
 */
struct ccnic_host_ops {
	void (*wake)(void *host, unsigned int queue);
	void (*link)(void *host, bool up);
	void (*fault)(void *host, unsigned int queue);
};

/**
 * struct ccnic_mapping - memory of the stack that a TX descriptor may name
 * @at: its address; NULL: nothing is mapped
 * @len: its bytes
 *
 * Filled by the host before the descriptor is published, read by the NIC
 * until it returns the descriptor's slot, then revoked.
 */
struct ccnic_mapping {
	const void *at;
	u32 len;
};

/**
 * struct ccnic_attachment - what a NIC is told of a host's region
 * @region: the region
 * @size: its bytes
 * @translation: address of each page that the host has offered, by handle;
 *               filled by the host before it offers the page, read by the NIC
 *               after; this and @mapping are all that the NIC reads outside
 *               the region
 * @translations: entries of @translation
 * @mapping: what TX descriptors of kind page name, by handle: for each queue
 *           as many as its ring has descriptors
 * @mappings: entries of @mapping
 * @host: the host's own pointer, for @ops
 * @ops: what the NIC may ask
 */
struct ccnic_attachment {
	void *region;
	u64 size;
	void * const *translation;
	u32 translations;
	const struct ccnic_mapping *mapping;
	u32 mappings;
	void *host;
	const struct ccnic_host_ops *ops;
};

/**
 * struct ccnic_nic_counts - what a NIC counted on one queue
 * @rx_lines: lines published to the host
 * @rx_descs: descriptors in them
 * @tx_packets: packets taken from the host
 * @rx_packets: packets given to the host
 * @drop_bad: host's descriptors that made no sense, or buffers it did not own
 * @drop_no_link: packets sent while nobody was at the wire's other end
 * @drop_no_buffer: packets for which the host had no buffer or line in time
 * @holds: times that a packet had to wait for a buffer or line
 * @wakes: times that the queue had to be woken
 */
struct ccnic_nic_counts {
	u64 rx_lines;
	u64 rx_descs;
	u64 tx_packets;
	u64 rx_packets;
	u64 drop_bad;
	u64 drop_no_link;
	u64 drop_no_buffer;
	u64 holds;
	u64 wakes;
};

/**
 * struct ccnic_nic_ops - what a host asks of a NIC
 * @create: make a port for @queues queue pairs, alone on a looped wire or
 *          cabled to @peer; under RTNL; ERR_PTR on failure
 * @destroy: the port must be stopped; under RTNL
 * @start: begin to serve the region; under RTNL
 * @stop: end it; when this returns the NIC touches nothing of the region;
 *        under RTNL
 * @kick: the NIC sleeps and a queue has packets for it; any context
 * @counts: what was counted on a queue since the port was made; any context
 * @cpu: CPU of the NIC's thread now
 * @sleeps: times that the NIC's thread slept
 */
struct ccnic_nic_ops {
	struct ccnic_port *(*create)(unsigned int queues,
				     struct ccnic_port *peer, int cpu);
	void (*destroy)(struct ccnic_port *port);
	int (*start)(struct ccnic_port *port,
		     const struct ccnic_attachment *attachment);
	void (*stop)(struct ccnic_port *port);
	void (*kick)(struct ccnic_port *port);
	void (*counts)(const struct ccnic_port *port, unsigned int queue,
		       struct ccnic_nic_counts *counts);
	int (*cpu)(const struct ccnic_port *port);
	u64 (*sleeps)(const struct ccnic_port *port);
};

/* The NIC that is a pinned kernel thread; nic/. */
extern const struct ccnic_nic_ops ccnic_thread_nic;

int ccnic_thread_nic_init(void);
void ccnic_thread_nic_exit(void);

/**
 * struct ccnic_place - who runs where
 * @host_node: node of the host's queues, TX rings and buffers
 * @nic_node: node of the NIC's CPU and of the RX rings
 * @nic_cpu: CPU of the NIC's thread
 */
struct ccnic_place {
	int host_node;
	int nic_node;
	int nic_cpu;
};

int ccnic_place_check(int cpu);
void ccnic_place_choose(int cpu, struct ccnic_place *place);

/* Shortest form of a NIC's wait for a buffer before it drops; module knob. */
extern unsigned int ccnic_hold_us;
extern unsigned int ccnic_spin_us;

#endif /* CCNIC_CONTROL_H */
