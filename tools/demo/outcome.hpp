// SPDX-License-Identifier: GPL-2.0
/** @file
 * What the demo found out: as a table, as a report, and judged.
 */
#pragma once

#include "counters.hpp"
#include "options.hpp"
#include "report.hpp"
#include "traffic.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace demo
{

/** Share of RX pages that must be coloured where Sepia is loaded. */
inline constexpr double coloured_ratio_floor = 0.95;

/**
 * More of TCP's payload sent again than this is a retransmission storm,
 * in percent of what was sent.
 */
inline constexpr double storm_percent = 1;

/** Where the RX pages came from. */
struct Pages {
	/** Coloured pages of Sepia. */
	uint64_t coloured = 0;
	/** Ordinary pages: those of Sepia's when its pool was empty, those without Sepia. */
	uint64_t fallback = 0;

	/** @return coloured share; nothing if there were no pages at all */
	std::optional<double> coloured_ratio() const;
};

/** @return what `ethtool -S` says about pages; nothing if it is silent */
std::optional<Pages> pages_of(const tools::Counters &counters);

/** The two links that are compared. */
enum LinkIndex : size_t { SUBJECT = 0, VETH = 1 };

/** Everything measured. */
struct Outcome {
	std::array<std::string, 2> labels = {"ccnic", "veth"};
	std::vector<Test> tests;
	/** By name of the test, then by link. */
	std::map<std::string, std::array<Runs, 2>> runs;
	/** Why pings over the subject were not answered; empty if they were. */
	std::array<std::string, 2> ping_failure;
	std::array<std::string, 2> devices;
	/** What each end of the subject counted while it was measured. */
	std::array<tools::Counters, 2> counters;
	/** Sepia's summary afterwards; nothing if Sepia is not loaded. */
	std::optional<tools::KeyValues> sepia;

	/** @return rate of one test on one link */
	std::optional<double> rate(const Test &test, LinkIndex link) const;
	/** @return rate of the subject over that of veth */
	std::optional<double> ratio(const Test &test) const;
	/** @return pages of both ends */
	std::optional<Pages> pages() const;
	/** @return all rings of both ends added up */
	tools::RingCounters rings() const;
	/** @return segments sent again over the subject, all TCP tests */
	std::optional<uint64_t> retransmits() const;
};

/** @return the table for people, at most 100 columns wide */
std::string table(const Outcome &outcome, const Options &options);

/** Puts all figures in the report; each key of the summary is set or missing. */
void fill(tools::Report &report, const Outcome &outcome);

/** @return the keys that the report's summary must have or declare missing */
const std::vector<std::string> &summary_keys();

/** @return what is wrong with the outcome */
Problems judge(const Outcome &outcome);

} // namespace demo
