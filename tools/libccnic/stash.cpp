// SPDX-License-Identifier: GPL-2.0
#include "host.hpp"

#include <cstdlib>
#include <new>

namespace ccnic
{

void Stash::Free::operator()(void *memory) const
{
	std::free(memory);
}

void Stash::init(uint32_t first, uint32_t count, uint32_t bytes)
{
	first_ = first;
	bytes_ = bytes;
	room_.resize(count);
	taken_.assign(count, 0);
	ccnic_cache_init(&free_, room_.data(), count);
	if (count == 0)
		return;
	memory_.reset(static_cast<uint8_t *>(std::aligned_alloc(
		apart, (static_cast<size_t>(count) * bytes + apart - 1) & ~(apart - 1))));
	if (!memory_)
		throw std::bad_alloc();
	for (uint32_t i = count; i > 0; i--)
		ccnic_cache_push(&free_, first + i - 1);
}

} // namespace ccnic
