// SPDX-License-Identifier: GPL-2.0
/** @file
 * Counters that drivers show as text: `ethtool -S` and `key value` files.
 */
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tools
{

/** Counters by name. */
using Counters = std::map<std::string, uint64_t, std::less<>>;

/** Values by key, as in a `key value` file of debugfs. */
using KeyValues = std::map<std::string, std::string, std::less<>>;

/**
 * Reads what `ethtool -S` prints.
 * @throws std::runtime_error naming the line that is not `name: number`
 */
Counters parse_ethtool_statistics(std::string_view text);

/**
 * Reads lines of a key, blanks, and a value that lasts until the line's end.
 * @throws std::runtime_error naming the line that has a key and no value
 */
KeyValues parse_key_values(std::string_view text);

/** @return the value as a number; nothing if it is absent or not a number */
std::optional<uint64_t> number(const KeyValues &values, std::string_view key);

/** @return the counter; nothing if there is none of that name */
std::optional<uint64_t> find(const Counters &counters, std::string_view name);

/**
 * What was counted between two readings. A counter that is new counts from 0,
 * one that ran backwards counts nothing.
 */
Counters difference(const Counters &before, const Counters &after);

/** What one ring has carried. */
struct RingCounters {
	/** Cache lines published. */
	uint64_t lines = 0;
	/** Descriptors in them. */
	uint64_t descriptors = 0;

	/** @return descriptors a line; nothing if no line was published */
	std::optional<double> descriptors_per_line() const;
};

/** @return the rings named `NAME_lines` and `NAME_descriptors`, by NAME */
std::map<std::string, RingCounters> ring_counters(const Counters &counters);

} // namespace tools
