// SPDX-License-Identifier: GPL-2.0
#include "memory.hpp"

#include <cstring>
#include <fmt/format.h>
#include <map>

namespace model
{

namespace
{

/* Between neighbours at the end of a location, for stores that come between. */
constexpr Stamp distance = 1U << 16;

} // namespace

Memory::Memory(Arena &arena) : arena_(arena), index_(Arena::capacity)
{
}

void Memory::reset()
{
	for (size_t i = 0; i < count_; i++) {
		const Location &location = locations_[i];

		std::memset(&index_[arena_.offset(location.address)], 0, location.size);
		locations_[i].messages.clear();
	}
	count_ = 0;
	threads_ = {};
	/* So that 0 is before every access. */
	for (size_t i = 0; i < max_threads; i++)
		threads_[i].now.before.of[i] = 1;
	fences_ = {};
	last_fence_ = {};
}

size_t Memory::index_of(const Operation &operation)
{
	const size_t offset = arena_.offset(operation.address);

	if (index_[offset] != 0) {
		const Location &location = locations_[index_[offset] - 1U];

		if (location.address == operation.address && location.size == operation.size)
			return index_[offset] - 1U;
	}
	if (atomic(operation.address, operation.size))
		throw Failure("accesses of different sizes to " +
			      arena_.describe(operation.address));
	if (count_ == max_locations)
		throw std::length_error("more atomic locations than the model has room for");

	Location &location = locations_[count_];
	location.address = operation.address;
	location.size = operation.size;
	location.messages.push_back(
		{distance, 0, value(operation.address, operation.size), false, {}, {}});
	count_++;
	std::memset(&index_[offset], static_cast<int>(count_), operation.size);
	return count_ - 1;
}

void Memory::admit(const Operation &operation)
{
	if (operation.kind == Kind::fence)
		return;
	if (!arena_.contains(operation.address, operation.size))
		throw Failure("access outside of what is shared: " +
			      arena_.describe(operation.address));
	index_of(operation);
}

void Memory::choices(size_t thread, const Operation &operation, std::vector<Stamp> &out)
{
	out.clear();
	if (operation.kind == Kind::fence) {
		out.push_back(0);
		return;
	}
	const size_t index = index_of(operation);
	const Stamp seen = threads_[thread].now.seen[index];
	const auto &messages = locations_[index].messages;

	for (size_t i = messages.size(); i-- > 0;) {
		const Message &message = messages[i];

		if (message.stamp < seen)
			break;
		if (operation.kind == Kind::load || !message.taken)
			out.push_back(message.stamp);
	}
}

Effect Memory::perform(size_t thread, const Operation &operation, Stamp choice, uint32_t step)
{
	ThreadView &self = threads_[thread];
	Effect effect;

	const Clock before = [&] {
		self.causes.of[thread]++;
		return self.causes;
	}();
	switch (operation.kind) {
	case Kind::load:
		effect = load(self, operation, choice);
		break;
	case Kind::store:
		effect = store(self, operation, choice, step);
		break;
	case Kind::exchange:
		effect = exchange(self, operation, choice, step);
		break;
	default:
		fence(self);
		break;
	}
	/* What follows is not part of what was just handed on. */
	self.now.before.of[thread]++;
	effect.before = before;
	effect.after = self.causes;
	return effect;
}

void Memory::read(ThreadView &self, size_t index, const Message &message, bool acquire)
{
	self.causes.join(message.causes);
	self.pending.join(message.view);
	if (acquire)
		self.now.join(message.view);
	self.now.seen[index] = std::max(self.now.seen[index], message.stamp);
}

Stamp Memory::insert(size_t index, Stamp behind, const Message &message)
{
	auto &messages = locations_[index].messages;
	auto at = std::ranges::find(messages, behind, &Message::stamp);
	const auto next = ++at;
	const Stamp stamp =
		next == messages.end() ? behind + distance : behind + (next->stamp - behind) / 2;

	if (stamp <= behind)
		throw std::length_error("more stores to one location than the model has room for");
	const auto placed = messages.insert(next, message);
	placed->stamp = stamp;
	return stamp;
}

Effect Memory::load(ThreadView &self, const Operation &operation, Stamp choice)
{
	const size_t index = index_of(operation);
	const auto &messages = locations_[index].messages;
	const Message &message = *std::ranges::find(messages, choice, &Message::stamp);

	read(self, index, message, operation.order == Order::synchronizing);
	return {message.value, message.stamp, message.step, {}, {}};
}

Effect Memory::store(ThreadView &self, const Operation &operation, Stamp choice, uint32_t step)
{
	const size_t index = index_of(operation);
	const View &view = operation.order == Order::synchronizing ? self.now : self.fenced;
	const Stamp stamp =
		insert(index, choice, {0, step, operation.value, false, view, self.causes});

	self.now.seen[index] = stamp;
	return {operation.value, stamp, 0, {}, {}};
}

Effect Memory::exchange(ThreadView &self, const Operation &operation, Stamp choice, uint32_t step)
{
	const size_t index = index_of(operation);
	auto &messages = locations_[index].messages;
	Message &old = *std::ranges::find(messages, choice, &Message::stamp);
	const Effect effect = {old.value, old.stamp, old.step, {}, {}};

	old.taken = true;
	read(self, index, old, true);
	self.now.seen[index] =
		insert(index, choice, {0, step, operation.value, false, self.now, self.causes});
	return effect;
}

void Memory::fence(ThreadView &self)
{
	self.causes.join(last_fence_);
	last_fence_ = self.causes;
	self.now.join(self.pending);
	/*
	 * What fences order is what can be seen. They make no happens-before
	 * among themselves: that takes a message from one side to the other.
	 */
	self.now.join_seen(fences_);
	fences_.join_seen(self.now);
	self.pending = self.now;
	self.fenced = self.now;
}

Stamp Memory::newest(uintptr_t address) const
{
	const uint8_t index = index_[arena_.offset(address)];

	return index == 0 ? 0 : locations_[index - 1U].messages.back().stamp;
}

uint64_t Memory::value(uintptr_t address, size_t size)
{
	const uint8_t index = index_[arena_.offset(address)];
	uint64_t value = 0;

	if (index != 0)
		return locations_[index - 1U].messages.back().value;
	std::memcpy(&value, arena_.bytes(address), size);
	return value;
}

std::vector<std::vector<uint32_t>> Memory::order() const
{
	std::map<uintptr_t, std::vector<uint32_t>> writers;

	for (size_t i = 0; i < count_; i++) {
		for (const Message &message : locations_[i].messages)
			writers[locations_[i].address].push_back(message.step);
	}
	std::vector<std::vector<uint32_t>> order;
	order.reserve(writers.size());
	for (const auto &[address, steps] : writers)
		order.push_back(steps);
	return order;
}

bool Memory::atomic(uintptr_t address, size_t size) const
{
	const auto first = index_.begin() + static_cast<std::ptrdiff_t>(arena_.offset(address));

	return std::any_of(first, first + static_cast<std::ptrdiff_t>(size),
			   [](uint8_t index) { return index != 0; });
}

} // namespace model
