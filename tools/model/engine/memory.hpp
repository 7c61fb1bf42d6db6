// SPDX-License-Identifier: GPL-2.0
/** @file
 * Weak memory: the atomic accesses of a program, as RC11 allows them.
 *
 * A location is its modification order, a list of messages. A message carries
 * the view of whoever stored it; a load may return any message that is not
 * older than what its thread has seen, and an acquire load takes over the
 * view. A store goes anywhere behind what its thread has seen, not only to the
 * end. Full fences (which are sequentially consistent) meet in one global view.
 * What is not modelled is a load that returns a store of the future ("load
 * buffering").
 */
#pragma once

#include "arena.hpp"
#include "operation.hpp"
#include "view.hpp"

#include <vector>

namespace model
{

/** What performing an operation did. */
struct Effect {
	/** Value returned, or stored. */
	uint64_t value = 0;
	/** Message read, or for a store the one written. */
	Stamp stamp = 0;
	/** Step that wrote the message which was read; 0 is the initial value. */
	uint32_t writer = 0;
	/** Causality before the operation, its own number in the thread included. */
	Clock before;
	/** ... and after it: what it reads from, or which fence it follows, added. */
	Clock after;
};

/** Messages and views of one execution. */
class Memory
{
public:
	/** A thread's side of it, to be kept and put back. */
	struct ThreadView {
		/** What it has seen. */
		View now;
		/** What a fence would make it see: views of messages read without order. */
		View pending;
		/** What a store without order hands on: the view at the last fence. */
		View fenced;
		/** Steps that this one depends on in any way; not happens-before. */
		Clock causes;
	};

	explicit Memory(Arena &arena);

	void reset();

	/** Throws Failure if an operation's place is not one for it. */
	void admit(const Operation &operation);
	/**
	 * What an operation may choose from: messages to read, or the message
	 * that a store goes behind; the newest first.
	 */
	void choices(size_t thread, const Operation &operation, std::vector<Stamp> &out);
	/** @param step number of the step, from 1 on */
	Effect perform(size_t thread, const Operation &operation, Stamp choice, uint32_t step);

	/** @return the newest message of an atomic location */
	Stamp newest(uintptr_t address) const;
	/** @return the newest message's value, or the bytes where there is no message */
	uint64_t value(uintptr_t address, size_t size);
	/** @return for each location, by address, the steps that stored to it, in order */
	std::vector<std::vector<uint32_t>> order() const;
	/** @return is one of these bytes accessed atomically in this execution? */
	bool atomic(uintptr_t address, size_t size) const;

	ThreadView &thread(size_t thread)
	{
		return threads_[thread];
	}

private:
	struct Message {
		Stamp stamp;
		uint32_t step;
		uint64_t value;
		/** An exchange has read it, and stands right behind it. */
		bool taken;
		View view;
		Clock causes;
	};
	struct Location {
		uintptr_t address = 0;
		size_t size = 0;
		std::vector<Message> messages;
	};

	size_t index_of(const Operation &operation);
	void read(ThreadView &self, size_t index, const Message &message, bool acquire);
	Stamp insert(size_t index, Stamp behind, const Message &message);
	Effect load(ThreadView &self, const Operation &operation, Stamp choice);
	Effect store(ThreadView &self, const Operation &operation, Stamp choice, uint32_t step);
	Effect exchange(ThreadView &self, const Operation &operation, Stamp choice, uint32_t step);
	void fence(ThreadView &self);

	Arena &arena_;
	std::array<ThreadView, max_threads> threads_;
	std::array<Location, max_locations> locations_;
	size_t count_ = 0;
	/** Location + 1 of each byte of the arena; 0: none. */
	std::vector<uint8_t> index_;
	View fences_;
	Clock last_fence_;
};

} // namespace model
