// SPDX-License-Identifier: GPL-2.0
/** @file
 * One execution of a program, a step at a time.
 */
#pragma once

#include "fibre.hpp"
#include "memory.hpp"
#include "races.hpp"
#include "trace.hpp"
#include "world.hpp"

#include <exception>
#include <memory>
#include <optional>
#include <string>

namespace model
{

/** A step that was taken. */
struct Step {
	size_t thread;
	Operation operation;
	Clock before;
	Clock after;
	uint64_t value;
	/** Numbers in the trace: of the step, and of what wrote what it read. */
	uint32_t event;
	uint32_t writer;
	/** Part of a poll that found nothing, and so has not happened. */
	bool idle;

	/** @return number of the step in its thread */
	uint32_t number() const
	{
		return before.of[thread];
	}
};

/** Threads, memory and trace. The explorer decides what happens in it. */
class Execution
{
public:
	Execution();
	Execution(const Execution &) = delete;
	Execution &operator=(const Execution &) = delete;
	~Execution();

	/** @return the one that runs; the accesses of platform.h go to it */
	static Execution *current();

	/* For the explorer. */

	/** Starts anew: every thread runs up to its first step. */
	void begin(const Build &build);
	/** Takes the pending step of a thread, and runs it up to its next one. */
	void step(size_t thread, Stamp choice);
	/** Checks what must hold when no thread has anything to do. */
	void finish();
	/** Lets go of the threads, wherever they are. */
	void end();

	size_t threads() const
	{
		return threads_.size();
	}
	bool pending(size_t thread) const
	{
		return threads_[thread]->state == State::pending;
	}
	const Operation &operation(size_t thread) const
	{
		return threads_[thread]->operation;
	}
	void choices(size_t thread, std::vector<Stamp> &out);
	const std::vector<Step> &steps() const
	{
		return steps_;
	}
	/** @return was it seen that other executions show the same? */
	bool redundant() const
	{
		return redundant_;
	}
	/** @return as redundant(), but what others do must be looked at to its end */
	bool doomed() const
	{
		return doomed_;
	}
	const std::optional<std::string> &failure() const
	{
		return failure_;
	}
	const std::string &outcome() const
	{
		return outcome_;
	}
	std::string trace() const;
	/**
	 * @return what is the same in equal executions: each thread's steps, what
	 * was read from whom, the order of the fences and of each word's stores
	 */
	std::string graph() const;
	bool holds(const void *address) const
	{
		return arena_.holds(address);
	}

	/* For the program; see world.hpp. */

	Arena &arena()
	{
		return arena_;
	}
	void add_thread(std::string name, std::function<void()> body);
	void set_end(std::function<void()> check);
	void set_outcome(std::string outcome);
	uint64_t perform(const Operation &operation);
	void read(void *to, uintptr_t from, size_t size);
	void write(uintptr_t to, const void *from, size_t size);
	void note(const char *text, uint64_t number);
	void begin_poll(const char *what);
	void end_poll();
	void fail_poll();

private:
	enum class State : uint8_t { pending, waiting, stuck, ended };

	struct Seen {
		uintptr_t address;
		Stamp stamp;
	};
	/* A loop that waits is one poll, taken again when it can find more. */
	struct Poll {
		const char *what = nullptr;
		bool pure = false;
		size_t first_step = 0;
		Memory::ThreadView view;
		std::vector<Seen> seen;
	};
	struct Thread {
		std::string name;
		std::function<void()> body;
		State state = State::ended;
		Operation operation;
		uint64_t result = 0;
		Poll poll;
		Fibre *fibre = nullptr;
	};
	struct Cancelled {
	};

	Thread &self();
	void enter(Thread &thread);
	void run(size_t thread);
	void pause();
	void wake();
	bool found_newer(const Poll &poll) const;
	void plain(Kind kind, uintptr_t address, size_t size);
	void check_race(size_t thread, const Operation &operation, uint32_t event);
	uint64_t perform_outside(const Operation &operation);

	Arena arena_;
	Memory memory_;
	Races races_;
	Trace trace_;
	std::vector<std::unique_ptr<Fibre>> fibres_;
	std::vector<std::unique_ptr<Thread>> threads_;
	std::function<void()> check_end_;
	std::vector<Step> steps_;
	std::optional<std::string> failure_;
	/** What is wrong with the model, not with the program. */
	std::exception_ptr error_;
	std::string outcome_;
	/** Whose fibre runs; none: the explorer, or the program's set-up. */
	std::optional<size_t> running_;
	bool redundant_ = false;
	bool doomed_ = false;
	bool cancel_ = false;
};

} // namespace model
