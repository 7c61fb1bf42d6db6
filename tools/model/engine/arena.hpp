// SPDX-License-Identifier: GPL-2.0
/** @file
 * The shared memory of a program under test.
 */
#pragma once

#include "field.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace model
{

/**
 * Addresses that the program uses, and the bytes that are kept for them
 * elsewhere. Nothing is mapped at the addresses themselves, so that an access
 * which is not one of platform.h's cannot go unnoticed: it is a fault.
 */
class Arena
{
public:
	static constexpr size_t capacity = size_t{64} << 10;

	Arena();
	~Arena();
	Arena(const Arena &) = delete;
	Arena &operator=(const Arena &) = delete;

	/** Takes everything back; the next allocation is zeroed. */
	void reset();
	/** @return the address of @p count objects of @p size bytes, on a line of their own */
	void *allocate(std::string_view name, size_t size, size_t count, std::vector<Field> fields);

	bool holds(const void *address) const
	{
		return reinterpret_cast<uintptr_t>(address) - base() < capacity;
	}
	/** @return offset of an address that the arena holds, used to index things */
	size_t offset(uintptr_t address) const
	{
		return address - base();
	}
	/** @return where the bytes of an address are kept */
	unsigned char *bytes(uintptr_t address)
	{
		return bytes_.data() + offset(address);
	}
	/** @return is this part of one object that was allocated? */
	bool contains(uintptr_t address, size_t size) const;
	/** @return bytes allocated */
	size_t used() const
	{
		return used_;
	}
	/** @return for example "line[2].signal" */
	std::string describe(uintptr_t address) const;

private:
	struct Region {
		std::string name;
		size_t start;
		size_t size;
		size_t count;
		std::vector<Field> fields;
	};

	uintptr_t base() const
	{
		return reinterpret_cast<uintptr_t>(base_);
	}

	char *base_;
	size_t used_ = 0;
	std::vector<unsigned char> bytes_;
	std::vector<Region> regions_;
};

} // namespace model
