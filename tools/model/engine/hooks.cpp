// SPDX-License-Identifier: GPL-2.0
#include "../platform.hpp"
#include "execution.hpp"

#include <cstring>

namespace model
{

namespace
{

Operation operation(Kind kind, const void *address, size_t size, uint64_t value, bool ordered)
{
	return {kind, ordered ? Order::synchronizing : Order::relaxed, static_cast<uint8_t>(size),
		reinterpret_cast<uintptr_t>(address), value};
}

} // namespace

bool shared(const void *address)
{
	return Execution::current()->arena().holds(address);
}

uint64_t load_shared(const void *address, size_t size, bool acquire)
{
	return Execution::current()->perform(operation(Kind::load, address, size, 0, acquire));
}

void store_shared(void *address, size_t size, uint64_t value, bool release)
{
	Execution::current()->perform(operation(Kind::store, address, size, value, release));
}

uint64_t exchange_shared(void *address, size_t size, uint64_t value)
{
	return Execution::current()->perform(operation(Kind::exchange, address, size, value, true));
}

void fence()
{
	Execution::current()->perform(operation(Kind::fence, nullptr, 0, 0, true));
}

void copy(void *to, const void *from, size_t size)
{
	Execution &execution = *Execution::current();

	if (size == 0)
		return;
	if (shared(to))
		execution.write(reinterpret_cast<uintptr_t>(to), from, size);
	else if (shared(from))
		execution.read(to, reinterpret_cast<uintptr_t>(from), size);
	else
		std::memcpy(to, from, size);
}

} // namespace model
