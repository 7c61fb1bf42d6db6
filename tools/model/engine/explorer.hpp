// SPDX-License-Identifier: GPL-2.0
/** @file
 * All executions of a program.
 */
#pragma once

#include "execution.hpp"

#include <map>

namespace model
{

/** What is left out because something equal is looked at. */
enum class Reduction : uint8_t {
	/** Nothing: every order of steps. For tests of the others. */
	none,
	/** Of executions that differ in the order of independent steps, all but one. */
	sleep,
	/** The same, and other threads go first only where that made a difference. */
	dynamic,
};

/** Limits of an exploration. */
struct Limits {
	uint64_t executions = UINT64_MAX;
	size_t steps = 2000;
};

/** What an exploration found. */
struct Report {
	/** Executions that came to their end. */
	uint64_t complete = 0;
	/** Those given up as equal to others. */
	uint64_t redundant = 0;
	/** Steps of the longest. */
	size_t deepest = 0;
	/** How often the complete ones ended in what. */
	std::map<std::string, uint64_t> outcomes;
	/** What is wrong with the program, or nothing. */
	std::optional<std::string> failure;
	/** The execution that shows it. */
	std::string trace;
	/** The limit came before the end. */
	bool truncated = false;
};

/**
 * Runs a program once for each choice that can be made: which thread takes
 * the next step, and which message it reads or goes behind. A run repeats the
 * choices of the one before up to the last that has an alternative.
 *
 * Two steps are independent unless one reads what the other stores, they are
 * exchanges of one message, or both are full fences. A store is taken as soon
 * as a thread comes to it: whatever can be done before it can be done behind
 * it, because loads still find the older messages and stores can go in between.
 */
class Explorer
{
public:
	explicit Explorer(Build build, Reduction reduction = Reduction::dynamic,
			  Limits limits = {});

	Report run();

private:
	/* A step that need not be taken: what follows it has been looked at. */
	struct Sleeper {
		size_t thread;
		Kind kind;
		uintptr_t address;
		Stamp stamp;
	};
	struct Node {
		size_t thread = 0;
		Operation operation;
		std::vector<Stamp> choices;
		size_t at = 0;
		/** The choices are those of another thread than before: make them anew. */
		bool stale = false;
		std::vector<Sleeper> sleep;
		/** Threads that can go first here, are to, and have, as bits. */
		unsigned pending = 0;
		unsigned wanted = 0;
		unsigned done = 0;
	};
	enum class Next : uint8_t { step, complete, redundant };

	void run_once();
	Next extend();
	bool choose(Node &node, size_t thread);
	void inherit_sleep(Node &node);
	bool advance();
	void find_races();
	void reverse(size_t first, size_t last);

	Build build_;
	Reduction reduction_;
	Limits limits_;
	Report report_;
	Execution execution_;
	std::vector<Node> nodes_;
	/** Nodes in use. */
	size_t depth_ = 0;
	std::vector<Stamp> scratch_;
};

} // namespace model
