// SPDX-License-Identifier: GPL-2.0
#include "figures.hpp"

#include <set>

namespace bench
{

Figured::Figured(const Samples &samples, const Placements &placements)
{
	for (const Sample &sample : samples) {
		const std::string before = placements.name(sample.before_ns);

		if (!sample.steady() || !sample.complete() ||
		    before != placements.name(sample.after_ns) || sample.figures.wrong != 0)
			continue;
		samples_[{before, sample.design, sample.point}].push_back(sample);
	}
}

std::vector<std::string> Figured::placements() const
{
	std::vector<std::string> seen;

	for (const char *name : {"near", "far"})
		for (const auto &[key, samples] : samples_)
			if (key.placement == name) {
				seen.emplace_back(name);
				break;
			}
	return seen;
}

std::vector<Point> Figured::points() const
{
	std::set<Point> points;

	for (const auto &[key, samples] : samples_)
		points.insert(key.point);
	return {points.begin(), points.end()};
}

std::vector<std::string> Figured::designs(const Point &point) const
{
	std::set<std::string> designs;

	for (const auto &[key, samples] : samples_)
		if (key.point == point)
			designs.insert(key.design);
	return {designs.begin(), designs.end()};
}

const std::vector<Sample> *Figured::find(const std::string &placement, const std::string &design,
					 const Point &point) const
{
	const auto found = samples_.find({placement, design, point});

	return found == samples_.end() ? nullptr : &found->second;
}

std::optional<Spread> Figured::value(const std::string &placement, const std::string &design,
				     const Point &point, const Value &value) const
{
	const auto *samples = find(placement, design, point);
	std::vector<double> values;

	if (samples == nullptr)
		return {};
	for (const Sample &sample : *samples)
		values.push_back(value(sample));
	return spread(std::move(values));
}

std::optional<double> Figured::rate_ratio(const std::string &placement, const std::string &design,
					  const std::string &other, const Point &point) const
{
	const auto *ours = find(placement, design, point);
	const auto *theirs = find(placement, other, point);
	std::map<uint64_t, double> rates;
	std::vector<double> ratios;

	if (ours == nullptr || theirs == nullptr)
		return {};
	for (const Sample &sample : *theirs)
		rates[sample.visit] = sample.figures.mpps;
	for (const Sample &sample : *ours) {
		const auto found = rates.find(sample.visit);
		if (found != rates.end() && found->second > 0)
			ratios.push_back(sample.figures.mpps / found->second);
	}
	const auto middle = spread(std::move(ratios));
	if (!middle)
		return {};
	return middle->median;
}

} // namespace bench
