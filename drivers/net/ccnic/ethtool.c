// SPDX-License-Identifier: GPL-2.0
/*
 * CC-NIC: ethtool: what is there, and the counters that have no better place.
 */
#include <linux/ethtool.h>
#include <linux/netdevice.h>

#include "ccnic.h"

const char * const ccnic_drop_names[CCNIC_DROPS] = {
	[CCNIC_DROP_TX_MEMORY]	= "tx_drop_memory",
	[CCNIC_DROP_TX_LENGTH]	= "tx_drop_length",
	[CCNIC_DROP_TX_OFFLOAD]	= "tx_drop_offload",
	[CCNIC_DROP_TX_FULL]	= "tx_drop_full",
	[CCNIC_DROP_RX_MEMORY]	= "rx_drop_memory",
	[CCNIC_DROP_RX_BAD]	= "rx_drop_bad",
	[CCNIC_DROP_RX_LENGTH]	= "rx_drop_length",
};

static const char * const queue_names[] = {
	"tx%u_packets", "tx%u_lines", "tx%u_descriptors", "tx%u_kicks",
	"tx%u_stops", "rx%u_packets", "rx%u_lines", "rx%u_descriptors",
	"rx%u_wakes", "rx%u_holds", "nic%u_drop_bad", "nic%u_drop_no_link",
	"nic%u_drop_no_buffer", "rx%u_refill_failures",
};

static const char * const device_names[] = {
	"rx_pages_coloured", "rx_pages_fallback", "rx_pages_plain",
	"resets", "nic_cpu", "nic_sleeps", "region_pages",
	"region_pages_homed",
};

static void ccnic_get_drvinfo(struct net_device *dev,
			      struct ethtool_drvinfo *info)
{
	strscpy(info->driver, "ccnic", sizeof(info->driver));
	strscpy(info->bus_info, "coherent", sizeof(info->bus_info));
}

static int ccnic_get_link_ksettings(struct net_device *dev,
				    struct ethtool_link_ksettings *settings)
{
	/* As fast as the memory between host and NIC: no figure is true. */
	settings->base.speed = SPEED_UNKNOWN;
	settings->base.duplex = DUPLEX_FULL;
	settings->base.port = PORT_OTHER;
	settings->base.autoneg = AUTONEG_DISABLE;
	return 0;
}

static void ccnic_get_ringparam(struct net_device *dev,
				struct ethtool_ringparam *ring,
				struct kernel_ethtool_ringparam *kernel_ring,
				struct netlink_ext_ack *extack)
{
	const struct ccnic_dev *cc = netdev_priv(dev);
	u32 descs = ccnic_tx_target(&cc->geometry);

	ring->rx_max_pending = descs;
	ring->rx_pending = descs;
	ring->tx_max_pending = descs;
	ring->tx_pending = descs;
}

static void ccnic_get_channels(struct net_device *dev,
			       struct ethtool_channels *channels)
{
	const struct ccnic_dev *cc = netdev_priv(dev);

	channels->max_combined = cc->queues;
	channels->combined_count = cc->queues;
}

static int ccnic_get_sset_count(struct net_device *dev, int set)
{
	const struct ccnic_dev *cc = netdev_priv(dev);

	if (set != ETH_SS_STATS)
		return -EOPNOTSUPP;
	return cc->queues * ARRAY_SIZE(queue_names) + ARRAY_SIZE(device_names) +
	       CCNIC_DROPS;
}

static void ccnic_get_strings(struct net_device *dev, u32 set, u8 *data)
{
	const struct ccnic_dev *cc = netdev_priv(dev);
	unsigned int i, j;

	if (set != ETH_SS_STATS)
		return;
	for (i = 0; i < cc->queues; i++)
		for (j = 0; j < ARRAY_SIZE(queue_names); j++)
			ethtool_sprintf(&data, queue_names[j], i);
	for (i = 0; i < ARRAY_SIZE(device_names); i++)
		ethtool_sprintf(&data, "%s", device_names[i]);
	for (i = 0; i < CCNIC_DROPS; i++)
		ethtool_sprintf(&data, "%s", ccnic_drop_names[i]);
}

/* In the order of queue_names. */
static u64 *queue_stats(const struct ccnic_queue *q, u64 *data)
{
	const struct ccnic_dev *cc = q->cc;
	struct ccnic_nic_counts counts;
	u64 packets, bytes;

	cc->nic->counts(cc->port, q->index, &counts);
	ccnic_stats_read(&q->tx.stats, &packets, &bytes);
	*data++ = packets;
	*data++ = READ_ONCE(q->tx.ring.published_lines);
	*data++ = READ_ONCE(q->tx.ring.published_descs);
	*data++ = READ_ONCE(q->tx.kicks);
	*data++ = READ_ONCE(q->tx.stops);
	ccnic_stats_read(&q->rx.stats, &packets, &bytes);
	*data++ = packets;
	*data++ = counts.rx_lines;
	*data++ = counts.rx_descs;
	*data++ = counts.wakes;
	*data++ = counts.holds;
	*data++ = counts.drop_bad;
	*data++ = counts.drop_no_link;
	*data++ = counts.drop_no_buffer;
	*data++ = READ_ONCE(q->rx.refill_failures);
	return data;
}

static void ccnic_get_ethtool_stats(struct net_device *dev,
				    struct ethtool_stats *stats, u64 *data)
{
	struct ccnic_dev *cc = netdev_priv(dev);
	u64 coloured, fallback, plain = 0;
	unsigned int i;

	for (i = 0; i < cc->queues; i++) {
		data = queue_stats(&cc->queue[i], data);
		plain += READ_ONCE(cc->queue[i].rx.plain_pages);
	}
	/* In the order of device_names; RTNL is held. */
	ccnic_pages_stats(cc, &coloured, &fallback);
	*data++ = coloured;
	*data++ = fallback;
	*data++ = plain;
	*data++ = cc->resets;
	*data++ = cc->nic->cpu(cc->port);
	*data++ = cc->nic->sleeps(cc->port);
	*data++ = cc->region.count;
	*data++ = cc->region.homed;
	for (i = 0; i < CCNIC_DROPS; i++)
		*data++ = atomic64_read(&cc->drops[i]);
}

const struct ethtool_ops ccnic_ethtool_ops = {
	.get_drvinfo		= ccnic_get_drvinfo,
	.get_link		= ethtool_op_get_link,
	.get_link_ksettings	= ccnic_get_link_ksettings,
	.get_ringparam		= ccnic_get_ringparam,
	.get_channels		= ccnic_get_channels,
	.get_sset_count		= ccnic_get_sset_count,
	.get_strings		= ccnic_get_strings,
	.get_ethtool_stats	= ccnic_get_ethtool_stats,
	.get_ts_info		= ethtool_op_get_ts_info,
};
