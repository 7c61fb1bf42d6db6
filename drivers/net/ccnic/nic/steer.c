// SPDX-License-Identifier: GPL-2.0
/*
 * CC-NIC: which of the receiver's queues a frame belongs to.
 */
#include <linux/etherdevice.h>
#include <linux/skbuff.h>
#include <net/flow_dissector.h>
#include <net/net_namespace.h>

#include "nic.h"

/**
 * nic_flow_hash - hash of a frame's addresses and ports
 * @frame: its first bytes, Ethernet header first
 * @bytes: how many
 *
 * The stack's own dissector and hash. Fragments hash by their addresses
 * alone, so that they stay together; frames that are not IP hash alike.
 *
 * Return: the hash; the same for all packets of a flow
 */
u32 nic_flow_hash(const void *frame, u32 bytes)
{
	const struct ethhdr *eth = frame;
	struct flow_keys keys = {};

	if (bytes < sizeof(*eth))
		return 0;
	__skb_flow_dissect(&init_net, NULL, &flow_keys_dissector, &keys, frame,
			   eth->h_proto, sizeof(*eth), bytes, 0);
	return flow_hash_from_keys(&keys);
}
