// SPDX-License-Identifier: GPL-2.0
#include "trace.hpp"

#include <fmt/format.h>

namespace model
{

namespace
{

std::string where_from(const Event &event)
{
	if (event.writer == 0)
		return "the initial value";
	return fmt::format("from #{}", event.writer);
}

std::string describe(const Event &event, const Arena &arena)
{
	const Operation &operation = event.operation;
	const bool ordered = operation.order == Order::synchronizing;
	const auto place = [&] {
		return arena.describe(operation.address);
	};

	switch (operation.kind) {
	case Kind::load:
		return fmt::format("{:<14}{} = {:#x}, {}", ordered ? "load acquire" : "load",
				   place(), event.value, where_from(event));
	case Kind::store:
		return fmt::format("{:<14}{} = {:#x}{}", ordered ? "store release" : "store",
				   place(), event.value,
				   event.late ? ", behind an older value" : "");
	case Kind::exchange:
		return fmt::format("{:<14}{} = {:#x}, found {:#x}, {}", "exchange", place(),
				   operation.value, event.value, where_from(event));
	case Kind::fence:
		return "full fence";
	case Kind::plain_read:
		return fmt::format("{:<14}{}, {} bytes", "read", place(), event.value);
	case Kind::plain_write:
		return fmt::format("{:<14}{}, {} bytes", "write", place(), event.value);
	case Kind::note:
		break;
	}
	return fmt::format("-- {} {}", event.text, event.value);
}

} // namespace

std::string Trace::text(const Arena &arena, const std::vector<std::string> &threads) const
{
	std::string text;
	size_t number = 0;

	for (const Event &event : events_)
		text += fmt::format("{:>5}  {:<10} {}\n", fmt::format("#{}", ++number),
				    threads[event.thread], describe(event, arena));
	return text;
}

} // namespace model
