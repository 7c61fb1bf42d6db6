// SPDX-License-Identifier: GPL-2.0
/*
 * CC-NIC: the net device: up, down, statistics, and who is at the other end.
 */
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/idr.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "ccnic.h"

#define CCNIC_MTU_MAX	9000

#define CCNIC_FEATURES	(NETIF_F_SG | NETIF_F_HW_CSUM | NETIF_F_TSO | \
			 NETIF_F_TSO6 | NETIF_F_TSO_ECN | NETIF_F_GSO_UDP_L4)

static DEFINE_IDA(ccnic_ids);

/* The region and what is kept beside it: the last that goes. */
static void ccnic_free_region(struct ccnic_dev *cc)
{
	kvfree(cc->mapping);
	cc->mapping = NULL;
	kvfree(cc->page_ledger.at_peer);
	cc->page_ledger.at_peer = NULL;
	kvfree(cc->small_ledger.at_peer);
	cc->small_ledger.at_peer = NULL;
	cc->nic_armed = NULL;
	ccnic_region_destroy(cc);
}

/**
 * ccnic_up - make the region and everything on it, and start the NIC
 * @cc: device that is down
 *
 * Context: RTNL.
 * Return: 0 or a negative errno, and then nothing is left behind
 */
int ccnic_up(struct ccnic_dev *cc)
{
	u32 smalls = ccnic_small_count(&cc->geometry);
	u32 pages = cc->queues * cc->geometry.pages;
	u32 maps = cc->queues * ccnic_tx_target(&cc->geometry);
	struct ccnic_attachment attachment = {
		.translations = pages,
		.mappings = maps,
		.host = cc,
		.ops = &ccnic_host_ops,
	};
	unsigned int i, made;
	int err;

	err = ccnic_region_create(cc);
	if (err)
		return err;
	cc->nic_armed = ccnic_region_nic_armed(cc->region.base, &cc->region.sb);

	err = -ENOMEM;
	cc->small_ledger.at_peer = kvmalloc(smalls, GFP_KERNEL);
	cc->small_ledger.count = smalls;
	cc->page_ledger.at_peer = kvzalloc(pages, GFP_KERNEL);
	cc->page_ledger.count = pages;
	cc->mapping = kvcalloc(maps, sizeof(*cc->mapping), GFP_KERNEL);
	if (!cc->small_ledger.at_peer || !cc->page_ledger.at_peer ||
	    !cc->mapping)
		goto free_ledgers;
	memset(cc->small_ledger.at_peer, 1, smalls);

	err = ccnic_pages_create(cc);
	if (err)
		goto free_ledgers;
	for (made = 0; made < cc->queues; made++) {
		err = ccnic_tx_create(&cc->queue[made]);
		if (err)
			goto free_queues;
		err = ccnic_rx_create(&cc->queue[made]);
		if (err) {
			ccnic_tx_destroy(&cc->queue[made]);
			goto free_queues;
		}
	}

	attachment.region = cc->region.base;
	attachment.size = cc->region.sb.size;
	attachment.translation = cc->translation;
	attachment.mapping = cc->mapping;
	for (i = 0; i < cc->queues; i++)
		napi_enable(&cc->queue[i].napi);
	err = cc->nic->start(cc->port, &attachment);
	if (err)
		goto disable_napi;
	/* Their first poll offers pages, each on its own CPU. */
	for (i = 0; i < cc->queues; i++)
		ccnic_queue_wake(&cc->queue[i]);
	/* Woken, not started: after a reset there may be packets waiting. */
	netif_tx_wake_all_queues(cc->dev);
	return 0;

disable_napi:
	for (i = 0; i < cc->queues; i++)
		napi_disable(&cc->queue[i].napi);
free_queues:
	while (made--) {
		ccnic_rx_destroy(&cc->queue[made]);
		ccnic_tx_destroy(&cc->queue[made]);
	}
	ccnic_pages_destroy(cc);
free_ledgers:
	ccnic_free_region(cc);
	return err;
}

/**
 * ccnic_down - the mirror of ccnic_up()
 * @cc: device that is up
 *
 * Context: RTNL.
 */
void ccnic_down(struct ccnic_dev *cc)
{
	unsigned int i;

	/* No poll wakes a transmit queue after this ... */
	for (i = 0; i < cc->queues; i++)
		napi_disable(&cc->queue[i].napi);
	/* ... and so nobody sends after this. */
	netif_tx_disable(cc->dev);
	cc->nic->stop(cc->port);
	netif_carrier_off(cc->dev);
	for (i = 0; i < cc->queues; i++) {
		cancel_delayed_work_sync(&cc->queue[i].refill);
		ccnic_queue_settle(&cc->queue[i]);
	}

	for (i = cc->queues; i--; ) {
		ccnic_rx_destroy(&cc->queue[i]);
		ccnic_tx_destroy(&cc->queue[i]);
	}
	ccnic_pages_destroy(cc);
	ccnic_free_region(cc);
}

static int ccnic_open(struct net_device *dev)
{
	return ccnic_up(netdev_priv(dev));
}

static int ccnic_stop(struct net_device *dev)
{
	struct ccnic_dev *cc = netdev_priv(dev);

	/* A reset that failed has taken it down already. */
	if (cc->region.base)
		ccnic_down(cc);
	return 0;
}

/* Host and NIC have lost step, or a queue hangs: begin anew. */
static void ccnic_reset(struct work_struct *work)
{
	struct ccnic_dev *cc = container_of(work, struct ccnic_dev, reset);

	/* Whoever holds RTNL may be waiting for us to end. */
	if (!rtnl_trylock()) {
		schedule_work(work);
		return;
	}
	if (netif_running(cc->dev) && cc->region.base) {
		ccnic_down(cc);
		cc->resets++;
		if (ccnic_up(cc)) {
			netdev_err(cc->dev, "no memory to start again after a reset; set it down and up\n");
			netif_carrier_off(cc->dev);
		}
	}
	rtnl_unlock();
}

static void ccnic_tx_timeout(struct net_device *dev, unsigned int queue)
{
	struct ccnic_dev *cc = netdev_priv(dev);

	if (net_ratelimit())
		netdev_warn(dev, "queue %u: nothing came back; reset\n", queue);
	schedule_work(&cc->reset);
}

static void ccnic_get_stats64(struct net_device *dev,
			      struct rtnl_link_stats64 *stats)
{
	struct ccnic_dev *cc = netdev_priv(dev);
	struct ccnic_nic_counts counts;
	u64 packets, bytes;
	unsigned int i;

	for (i = 0; i < cc->queues; i++) {
		ccnic_stats_read(&cc->queue[i].tx.stats, &packets, &bytes);
		stats->tx_packets += packets;
		stats->tx_bytes += bytes;
		ccnic_stats_read(&cc->queue[i].rx.stats, &packets, &bytes);
		stats->rx_packets += packets;
		stats->rx_bytes += bytes;
		cc->nic->counts(cc->port, i, &counts);
		stats->rx_missed_errors += counts.drop_no_buffer;
		stats->tx_carrier_errors += counts.drop_no_link;
		stats->tx_errors += counts.drop_no_link + counts.drop_bad;
	}
	for (i = CCNIC_DROP_TX_MEMORY; i <= CCNIC_DROP_TX_FULL; i++)
		stats->tx_dropped += atomic64_read(&cc->drops[i]);
	stats->rx_dropped = atomic64_read(&cc->drops[CCNIC_DROP_RX_MEMORY]);
	stats->rx_frame_errors = atomic64_read(&cc->drops[CCNIC_DROP_RX_BAD]);
	stats->rx_length_errors =
		atomic64_read(&cc->drops[CCNIC_DROP_RX_LENGTH]);
	stats->rx_errors = stats->rx_frame_errors + stats->rx_length_errors;
}

static int ccnic_change_mtu(struct net_device *dev, int mtu)
{
	/* Buffers fit any MTU; the limits were checked. */
	WRITE_ONCE(dev->mtu, mtu);
	return 0;
}

static int ccnic_get_iflink(const struct net_device *dev)
{
	struct ccnic_dev *cc = netdev_priv(dev);
	struct net_device *peer;
	int iflink;

	rcu_read_lock();
	peer = rcu_dereference(cc->peer);
	/* A loop leads to itself; an unplugged cable nowhere. */
	iflink = peer ? READ_ONCE(peer->ifindex) :
		 cc->paired ? 0 : READ_ONCE(dev->ifindex);
	rcu_read_unlock();
	return iflink;
}

/* Everything of a device that lives as long as it is registered. */
static int ccnic_init(struct net_device *dev)
{
	struct ccnic_dev *cc = netdev_priv(dev);
	struct net_device *peer = rtnl_dereference(cc->peer);
	struct ccnic_dev *other = peer ? netdev_priv(peer) : NULL;
	struct ccnic_port *port;
	int err;

	cc->id = ida_alloc(&ccnic_ids, GFP_KERNEL);
	if (cc->id < 0)
		return cc->id;
	err = ccnic_queues_create(cc);
	if (err)
		goto free_id;
	port = cc->nic->create(cc->queues, other ? other->port : NULL,
			       cc->place.nic_cpu);
	if (IS_ERR(port)) {
		err = PTR_ERR(port);
		goto free_queues;
	}
	cc->port = port;
	if (other) {
		rcu_assign_pointer(other->peer, dev);
		other->paired = true;
	}
	return 0;

free_queues:
	ccnic_queues_destroy(cc);
free_id:
	ida_free(&ccnic_ids, cc->id);
	return err;
}

static void ccnic_uninit(struct net_device *dev)
{
	struct ccnic_dev *cc = netdev_priv(dev);
	struct net_device *peer = rtnl_dereference(cc->peer);
	struct ccnic_dev *other = peer ? netdev_priv(peer) : NULL;

	if (other)
		RCU_INIT_POINTER(other->peer, NULL);
	RCU_INIT_POINTER(cc->peer, NULL);
	cancel_work_sync(&cc->reset);
	ccnic_debugfs_del(cc);
	cc->nic->destroy(cc->port);
	cc->port = NULL;
	ccnic_queues_destroy(cc);
	ida_free(&ccnic_ids, cc->id);
}

static const struct net_device_ops ccnic_netdev_ops = {
	.ndo_init		= ccnic_init,
	.ndo_uninit		= ccnic_uninit,
	.ndo_open		= ccnic_open,
	.ndo_stop		= ccnic_stop,
	.ndo_start_xmit		= ccnic_start_xmit,
	.ndo_tx_timeout		= ccnic_tx_timeout,
	.ndo_get_stats64	= ccnic_get_stats64,
	.ndo_change_mtu		= ccnic_change_mtu,
	.ndo_set_mac_address	= eth_mac_addr,
	.ndo_validate_addr	= eth_validate_addr,
	.ndo_get_iflink		= ccnic_get_iflink,
};

/**
 * ccnic_is_ccnic - is a net device one of ours?
 * @dev: net device
 */
bool ccnic_is_ccnic(const struct net_device *dev)
{
	return dev->netdev_ops == &ccnic_netdev_ops;
}

/**
 * ccnic_setup - the device's defaults, before the user's attributes
 * @dev: fresh net device
 */
void ccnic_setup(struct net_device *dev)
{
	struct ccnic_dev *cc = netdev_priv(dev);

	cc->dev = dev;
	cc->nic = &ccnic_thread_nic;
	strscpy(cc->backend, "none", sizeof(cc->backend));
	INIT_WORK(&cc->reset, ccnic_reset);

	ether_setup(dev);
	eth_hw_addr_random(dev);
	dev->netdev_ops = &ccnic_netdev_ops;
	dev->ethtool_ops = &ccnic_ethtool_ops;
	dev->needs_free_netdev = true;
	dev->priv_flags |= IFF_LIVE_ADDR_CHANGE;
	dev->min_mtu = ETH_MIN_MTU;
	dev->max_mtu = CCNIC_MTU_MAX;
	dev->hw_features = CCNIC_FEATURES;
	dev->features = CCNIC_FEATURES | NETIF_F_RXCSUM;
	dev->vlan_features = CCNIC_FEATURES;
}
