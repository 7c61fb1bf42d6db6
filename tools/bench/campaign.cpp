// SPDX-License-Identifier: GPL-2.0
#include "campaign.hpp"

#include "placement.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <random>
#include <stdexcept>

namespace bench
{

namespace
{

/* How often a point is measured when the placement changes under it. */
constexpr unsigned int attempts = 3;

using Clock = std::chrono::steady_clock;

/* Of an application the design under it: the kind of the point says which it is. */
std::string shown_name(const std::string &name)
{
	return name.substr(name.find('/') + 1);
}

double seconds_since(Clock::time_point start)
{
	return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace

Campaign::Campaign(Wish wish, std::vector<Entry> entries, const CpuPair &cpus, Progress progress)
	: wish_(std::move(wish)), cpus_(cpus), progress_(std::move(progress)),
	  entries_(std::move(entries)), plan_(make_plan(wish_, entries_)),
	  visit_(static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch() /
				       std::chrono::microseconds(1)))
{
	if (plan_.empty())
		throw std::invalid_argument("there is nothing to measure with these options");
}

double Campaign::round_seconds() const
{
	return bench::round_seconds(plan_, wish_);
}

Subject &Campaign::subject(const std::string &name)
{
	auto &kept = subjects_[name];

	if (kept == nullptr)
		kept = std::find_if(entries_.begin(), entries_.end(), [&](const Entry &entry) {
			       return entry.name == name;
		       })->make();
	return *kept;
}

bool Campaign::measure(const Step &step, const std::string &design, double &before, uint64_t visit,
		       Outcome &outcome)
{
	Sample sample{shown_name(design), step.point, {}, before, 0, visit};

	sample.figures =
		subject(design).measure(step.point, cpus_, measurement_ms(step.point, wish_));
	sample.after_ns = before = round_trip_ns(cpus_);
	outcome.round_trips.push_back(before);
	if (sample.figures.wrong != 0)
		progress_(fmt::format("{}: {} packets wrong or lost ({} B, batch {})", design,
				      sample.figures.wrong, step.point.size, step.point.batch));
	if (!sample.steady() || (!sample.complete() && sample.figures.wrong == 0)) {
		outcome.dropped++;
		return false;
	}
	outcome.samples.push_back(std::move(sample));
	return true;
}

void Campaign::visit(const Step &step, Outcome &outcome)
{
	double before = round_trip_ns(cpus_);

	visit_++;
	for (const std::string &design : step.designs) {
		if (step.point.processes > 1 && !subject(design).for_processes())
			continue;
		for (unsigned int i = 0; i < attempts; i++)
			if (measure(step, design, before, visit_, outcome))
				break;
	}
}

Outcome Campaign::run(double seconds, const std::function<bool()> &stopped)
{
	const auto start = Clock::now();
	std::mt19937_64 random(visit_);
	Outcome outcome;
	double told = 0;

	for (;;) {
		/* Another order each time, so that a run that is cut short misses nothing for good.
		 */
		std::shuffle(plan_.begin(), plan_.end(), random);
		for (const Step &step : plan_) {
			if (seconds_since(start) >= seconds || stopped())
				return outcome;
			visit(step, outcome);
			if (seconds_since(start) - told < 5)
				continue;
			told = seconds_since(start);
			progress_(fmt::format(
				"{:.0f} of {:.0f} s: round {}, {} measurements, {} dropped, "
				"round trip {:.0f} ns",
				told, seconds, outcome.rounds + 1, outcome.samples.size(),
				outcome.dropped, outcome.round_trips.back()));
		}
		outcome.rounds++;
	}
}

} // namespace bench
