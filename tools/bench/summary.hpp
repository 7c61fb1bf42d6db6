// SPDX-License-Identifier: GPL-2.0
/** @file
 * The figures that a reader looks for first, and how far the targets are.
 */
#pragma once

#include "figures.hpp"
#include "report.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bench
{

/** A figure of the summary, and what it is to be. */
struct Target {
	std::string key;
	std::string what;
	std::optional<double> value;
	/** Why there is no value. */
	std::string reason;
	/** Nothing: only told. */
	std::optional<double> wanted;
	/** Is it to be at most @p wanted? Else at least. */
	bool at_most = false;

	bool reached() const
	{
		return value && wanted && (at_most ? *value <= *wanted : *value >= *wanted);
	}
};

/**
 * @param missing subjects that are not there, and why
 * @return what is wanted in one placement
 */
std::vector<Target> targets(const Figured &figured, const std::string &placement,
			    const std::map<std::string, std::string> &missing);

/**
 * Puts the summary into the report: the keys of every placement that is known,
 * seen or not.
 */
void summarise(tools::Report &report, const Figured &figured,
	       const std::map<std::string, std::string> &missing);

/** Puts the points into the report. */
void add_rows(tools::Report &report, const Figured &figured);

/** @return the targets as text, a line each */
std::string target_text(const Figured &figured, const std::map<std::string, std::string> &missing);

/**
 * @return how the naive port stands to what was measured of one elsewhere, in
 * packets a round trip, so that a weak baseline shows
 */
std::string baseline_text(const Figured &figured);

} // namespace bench
