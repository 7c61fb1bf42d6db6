// SPDX-License-Identifier: GPL-2.0
/** @file
 * What tests with two threads share.
 */
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

/** Packets, or handles, that a long test passes; set by the build. */
inline constexpr uint64_t test_packets = CCNIC_TEST_PACKETS;

/**
 * Tells one side of a test that the other has given up, so that it does not
 * wait for ever.
 */
class Alarm
{
public:
	void raise()
	{
		raised_.store(true, std::memory_order_relaxed);
	}
	bool raised() const
	{
		return raised_.load(std::memory_order_relaxed);
	}

private:
	std::atomic<bool> raised_ = false;
};

/** Waiting without holding up the other thread where there is one CPU for both. */
class Backoff
{
public:
	void wait()
	{
		if (++misses_ % spins == 0)
			std::this_thread::yield();
	}

private:
	static constexpr uint32_t spins = 64;
	uint32_t misses_ = 0;
};

/**
 * Rounds of a test in which two threads take turns. On a machine whose CPUs are
 * all busy a turn may take milliseconds, so after the first thousand rounds a
 * limit of time ends them.
 */
class Rounds
{
public:
	explicit Rounds(uint64_t wanted) : wanted_(wanted)
	{
	}
	/** @return is round @p i, from 0 on, to be played? */
	bool play(uint64_t i) const
	{
		if (i >= wanted_)
			return false;
		return i < least || i % 64 != 0 ||
		       std::chrono::steady_clock::now() - start_ < time_limit;
	}

private:
	static constexpr uint64_t least = 1000;
	static constexpr auto time_limit = std::chrono::seconds(4);
	uint64_t wanted_;
	std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/** Small, quick, and the same sequence in every run (xorshift). */
class Random
{
public:
	explicit Random(uint64_t seed) : state_(seed)
	{
	}
	uint64_t next()
	{
		state_ ^= state_ << 13;
		state_ ^= state_ >> 7;
		state_ ^= state_ << 17;
		return state_;
	}
	/** @return 0 to @p limit - 1 */
	uint32_t below(uint32_t limit)
	{
		return static_cast<uint32_t>((next() >> 16) % limit);
	}

private:
	uint64_t state_;
};
