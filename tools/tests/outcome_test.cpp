// SPDX-License-Identifier: GPL-2.0
/*
 * What the demo makes of its figures: table, report and verdict.
 */
#include "outcome.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>

using demo::judge;
using demo::Outcome;

namespace
{

tools::IperfResult tcp_run(double gbps, uint64_t retransmits = 0)
{
	tools::IperfResult result;

	result.gbps = gbps;
	result.seconds = 1;
	result.bytes = static_cast<uint64_t>(gbps * 1e9 / 8);
	result.bytes_sent = result.bytes;
	result.retransmits = retransmits;
	result.segment_bytes = 1448;
	return result;
}

tools::IperfResult udp_run(uint64_t datagrams, uint64_t lost)
{
	tools::IperfResult result;

	result.seconds = 1;
	result.gbps = 0.01;
	result.datagrams = datagrams;
	result.lost = lost;
	return result;
}

Outcome good_outcome()
{
	Outcome outcome;

	outcome.tests = demo::all_tests({});
	for (const auto &test : outcome.tests) {
		for (const auto link : {demo::SUBJECT, demo::VETH}) {
			auto &results = outcome.runs[test.name][link].results;
			const double scale = link == demo::SUBJECT ? 1 : 2;

			if (test.udp)
				results = {udp_run(static_cast<uint64_t>(50000 * scale), 100)};
			else
				results = {tcp_run(1 * scale), tcp_run(3 * scale),
					   tcp_run(2 * scale)};
		}
	}
	outcome.devices = {"cc0", "cc1"};
	for (auto &counters : outcome.counters) {
		counters = {
			{"tx0_lines", 100},          {"tx0_descriptors", 300},
			{"rx0_lines", 100},          {"rx0_descriptors", 200},
			{"rx_pages_coloured", 1000}, {"rx_pages_fallback", 0},
			{"rx_pages_plain", 0},
		};
	}
	outcome.sepia = tools::KeyValues{{"backend", "contig"}};
	return outcome;
}

bool names(const demo::Problems &problems, const std::string &text)
{
	return std::any_of(problems.begin(), problems.end(), [&](const std::string &problem) {
		return problem.find(text) != std::string::npos;
	});
}

tools::Report::Json report_of(const Outcome &outcome)
{
	tools::Report report("demo", "ccnic-demo", tools::Report::Json::object());

	demo::fill(report, outcome);
	EXPECT_EQ(report.unaccounted(demo::summary_keys()), std::vector<std::string>{});
	return report.json();
}

} // namespace

TEST(Outcome, GoodOneHasNoProblem)
{
	EXPECT_EQ(judge(good_outcome()), demo::Problems{});
}

TEST(Outcome, RatioIsThatOfMedians)
{
	const Outcome outcome = good_outcome();

	EXPECT_DOUBLE_EQ(outcome.rate(outcome.tests[0], demo::SUBJECT).value(), 2);
	EXPECT_DOUBLE_EQ(outcome.rate(outcome.tests[0], demo::VETH).value(), 4);
	EXPECT_DOUBLE_EQ(outcome.ratio(outcome.tests[0]).value(), 0.5);
}

TEST(Outcome, ReportHasEveryKey)
{
	const auto json = report_of(good_outcome());
	const auto &summary = json["summary"];

	for (const auto &key : demo::summary_keys())
		EXPECT_TRUE(summary.contains(key)) << key;
	EXPECT_TRUE(json["missing"].empty()) << json["missing"].dump();
	EXPECT_DOUBLE_EQ(summary["tcp_gbps"].get<double>(), 2);
	EXPECT_DOUBLE_EQ(summary["tcp_veth_ratio"].get<double>(), 0.5);
	EXPECT_DOUBLE_EQ(summary["udp_mpps"].get<double>(), 0.0499);
	EXPECT_DOUBLE_EQ(summary["descriptors_per_line"].get<double>(), 2.5);
	EXPECT_DOUBLE_EQ(summary["coloured_ratio"].get<double>(), 1);
	EXPECT_EQ(summary["fallback_pages"], 0);
	EXPECT_EQ(summary["retransmits"], 0);
	EXPECT_EQ(summary["sepia_backend"], "contig");
}

TEST(Outcome, KeysOfTheReportCarryTheirUnit)
{
	const auto json = report_of(good_outcome());

	EXPECT_FALSE(json["rows"].empty());
	for (const auto &[key, value] : json["summary"].items()) {
		if (!value.is_number_float())
			continue;
		EXPECT_TRUE(key.ends_with("_gbps") || key.ends_with("_mpps") ||
			    key.ends_with("_ratio") || key.ends_with("_percent") ||
			    key.ends_with("_per_line"))
			<< key;
	}
}

TEST(Outcome, WhatWasNotMeasuredIsMissingWithAReason)
{
	Outcome outcome;

	outcome.tests = demo::all_tests({});
	outcome.runs["tcp"][demo::SUBJECT].failure = "no route";

	const auto json = report_of(outcome);
	EXPECT_EQ(json["missing"]["tcp_gbps"], "no route");
	for (const auto &key : demo::summary_keys()) {
		if (key == "kernel")
			continue;
		EXPECT_FALSE(json["summary"].contains(key)) << key;
		EXPECT_FALSE(json["missing"][key].get<std::string>().empty()) << key;
	}
}

TEST(Outcome, DirectionWithoutTrafficIsAProblem)
{
	for (const char *test : {"tcp", "tcp_reverse", "tcp_4_streams", "udp"}) {
		Outcome failed = good_outcome();
		Outcome silent = good_outcome();

		failed.runs[test][demo::SUBJECT] = {{}, "connection refused"};
		EXPECT_TRUE(names(judge(failed), std::string(test) + " over ccnic: connection"));
		silent.runs[test][demo::SUBJECT].results = {tcp_run(0)};
		EXPECT_TRUE(names(judge(silent), std::string(test) + " over ccnic: nothing"));
	}
}

TEST(Outcome, FailureAfterASuccessIsAProblem)
{
	Outcome outcome = good_outcome();

	outcome.runs["tcp"][demo::SUBJECT].failure = "the second run hung";
	EXPECT_TRUE(names(judge(outcome), "hung"));
}

TEST(Outcome, PingWithoutAnswerIsAProblem)
{
	Outcome outcome = good_outcome();

	outcome.ping_failure[1] = "100% packet loss";
	EXPECT_TRUE(names(judge(outcome), "packet loss"));
}

TEST(Outcome, RetransmissionStormIsAProblem)
{
	/* 1 Gbit in segments of 1448 bytes are 86326: one percent is 863. */
	Outcome calm = good_outcome();
	Outcome storm = good_outcome();

	calm.runs["tcp_reverse"][demo::SUBJECT].results = {tcp_run(1, 860)};
	storm.runs["tcp_reverse"][demo::SUBJECT].results = {tcp_run(1, 870)};
	EXPECT_EQ(judge(calm), demo::Problems{});
	EXPECT_TRUE(names(judge(storm), "storm"));
	EXPECT_EQ(report_of(storm)["summary"]["retransmits"], 870);
}

TEST(Outcome, StormOverVethIsNotOurs)
{
	Outcome outcome = good_outcome();

	outcome.runs["tcp"][demo::VETH].results = {tcp_run(1, 50000)};
	EXPECT_EQ(judge(outcome), demo::Problems{});
}

TEST(Outcome, TooFewColouredPagesAreAProblem)
{
	Outcome outcome = good_outcome();

	/* 1900 of 2000: 95 % is not more than 95 %. */
	outcome.counters[0]["rx_pages_coloured"] = 900;
	outcome.counters[0]["rx_pages_fallback"] = 60;
	outcome.counters[0]["rx_pages_plain"] = 40;
	EXPECT_TRUE(names(judge(outcome), "coloured"));
	EXPECT_EQ(report_of(outcome)["summary"]["fallback_pages"], 100);
	outcome.counters[0]["rx_pages_coloured"] = 1000;
	EXPECT_EQ(judge(outcome), demo::Problems{});
}

TEST(Outcome, SepiaWithoutAnyPageIsAProblem)
{
	Outcome outcome = good_outcome();

	outcome.counters[1]["rx_pages_coloured"] = 0;
	outcome.counters[0]["rx_pages_coloured"] = 0;
	EXPECT_TRUE(names(judge(outcome), "no RX pages"));
	outcome.sepia.reset();
	EXPECT_EQ(judge(outcome), demo::Problems{});
}

TEST(Outcome, TableIsAtMostAHundredColumnsWide)
{
	Outcome outcome = good_outcome();
	const std::string text = demo::table(outcome, {});
	std::istringstream lines(text);

	EXPECT_NE(text.find("RX pages: 2000 coloured, 0 fallen back"), std::string::npos) << text;
	EXPECT_NE(text.find("contig"), std::string::npos);
	EXPECT_NE(text.find("cc1 rx0"), std::string::npos);
	for (std::string line; std::getline(lines, line);)
		EXPECT_LE(line.size(), 100U) << line;
}
