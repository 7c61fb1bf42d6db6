// SPDX-License-Identifier: GPL-2.0
/** @file
 * Data races: plain accesses that nothing orders.
 */
#pragma once

#include "arena.hpp"
#include "view.hpp"

#include <optional>
#include <vector>

namespace model
{

/** Who accessed which bytes when, as far as it can still race. */
class Races
{
public:
	/** An access by one thread. */
	struct Access {
		bool write;
		bool atomic;
		size_t thread;
		/** The thread's happens-before clock at the access. */
		const Clock &clock;
		/** Its number in the trace. */
		uint32_t event;
	};

	/** Forgets everything; @p bytes of the arena are used. */
	void reset(size_t bytes);
	/**
	 * Notes an access to bytes from @p offset on.
	 * @return number in the trace of an earlier one that it races with
	 */
	std::optional<uint32_t> access(size_t offset, size_t size, const Access &access);

private:
	struct Mark {
		uint32_t time;
		uint32_t event;
	};
	using Marks = std::array<Mark, max_threads>;
	/* Two bytes: nothing that is shared begins at an odd one, but bytes alone. */
	static constexpr size_t cell_bytes = 2;
	struct Cell {
		Marks plain_reads;
		Marks plain_writes;
		Marks atomic_reads;
		Marks atomic_writes;
	};

	static std::optional<uint32_t> newer(const Marks &marks, const Access &access);

	std::vector<Cell> cells_;
};

} // namespace model
