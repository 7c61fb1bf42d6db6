// SPDX-License-Identifier: GPL-2.0
/** @file
 * What `iperf3 --json` reports at the client's end.
 */
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tools
{

/** One run of iperf3, seen from the receiver where it matters. */
struct IperfResult {
	/** Payload that arrived, Gbit/s. */
	double gbps = 0;
	/** Payload that arrived, bytes. */
	uint64_t bytes = 0;
	/** Payload that was sent, bytes. */
	uint64_t bytes_sent = 0;
	/** Length of the receiver's window of measurement, seconds. */
	double seconds = 0;

	/** TCP: segments sent again; absent where the system does not tell. */
	std::optional<uint64_t> retransmits;
	/** TCP: payload bytes of a full segment. */
	std::optional<uint64_t> segment_bytes;

	/** UDP: datagrams that the receiver knows of, lost ones included. */
	std::optional<uint64_t> datagrams;
	/** UDP: those among them that did not arrive. */
	std::optional<uint64_t> lost;

	/** @return UDP: datagrams that arrived, millions a second */
	std::optional<double> mpps() const;
	/** @return UDP: share of the datagrams that did not arrive, 0 to 100 */
	std::optional<double> lost_percent() const;
	/** @return TCP: share of the payload that was sent again, 0 to 100 */
	std::optional<double> retransmit_percent() const;
};

/**
 * Reads the report of one run.
 * @throws std::runtime_error with iperf3's own message where it reports an
 * error, or naming what is missing in the report
 */
IperfResult parse_iperf(std::string_view json);

} // namespace tools
