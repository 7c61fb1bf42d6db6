// SPDX-License-Identifier: GPL-2.0
/** @file
 * The accesses of include/ccnic/platform.h as steps of the model checker. What
 * is not in the model's shared memory is private, and accessed as ever.
 */
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace model
{

bool shared(const void *address);
uint64_t load_shared(const void *address, size_t size, bool acquire);
void store_shared(void *address, size_t size, uint64_t value, bool release);
uint64_t exchange_shared(void *address, size_t size, uint64_t value);
void fence();
void copy(void *to, const void *from, size_t size);

template <typename T>
std::remove_const_t<T> load(T *address, bool acquire)
{
	if (!shared(address))
		return *address;
	return static_cast<std::remove_const_t<T>>(load_shared(address, sizeof(T), acquire));
}

template <typename T>
void store(T *address, std::type_identity_t<T> value, bool release)
{
	if (shared(address))
		store_shared(address, sizeof(T), value, release);
	else
		*address = value;
}

template <typename T>
T exchange(T *address, std::type_identity_t<T> value)
{
	if (shared(address))
		return static_cast<T>(exchange_shared(address, sizeof(T), value));
	const T old = *address;
	*address = value;
	return old;
}

} // namespace model

#define ccnic_load_acquire(ptr) model::load(ptr, true)
#define ccnic_store_release(ptr, val) model::store(ptr, val, true)
#define ccnic_read_once(ptr) model::load(ptr, false)
#define ccnic_write_once(ptr, val) model::store(ptr, val, false)
#define ccnic_exchange(ptr, val) model::exchange(ptr, val)
#define ccnic_mb() model::fence()
#define ccnic_barrier() ((void)0)
#define ccnic_prefetch(ptr) ((void)(ptr))
#define ccnic_copy(dst, src, len) model::copy(dst, src, len)
