// SPDX-License-Identifier: GPL-2.0
/** @file
 * The steps that a thread takes on shared memory.
 */
#pragma once

#include <cstdint>
#include <stdexcept>

namespace model
{

/** Kinds of step; plain accesses and remarks are no steps, only in the trace. */
enum class Kind : uint8_t { load, store, exchange, fence, plain_read, plain_write, note };

/** Order of a load or a store; an exchange is both acquire and release. */
enum class Order : uint8_t { relaxed, synchronizing };

/** What a thread is about to do. */
struct Operation {
	Kind kind = Kind::fence;
	Order order = Order::relaxed;
	uint8_t size = 0;
	uintptr_t address = 0;
	uint64_t value = 0;
};

/** The program under test is wrong. */
class Failure : public std::runtime_error
{
public:
	using std::runtime_error::runtime_error;
};

} // namespace model
