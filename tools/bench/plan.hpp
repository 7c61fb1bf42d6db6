// SPDX-License-Identifier: GPL-2.0
/** @file
 * Which points are measured, for which designs.
 */
#pragma once

#include "point.hpp"
#include "subject.hpp"

#include <string>
#include <vector>

namespace bench
{

/** Batches and numbers of packets in flight that make a cell of the tables. */
inline constexpr uint32_t batches[] = {1, 4, 16, 32};
inline constexpr uint32_t outstandings[] = {64, 1024};

/** Loads of the open loop, percent of the peak. */
inline constexpr uint32_t loads[] = {10, 20, 30, 40, 50, 60, 70, 80, 90};

/** The applications: their longest message, and the requests in flight. */
inline constexpr Point kv_point = {Kind::kv, 4128, 1, 64};
inline constexpr Point rpc_point = {Kind::rpc, 1056, 1, 64};

/** What a run is asked for. */
struct Wish {
	bool full = false;
	/** Names; empty: all. */
	std::vector<std::string> designs;
	/** Packet sizes; empty: the plan's. */
	std::vector<uint32_t> sizes;
	/** Kinds: rate, latency, load, queues, processes, kv, rpc; empty: all. */
	std::vector<std::string> kinds;
};

/** Designs that are measured at a point one right after the other. */
struct Step {
	Point point;
	std::vector<std::string> designs;
};

/** @return all steps of a round */
std::vector<Step> make_plan(const Wish &wish, const std::vector<Entry> &subjects);

/** @return what one measurement takes, ms */
double measurement_ms(const Point &point, const Wish &wish);

/** @return what a round takes, in seconds */
double round_seconds(const std::vector<Step> &plan, const Wish &wish);

} // namespace bench
