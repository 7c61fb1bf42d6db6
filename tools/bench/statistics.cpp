// SPDX-License-Identifier: GPL-2.0
#include "statistics.hpp"

#include <algorithm>
#include <cmath>

namespace bench
{

namespace
{

double at_fraction(const std::vector<double> &sorted, double fraction)
{
	const double place = fraction * static_cast<double>(sorted.size() - 1);
	const auto below = static_cast<size_t>(place);
	const size_t above = std::min(below + 1, sorted.size() - 1);

	return sorted[below] +
	       (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

} // namespace

std::optional<Spread> spread(std::vector<double> values)
{
	if (values.empty())
		return {};
	std::sort(values.begin(), values.end());
	return Spread{at_fraction(values, 0.5), at_fraction(values, 0.25),
		      at_fraction(values, 0.75), values.size()};
}

uint64_t Histogram::middle_of(unsigned int bucket)
{
	if (bucket < 2 * fine)
		return bucket;

	const unsigned int shift = bucket / fine - 1;
	const uint64_t start = static_cast<uint64_t>(fine + bucket % fine) << shift;
	return start + (uint64_t{1} << shift) / 2;
}

uint64_t Histogram::quantile(double fraction) const
{
	const auto wanted =
		static_cast<uint64_t>(std::ceil(fraction * static_cast<double>(count_)));
	uint64_t passed = 0;

	for (unsigned int i = 0; i < counts_.size(); i++) {
		passed += counts_[i];
		if (counts_[i] != 0 && passed >= wanted)
			return std::max(middle_of(i), least());
	}
	return 0;
}

} // namespace bench
