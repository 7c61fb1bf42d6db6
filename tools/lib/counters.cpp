// SPDX-License-Identifier: GPL-2.0
#include "counters.hpp"

#include <charconv>
#include <fmt/format.h>
#include <stdexcept>

namespace tools
{
namespace
{

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text)
{
	const size_t first = text.find_first_not_of(blanks);

	if (first == std::string_view::npos)
		return {};
	return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<uint64_t> to_number(std::string_view text)
{
	uint64_t value = 0;
	const char *end = text.data() + text.size();
	const auto [stop, error] = std::from_chars(text.data(), end, value);

	if (error != std::errc() || stop != end)
		return {};
	return value;
}

/* Calls visit with each line that is not blank, trimmed. */
template <typename Visit>
void for_each_line(std::string_view text, Visit visit)
{
	while (!text.empty()) {
		const size_t end = text.find('\n');
		const std::string_view line = trimmed(text.substr(0, end));

		if (!line.empty())
			visit(line);
		if (end == std::string_view::npos)
			return;
		text.remove_prefix(end + 1);
	}
}

} // namespace

Counters parse_ethtool_statistics(std::string_view text)
{
	Counters counters;

	for_each_line(text, [&](std::string_view line) {
		const size_t colon = line.rfind(':');

		if (line == "NIC statistics:" || line == "no stats available")
			return;
		const auto value = colon == std::string_view::npos
					   ? std::nullopt
					   : to_number(trimmed(line.substr(colon + 1)));
		if (!value)
			throw std::runtime_error(
				fmt::format("ethtool statistics: '{}' is not a counter", line));
		counters.insert_or_assign(std::string(trimmed(line.substr(0, colon))), *value);
	});
	return counters;
}

KeyValues parse_key_values(std::string_view text)
{
	KeyValues values;

	for_each_line(text, [&](std::string_view line) {
		const size_t gap = line.find_first_of(blanks);

		if (gap == std::string_view::npos)
			throw std::runtime_error(fmt::format("'{}' has no value", line));
		values.insert_or_assign(std::string(line.substr(0, gap)),
					std::string(trimmed(line.substr(gap))));
	});
	return values;
}

std::optional<uint64_t> number(const KeyValues &values, std::string_view key)
{
	const auto at = values.find(key);

	if (at == values.end())
		return {};
	return to_number(at->second);
}

std::optional<uint64_t> find(const Counters &counters, std::string_view name)
{
	const auto at = counters.find(name);

	if (at == counters.end())
		return {};
	return at->second;
}

Counters difference(const Counters &before, const Counters &after)
{
	Counters grown;

	for (const auto &[name, value] : after) {
		const uint64_t start = find(before, name).value_or(0);

		grown[name] = value > start ? value - start : 0;
	}
	return grown;
}

std::optional<double> RingCounters::descriptors_per_line() const
{
	if (lines == 0)
		return {};
	return static_cast<double>(descriptors) / static_cast<double>(lines);
}

std::map<std::string, RingCounters> ring_counters(const Counters &counters)
{
	constexpr std::string_view suffix = "_lines";
	std::map<std::string, RingCounters> rings;

	for (const auto &[name, lines] : counters) {
		if (!name.ends_with(suffix))
			continue;
		const std::string ring = name.substr(0, name.size() - suffix.size());
		const auto descriptors = find(counters, ring + "_descriptors");
		if (descriptors)
			rings[ring] = {lines, *descriptors};
	}
	return rings;
}

} // namespace tools
