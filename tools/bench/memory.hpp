// SPDX-License-Identifier: GPL-2.0
/** @file
 * Memory that two threads, or two processes, share.
 */
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench
{

/** Bytes that one cache line has here, and that no two writers may share. */
inline constexpr size_t line_bytes = 64;

/** Distance of what two threads write on their own: prefetchers take lines in pairs. */
inline constexpr size_t writer_gap = 256;

/** A zeroed range of shared memory, in huge pages where there are some. */
class SharedMemory
{
public:
	/** @throws std::system_error if there is not so much memory */
	explicit SharedMemory(size_t bytes);
	~SharedMemory();
	SharedMemory(const SharedMemory &) = delete;
	SharedMemory &operator=(const SharedMemory &) = delete;
	SharedMemory(SharedMemory &&) = delete;
	SharedMemory &operator=(SharedMemory &&) = delete;

	uint8_t *at(size_t offset) const
	{
		return start_ + offset;
	}
	size_t bytes() const
	{
		return bytes_;
	}

	/** Takes the next @p count objects of a type, at a line's start. */
	template <typename T>
	T *take(size_t count)
	{
		return reinterpret_cast<T *>(take_bytes(count * sizeof(T)));
	}

private:
	uint8_t *take_bytes(size_t bytes);

	uint8_t *start_ = nullptr;
	size_t bytes_;
	size_t taken_ = 0;
};

} // namespace bench
