// SPDX-License-Identifier: GPL-2.0
/*
 * Waiting for the NIC, asleep if it was told so at the start.
 */
#include "inside.hpp"
#include "sleep.hpp"

#include <algorithm>
#include <chrono>

namespace ccnic
{

int Queue::sleep(ccnic_armed *armed, uint32_t *token, uint32_t index, Bell *bell, int timeout_ms,
		 bool (*ready)(Queue &, uint32_t), uint32_t argument)
{
	using Clock = std::chrono::steady_clock;
	const auto end = Clock::now() + std::chrono::milliseconds(timeout_ms);

	while (!ready(*this, argument)) {
		const auto left =
			std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
		uint64_t at_once = 0;

		if (timeout_ms >= 0 && left.count() <= 0)
			return 0;
		host_.check(&at_once);
		if (!host_.options_.sleeps) {
			pause_once();
			continue;
		}
		const uint32_t before = heard(bell);
		const int slice = timeout_ms < 0 ? sleep_slice_ms
						 : std::min<int>(sleep_slice_ms,
								 static_cast<int>(left.count()));

		ccnic_arm(armed, token, index);
		if (!ready(*this, argument))
			sleep_at(bell, before, slice);
		ccnic_disarm(armed);
	}
	return 1;
}

int Queue::wait_rx(int timeout_ms)
{
	ccnic_host_lines *lines = ccnic_region_host_lines(host_.memory_, &host_.sb_, index_);

	const int result = sleep(
		&lines->rx, &rx_.sleep_token, 0, &host_.control_->bells[index_].rx, timeout_ms,
		[](Queue &queue, uint32_t) { return queue.readable(); }, 0);

	rx_.gate = 0;
	return result;
}

int Queue::wait_tx(uint32_t slots, int timeout_ms)
{
	ccnic_host_lines *lines = ccnic_region_host_lines(host_.memory_, &host_.sb_, index_);
	/* Any return will do, and then it is looked again. */
	const uint32_t index = tx_.ring.clean;

	return sleep(
		&lines->tx, &tx_.sleep_token, index, &host_.control_->bells[index_].tx, timeout_ms,
		[](Queue &queue, uint32_t wanted) { return queue.writable(wanted); }, slots);
}

} // namespace ccnic
