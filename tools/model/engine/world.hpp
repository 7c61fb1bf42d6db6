// SPDX-License-Identifier: GPL-2.0
/** @file
 * What a program under test is written with.
 */
#pragma once

#include "execution.hpp"

namespace model
{

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
		return static_cast<T *>(
			execution_.arena().allocate(name, sizeof(T), count, std::move(fields)));
	}
	void thread(std::string name, std::function<void()> body)
	{
		execution_.add_thread(std::move(name), std::move(body));
	}
	/** What is looked at when no thread has anything left to do. */
	void at_end(std::function<void()> check)
	{
		execution_.set_end(std::move(check));
	}

private:
	Execution &execution_;
};

/** A program under test is wrong if @p holds is false. */
inline void check(bool holds, const char *what)
{
	if (!holds)
		throw Failure(what);
}

/** A remark for the trace. */
inline void note(const char *text, uint64_t number)
{
	Execution::current()->note(text, number);
}

/** Says at the end what came out, where more than one thing may. */
inline void outcome(std::string text)
{
	Execution::current()->set_outcome(std::move(text));
}

/** A plain read of shared memory. */
template <typename T>
T read(const T *from)
{
	T value{};

	Execution::current()->read(&value, reinterpret_cast<uintptr_t>(from), sizeof(T));
	return value;
}

/** A plain write to shared memory. */
template <typename T>
void write(T *to, const T &value)
{
	Execution::current()->write(reinterpret_cast<uintptr_t>(to), &value, sizeof(T));
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
	Execution &execution = *Execution::current();

	for (;;) {
		execution.begin_poll(what);
		if (poll())
			break;
		execution.fail_poll();
	}
	execution.end_poll();
}

} // namespace model
