// SPDX-License-Identifier: GPL-2.0
#include "execution.hpp"

#include <cstring>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace model
{

namespace
{

Execution *the_current = nullptr;

} // namespace

Execution::Execution() : memory_(arena_)
{
	the_current = this;
}

Execution::~Execution()
{
	end();
	the_current = nullptr;
}

Execution *Execution::current()
{
	return the_current;
}

/* The set-up and the end of an execution. */

void Execution::begin(const Build &build)
{
	World world(*this);

	end();
	memory_.reset();
	arena_.reset();
	trace_.clear();
	steps_.clear();
	failure_.reset();
	outcome_.clear();
	check_end_ = nullptr;
	redundant_ = false;
	doomed_ = false;
	the_current = this;

	build(world);
	races_.reset(arena_.used());
	for (size_t i = 0; i < threads_.size() && !failure_; i++)
		run(i);
}

void Execution::add_thread(std::string name, std::function<void()> body)
{
	const size_t index = threads_.size();

	if (index == max_threads)
		throw std::length_error("more threads than the model has room for");
	if (fibres_.size() == index)
		fibres_.push_back(std::make_unique<Fibre>());
	auto thread = std::make_unique<Thread>();
	thread->name = std::move(name);
	thread->body = std::move(body);
	thread->state = State::pending;
	thread->fibre = fibres_[index].get();
	threads_.push_back(std::move(thread));
	threads_.back()->fibre->start([this, index] { enter(*threads_[index]); });
}

void Execution::enter(Thread &thread)
{
	try {
		if (!cancel_)
			thread.body();
	} catch (const Cancelled &) {
		/* The explorer has seen enough. */
	} catch (const Failure &error) {
		failure_ = fmt::format("{}: {}", thread.name, error.what());
	} catch (...) {
		error_ = std::current_exception();
	}
	thread.state = State::ended;
}

void Execution::set_end(std::function<void()> check)
{
	check_end_ = std::move(check);
}

void Execution::set_outcome(std::string outcome)
{
	outcome_ = std::move(outcome);
}

void Execution::finish()
{
	for (const auto &thread : threads_) {
		if (thread->state == State::waiting) {
			failure_ = fmt::format("{} waits for ever for {}", thread->name,
					       thread->poll.what);
			return;
		}
	}
	try {
		if (check_end_)
			check_end_();
	} catch (const Failure &error) {
		failure_ = fmt::format("at the end: {}", error.what());
	}
}

void Execution::end()
{
	cancel_ = true;
	for (size_t i = 0; i < threads_.size(); i++) {
		if (!threads_[i]->fibre->ended())
			run(i);
	}
	cancel_ = false;
	threads_.clear();
}

/* Between the explorer and the threads. */

Execution::Thread &Execution::self()
{
	return *threads_[running_.value()];
}

void Execution::run(size_t thread)
{
	running_ = thread;
	threads_[thread]->fibre->resume();
	running_.reset();
	if (error_)
		std::rethrow_exception(std::exchange(error_, nullptr));
}

void Execution::pause()
{
	self().fibre->pause();
	if (cancel_)
		throw Cancelled();
}

void Execution::choices(size_t thread, std::vector<Stamp> &out)
{
	memory_.choices(thread, threads_[thread]->operation, out);
}

void Execution::step(size_t index, Stamp choice)
{
	Thread &thread = *threads_[index];
	const Operation &operation = thread.operation;
	const uint32_t event = trace_.next();
	Event entry = {index, operation, 0, 0, nullptr, false};

	try {
		if (operation.kind == Kind::store && memory_.newest(operation.address) != 0)
			entry.late = choice != memory_.newest(operation.address);
		const Effect effect = memory_.perform(index, operation, choice, event);

		entry.value = effect.value;
		entry.writer = effect.writer;
		trace_.add(entry);
		steps_.push_back({index, operation, effect.before, effect.after, effect.value,
				  event, effect.writer, false});
		thread.result = effect.value;
		if (operation.kind == Kind::load)
			thread.poll.seen.push_back({operation.address, effect.stamp});
		else
			thread.poll.pure = false;
		if (operation.kind != Kind::fence)
			check_race(index, operation, event);
	} catch (const Failure &error) {
		failure_ = fmt::format("{}: {}", thread.name, error.what());
		return;
	}
	run(index);
	if (!failure_ && !redundant_)
		wake();
}

/* Polls that can find more than they did are taken again. */
void Execution::wake()
{
	for (size_t i = 0; i < threads_.size(); i++) {
		Thread &thread = *threads_[i];

		if (thread.state == State::waiting && found_newer(thread.poll))
			run(i);
	}
}

bool Execution::found_newer(const Poll &poll) const
{
	return std::ranges::any_of(poll.seen, [this](const Seen &seen) {
		return memory_.newest(seen.address) != seen.stamp;
	});
}

/* An access as it was performed, against the plain ones so far. */
void Execution::check_race(size_t thread, const Operation &operation, uint32_t event)
{
	const bool write = operation.kind == Kind::store || operation.kind == Kind::exchange;
	Clock clock = memory_.thread(thread).now.before;

	/* The step itself counted on. */
	clock.of[thread]--;
	const auto other = races_.access(arena_.offset(operation.address), operation.size,
					 {write, true, thread, clock, event});
	if (other)
		throw Failure(fmt::format("data race: #{} and #{}", *other, event));
}

std::string Execution::trace() const
{
	std::vector<std::string> names;

	names.reserve(threads_.size());
	for (const auto &thread : threads_)
		names.push_back(thread->name);
	return trace_.text(arena_, names);
}

std::string Execution::graph() const
{
	std::map<uint32_t, std::string> names = {{0, "initial"}};
	std::vector<std::string> lines(threads_.size());
	std::string fences = "fences";

	for (const Step &step : steps_) {
		if (!step.idle)
			names[step.event] = fmt::format("{}.{}", step.thread, step.number());
	}
	for (const Step &step : steps_) {
		if (step.idle)
			continue;
		lines[step.thread] += fmt::format(
			" {}:{}={}<{}", static_cast<int>(step.operation.kind),
			step.operation.kind == Kind::fence ? 0
							   : arena_.offset(step.operation.address),
			step.value, names.at(step.writer));
		if (step.operation.kind == Kind::fence)
			fences += fmt::format(" {}", step.thread);
	}
	for (const std::string &line : lines)
		fences += "\n" + line;
	for (const auto &writers : memory_.order()) {
		fences += "\nstores";
		for (const uint32_t writer : writers)
			fences += ' ' + names.at(writer);
	}
	return fences;
}

/* What the program calls. */

uint64_t Execution::perform(const Operation &operation)
{
	if (!running_)
		return perform_outside(operation);
	Thread &thread = self();

	memory_.admit(operation);
	thread.operation = operation;
	thread.state = State::pending;
	pause();
	return thread.result;
}

/* In the set-up nobody else is there, and at the end nobody is any more. */
uint64_t Execution::perform_outside(const Operation &operation)
{
	if (operation.kind == Kind::load)
		return memory_.value(operation.address, operation.size);
	if (operation.kind != Kind::store || !steps_.empty())
		throw std::logic_error("a step that no thread takes");
	std::memcpy(arena_.bytes(operation.address), &operation.value, operation.size);
	return 0;
}

void Execution::plain(Kind kind, uintptr_t address, size_t size)
{
	if (!arena_.contains(address, size))
		throw Failure("access outside of what is shared: " + arena_.describe(address));
	if (memory_.atomic(address, size))
		throw Failure("plain access to what is also accessed atomically: " +
			      arena_.describe(address));
	if (!running_)
		return;
	const uint32_t event = trace_.add(
		{*running_, {kind, Order::relaxed, 0, address, 0}, size, 0, nullptr, false});

	self().poll.pure = false;
	const auto other = races_.access(arena_.offset(address), size,
					 {kind == Kind::plain_write, false, *running_,
					  memory_.thread(*running_).now.before, event});
	if (other)
		throw Failure(fmt::format("data race: #{} and #{}", *other, event));
}

void Execution::read(void *to, uintptr_t from, size_t size)
{
	plain(Kind::plain_read, from, size);
	std::memcpy(to, arena_.bytes(from), size);
}

void Execution::write(uintptr_t to, const void *from, size_t size)
{
	plain(Kind::plain_write, to, size);
	std::memcpy(arena_.bytes(to), from, size);
}

void Execution::note(const char *text, uint64_t number)
{
	trace_.add(
		{running_.value(), {Kind::note, Order::relaxed, 0, 0, 0}, number, 0, text, false});
}

void Execution::begin_poll(const char *what)
{
	Poll &poll = self().poll;

	poll.what = what;
	poll.pure = true;
	poll.first_step = steps_.size();
	poll.view = memory_.thread(*running_);
	poll.seen.clear();
}

void Execution::end_poll()
{
	self().poll.what = nullptr;
}

/*
 * The poll found nothing. If not everything it read was the newest, then there is
 * an execution in which it is, and this one has nothing to show; but where the
 * poll reads more than once, those in which some of it is come out of what the
 * other threads do now. If everything was the newest, then the poll has not
 * happened: the thread waits, as it was before.
 */
void Execution::fail_poll()
{
	Thread &thread = self();
	Poll &poll = thread.poll;

	if (!poll.pure || poll.seen.empty())
		throw std::logic_error(fmt::format("the poll for {} is none", poll.what));
	thread.state = State::waiting;
	if (found_newer(poll) && poll.seen.size() == 1) {
		redundant_ = true;
	} else if (found_newer(poll)) {
		thread.state = State::stuck;
		doomed_ = true;
	} else {
		for (size_t i = poll.first_step; i < steps_.size(); i++) {
			if (steps_[i].thread == *running_)
				steps_[i].idle = true;
		}
		memory_.thread(*running_) = poll.view;
	}
	pause();
}

} // namespace model
