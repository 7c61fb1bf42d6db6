// SPDX-License-Identifier: GPL-2.0
#include "memif.hpp"

#include <chrono>
#include <fmt/format.h>
#include <rte_bus_vdev.h>
#include <stdexcept>
#include <thread>

namespace bench
{

namespace
{

constexpr uint32_t pool_size = 8192;
/* log2 of the slots of a ring */
constexpr unsigned int ring_log = 10;

bool link_up(uint16_t port)
{
	rte_eth_link link = {};

	return rte_eth_link_get_nowait(port, &link) == 0 && link.link_status == RTE_ETH_LINK_UP;
}

std::string try_memif()
{
	try {
		const MemifPair pair(2048);
	} catch (const std::exception &error) {
		return error.what();
	}
	return "";
}

} // namespace

MemifPair::MemifPair(uint32_t largest)
	: host_pool_(pool_size, largest), nic_pool_(pool_size, largest)
{
	static const char *const roles[] = {"client", "server"};
	const std::string socket = unique_name("@ccnic-bench-memif");

	/* The server first, as it listens. */
	for (const int end : {1, 0}) {
		names_[end] = unique_name("net_memif");

		const std::string arguments =
			fmt::format("role={},id=0,socket-abstract=yes,socket={},bsize={},rsize={}",
				    roles[end], socket.substr(1), largest, ring_log);
		if (rte_vdev_init(names_[end].c_str(), arguments.c_str()) != 0 ||
		    rte_eth_dev_get_port_by_name(names_[end].c_str(), &ports_[end]) != 0)
			throw std::runtime_error("DPDK makes no net_memif device");
		configure(ports_[end], end == 0 ? host_pool_.get() : nic_pool_.get());
	}
	for (int i = 0; i < 3000 && !(link_up(host()) && link_up(nic())); i++)
		std::this_thread::sleep_for(std::chrono::milliseconds(1));
	if (!link_up(host()) || !link_up(nic()))
		throw std::runtime_error("the two ends of the memif do not connect");
}

MemifPair::~MemifPair()
{
	for (const int end : {0, 1}) {
		rte_eth_dev_stop(ports_[end]);
		rte_eth_dev_close(ports_[end]);
		rte_vdev_uninit(names_[end].c_str());
	}
}

void MemifPair::configure(uint16_t port, rte_mempool *pool) const
{
	rte_eth_conf conf = {};

	if (rte_eth_dev_configure(port, 1, 1, &conf) != 0 ||
	    rte_eth_rx_queue_setup(port, 0, 1u << ring_log, SOCKET_ID_ANY, nullptr, pool) != 0 ||
	    rte_eth_tx_queue_setup(port, 0, 1u << ring_log, SOCKET_ID_ANY, nullptr) != 0 ||
	    rte_eth_dev_start(port) != 0)
		throw std::runtime_error("a net_memif device does not start");
}

const std::string &memif_trouble()
{
	static const std::string trouble = try_memif();

	return trouble;
}

} // namespace bench
