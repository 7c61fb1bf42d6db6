// SPDX-License-Identifier: GPL-2.0
/** @file
 * What happened in an execution, for people to read.
 */
#pragma once

#include "arena.hpp"
#include "operation.hpp"

#include <string>
#include <vector>

namespace model
{

/** One line of a trace. */
struct Event {
	size_t thread = 0;
	Operation operation;
	/** Value stored, or for an exchange found. */
	uint64_t value = 0;
	/** Number of the event that wrote what was read; 0: nobody did. */
	uint32_t writer = 0;
	/** Of a remark: its text. */
	const char *text = nullptr;
	/** A store that went behind another than the newest message. */
	bool late = false;
};

/** Events, numbered from 1 on. */
class Trace
{
public:
	void clear()
	{
		events_.clear();
	}
	/** @return the event's number */
	uint32_t add(const Event &event)
	{
		events_.push_back(event);
		return static_cast<uint32_t>(events_.size());
	}
	/** @return the number that the next event will have */
	uint32_t next() const
	{
		return static_cast<uint32_t>(events_.size()) + 1;
	}
	/** @return one event a line */
	std::string text(const Arena &arena, const std::vector<std::string> &threads) const;

private:
	std::vector<Event> events_;
};

} // namespace model
