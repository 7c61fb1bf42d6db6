// SPDX-License-Identifier: GPL-2.0
#include "report.hpp"

#include "file.hpp"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

using tools::Report;

namespace
{

Report make()
{
	return {"demo", "ccnic-demo --out x", {{"cpu", "a CPU"}}};
}

std::filesystem::path scratch()
{
	return std::filesystem::path(testing::TempDir()) / ("report-" + std::to_string(getpid()));
}

} // namespace

TEST(Report, HasEveryPart)
{
	Report report = make();

	report.add_row({{"test", "tcp"}, {"gbps", 1.5}});
	report.set("tcp_gbps", 1.5);
	report.set_missing("udp_mpps", "nothing arrived");

	const auto json = report.json();
	EXPECT_EQ(json["name"], "demo");
	EXPECT_EQ(json["command"], "ccnic-demo --out x");
	EXPECT_EQ(json["machine"]["cpu"], "a CPU");
	EXPECT_EQ(json["rows"].size(), 1U);
	EXPECT_EQ(json["rows"][0]["gbps"], 1.5);
	EXPECT_EQ(json["summary"]["tcp_gbps"], 1.5);
	EXPECT_EQ(json["missing"]["udp_mpps"], "nothing arrived");

	auto date = json["date"].get<std::string>();
	std::replace_if(
		date.begin(), date.end(), [](char c) { return c >= '0' && c <= '9'; }, '9');
	EXPECT_EQ(date, "9999-99-99T99:99:99Z");
}

TEST(Report, FigureOrReason)
{
	Report report = make();

	report.set("a", std::optional(5), "not run");
	report.set("b", std::optional<int>(), "not run");
	EXPECT_EQ(report.json()["summary"]["a"], 5);
	EXPECT_FALSE(report.json()["summary"].contains("b"));
	EXPECT_EQ(report.json()["missing"]["b"], "not run");
	EXPECT_FALSE(report.json()["missing"].contains("a"));
}

TEST(Report, FigureIsNeverBothThereAndMissing)
{
	Report report = make();

	report.set_missing("a", "not yet");
	report.set("a", 1);
	EXPECT_FALSE(report.json()["missing"].contains("a"));
	report.set_missing("a", "gone");
	EXPECT_FALSE(report.json()["summary"].contains("a"));
}

TEST(Report, TellsWhichKeysWereForgotten)
{
	Report report = make();

	report.set("a", 1);
	report.set_missing("b", "why");
	EXPECT_EQ(report.unaccounted({"a", "b", "c"}), std::vector<std::string>{"c"});
}

TEST(Report, RowsAndSummaryAreFlat)
{
	Report report = make();

	EXPECT_THROW(report.add_row({{"a", {{"b", 1}}}}), std::invalid_argument);
	EXPECT_THROW(report.add_row(5), std::invalid_argument);
	EXPECT_THROW(report.set("a", {{"b", 1}}), std::invalid_argument);
	EXPECT_THROW(report.set("a", nullptr), std::invalid_argument);
}

TEST(Report, FiguresAreFinite)
{
	Report report = make();

	EXPECT_THROW(report.set("a", std::numeric_limits<double>::infinity()),
		     std::invalid_argument);
	EXPECT_THROW(report.set("a", std::numeric_limits<double>::quiet_NaN()),
		     std::invalid_argument);
}

TEST(Report, IsWrittenWhole)
{
	const auto folder = scratch() / "a" / "b";
	Report report = make();

	report.set("a", 1);
	const auto path = report.write(folder);
	EXPECT_EQ(path, folder / "demo.json");
	EXPECT_EQ(Report::Json::parse(tools::read_file(path).value()), report.json());
	EXPECT_FALSE(std::filesystem::exists(folder / "demo.json.new"));
	std::filesystem::remove_all(scratch());
}

TEST(Report, FolderThatCannotBeIsNamed)
{
	try {
		make().write("/proc/no such folder");
		FAIL() << "written to /proc";
	} catch (const std::system_error &error) {
		EXPECT_NE(std::string(error.what()).find("/proc"), std::string::npos);
	}
}

TEST(Median, OfOddEvenAndNone)
{
	EXPECT_EQ(tools::median({}), std::nullopt);
	EXPECT_EQ(tools::median({3}), 3);
	EXPECT_EQ(tools::median({9, 1, 5}), 5);
	EXPECT_EQ(tools::median({4, 1, 9, 2}), 3);
}

TEST(Rounded, ToSignificantDigits)
{
	EXPECT_DOUBLE_EQ(tools::rounded(1.23456), 1.235);
	EXPECT_DOUBLE_EQ(tools::rounded(0.000123456), 0.0001235);
	EXPECT_DOUBLE_EQ(tools::rounded(-123456), -123500);
	EXPECT_DOUBLE_EQ(tools::rounded(123456, 2), 120000);
	EXPECT_EQ(tools::rounded(0), 0);
}
