// SPDX-License-Identifier: GPL-2.0
/** @file
 * The other side: a thread or a process that polls on a CPU of its own.
 */
#pragma once

#include "cpus.hpp"
#include "memory.hpp"

#include <atomic>
#include <functional>
#include <sys/types.h>
#include <thread>

namespace bench
{

/** Runs the NIC's side until it goes away. */
class Peer
{
public:
	/**
	 * @param cpu to run on
	 * @param process a process rather than a thread; sees what it writes only in
	 *        SharedMemory
	 * @param loop polls until the flag is set
	 * @throws std::system_error
	 */
	Peer(int cpu, bool process, const std::function<void(const std::atomic<bool> &)> &loop);
	~Peer();
	Peer(const Peer &) = delete;
	Peer &operator=(const Peer &) = delete;
	Peer(Peer &&) = delete;
	Peer &operator=(Peer &&) = delete;

private:
	SharedMemory memory_;
	std::atomic<bool> *stop_;
	std::thread thread_;
	pid_t child_ = -1;
};

} // namespace bench
