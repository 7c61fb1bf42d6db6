// SPDX-License-Identifier: GPL-2.0
#include "iperf.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <stdexcept>

using nlohmann::json;

namespace
{

/* What iperf3 3.12 prints, less what is not read. */
json tcp_report()
{
	return {
		{"start", {{"tcp_mss_default", 1448}}},
		{"end",
		 {{"sum_sent",
		   {{"seconds", 2.0},
		    {"bytes", 1448000},
		    {"bits_per_second", 1},
		    {"retransmits", 10}}},
		  {"sum_received",
		   {{"seconds", 2.001}, {"bytes", 1447000}, {"bits_per_second", 2.5e9}}}}},
	};
}

json udp_report()
{
	return {
		{"start", json::object()},
		{"end",
		 {{"sum_sent", {{"seconds", 2.0}, {"bytes", 18000}, {"packets", 1000}}},
		  {"sum_received",
		   {{"seconds", 2.0},
		    {"bytes", 13500},
		    {"bits_per_second", 54000.0},
		    {"packets", 1000},
		    {"lost_packets", 250}}}}},
	};
}

std::string error_of(const json &report)
{
	try {
		tools::parse_iperf(report.dump());
	} catch (const std::runtime_error &error) {
		return error.what();
	}
	return {};
}

} // namespace

TEST(Iperf, TcpIsReadAtTheReceiver)
{
	const auto result = tools::parse_iperf(tcp_report().dump());

	EXPECT_DOUBLE_EQ(result.gbps, 2.5);
	EXPECT_EQ(result.bytes, 1447000U);
	EXPECT_EQ(result.bytes_sent, 1448000U);
	EXPECT_DOUBLE_EQ(result.seconds, 2.001);
	EXPECT_EQ(result.retransmits, 10U);
	EXPECT_DOUBLE_EQ(result.retransmit_percent().value(), 1.0);
	EXPECT_EQ(result.mpps(), std::nullopt);
	EXPECT_EQ(result.lost_percent(), std::nullopt);
}

TEST(Iperf, UdpCountsWhatArrived)
{
	const auto result = tools::parse_iperf(udp_report().dump());

	EXPECT_DOUBLE_EQ(result.mpps().value(), 375e-6);
	EXPECT_DOUBLE_EQ(result.lost_percent().value(), 25);
	EXPECT_EQ(result.retransmits, std::nullopt);
	EXPECT_EQ(result.retransmit_percent(), std::nullopt);
}

TEST(Iperf, RetransmitsMayBeUnknown)
{
	json report = tcp_report();

	report["end"]["sum_sent"]["retransmits"] = -1;
	EXPECT_EQ(tools::parse_iperf(report.dump()).retransmits, std::nullopt);
	report["end"]["sum_sent"].erase("retransmits");
	EXPECT_EQ(tools::parse_iperf(report.dump()).retransmits, std::nullopt);
}

TEST(Iperf, ErrorIsPassedOn)
{
	json report = tcp_report();

	report["error"] = "unable to connect to server: Connection refused";
	EXPECT_EQ(error_of(report), "iperf3: unable to connect to server: Connection refused");
}

TEST(Iperf, WhatIsNoReportIsRefused)
{
	EXPECT_THROW(tools::parse_iperf(""), std::runtime_error);
	EXPECT_THROW(tools::parse_iperf("iperf3: error"), std::runtime_error);
	EXPECT_THROW(tools::parse_iperf("[1]"), std::runtime_error);
	EXPECT_THROW(tools::parse_iperf(tcp_report().dump().substr(0, 100)), std::runtime_error);
}

TEST(Iperf, WhatIsMissingIsNamed)
{
	for (const char *section : {"sum_sent", "sum_received"}) {
		json report = tcp_report();

		report["end"].erase(section);
		EXPECT_NE(error_of(report).find(section), std::string::npos);
	}
	for (const char *key : {"bytes", "seconds", "bits_per_second"}) {
		json report = tcp_report();

		report["end"]["sum_received"].erase(key);
		EXPECT_NE(error_of(report).find(key), std::string::npos);
		report["end"]["sum_received"][key] = "many";
		EXPECT_NE(error_of(report).find(key), std::string::npos);
	}
	EXPECT_NE(error_of({{"end", json::object()}}), "");
	EXPECT_NE(error_of(json::object()), "");
}

TEST(Iperf, MoreLostThanSentIsRefused)
{
	json report = udp_report();

	report["end"]["sum_received"]["lost_packets"] = 1001;
	EXPECT_NE(error_of(report), "");
}
