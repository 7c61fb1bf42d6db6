// SPDX-License-Identifier: GPL-2.0
/** @file
 * What many samples say together, for each placement apart.
 */
#pragma once

#include "placement.hpp"
#include "sample.hpp"
#include "statistics.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bench
{

/** Samples in order, by placement. */
class Figured
{
public:
	/** @param samples steady or not; those that are not are left out */
	Figured(const Samples &samples, const Placements &placements);

	/** @return placements of which there are samples: "near", "far" */
	std::vector<std::string> placements() const;

	/** @return all points, in order */
	std::vector<Point> points() const;

	/** @return designs that were measured at a point, in the order of names */
	std::vector<std::string> designs(const Point &point) const;

	/** What one sample says. */
	using Value = std::function<double(const Sample &)>;

	/** @return the spread of a value over all samples of one kind; nothing without any */
	std::optional<Spread> value(const std::string &placement, const std::string &design,
				    const Point &point, const Value &value) const;

	/**
	 * @return how many times the rate of another design a design has, in the
	 * median of the visits in which both were measured in this placement
	 */
	std::optional<double> rate_ratio(const std::string &placement, const std::string &design,
					 const std::string &other, const Point &point) const;

private:
	struct Key {
		std::string placement;
		std::string design;
		Point point;

		// NOLINTNEXTLINE(modernize-use-nullptr): it takes the comparison for a null
		auto operator<=>(const Key &) const = default;
	};

	const std::vector<Sample> *find(const std::string &placement, const std::string &design,
					const Point &point) const;

	std::map<Key, std::vector<Sample>> samples_;
};

} // namespace bench
