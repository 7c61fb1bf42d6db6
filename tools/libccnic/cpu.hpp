// SPDX-License-Identifier: GPL-2.0
/** @file
 * What the CPU offers a loop that waits for another CPU.
 */
#pragma once

#include <ccnic/platform.h>

#include <cstddef>
#include <cstdint>
#if defined(__x86_64__)
#include <x86intrin.h>
#else
#include <ctime>
#endif

namespace ccnic
{

/** Bytes between things that different threads write: two lines are fetched at once. */
inline constexpr size_t apart = 128;

/** A clock that is read in a few nanoseconds. */
inline uint64_t cycles()
{
#if defined(__x86_64__)
	return __rdtsc();
#elif defined(__aarch64__)
	uint64_t value = 0;

	asm volatile("mrs %0, cntvct_el0" : "=r"(value));
	return value;
#else
	timespec now = {};

	clock_gettime(CLOCK_MONOTONIC, &now);
	return static_cast<uint64_t>(now.tv_sec) * 1000000000 + static_cast<uint64_t>(now.tv_nsec);
#endif
}

/** About 10 ms: how often an idle side asks whether its peer lives. */
inline uint64_t check_cycles()
{
#if defined(__aarch64__)
	uint64_t frequency = 0;

	asm volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
	return frequency / 100;
#elif defined(__x86_64__)
	return 25000000;
#else
	return 10000000;
#endif
}

inline void pause_once()
{
#if defined(__x86_64__)
	_mm_pause();
#elif defined(__aarch64__)
	asm volatile("isb");
#endif
}

/** Copies whole lines, one after the other: no call, no branch on the length. */
inline void copy_lines(void *to, const void *from, uint32_t bytes)
{
	auto *dst = static_cast<uint8_t *>(to);
	const auto *src = static_cast<const uint8_t *>(from);

	for (uint32_t at = 0; at < bytes; at += 64)
		ccnic_copy(dst + at, src + at, 64);
}

/** A counter with one writer that others may read. */
class Counter
{
public:
	void add(uint64_t more)
	{
		ccnic_write_once(&value_, value_ + more);
	}
	uint64_t get() const
	{
		return ccnic_read_once(&value_);
	}

private:
	uint64_t value_ = 0;
};

} // namespace ccnic
