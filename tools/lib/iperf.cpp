// SPDX-License-Identifier: GPL-2.0
#include "iperf.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace tools
{
namespace
{

using nlohmann::json;

template <typename T>
T required(const json &object, const char *section, const char *key)
{
	const auto at = object.find(key);

	if (at == object.end() || !at->is_number())
		throw std::runtime_error(
			fmt::format("iperf3's report has no number '{}' in '{}'", key, section));
	return at->get<T>();
}

std::optional<uint64_t> optional_count(const json &object, const char *key)
{
	const auto at = object.find(key);

	if (at == object.end() || !at->is_number() || at->get<double>() < 0)
		return {};
	return at->get<uint64_t>();
}

const json &section(const json &end, const char *name)
{
	const auto at = end.find(name);

	if (at == end.end() || !at->is_object())
		throw std::runtime_error(fmt::format("iperf3's report has no '{}'", name));
	return *at;
}

double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

} // namespace

std::optional<double> IperfResult::mpps() const
{
	if (!datagrams || !lost || seconds <= 0)
		return {};
	return static_cast<double>(*datagrams - *lost) / seconds / 1e6;
}

std::optional<double> IperfResult::lost_percent() const
{
	if (!datagrams || !lost)
		return {};
	return percent(static_cast<double>(*lost), static_cast<double>(*datagrams));
}

std::optional<double> IperfResult::retransmit_percent() const
{
	if (!retransmits || !segment_bytes)
		return {};
	return percent(static_cast<double>(*retransmits) * static_cast<double>(*segment_bytes),
		       static_cast<double>(bytes_sent));
}

IperfResult parse_iperf(std::string_view text)
{
	const json report = json::parse(text, nullptr, false);
	IperfResult result;

	if (!report.is_object())
		throw std::runtime_error("iperf3 did not print a report");
	if (const auto error = report.find("error"); error != report.end())
		throw std::runtime_error(
			fmt::format("iperf3: {}", error->is_string() ? error->get<std::string>()
								     : error->dump()));

	const json &end = section(report, "end");
	const json &sent = section(end, "sum_sent");
	const json &received = section(end, "sum_received");

	result.bytes = required<uint64_t>(received, "sum_received", "bytes");
	result.seconds = required<double>(received, "sum_received", "seconds");
	result.gbps = required<double>(received, "sum_received", "bits_per_second") / 1e9;
	result.bytes_sent = required<uint64_t>(sent, "sum_sent", "bytes");
	result.retransmits = optional_count(sent, "retransmits");
	if (report.contains("start"))
		result.segment_bytes = optional_count(report["start"], "tcp_mss_default");
	result.datagrams = optional_count(received, "packets");
	result.lost = optional_count(received, "lost_packets");
	if (result.datagrams && result.lost && *result.lost > *result.datagrams)
		throw std::runtime_error(fmt::format("iperf3 reports {} datagrams lost of {}",
						     *result.lost, *result.datagrams));
	return result;
}

} // namespace tools
