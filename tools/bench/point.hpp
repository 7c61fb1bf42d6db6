// SPDX-License-Identifier: GPL-2.0
/** @file
 * What is measured at once, and what comes out.
 */
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace bench
{

/** What a point tells about a design. */
enum class Kind : uint8_t {
	rate,    /**< packets a second, as many in flight as allowed */
	latency, /**< one packet in flight */
	load,    /**< latency with packets at a part of the peak rate, whether answered or not */
	kv,      /**< an application: key-value store */
	rpc,     /**< an application: remote calls */
};

/** One measured point. */
struct Point {
	Kind kind = Kind::rate;
	uint32_t size = 64;
	uint32_t batch = 1;
	uint32_t outstanding = 1;
	uint32_t queues = 1;
	/** 2: host and NIC are processes, not threads. */
	uint32_t processes = 1;
	/** For Kind::load: percent of the peak rate. */
	uint32_t load_percent = 0;

	// NOLINTNEXTLINE(modernize-use-nullptr): it takes the comparison for a null
	auto operator<=>(const Point &) const = default;
};

/** @return the kind's name in reports */
std::string kind_name(Kind kind);

/** @return the kind of that name; Kind::rate if there is none */
Kind kind_named(const std::string &name);

/** What was measured at a point. */
struct Figures {
	double mpps = 0;
	double gbps = 0;
	double least_ns = 0;
	double p50_ns = 0;
	double p99_ns = 0;
	double p999_ns = 0;
	/** Packets with wrong contents, or lost. */
	uint64_t wrong = 0;
};

} // namespace bench
