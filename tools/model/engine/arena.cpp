// SPDX-License-Identifier: GPL-2.0
#include "arena.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/mman.h>

namespace model
{

Arena::Arena() : bytes_(capacity)
{
	void *at = mmap(nullptr, capacity, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			-1, 0);

	if (at == MAP_FAILED)
		throw std::runtime_error("no addresses for the shared memory");
	base_ = static_cast<char *>(at);
}

Arena::~Arena()
{
	munmap(base_, capacity);
}

void Arena::reset()
{
	std::memset(bytes_.data(), 0, used_);
	regions_.clear();
	used_ = 0;
}

void *Arena::allocate(std::string_view name, size_t size, size_t count, std::vector<Field> fields)
{
	constexpr size_t line = 64;
	const size_t start = used_;

	if (start + size * count + line > capacity)
		throw std::length_error("the program wants more shared memory than there is");
	used_ = (start + size * count + line - 1) / line * line;
	regions_.push_back({std::string(name), start, size, count, std::move(fields)});
	return base_ + start;
}

bool Arena::contains(uintptr_t address, size_t size) const
{
	const size_t at = offset(address);

	return std::ranges::any_of(regions_, [=](const Region &region) {
		return at >= region.start && at + size <= region.start + region.size * region.count;
	});
}

std::string Arena::describe(uintptr_t address) const
{
	const size_t at = offset(address);

	for (const Region &region : regions_) {
		if (at < region.start || at >= region.start + region.size * region.count)
			continue;
		const size_t index = (at - region.start) / region.size;
		size_t rest = (at - region.start) % region.size;
		std::string text = region.name;

		if (region.count > 1)
			text += fmt::format("[{}]", index);
		for (size_t i = region.fields.size(); i-- > 0;) {
			const Field &field = region.fields[i];

			if (field.offset > rest)
				continue;
			text += fmt::format(".{}", field.name);
			rest -= field.offset;
			break;
		}
		return rest != 0 ? text + fmt::format("+{}", rest) : text;
	}
	return fmt::format("shared+{}", at);
}

} // namespace model
