// SPDX-License-Identifier: GPL-2.0
#include "dpdk.hpp"

#include "cpus.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_log.h>
#include <rte_mbuf.h>
#include <stdexcept>
#include <unistd.h>
#include <vector>

namespace bench
{

namespace
{

std::string start()
{
	std::vector<std::string> words = {"ccnic-bench",
					  "--no-huge",
					  "--no-shconf",
					  "--no-pci",
					  "--no-telemetry",
					  "-m",
					  "512",
					  "--log-level=lib.*:critical",
					  "--log-level=pmd.*:error"};
	std::vector<char *> arguments;

	/* It binds the thread that starts it. */
	const KeepCpus keep;
	arguments.reserve(words.size());
	for (std::string &word : words)
		arguments.push_back(word.data());
	if (rte_eal_init(static_cast<int>(arguments.size()), arguments.data()) < 0)
		return fmt::format("DPDK does not start: {}", rte_strerror(rte_errno));
	/*
	 * Its threads outlive us, and may still be starting when the libraries that
	 * they run in are taken down: leave before that.
	 */
	on_exit(
		[](int status, void * /*unused*/) {
			std::cout.flush();
			std::fflush(nullptr);
			_exit(status);
		},
		nullptr);
	return "";
}

} // namespace

const std::string &start_dpdk()
{
	static const std::string problem = start();

	return problem;
}

std::string unique_name(const std::string &start)
{
	static std::atomic<unsigned int> count = 0;

	return fmt::format("{}{}", start, count++);
}

MbufPool::MbufPool(uint32_t count, uint32_t largest)
	/* One less than a power of two is what its ring holds best. */
	: pool_(rte_pktmbuf_pool_create(unique_name("bench-pool").c_str(), count - 1, 0, 0,
					static_cast<uint16_t>(largest + RTE_PKTMBUF_HEADROOM),
					SOCKET_ID_ANY))
{
	if (pool_ == nullptr)
		throw std::runtime_error(
			fmt::format("DPDK: no pool of mbufs: {}", rte_strerror(rte_errno)));
}

MbufPool::~MbufPool()
{
	rte_mempool_free(pool_);
}

} // namespace bench
