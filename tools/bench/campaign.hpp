// SPDX-License-Identifier: GPL-2.0
/** @file
 * Measures a plan, round after round, with the round trip between any two
 * measurements.
 */
#pragma once

#include "cpus.hpp"
#include "plan.hpp"
#include "sample.hpp"

#include <functional>
#include <map>
#include <memory>

namespace bench
{

/** What became of a campaign. */
struct Outcome {
	Samples samples;
	/** All round trips, also of measurements that were dropped. */
	std::vector<double> round_trips;
	/** Measurements that were dropped because the placement changed, or the CPU was gone. */
	uint64_t dropped = 0;
	unsigned int rounds = 0;
};

/** A measuring run. */
class Campaign
{
public:
	/** Told what there is to say, a line at a time. */
	using Progress = std::function<void(const std::string &)>;

	/** @param entries what there is to measure */
	Campaign(Wish wish, std::vector<Entry> entries, const CpuPair &cpus, Progress progress);

	/**
	 * Measures for so long, but at least one step.
	 * @param stopped asked before each measurement
	 */
	Outcome run(double seconds, const std::function<bool()> &stopped);

	/** @return what one round takes */
	double round_seconds() const;

private:
	Subject &subject(const std::string &name);
	void visit(const Step &step, Outcome &outcome);
	bool measure(const Step &step, const std::string &design, double &before, uint64_t visit,
		     Outcome &outcome);

	Wish wish_;
	CpuPair cpus_;
	Progress progress_;
	std::vector<Entry> entries_;
	std::vector<Step> plan_;
	std::map<std::string, std::unique_ptr<Subject>> subjects_;
	uint64_t visit_;
};

} // namespace bench
