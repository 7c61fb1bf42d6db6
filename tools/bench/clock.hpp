// SPDX-License-Identifier: GPL-2.0
/** @file
 * Time: a counter that costs little to read, and how long it ticks.
 */
#pragma once

#include <chrono>
#include <cstdint>

namespace bench
{

/** @return the CPU's own time stamp */
inline uint64_t ticks()
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t value = 0;
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
	return value;
#else
	return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/** @return nanoseconds a tick; measured at the first call */
double tick_ns();

/** @return ticks in so many nanoseconds */
inline uint64_t ticks_of_ns(double ns)
{
	return static_cast<uint64_t>(ns / tick_ns());
}

/** A breath in a loop that polls. */
inline void relax()
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

} // namespace bench
