// SPDX-License-Identifier: GPL-2.0
/** @file
 * The design of include/ccnic/, driven directly, with any of its elements off.
 */
#pragma once

#include "elements.hpp"
#include "handles.hpp"
#include "header_ring.hpp"
#include "layout_ring.hpp"
#include "memory.hpp"
#include "pace.hpp"
#include "shape.hpp"

#include <algorithm>
#include <ccnic/pool.h>
#include <ccnic/region.h>
#include <type_traits>

namespace bench
{

/** Host and NIC over a region of their own. */
template <Elements elements>
class Ours
{
public:
	static constexpr bool for_processes = true;

	explicit Ours(const Shape &shape)
		: memory_(bytes()), tx_lines_(memory_), rx_lines_(memory_),
		  buffers_(memory_.take<uint8_t>(size_t{buffer_count} * CCNIC_SMALL_STRIDE)),
		  to_nic_(memory_.take<ccnic_line>(exchange_lines)),
		  to_host_(memory_.take<ccnic_line>(exchange_lines)),
		  host_(tx_lines_.ring, rx_lines_.ring, to_nic_, to_host_, shape),
		  nic_(rx_lines_.ring, tx_lines_.ring, to_host_, to_nic_, shape)
	{
		const uint32_t step = elements.scatter ? ccnic_scatter_step(buffer_count) : 1;

		for (uint32_t i = 0; i < buffer_count; i++) {
			const auto handle =
				static_cast<uint32_t>(uint64_t{i} * step % buffer_count);
			if (!elements.shared_pool || i % 2 == 0)
				host_.cache.push(handle);
			else
				nic_.cache.push(handle);
		}
		if (!elements.shared_pool)
			post_buffers();
	}

	/** The host sends up to so many packets. @return how many */
	template <typename Source>
	uint32_t tx_burst(Source &source, uint32_t count)
	{
		return send(host_, source, count);
	}
	/** The host receives up to so many packets. @return how many */
	template <typename Sink>
	uint32_t rx_burst(Sink &sink, uint32_t most)
	{
		const uint32_t count = receive(host_, sink, most);

		if (!elements.shared_pool && count != 0)
			post_buffers();
		return count;
	}
	/** The NIC sends back what has come. */
	void nic_poll()
	{
		forward(nic_);
	}

private:
	static constexpr uint32_t ring_slots = 1024;
	static constexpr uint32_t cell_bytes = Shape::cell_bytes;
	static constexpr uint32_t burst = 32;
	static constexpr uint32_t buffer_count = 4 * ring_slots;
	static constexpr uint32_t exchange_lines = 1024;
	/* Handles of a host-managed pool that the NIC should have. */
	static constexpr uint32_t posted = ring_slots + 256;
	static constexpr uint32_t kept = buffer_count / 2 + 32;

	using Places = LayoutPlaces<elements.layout>;
	using Producer = std::conditional_t<elements.layout == Layout::four, HeaderProducer,
					    LayoutProducer<elements.layout>>;
	using Consumer = std::conditional_t<elements.layout == Layout::four, HeaderConsumer,
					    LayoutConsumer<elements.layout>>;

	/** A ring's memory. */
	struct RingMemory {
		ccnic_ring ring = {};

		explicit RingMemory(SharedMemory &memory)
		{
			ring.lines = memory.take<ccnic_line>(Places::lines(ring_slots));
			ring.cells = memory.take<uint8_t>(size_t{ring_slots} * cell_bytes);
			ring.progress = memory.take<ccnic_progress>(1);
			ring.slots = ring_slots;
			ring.cell_bytes = cell_bytes;
		}
	};

	/** What one side has to itself. */
	struct alignas(writer_gap) Side {
		Producer out;
		Consumer in;
		Handles<elements.lifo> cache{buffer_count};
		ccnic_lender lender = {};
		ccnic_borrower borrower = {};
		Pace pace;
		/* Host-managed pool: what stands in the slots, and which of them is next to free.
		 */
		std::vector<uint32_t> sent = std::vector<uint32_t>(ring_slots);
		uint32_t reaped = 0;
		uint32_t at_peer = 0;
		/* A burst's descriptors, copied. */
		std::vector<ccnic_desc> taken =
			std::vector<ccnic_desc>(burst + CCNIC_PACKET_DESCS_MAX);
		alignas(writer_gap) char end[writer_gap] = {};

		Side(const ccnic_ring &to, const ccnic_ring &from, ccnic_line *give,
		     ccnic_line *get, const Shape &shape)
			: out(to), in(from), pace(elements.pacing ? shape.pace_ns : 0)
		{
			ccnic_lender_init(&lender, give, exchange_lines);
			ccnic_borrower_init(&borrower, get, exchange_lines);
		}
	};

	static size_t bytes()
	{
		return size_t{buffer_count} * CCNIC_SMALL_STRIDE +
		       2 * size_t{ring_slots} * (2 * CCNIC_LINE_SIZE + cell_bytes) +
		       2 * size_t{exchange_lines} * CCNIC_LINE_SIZE + (size_t{1} << 16);
	}

	uint8_t *buffer(uint32_t handle) const
	{
		return buffers_ + size_t{handle} * CCNIC_SMALL_STRIDE;
	}

	/* Is it the side that owns the buffers, where they are not shared? */
	bool is_host(const Side &side) const
	{
		return &side == &host_;
	}

	/* @return false if there are not so many handles */
	bool have(Side &side, uint32_t count)
	{
		uint32_t handles[CCNIC_LINE_HANDLES];

		if (side.cache.count() >= count)
			return true;
		if (!elements.shared_pool && is_host(side)) {
			side.out.reclaim();
			reap(side);
			return side.cache.count() >= count;
		}
		while (side.cache.count() < count) {
			const int got = ccnic_borrow(&side.borrower, handles);
			if (got <= 0)
				return false;
			for (int i = 0; i < got; i++)
				if (handles[i] < buffer_count)
					side.cache.push(handles[i]);
		}
		return true;
	}

	/* Host-managed pool: what the NIC is done with comes home. */
	static void reap(Side &side)
	{
		for (; side.reaped != side.out.clean(); side.reaped++) {
			const uint32_t handle = side.sent[side.reaped & (ring_slots - 1)];
			if (handle != UINT32_MAX)
				side.cache.push(handle);
		}
	}

	/* The side is done with a buffer that it has read. */
	void free(Side &side, uint32_t handle)
	{
		if (!elements.shared_pool) {
			if (!is_host(side))
				return;
			side.at_peer--;
			side.cache.push(handle);
		} else if (side.cache.count() < kept) {
			side.cache.push(handle);
		} else {
			ccnic_lend(&side.lender, handle);
		}
	}

	void post_buffers()
	{
		while (host_.at_peer < posted && host_.cache.count() > ring_slots) {
			ccnic_lend(&host_.lender, host_.cache.pop());
			host_.at_peer++;
		}
	}

	static bool fits_cell(uint32_t bytes)
	{
		return elements.inline_payload && bytes <= cell_bytes;
	}

	static uint32_t pieces(uint32_t bytes)
	{
		return fits_cell(bytes) ? 1 : (bytes + CCNIC_SMALL_SIZE - 1) / CCNIC_SMALL_SIZE;
	}

	static ccnic_desc describe(uint32_t handle, uint32_t bytes, uint32_t kind, bool last)
	{
		return {handle,
			0,
			static_cast<uint16_t>(bytes),
			static_cast<uint16_t>(kind | (last ? CCNIC_F_EOP : 0)),
			{0, 0}};
	}

	void put(Side &side, const ccnic_desc *desc, uint32_t count)
	{
		if (!elements.shared_pool && is_host(side))
			for (uint32_t i = 0; i < count; i++)
				side.sent[(side.out.next() + i) & (ring_slots - 1)] =
					ccnic_desc_kind(&desc[i]) == CCNIC_KIND_BUFFER
						? desc[i].handle
						: UINT32_MAX;
		side.out.put(desc, count);
		/* Never a part of a packet. */
		if (!elements.burst_publish && side.out.line_full() &&
		    (desc[count - 1].flags & CCNIC_F_EOP) != 0)
			side.out.flush();
	}

	template <typename Source>
	uint32_t send(Side &side, Source &source, uint32_t count)
	{
		ccnic_desc desc[CCNIC_PACKET_DESCS_MAX];
		uint32_t sent = 0;

		for (; sent < count; sent++) {
			const uint32_t bytes = source.bytes();
			const uint32_t parts = pieces(bytes);

			if (!side.out.room(parts))
				break;
			if (!elements.shared_pool && is_host(side))
				reap(side);
			if (fits_cell(bytes)) {
				source.write(side.out.cell(), 0, bytes);
				desc[0] = describe(0, bytes, CCNIC_KIND_INLINE, true);
			} else {
				if (!have(side, parts))
					break;
				for (uint32_t i = 0; i < parts; i++) {
					const uint32_t at = i * CCNIC_SMALL_SIZE;
					const uint32_t piece =
						std::min(bytes - at, CCNIC_SMALL_SIZE);
					const uint32_t handle = side.cache.pop();

					source.write(buffer(handle), at, piece);
					desc[i] = describe(handle, piece, CCNIC_KIND_BUFFER,
							   i + 1 == parts);
				}
			}
			source.done();
			put(side, desc, parts);
		}
		side.out.flush();
		return sent;
	}

	/* What a side does when it has looked and there was nothing, or little. */
	void looked(Side &side, uint32_t found)
	{
		side.pace.found(found);
		if (found == 0 || !elements.lazy_progress || side.in.owed() >= ring_slots / 4)
			side.in.give_back();
	}

	/*
	 * Copies the descriptors of the next packets, and fetches what they name.
	 * @return packets
	 */
	uint32_t take(Side &side, uint32_t most, uint32_t &descriptors)
	{
		const uint32_t there = side.in.ahead(elements.look_ahead ? most : 1);
		uint32_t packets = 0;

		descriptors = 0;
		most = std::min(most, elements.look_ahead ? burst : 1);
		while (descriptors < there && descriptors < burst && packets < most) {
			const uint32_t count = side.in.next(&side.taken[descriptors]);
			if (count == 0)
				break;
			if (elements.look_ahead)
				for (uint32_t i = 0; i < count; i++)
					fetch(side.taken[descriptors + i]);
			descriptors += count;
			packets++;
		}
		return packets;
	}

	void fetch(const ccnic_desc &desc) const
	{
		if (ccnic_desc_kind(&desc) != CCNIC_KIND_BUFFER || desc.handle >= buffer_count)
			return;
		ccnic_prefetch(buffer(desc.handle));
		if (desc.len > CCNIC_LINE_SIZE)
			ccnic_prefetch(buffer(desc.handle) + CCNIC_LINE_SIZE);
	}

	/* @return where a descriptor's bytes are; null if it names nothing */
	const uint8_t *payload(const Side &side, const ccnic_desc &desc, uint32_t back) const
	{
		if (ccnic_desc_kind(&desc) == CCNIC_KIND_INLINE)
			return desc.len <= cell_bytes ? side.in.cell(back) : nullptr;
		return desc.handle < buffer_count && desc.len <= CCNIC_SMALL_SIZE
			       ? buffer(desc.handle)
			       : nullptr;
	}

	template <typename Sink>
	uint32_t receive(Side &side, Sink &sink, uint32_t most)
	{
		uint32_t received = 0;

		if (!side.pace.ready())
			return 0;
		while (received < most) {
			uint32_t descriptors = 0;
			const uint32_t packets = take(side, most - received, descriptors);
			uint32_t bytes = 0;

			if (packets == 0)
				break;
			for (uint32_t i = 0; i < descriptors; i++) {
				const ccnic_desc &desc = side.taken[i];
				const uint8_t *from = payload(side, desc, descriptors - i);

				if (from != nullptr)
					sink.read(from, bytes, desc.len);
				bytes += desc.len;
				if (ccnic_desc_kind(&desc) == CCNIC_KIND_BUFFER)
					free(side, desc.handle);
				if ((desc.flags & CCNIC_F_EOP) != 0) {
					sink.done(bytes);
					bytes = 0;
				}
			}
			received += packets;
		}
		looked(side, received);
		return received;
	}

	static void copy(uint8_t *to, const uint8_t *from, uint32_t bytes)
	{
		if (bytes <= CCNIC_LINE_SIZE)
			ccnic_copy(to, from, CCNIC_LINE_SIZE);
		else
			ccnic_copy(to, from, bytes);
	}

	/* What has been received from one ring goes out on the other. */
	void forward(Side &side)
	{
		uint32_t descriptors = 0;

		if (!side.pace.ready())
			return;
		/* Room first: what has been taken must not be kept. */
		if (!side.out.room(burst + CCNIC_PACKET_DESCS_MAX) ||
		    !have(side, burst + CCNIC_PACKET_DESCS_MAX)) {
			side.in.give_back();
			return;
		}
		const uint32_t packets = take(side, burst, descriptors);
		for (uint32_t i = 0; i < descriptors; i++) {
			ccnic_desc desc = side.taken[i];
			const uint8_t *from = payload(side, desc, descriptors - i);

			if (from == nullptr)
				continue;
			if (ccnic_desc_kind(&desc) == CCNIC_KIND_INLINE) {
				copy(side.out.cell(), from, desc.len);
				put(side, &desc, 1);
				continue;
			}
			const uint32_t old = desc.handle;
			desc.handle = side.cache.pop();
			copy(buffer(desc.handle), from, desc.len);
			put(side, &desc, 1);
			free(side, old);
		}
		side.out.flush();
		looked(side, packets);
	}

	SharedMemory memory_;
	RingMemory tx_lines_;
	RingMemory rx_lines_;
	uint8_t *buffers_;
	ccnic_line *to_nic_;
	ccnic_line *to_host_;
	Side host_;
	Side nic_;
};

} // namespace bench
