// SPDX-License-Identifier: GPL-2.0
#include "random.hpp"

#include <algorithm>
#include <cmath>

namespace apps
{

namespace
{

constexpr uint32_t draw_count = 1 << 16;

} // namespace

Zipf::Zipf(uint32_t count, double exponent, uint64_t seed) : random_(seed)
{
	std::vector<double> sums(count);
	double sum = 0;

	for (uint32_t i = 0; i < count; i++) {
		sum += std::pow(i + 1, -exponent);
		sums[i] = sum;
	}
	for (uint32_t i = 0; i < draw_count; i++) {
		const double at = sum * static_cast<double>(random_.next() >> 11) * 0x1p-53;
		const auto found = std::upper_bound(sums.begin(), sums.end(), at);

		draws_.push_back(std::min(static_cast<uint32_t>(found - sums.begin()), count - 1));
	}
}

} // namespace apps
