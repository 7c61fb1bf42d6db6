// SPDX-License-Identifier: GPL-2.0
/*
 * CC-NIC: a network device whose NIC speaks to the host through coherent
 * memory. Module, parameters, and "ip link add ... type ccnic".
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/etherdevice.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <net/rtnetlink.h>

#include "ccnic.h"

#define CCNIC_QUEUES_DEFAULT_MAX	8

static int nic_cpu = -1;
module_param(nic_cpu, int, 0444);
MODULE_PARM_DESC(nic_cpu, "CPU of the NIC's thread (default -1: one of the other node)");

static unsigned int queues;
module_param(queues, uint, 0444);
MODULE_PARM_DESC(queues, "Queue pairs of a device, 1 to 64 (default 0: one a CPU of the host's node, 2 to 8)");

static unsigned int ring_lines = 256;
module_param(ring_lines, uint, 0444);
MODULE_PARM_DESC(ring_lines, "Lines of a ring, a power of two from 32 to 4096 (default 256)");

static unsigned int cell_bytes = 128;
module_param(cell_bytes, uint, 0444);
MODULE_PARM_DESC(cell_bytes, "Bytes up to which a packet rides beside its descriptor: 64, 128 or 256; 0: none does (default 128)");

unsigned int ccnic_spin_us = 50;
module_param_named(spin_us, ccnic_spin_us, uint, 0644);
MODULE_PARM_DESC(spin_us, "Microseconds that an idle NIC polls before it sleeps (default 50)");

unsigned int ccnic_hold_us = 20000;
module_param_named(hold_us, ccnic_hold_us, uint, 0644);
MODULE_PARM_DESC(hold_us, "Microseconds that a packet waits for a receive buffer before it is dropped, at most a second (default 20000)");

static unsigned int default_queues(void)
{
	struct ccnic_place place;
	unsigned int count = 0;
	int cpu;

	if (queues)
		return queues;
	ccnic_place_choose(nic_cpu, &place);
	for_each_cpu_and(cpu, cpumask_of_node(place.host_node), cpu_online_mask)
		count++;
	return clamp(count, 2u, (unsigned int)CCNIC_QUEUES_DEFAULT_MAX);
}

static int ccnic_validate(struct nlattr *tb[], struct nlattr *data[],
			  struct netlink_ext_ack *extack)
{
	if (!tb[IFLA_ADDRESS])
		return 0;
	if (nla_len(tb[IFLA_ADDRESS]) != ETH_ALEN) {
		NL_SET_ERR_MSG_ATTR(extack, tb[IFLA_ADDRESS],
				    "An Ethernet address has 6 bytes");
		return -EINVAL;
	}
	if (!is_valid_ether_addr(nla_data(tb[IFLA_ADDRESS]))) {
		NL_SET_ERR_MSG_ATTR(extack, tb[IFLA_ADDRESS],
				    "Not a unicast Ethernet address");
		return -EADDRNOTAVAIL;
	}
	return 0;
}

/* The device named by "link": the other end of the cable. */
static struct net_device *find_peer(struct net *net, struct nlattr *tb[],
				    struct netlink_ext_ack *extack)
{
	struct net_device *peer;
	struct ccnic_dev *cc;

	if (!tb[IFLA_LINK])
		return NULL;
	peer = __dev_get_by_index(net, nla_get_u32(tb[IFLA_LINK]));
	if (!peer) {
		NL_SET_ERR_MSG_ATTR(extack, tb[IFLA_LINK],
				    "There is no device to cable to");
		return ERR_PTR(-ENODEV);
	}
	if (!ccnic_is_ccnic(peer)) {
		NL_SET_ERR_MSG_ATTR(extack, tb[IFLA_LINK],
				    "The device to cable to is not of type ccnic");
		return ERR_PTR(-EINVAL);
	}
	cc = netdev_priv(peer);
	if (peer->reg_state != NETREG_REGISTERED) {
		NL_SET_ERR_MSG_ATTR(extack, tb[IFLA_LINK],
				    "The device to cable to is being deleted");
		return ERR_PTR(-ENODEV);
	}
	if (rtnl_dereference(cc->peer)) {
		NL_SET_ERR_MSG_ATTR(extack, tb[IFLA_LINK],
				    "The device to cable to has a cable already");
		return ERR_PTR(-EBUSY);
	}
	return peer;
}

static void log_place(const struct net_device *dev,
		      const struct ccnic_place *place)
{
	if (num_online_cpus() == 1)
		netdev_info(dev, "one CPU: host and NIC share it\n");
	else if (place->host_node == place->nic_node)
		netdev_info(dev, "one node with CPUs: the NIC is on CPU %d of the host's node %d\n",
			    place->nic_cpu, place->host_node);
	else
		netdev_info(dev, "host on node %d, NIC on CPU %d of node %d\n",
			    place->host_node, place->nic_cpu, place->nic_node);
}

static int ccnic_newlink(struct net *src_net, struct net_device *dev,
			 struct nlattr *tb[], struct nlattr *data[],
			 struct netlink_ext_ack *extack)
{
	struct ccnic_dev *cc = netdev_priv(dev), *other;
	struct net_device *peer;
	int err;

	peer = find_peer(src_net, tb, extack);
	if (IS_ERR(peer))
		return PTR_ERR(peer);

	cc->queues = min(dev->num_tx_queues, dev->num_rx_queues);
	if (cc->queues > CCNIC_QUEUES_MAX) {
		NL_SET_ERR_MSG(extack, "A device has at most 64 queues");
		return -EINVAL;
	}
	cc->geometry = (struct ccnic_geometry) {
		.queues = cc->queues,
		.ring_lines = ring_lines,
		.pages = clamp(ring_lines * CCNIC_LINE_DESCS,
			       CCNIC_PACKET_DESCS_MAX, 1024u),
		.cell_bytes = cell_bytes,
	};
	if (peer) {
		/* One card, one thread, one place for both ends. */
		other = netdev_priv(peer);
		cc->place = other->place;
		cc->paired = true;
		RCU_INIT_POINTER(cc->peer, peer);
	} else {
		ccnic_place_choose(nic_cpu, &cc->place);
	}

	netif_carrier_off(dev);
	err = register_netdevice(dev);
	if (err)
		return err;
	netif_set_real_num_tx_queues(dev, cc->queues);
	netif_set_real_num_rx_queues(dev, cc->queues);
	ccnic_queues_place(cc);
	ccnic_debugfs_add(cc);
	log_place(dev, &cc->place);
	return 0;
}

static struct net *ccnic_get_link_net(const struct net_device *dev)
{
	struct ccnic_dev *cc = netdev_priv(dev);
	struct net_device *peer = rtnl_dereference(cc->peer);

	return peer ? dev_net(peer) : dev_net(dev);
}

static struct rtnl_link_ops ccnic_link_ops __read_mostly = {
	.kind			= "ccnic",
	.priv_size		= sizeof(struct ccnic_dev),
	.setup			= ccnic_setup,
	.validate		= ccnic_validate,
	.newlink		= ccnic_newlink,
	.get_link_net		= ccnic_get_link_net,
	.get_num_tx_queues	= default_queues,
	.get_num_rx_queues	= default_queues,
};

static int check_parameters(void)
{
	if (queues > CCNIC_QUEUES_MAX) {
		pr_err("queues=%u: must be 1 to %u, or 0 for a default\n",
		       queues, CCNIC_QUEUES_MAX);
		return -EINVAL;
	}
	if (ring_lines < CCNIC_RING_LINES_MIN ||
	    ring_lines > CCNIC_RING_LINES_MAX || !is_power_of_2(ring_lines)) {
		pr_err("ring_lines=%u: must be a power of two from %u to %u\n",
		       ring_lines, CCNIC_RING_LINES_MIN, CCNIC_RING_LINES_MAX);
		return -EINVAL;
	}
	if (!ccnic_cell_bytes_valid(cell_bytes)) {
		pr_err("cell_bytes=%u: must be 64, 128, 256, or 0 for none\n",
		       cell_bytes);
		return -EINVAL;
	}
	return ccnic_place_check(nic_cpu);
}

static int __init ccnic_module_init(void)
{
	int err;

	err = check_parameters();
	if (err)
		return err;
	err = ccnic_debugfs_init();
	if (err)
		return err;
	err = ccnic_thread_nic_init();
	if (err)
		goto exit_debugfs;
	err = ccnic_queues_init();
	if (err)
		goto exit_nic;
	err = rtnl_link_register(&ccnic_link_ops);
	if (err)
		goto exit_queues;
	return 0;

exit_queues:
	ccnic_queues_exit();
exit_nic:
	ccnic_thread_nic_exit();
exit_debugfs:
	ccnic_debugfs_exit();
	return err;
}

static void __exit ccnic_module_exit(void)
{
	/* Deletes every device. */
	rtnl_link_unregister(&ccnic_link_ops);
	ccnic_queues_exit();
	ccnic_thread_nic_exit();
	ccnic_debugfs_exit();
}

module_init(ccnic_module_init);
module_exit(ccnic_module_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("CC-NIC: a network device over cache-coherent memory");
MODULE_ALIAS_RTNL_LINK("ccnic");
