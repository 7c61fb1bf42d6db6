// SPDX-License-Identifier: GPL-2.0
#include "memory.hpp"

#include <cerrno>
#include <new>
#include <sys/mman.h>
#include <system_error>

namespace bench
{

namespace
{

constexpr size_t huge_page = 2 << 20;

} // namespace

SharedMemory::SharedMemory(size_t bytes) : bytes_((bytes + huge_page - 1) / huge_page * huge_page)
{
	void *start =
		mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (start == MAP_FAILED)
		throw std::system_error(errno, std::generic_category(), "shared memory");
	/* Only a wish. */
	madvise(start, bytes_, MADV_HUGEPAGE);
	start_ = static_cast<uint8_t *>(start);
	/* Page faults now, not while something is measured. */
	for (size_t at = 0; at < bytes_; at += 4096)
		*static_cast<volatile uint8_t *>(start_ + at) = 0;
}

SharedMemory::~SharedMemory()
{
	munmap(start_, bytes_);
}

uint8_t *SharedMemory::take_bytes(size_t bytes)
{
	uint8_t *at = start_ + taken_;

	/* A line is left free, so that the next line's fetch brings nothing of this. */
	taken_ += (bytes + writer_gap - 1) / writer_gap * writer_gap + writer_gap;
	if (taken_ > bytes_)
		throw std::bad_alloc();
	return at;
}

} // namespace bench
