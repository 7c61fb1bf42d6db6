// SPDX-License-Identifier: GPL-2.0
/** @file
 * What a program under test is written with.
 */
#pragma once

#include "field.hpp"
#include "operation.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace model
{

class Execution;

/** Given to a program to set itself up; see Build. */
class World
{
public:
	explicit World(Execution &execution) : execution_(execution)
	{
	}
	/**
	 * Shared memory, zeroed. It cannot be touched but by the accesses of
	 * platform.h and by read() and write().
	 */
	template <typename T>
	T *shared(const char *name, size_t count = 1, std::vector<Field> fields = {})
	{
		return static_cast<T *>(allocate(name, sizeof(T), count, std::move(fields)));
	}
	/** The same, as @p count objects of @p size bytes. */
	void *shared_bytes(const char *name, size_t size, size_t count)
	{
		return allocate(name, size, count, {});
	}
	void thread(const char *name, std::function<void()> body);
	/** What is looked at when no thread has anything left to do. */
	void at_end(std::function<void()> check);

private:
	void *allocate(const char *name, size_t size, size_t count, std::vector<Field> fields);

	Execution &execution_;
};

/** Sets up a program: shared memory, threads, and what must hold at the end. */
using Build = std::function<void(World &)>;

/** A program under test is wrong if @p holds is false. */
inline void check(bool holds, const char *what)
{
	if (!holds)
		throw Failure(what);
}

/** A remark for the trace. */
void note(const char *text, uint64_t number);

/** Says at the end what came out, where more than one thing may. */
void outcome(std::string text);

/** Plain accesses to shared memory; see read(), write() and await(). */
void read_shared(void *to, const void *from, size_t size);
void write_shared(void *to, const void *from, size_t size);
void begin_poll(const char *what);
void end_poll();
void fail_poll();

/** A plain read of shared memory. */
template <typename T>
T read(const T *from)
{
	T value{};

	read_shared(&value, from, sizeof(T));
	return value;
}

/** A plain write to shared memory. */
template <typename T>
void write(T *to, const T &value)
{
	write_shared(to, &value, sizeof(T));
}

/**
 * Waits until @p poll returns true. A call of it that returns false must have
 * changed nothing, not even in private memory: then it is the same as a call
 * later on, and the thread sleeps until one can find more than it did.
 *
 * @param what what is waited for, for the report if it never comes
 */
template <typename Poll>
void await(const char *what, Poll &&poll)
{
	for (begin_poll(what); !poll(); begin_poll(what))
		fail_poll();
	end_poll();
}

} // namespace model
