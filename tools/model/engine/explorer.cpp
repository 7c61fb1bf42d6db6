// SPDX-License-Identifier: GPL-2.0
#include "explorer.hpp"

#include <bit>
#include <fmt/format.h>

namespace model
{

namespace
{

bool writes(Kind kind)
{
	return kind == Kind::store || kind == Kind::exchange;
}

bool reads(Kind kind)
{
	return kind == Kind::load || kind == Kind::exchange;
}

unsigned bit(size_t thread)
{
	return 1U << thread;
}

} // namespace

Explorer::Explorer(Build build, Reduction reduction, Limits limits)
	: build_(std::move(build)), reduction_(reduction), limits_(limits)
{
}

Report Explorer::run()
{
	do {
		if (report_.complete + report_.redundant == limits_.executions) {
			report_.truncated = true;
			break;
		}
		run_once();
		report_.deepest = std::max(report_.deepest, execution_.steps().size());
		if (execution_.failure()) {
			report_.failure = execution_.failure();
			report_.trace = execution_.trace();
			break;
		}
	} while (advance());
	execution_.end();
	return report_;
}

void Explorer::run_once()
{
	const size_t known = depth_;

	execution_.begin(build_);
	for (size_t i = 0; !execution_.failure() && !execution_.redundant(); i++) {
		if (i == depth_) {
			const Next next = extend();

			if (next == Next::complete && !execution_.doomed()) {
				report_.complete++;
				execution_.finish();
				if (!execution_.failure())
					report_.outcomes[execution_.outcome()]++;
				return;
			}
			if (next != Next::step)
				break;
			if (i == limits_.steps)
				throw std::length_error("an execution does not end");
		}
		Node &node = nodes_[i];
		if (node.stale && !choose(node, node.thread))
			break;
		execution_.step(node.thread, node.choices[node.at]);
		if (reduction_ == Reduction::dynamic && i + 1 >= known &&
		    execution_.steps().size() == i + 1)
			find_races();
	}
	report_.redundant++;
}

/* Choices of a thread at a node, less those asleep. */
bool Explorer::choose(Node &node, size_t thread)
{
	const Operation &operation = execution_.operation(thread);

	execution_.choices(thread, scratch_);
	node.thread = thread;
	node.operation = operation;
	node.choices.clear();
	node.at = 0;
	node.stale = false;
	for (const Stamp stamp : scratch_) {
		const bool asleep = std::ranges::any_of(node.sleep, [&](const Sleeper &sleeper) {
			return sleeper.thread == thread && sleeper.stamp == stamp;
		});

		if (!asleep)
			node.choices.push_back(stamp);
	}
	return !node.choices.empty();
}

/* What sleeps at the node before and is independent of the step taken there. */
void Explorer::inherit_sleep(Node &node)
{
	node.sleep.clear();
	if (depth_ == 0 || reduction_ == Reduction::none)
		return;
	const Node &last = nodes_[depth_ - 1];

	for (const Sleeper &sleeper : last.sleep) {
		const bool fences =
			sleeper.kind == Kind::fence && last.operation.kind == Kind::fence;
		const bool exchanges = sleeper.kind == Kind::exchange &&
				       last.operation.kind == Kind::exchange &&
				       sleeper.address == last.operation.address;

		if (sleeper.thread != last.thread && !fences && !exchanges)
			node.sleep.push_back(sleeper);
	}
}

/* A new node at the end: decide which thread goes first. */
Explorer::Next Explorer::extend()
{
	if (nodes_.size() == depth_)
		nodes_.emplace_back();
	Node &node = nodes_[depth_];
	inherit_sleep(node);
	node.done = 0;
	node.pending = 0;
	/* The thread that ran last first, but any with a store before it. */
	const size_t last = depth_ == 0 ? 0 : nodes_[depth_ - 1].thread;
	for (size_t i = 0; i < execution_.threads(); i++) {
		const size_t thread = (last + i) % execution_.threads();

		if (!execution_.pending(thread))
			continue;
		node.pending |= bit(thread);
		if (reduction_ != Reduction::none &&
		    execution_.operation(thread).kind == Kind::store) {
			choose(node, thread);
			node.wanted = bit(thread);
			depth_++;
			return Next::step;
		}
	}
	if (node.pending == 0)
		return Next::complete;
	for (size_t i = 0; i < execution_.threads(); i++) {
		const size_t thread = (last + i) % execution_.threads();

		if (execution_.pending(thread) && choose(node, thread)) {
			node.wanted = reduction_ == Reduction::dynamic ? bit(thread) : node.pending;
			depth_++;
			return Next::step;
		}
	}
	return Next::redundant;
}

/* To the last choice that has an alternative. */
bool Explorer::advance()
{
	for (; depth_ > 0; depth_--) {
		Node &node = nodes_[depth_ - 1];

		if (!node.stale && ++node.at < node.choices.size())
			return true;
		if (reduction_ != Reduction::none) {
			for (const Stamp stamp : node.choices)
				node.sleep.push_back({node.thread, node.operation.kind,
						      node.operation.address, stamp});
		}
		node.done |= bit(node.thread);
		const unsigned left = node.wanted & ~node.done;
		if (left != 0) {
			node.thread = static_cast<size_t>(std::countr_zero(left));
			node.choices.clear();
			node.stale = true;
			return true;
		}
	}
	return false;
}

/*
 * Would the last step, had it come first, have given an earlier one another
 * choice?
 */
void Explorer::find_races()
{
	const std::vector<Step> &steps = execution_.steps();
	const size_t at = steps.size() - 1;
	const Step &last = steps[at];
	const Kind kind = last.operation.kind;

	for (size_t i = at; i-- > 0;) {
		const Step &step = steps[i];
		const bool ordered =
			step.thread == last.thread || last.before.knows(step.thread, step.number());

		if (kind == Kind::fence && step.operation.kind == Kind::fence) {
			if (!ordered)
				reverse(i, at);
			/* Fences before this one are ordered by it. */
			return;
		}
		if (!ordered && !step.idle && writes(kind) && reads(step.operation.kind) &&
		    step.operation.address == last.operation.address)
			reverse(i, at);
	}
}

/*
 * See to it that the steps between first and last which do not depend on first
 * are also taken before it, with last behind them. One of the threads that can
 * begin with that has to go first where first did.
 */
void Explorer::reverse(size_t first, size_t last)
{
	const std::vector<Step> &steps = execution_.steps();
	const Step &early = steps[first];
	Node &node = nodes_[first];
	unsigned seen = 0;
	unsigned initials = 0;

	for (size_t i = first + 1; i <= last; i++) {
		const Step &step = steps[i];
		bool free = true;

		if (i != last && (step.idle || step.after.knows(early.thread, early.number())))
			continue;
		if ((seen & bit(step.thread)) != 0)
			continue;
		seen |= bit(step.thread);
		for (size_t k = first + 1; k < i && free; k++) {
			const Step &other = steps[k];

			free = other.idle || other.thread == step.thread ||
			       other.after.knows(early.thread, early.number()) ||
			       !step.after.knows(other.thread, other.number());
		}
		if (free)
			initials |= bit(step.thread) & node.pending;
	}
	/* A thread that waited there cannot begin; where nobody else can, try all. */
	if (initials == 0)
		node.wanted |= node.pending;
	else if ((node.wanted & initials) == 0)
		node.wanted |= initials & -initials;
}

} // namespace model
