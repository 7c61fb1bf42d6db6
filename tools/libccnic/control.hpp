// SPDX-License-Identifier: GPL-2.0
/** @file
 * What stands behind the region in its file: how two processes begin anew.
 *
 * The rings know nothing of a peer that died and came back. So each side has a
 * word of its own here, a generation and a state, by which they agree on a
 * start of all rings:
 *
 *   host                                  NIC
 *   1 leaves the rings; stores
 *     (g, reset)
 *                                         2 sees it, leaves the rings, zeroes
 *                                           what it writes; stores (g, clean)
 *   3 zeroes what it writes, says which
 *     buffers it keeps; stores (g, run)
 *                                         4 makes its pool of the others;
 *                                           stores (g, run)
 *
 * Each store is a release and each look an acquire, so nobody sees a ring that
 * is not zeroed. A host that comes up, that finds the NIC dead or the rings
 * broken, begins with 1 and a new generation. A NIC that comes up while the host
 * runs stores (g, hello), and the host begins with 1.
 *
 * That a side is alive is not said by a word, which outlives it and may lie, but
 * by a lock on a byte of the file, which the kernel releases when the process
 * ends, however it ends; see mapping.hpp.
 */
#pragma once

#include <ccnic/region.h>

#include <cstddef>
#include <cstdint>

namespace ccnic
{

/** States in the low half of a word; the generation is the high half. */
enum class State : uint32_t {
	none = 0,
	reset = 1,
	clean = 2,
	run = 3,
	hello = 4,
};

constexpr uint64_t word_of(uint32_t generation, State state)
{
	return static_cast<uint64_t>(generation) << 32 | static_cast<uint32_t>(state);
}

constexpr uint32_t generation_of(uint64_t word)
{
	return static_cast<uint32_t>(word >> 32);
}

constexpr State state_of(uint64_t word)
{
	return static_cast<State>(static_cast<uint32_t>(word));
}

/** What one side says to the other; written by that side only. */
struct alignas(64) SideLine {
	/** Generation and state. */
	uint64_t word;
	/** 1 if the side may sleep, so that who publishes must look at armed. */
	uint32_t sleeps;
	uint32_t pad[13];
};

/**
 * Where a sleeper waits. The waker adds 1 before it wakes, so that a sleeper who
 * has not fallen asleep yet does not.
 */
struct alignas(64) Bell {
	uint32_t rings;
	uint32_t pad[15];
};

/** A queue's bells, rung by the NIC. */
struct QueueBells {
	Bell rx;
	Bell tx;
};

/** Stands at the offset sb.size of the file; the map of kept buffers follows. */
struct Control {
	SideLine host;
	/** Rung by the host. */
	Bell nic_bell;
	SideLine nic;
	QueueBells bells[CCNIC_QUEUES_MAX];
};

static_assert(sizeof(SideLine) == 64 && sizeof(Bell) == 64, "a line each");
static_assert(sizeof(Control) == (3 + 2 * CCNIC_QUEUES_MAX) * 64, "control size");

/** Words of the map of buffers that the host keeps over a start, a bit each. */
constexpr size_t kept_words(uint32_t small_count)
{
	return (static_cast<size_t>(small_count) + 63) / 64;
}

/** Bytes of a file that holds a region. */
constexpr size_t file_bytes(const ccnic_superblock &sb)
{
	const size_t bytes = sb.size + sizeof(Control) + kept_words(sb.small_count) * 8;

	return (bytes + CCNIC_REGION_ALIGN - 1) & ~(CCNIC_REGION_ALIGN - 1);
}

inline Control *control_of(void *memory, const ccnic_superblock &sb)
{
	return static_cast<Control *>(ccnic_at(memory, sb.size));
}

inline uint64_t *kept_of(void *memory, const ccnic_superblock &sb)
{
	return static_cast<uint64_t *>(ccnic_at(memory, sb.size + sizeof(Control)));
}

} // namespace ccnic
