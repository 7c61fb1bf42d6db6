// SPDX-License-Identifier: GPL-2.0
/** @file
 * Being in the rings: while one is, they do not begin anew.
 */
#pragma once

#include "host.hpp"

namespace ccnic
{

/**
 * A store, a look, and no fence: Host::leave() makes every CPU execute one.
 */
class Queue::Inside
{
public:
	Inside(const Host &host, std::atomic<uint32_t> &busy) : busy_(busy)
	{
		busy_.store(1, std::memory_order_relaxed);
		if (host.fence_)
			std::atomic_thread_fence(std::memory_order_seq_cst);
		else
			std::atomic_signal_fence(std::memory_order_seq_cst);
		in_ = host.running_.load(std::memory_order_acquire) != 0;
	}
	~Inside()
	{
		busy_.store(0, std::memory_order_release);
	}
	Inside(const Inside &) = delete;
	Inside &operator=(const Inside &) = delete;
	Inside(Inside &&) = delete;
	Inside &operator=(Inside &&) = delete;

	/** @return false if the rings do not run; then they are not to be touched */
	explicit operator bool() const
	{
		return in_;
	}

private:
	std::atomic<uint32_t> &busy_;
	bool in_ = false;
};

} // namespace ccnic
