// SPDX-License-Identifier: GPL-2.0
/** @file
 * Sleeping at a bell in shared memory, and ringing it.
 */
#pragma once

#include "control.hpp"

#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ccnic
{

/** The longest that anybody sleeps before he looks whether his peer lives. */
inline constexpr int sleep_slice_ms = 50;

/** What @p bell stands at, to be read before the sleeper arms. */
inline uint32_t heard(const Bell *bell)
{
	return ccnic_read_once(&bell->rings);
}

/** Wakes whoever sleeps at a bell, or is about to. */
inline void ring(Bell *bell)
{
	__atomic_fetch_add(&bell->rings, 1U, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &bell->rings, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

/** Sleeps until a bell is rung, or has been since heard(), or for a while. */
inline void sleep_at(Bell *bell, uint32_t before, int ms)
{
	const timespec limit = {ms / 1000, (ms % 1000) * 1000000L};

	syscall(SYS_futex, &bell->rings, FUTEX_WAIT, before, &limit, nullptr, 0);
}

} // namespace ccnic
