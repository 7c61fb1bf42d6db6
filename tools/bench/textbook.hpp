// SPDX-License-Identifier: GPL-2.0
/** @file
 * CC-NIC as the paper describes it: the consumer clears the signal.
 */
#pragma once

#include "handles.hpp"
#include "memory.hpp"
#include "pace.hpp"
#include "shape.hpp"

#include <algorithm>
#include <ccnic/line.h>
#include <ccnic/pool.h>

namespace bench
{

/**
 * Up to four descriptors a line, behind a count that is the signal. The producer
 * finds it 0 before it writes a line; the consumer copies the descriptors and
 * stores 0. A line that a burst does not fill is left behind. Buffers are shared.
 */
class Textbook
{
public:
	static constexpr bool for_processes = true;

	explicit Textbook(const Shape &shape)
		: stride_(buffer_stride(shape.largest)),
		  memory_(size_t{buffer_count} * stride_ + 2 * ring_lines * CCNIC_LINE_SIZE +
			  2 * exchange_lines * CCNIC_LINE_SIZE + 65536),
		  buffers_(memory_.take<uint8_t>(size_t{buffer_count} * stride_)),
		  tx_(memory_.take<ccnic_line>(ring_lines)),
		  rx_(memory_.take<ccnic_line>(ring_lines)),
		  to_nic_(memory_.take<ccnic_line>(exchange_lines)),
		  to_host_(memory_.take<ccnic_line>(exchange_lines)),
		  host_(tx_, rx_, to_nic_, to_host_), nic_(rx_, tx_, to_host_, to_nic_)
	{
		const uint32_t step = ccnic_scatter_step(buffer_count);

		for (uint32_t i = 0; i < buffer_count; i++) {
			Side &side = i % 2 == 0 ? host_ : nic_;
			side.cache.push(static_cast<uint32_t>(uint64_t{i} * step % buffer_count));
		}
	}

	template <typename Source>
	uint32_t tx_burst(Source &source, uint32_t count)
	{
		uint32_t sent = 0;

		while (sent < count) {
			ccnic_line &line = host_.out[host_.next_out & (ring_lines - 1)];
			uint32_t filled = 0;

			if (ccnic_load_acquire(&line.signal) != 0)
				break;
			for (; filled < CCNIC_LINE_DESCS && sent < count && have(host_); filled++) {
				const uint32_t handle = host_.cache.pop();
				const uint32_t bytes = source.bytes();

				source.write(buffer(handle), 0, bytes);
				line.slots.desc[filled] = describe(handle, bytes);
				source.done();
				sent++;
			}
			if (filled == 0)
				break;
			ccnic_store_release(&line.signal, filled);
			host_.next_out++;
		}
		return sent;
	}

	template <typename Sink>
	uint32_t rx_burst(Sink &sink, uint32_t most)
	{
		ccnic_desc desc[CCNIC_LINE_DESCS];
		uint32_t received = 0;

		while (received < most) {
			const uint32_t count = take(host_, desc);

			if (count == 0)
				break;
			for (uint32_t i = 0; i < count; i++) {
				sink.read(buffer(desc[i].handle), 0, desc[i].len);
				sink.done(desc[i].len);
				free(host_, desc[i].handle);
			}
			received += count;
		}
		return received;
	}

	void nic_poll()
	{
		ccnic_desc desc[CCNIC_LINE_DESCS];

		for (uint32_t lines = 0; lines < burst_lines; lines++) {
			ccnic_line &to = nic_.out[nic_.next_out & (ring_lines - 1)];
			ccnic_line &from = nic_.in[nic_.next_in & (ring_lines - 1)];

			if (ccnic_load_acquire(&from.signal) == 0 ||
			    ccnic_load_acquire(&to.signal) != 0)
				break;
			const uint32_t count = take(nic_, desc);
			for (uint32_t i = 0; i < count; i++) {
				if (!have(nic_))
					return;
				const uint32_t handle = nic_.cache.pop();
				ccnic_copy(buffer(handle), buffer(desc[i].handle), desc[i].len);
				to.slots.desc[i] = describe(handle, desc[i].len);
				free(nic_, desc[i].handle);
			}
			ccnic_store_release(&to.signal, count);
			nic_.next_out++;
		}
	}

private:
	static constexpr uint32_t ring_lines = 256;
	static constexpr uint32_t burst_lines = 8;
	static constexpr uint32_t buffer_count = 4096;
	static constexpr uint32_t exchange_lines = 512;
	static constexpr uint32_t kept = buffer_count / 2 + 32;

	struct alignas(writer_gap) Side {
		ccnic_line *out;
		ccnic_line *in;
		uint32_t next_out = 0;
		uint32_t next_in = 0;
		Handles<true> cache{buffer_count};
		ccnic_lender lender = {};
		ccnic_borrower borrower = {};
		alignas(writer_gap) char end[writer_gap] = {};

		Side(ccnic_line *to, ccnic_line *from, ccnic_line *give, ccnic_line *get)
			: out(to), in(from)
		{
			ccnic_lender_init(&lender, give, exchange_lines);
			ccnic_borrower_init(&borrower, get, exchange_lines);
		}
	};

	static ccnic_desc describe(uint32_t handle, uint32_t bytes)
	{
		return {handle,
			0,
			static_cast<uint16_t>(bytes),
			CCNIC_KIND_BUFFER | CCNIC_F_EOP,
			{0, 0}};
	}

	uint8_t *buffer(uint32_t handle) const
	{
		return buffers_ + size_t{handle} * stride_;
	}

	static bool have(Side &side)
	{
		uint32_t handles[CCNIC_LINE_HANDLES];

		if (side.cache.count() != 0)
			return true;
		const int got = ccnic_borrow(&side.borrower, handles);
		for (int i = 0; i < got; i++)
			side.cache.push(handles[i]);
		return got > 0;
	}

	static void free(Side &side, uint32_t handle)
	{
		if (side.cache.count() < kept)
			side.cache.push(handle);
		else
			ccnic_lend(&side.lender, handle);
	}

	/* Copies a line's descriptors and clears it. */
	static uint32_t take(Side &side, ccnic_desc *desc)
	{
		ccnic_line &line = side.in[side.next_in & (ring_lines - 1)];
		const uint32_t count =
			std::min<uint32_t>(ccnic_load_acquire(&line.signal), CCNIC_LINE_DESCS);

		if (count == 0)
			return 0;
		ccnic_copy(desc, line.slots.desc, count * sizeof(*desc));
		ccnic_store_release(&line.signal, 0u);
		side.next_in++;
		return count;
	}

	uint32_t stride_;
	SharedMemory memory_;
	uint8_t *buffers_;
	ccnic_line *tx_;
	ccnic_line *rx_;
	ccnic_line *to_nic_;
	ccnic_line *to_host_;
	Side host_;
	Side nic_;
};

} // namespace bench
