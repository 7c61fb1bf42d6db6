// SPDX-License-Identifier: GPL-2.0
#include "clock.hpp"

namespace bench
{

namespace
{

double measure_tick()
{
	using Clock = std::chrono::steady_clock;
	const auto start = Clock::now();
	const uint64_t first = ticks();
	Clock::time_point end;

	do
		end = Clock::now();
	while (end - start < std::chrono::milliseconds(20));
	return std::chrono::duration<double, std::nano>(end - start).count() /
	       static_cast<double>(ticks() - first);
}

} // namespace

double tick_ns()
{
	static const double value = measure_tick();

	return value;
}

} // namespace bench
