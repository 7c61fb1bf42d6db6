// SPDX-License-Identifier: GPL-2.0
/** @file
 * How far the two CPUs are from each other just now.
 *
 * A hypervisor moves virtual CPUs: from a neighbouring core to a far one, or to
 * the two threads of one core, at any moment. The time that one cache line takes
 * to the other CPU and back tells them apart.
 */
#pragma once

#include "cpus.hpp"

#include <string>
#include <vector>

namespace bench
{

/** @return nanoseconds that one line takes to the other CPU and back */
double round_trip_ns(const CpuPair &cpus);

/** May two round trips be of one placement? */
bool same_placement(double one_ns, double other_ns);

/** Tells placements by the round trip. */
class Placements
{
public:
	/**
	 * Finds the widest gap between the round trips.
	 * @param samples all round trips of a run
	 * @param threshold_ns taken instead if it is not 0
	 */
	explicit Placements(std::vector<double> samples, double threshold_ns = 0);

	/** @return "near" or "far" */
	std::string name(double round_trip_ns) const;

	/** @return where far begins */
	double threshold_ns() const
	{
		return threshold_ns_;
	}
	/** @return how the threshold came about, for people */
	const std::string &reason() const
	{
		return reason_;
	}

private:
	double threshold_ns_;
	std::string reason_;
};

} // namespace bench
