// SPDX-License-Identifier: GPL-2.0
/** @file
 * The traffic that the demo sends, and what came of it.
 */
#pragma once

#include "iperf.hpp"
#include "setup.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace demo
{

/** One kind of traffic. */
struct Test {
	/** For the report: `tcp`, `tcp_reverse`, `tcp_4_streams`, `udp`. */
	const char *name;
	/** For people. */
	const char *title;
	/** Arguments for iperf3's client. */
	std::vector<std::string> arguments;
	/** Its rate counts in packets. */
	bool udp;
	/** Runs in every round; the others in every second one, to save time. */
	bool principal;

	/** @param round from 1 on */
	bool runs_in(int round) const
	{
		return principal || round % 2 == 1;
	}
};

/** @return the tests in the order in which they run */
std::vector<Test> all_tests(const Options &options);

/** All runs of one test over one link. */
struct Runs {
	/** Those that succeeded. */
	std::vector<tools::IperfResult> results;
	/** Why a run failed; empty if none did. */
	std::string failure;

	/** @return median of the rates: Gbit/s, or millions of packets a second of UDP */
	std::optional<double> rate(bool udp) const;
	/** @return segments sent again in all runs */
	std::optional<uint64_t> retransmits() const;
	/** @return share of the payload sent again in all runs, 0 to 100 */
	std::optional<double> retransmit_percent() const;
	/** @return median of the shares of datagrams lost, 0 to 100 */
	std::optional<double> lost_percent() const;
};

/**
 * Sends a few pings from client to server.
 * @return why not all were answered; empty if they were
 */
std::string ping(const Link &link, int family);

/**
 * Runs iperf3 once between the ends of a link.
 * @throws Failure
 */
tools::IperfResult run_iperf(const Link &link, const Test &test, const Options &options);

} // namespace demo
