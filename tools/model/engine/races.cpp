// SPDX-License-Identifier: GPL-2.0
#include "races.hpp"

namespace model
{

void Races::reset(size_t bytes)
{
	cells_.assign(bytes / cell_bytes, Cell{});
}

/* An access among @marks that @access does not follow. */
std::optional<uint32_t> Races::newer(const Marks &marks, const Access &access)
{
	for (size_t thread = 0; thread < max_threads; thread++) {
		if (thread != access.thread && !access.clock.knows(thread, marks[thread].time))
			return marks[thread].event;
	}
	return {};
}

std::optional<uint32_t> Races::access(size_t offset, size_t size, const Access &access)
{
	const size_t end = (offset + size + cell_bytes - 1) / cell_bytes;
	const Mark mark = {access.clock.of[access.thread], access.event};

	for (size_t i = offset / cell_bytes; i < end; i++) {
		Cell &cell = cells_[i];
		std::optional<uint32_t> other = newer(cell.plain_writes, access);

		if (!other && access.write)
			other = newer(cell.plain_reads, access);
		if (!other && !access.atomic)
			other = newer(cell.atomic_writes, access);
		if (!other && !access.atomic && access.write)
			other = newer(cell.atomic_reads, access);
		if (other)
			return other;
		if (access.atomic)
			(access.write ? cell.atomic_writes : cell.atomic_reads)[access.thread] =
				mark;
		else
			(access.write ? cell.plain_writes : cell.plain_reads)[access.thread] = mark;
	}
	return {};
}

} // namespace model
