// SPDX-License-Identifier: GPL-2.0
#include "placement.hpp"

#include "clock.hpp"
#include "memory.hpp"
#include "statistics.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <thread>

namespace bench
{

namespace
{

constexpr unsigned int turns = 3000;
constexpr unsigned int turns_a_part = 250;

/* Two round trips that differ by more are of two placements. */
constexpr double tolerance = 1.35;

/* A gap between round trips that is wider parts near from far. */
constexpr double gap = 1.35;

/* Where no gap was seen there was one placement; this says which. */
constexpr double default_threshold_ns = 90;

struct alignas(writer_gap) Line {
	std::atomic<uint64_t> turn = 0;
};

} // namespace

double round_trip_ns(const CpuPair &cpus)
{
	Line line;
	std::vector<double> parts;
	std::thread peer([&] {
		bind_to(cpus.nic.number);
		for (uint64_t i = 1; i <= turns; i++) {
			while (line.turn.load(std::memory_order_acquire) != 2 * i - 1)
				;
			line.turn.store(2 * i, std::memory_order_release);
		}
	});

	const KeepCpus keep;
	bind_to(cpus.host.number);
	uint64_t start = ticks();
	for (uint64_t i = 1; i <= turns; i++) {
		line.turn.store(2 * i - 1, std::memory_order_release);
		while (line.turn.load(std::memory_order_acquire) != 2 * i)
			;
		if (i % turns_a_part == 0) {
			const uint64_t now = ticks();
			parts.push_back(static_cast<double>(now - start) / turns_a_part);
			start = now;
		}
	}
	peer.join();
	/* The first parts are warm-up; a part that was interrupted is far off the middle. */
	parts.erase(parts.begin(), parts.begin() + 2);
	return spread(parts)->median * tick_ns();
}

bool same_placement(double one_ns, double other_ns)
{
	return std::max(one_ns, other_ns) < tolerance * std::min(one_ns, other_ns);
}

Placements::Placements(std::vector<double> samples, double threshold_ns)
	: threshold_ns_(threshold_ns), reason_("given")
{
	if (threshold_ns_ > 0)
		return;
	const auto all = spread(samples);
	const bool near = all && all->median < default_threshold_ns;
	threshold_ns_ = near ? std::numeric_limits<double>::infinity() : 0;
	reason_ = fmt::format(
		"no gap between the round trips: one placement, {} by the default of {} ns",
		near ? "near" : "far", default_threshold_ns);
	std::sort(samples.begin(), samples.end());

	/* Of a few samples beyond a gap, which a disturbed moment may have made, no class. */
	const size_t least = 2 + samples.size() / 50;
	double widest = gap;
	for (size_t i = least; i + least <= samples.size(); i++) {
		const double ratio = samples[i] / samples[i - 1];

		if (ratio <= widest)
			continue;
		widest = ratio;
		threshold_ns_ = std::sqrt(samples[i] * samples[i - 1]);
		reason_ = fmt::format("in the gap from {:.0f} to {:.0f} ns", samples[i - 1],
				      samples[i]);
	}
}

std::string Placements::name(double round_trip_ns) const
{
	return round_trip_ns < threshold_ns_ ? "near" : "far";
}

} // namespace bench
