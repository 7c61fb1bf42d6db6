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

int Queue::sleep(ccnic_armed *armed, uint32_t *token, Counter &count, Bell *bell, int timeout_ms,
		 bool (*ready)(Queue &, uint32_t), uint32_t argument)
{
	using Clock = std::chrono::steady_clock;
	const ccnic_progress *returned =
		&ccnic_region_nic_lines(host_.memory_, &host_.sb_, index_)->tx_done;
	const auto end = Clock::now() + std::chrono::milliseconds(timeout_ms);
	uint64_t next_check = 0;

	while (!ready(*this, argument)) {
		const auto left =
			std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());

		if (timeout_ms >= 0 && left.count() <= 0)
			return 0;
		host_.check(&next_check);
		if (!host_.options_.sleeps) {
			pause_once();
			continue;
		}
		const uint32_t before = heard(bell);
		const int slice = timeout_ms < 0 ? sleep_slice_ms
						 : std::min<int>(sleep_slice_ms,
								 static_cast<int>(left.count()));

		/* Who waits for room is woken by any return, and looks again. */
		ccnic_arm(armed, token, ccnic_read_once(&returned->slots));
		if (!ready(*this, argument)) {
			count.add(1);
			sleep_at(bell, before, slice);
		}
		ccnic_disarm(armed);
	}
	return 1;
}

int Queue::wait_rx(int timeout_ms)
{
	ccnic_host_lines *lines = ccnic_region_host_lines(host_.memory_, &host_.sb_, index_);

	const int result = sleep(
		&lines->rx, &rx_.sleep_token, rx_.sleeps, &host_.control_->bells[index_].rx,
		timeout_ms, [](Queue &queue, uint32_t) { return queue.readable(); }, 0);

	rx_.gate = 0;
	return result;
}

int Queue::wait_tx(uint32_t slots, int timeout_ms)
{
	ccnic_host_lines *lines = ccnic_region_host_lines(host_.memory_, &host_.sb_, index_);

	return sleep(
		&lines->tx, &tx_.sleep_token, tx_.sleeps, &host_.control_->bells[index_].tx,
		timeout_ms, [](Queue &queue, uint32_t wanted) { return queue.writable(wanted); },
		slots);
}

} // namespace ccnic
