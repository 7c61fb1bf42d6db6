// SPDX-License-Identifier: GPL-2.0
#include "traffic.hpp"

#include "report.hpp"

#include <fmt/format.h>

namespace demo
{
namespace
{

constexpr auto server_timeout = std::chrono::seconds(10);
/* iperf3's own exchange before and after a run */
constexpr auto run_margin = std::chrono::seconds(10);

template <typename Figure>
std::optional<double> median_of(const std::vector<tools::IperfResult> &results, Figure figure)
{
	std::vector<double> values;

	for (const auto &result : results) {
		const std::optional<double> value = figure(result);

		if (value)
			values.push_back(*value);
	}
	return tools::median(values);
}

} // namespace

std::vector<Test> all_tests(const Options &options)
{
	return {
		{"tcp", "TCP, Gbit/s", {}, false, true},
		{"tcp_reverse", "TCP reverse, Gbit/s", {"--reverse"}, false, false},
		{"tcp_4_streams", "TCP 4 streams, Gbit/s", {"--parallel", "4"}, false, false},
		{"udp",
		 "UDP received, Mpkt/s",
		 {"--udp", "--bitrate", "0", "--length", std::to_string(options.datagram_bytes)},
		 true,
		 true},
	};
}

std::optional<double> Runs::rate(bool udp) const
{
	return median_of(results, [udp](const tools::IperfResult &result) {
		return udp ? result.mpps() : std::optional(result.gbps);
	});
}

std::optional<uint64_t> Runs::retransmits() const
{
	std::optional<uint64_t> sum;

	for (const auto &result : results) {
		if (result.retransmits)
			sum = sum.value_or(0) + *result.retransmits;
	}
	return sum;
}

std::optional<double> Runs::retransmit_percent() const
{
	tools::IperfResult sum;

	sum.retransmits = retransmits();
	for (const auto &result : results) {
		sum.bytes_sent += result.bytes_sent;
		sum.segment_bytes = result.segment_bytes;
	}
	return sum.retransmit_percent();
}

std::optional<double> Runs::lost_percent() const
{
	return median_of(results,
			 [](const tools::IperfResult &result) { return result.lost_percent(); });
}

std::string ping(const Link &link, int family)
{
	const auto command = at(CLIENT, {"ping", family == 4 ? "-4" : "-6", "-c", "3", "-i", "0.1",
					 "-w", "5", link.address(SERVER, family)});
	const auto result = tools::run(command, std::chrono::seconds(10));

	if (result.ok() && result.output.find(" 0% packet loss") != std::string::npos)
		return {};
	return fmt::format("{}: {}", tools::quoted(command), result.reason());
}

tools::IperfResult run_iperf(const Link &link, const Test &test, const Options &options)
{
	const std::string address = link.address(SERVER, 4);
	tools::Process server(
		at(SERVER, {"iperf3", "--server", "--one-off", "--forceflush", "--bind", address}));
	tools::Command command = {"iperf3", "--client", address,
				  "--json", "--time",   std::to_string(options.run_time.count())};

	if (!server.wait_for_output("Server listening", server_timeout))
		throw Failure(
			fmt::format("iperf3's server did not start: {}", server.stop().reason()));
	command.insert(command.end(), test.arguments.begin(), test.arguments.end());

	const auto result = tools::run(at(CLIENT, command), options.run_time + run_margin);
	if (result.timed_out)
		throw Failure(fmt::format("{}: {}", tools::quoted(command), result.reason()));
	try {
		return tools::parse_iperf(result.output);
	} catch (const std::runtime_error &error) {
		throw Failure(fmt::format("{}: {}", tools::quoted(command),
					  result.output.empty() ? result.reason() : error.what()));
	}
}

} // namespace demo
