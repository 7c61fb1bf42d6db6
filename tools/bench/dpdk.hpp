// SPDX-License-Identifier: GPL-2.0
/** @file
 * What the DPDK designs share: its start, and pools of mbufs.
 */
#pragma once

#include <cstdint>
#include <string>

struct rte_mempool;
struct rte_mempool_cache;

namespace bench
{

/** Starts DPDK once: no huge pages, no devices, nothing on disk. @return what went wrong; empty:
 * nothing */
const std::string &start_dpdk();

/** Mbufs for packets of up to so many bytes. */
class MbufPool
{
public:
	/** @throws std::runtime_error if there is no memory */
	MbufPool(uint32_t count, uint32_t largest);
	~MbufPool();
	MbufPool(const MbufPool &) = delete;
	MbufPool &operator=(const MbufPool &) = delete;
	MbufPool(MbufPool &&) = delete;
	MbufPool &operator=(MbufPool &&) = delete;

	rte_mempool *get() const
	{
		return pool_;
	}

private:
	rte_mempool *pool_;
};

/** @return a name that no other object of DPDK has */
std::string unique_name(const std::string &start);

} // namespace bench
