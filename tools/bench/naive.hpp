// SPDX-License-Identifier: GPL-2.0
/** @file
 * The naive port of a PCIe NIC's interface onto coherent memory.
 */
#pragma once

#include "handles.hpp"
#include "memory.hpp"
#include "pace.hpp"
#include "shape.hpp"

#include <algorithm>
#include <ccnic/platform.h>
#include <ccnic/pool.h>

namespace bench
{

/**
 * 16-byte descriptors, a tail as doorbell and a head as completion write-back,
 * each in a line of its own; RX buffers posted by the host beforehand; all buffers
 * managed by the host. It gets what the other designs get: bursts, prefetching,
 * strides, as many slots, a LIFO of buffers, completions reaped in bulk.
 */
class Naive
{
public:
	static constexpr bool for_processes = true;

	explicit Naive(const Shape &shape)
		: stride_(buffer_stride(shape.largest)), largest_(shape.largest),
		  memory_(size_t{buffer_count} * stride_ + 2 * slots * sizeof(Descriptor) + 65536),
		  buffers_(memory_.take<uint8_t>(size_t{buffer_count} * stride_)),
		  tx_(memory_.take<Descriptor>(slots)), rx_(memory_.take<Descriptor>(slots)),
		  tx_tail_(memory_.take<uint32_t>(1)), tx_head_(memory_.take<uint32_t>(1)),
		  rx_tail_(memory_.take<uint32_t>(1)), rx_head_(memory_.take<uint32_t>(1)),
		  host_(shape), nic_(shape)
	{
		const uint32_t step = ccnic_scatter_step(buffer_count);

		for (uint32_t i = 0; i < buffer_count; i++)
			host_.cache.push(static_cast<uint32_t>(uint64_t{i} * step % buffer_count));
		post();
	}

	template <typename Source>
	uint32_t tx_burst(Source &source, uint32_t count)
	{
		uint32_t sent = 0;

		if (host_.cache.count() < count + reap_below ||
		    host_.tail - host_.reaped + count > slots)
			reap();
		for (uint32_t i = 1; i <= count; i++)
			__builtin_prefetch(&tx_[(host_.tail + i + 4) & mask], 1);
		while (sent < count && host_.tail - host_.reaped < slots &&
		       host_.cache.count() != 0) {
			const uint32_t handle = host_.cache.pop();
			const uint32_t bytes = source.bytes();

			source.write(buffer(handle), 0, bytes);
			tx_[host_.tail & mask] = {handle, bytes, 1};
			host_.sent[host_.tail & mask] = handle;
			source.done();
			host_.tail++;
			sent++;
		}
		if (sent != 0)
			ccnic_store_release(tx_tail_, host_.tail);
		return sent;
	}

	template <typename Sink>
	uint32_t rx_burst(Sink &sink, uint32_t most)
	{
		if (host_.seen == host_.taken) {
			if (!host_.pace.ready())
				return 0;
			host_.seen = ccnic_load_acquire(rx_head_);
			host_.pace.found(host_.seen - host_.taken);
		}
		const uint32_t count = std::min(most, host_.seen - host_.taken);
		for (uint32_t i = 0; i < count; i++)
			ccnic_prefetch(buffer(host_.posted[(host_.taken + i) & mask]));
		for (uint32_t i = 0; i < count; i++, host_.taken++) {
			const uint32_t handle = host_.posted[host_.taken & mask];
			const uint32_t bytes = std::min(rx_[host_.taken & mask].bytes, largest_);

			sink.read(buffer(handle), 0, bytes);
			sink.done(bytes);
			host_.cache.push(handle);
		}
		if (host_.post - host_.taken < slots - 2 * spare)
			post();
		return count;
	}

	/** The NIC sends back what has come. */
	void nic_poll()
	{
		nic_carry(*this, *this);
	}

	/** The NIC gives one host what the other has sent. */
	static void nic_carry(Naive &from, Naive &to)
	{
		const uint32_t count = std::min(from.nic_tx_ready(), to.nic_rx_ready());

		if (count == 0)
			return;
		for (uint32_t i = 0; i < count; i++) {
			ccnic_prefetch(from.buffer(from.tx_[(from.nic_.sent + i) & mask].handle));
			__builtin_prefetch(to.buffer(to.rx_[(to.nic_.given + i) & mask].handle), 1);
		}
		for (uint32_t i = 0; i < count; i++, from.nic_.sent++, to.nic_.given++) {
			const Descriptor &source = from.tx_[from.nic_.sent & mask];
			Descriptor &target = to.rx_[to.nic_.given & mask];

			ccnic_copy(to.buffer(target.handle), from.buffer(source.handle),
				   source.bytes);
			target.bytes = source.bytes;
			target.flags = 1;
		}
		ccnic_store_release(to.rx_head_, to.nic_.given);
		ccnic_store_release(from.tx_head_, from.nic_.sent);
	}

private:
	static constexpr uint32_t slots = 1024;
	static constexpr uint32_t mask = slots - 1;
	static constexpr uint32_t buffer_count = 4096;
	static constexpr uint32_t burst = 32;
	static constexpr uint32_t spare = 32;
	/* Buffers at hand below which the host looks for sent ones. */
	static constexpr uint32_t reap_below = 64;

	struct Descriptor {
		uint64_t handle;
		uint32_t bytes;
		uint32_t flags;
	};
	static_assert(sizeof(Descriptor) == 16);

	struct alignas(writer_gap) Host {
		Handles<true> cache{buffer_count};
		std::vector<uint32_t> sent = std::vector<uint32_t>(slots);
		std::vector<uint32_t> posted = std::vector<uint32_t>(slots);
		uint32_t tail = 0;   /* next slot to send */
		uint32_t reaped = 0; /* next slot to be done */
		uint32_t post = 0;   /* next slot to post */
		uint32_t taken = 0;  /* next slot to receive */
		uint32_t seen = 0;   /* the slots before it have been received */
		Pace pace;

		explicit Host(const Shape &shape) : pace(shape.naive_pace_ns)
		{
		}
	};

	struct alignas(writer_gap) Nic {
		uint32_t sent = 0;
		uint32_t given = 0;
		uint32_t tail = 0;
		uint32_t posted = 0;
		Pace pace;
		alignas(writer_gap) char end[writer_gap] = {};

		explicit Nic(const Shape &shape) : pace(shape.naive_pace_ns)
		{
		}
	};

	uint8_t *buffer(uint64_t handle) const
	{
		return buffers_ + handle * stride_;
	}

	void reap()
	{
		const uint32_t head = ccnic_load_acquire(tx_head_);

		while (host_.reaped != head)
			host_.cache.push(host_.sent[host_.reaped++ & mask]);
	}

	void post()
	{
		const uint32_t before = host_.post;

		while (host_.post - host_.taken < slots - spare && host_.cache.count() != 0) {
			const uint32_t handle = host_.cache.pop();

			host_.posted[host_.post & mask] = handle;
			rx_[host_.post & mask] = {handle, largest_, 0};
			host_.post++;
		}
		if (host_.post != before)
			ccnic_store_release(rx_tail_, host_.post);
	}

	/* @return packets that the NIC can take, up to a burst */
	uint32_t nic_tx_ready()
	{
		if (nic_.tail == nic_.sent) {
			if (!nic_.pace.ready())
				return 0;
			nic_.tail = ccnic_load_acquire(tx_tail_);
			nic_.pace.found(nic_.tail - nic_.sent);
		}
		return std::min(burst, nic_.tail - nic_.sent);
	}

	/* @return packets that the NIC can give, a burst if there is so much room */
	uint32_t nic_rx_ready()
	{
		if (nic_.posted - nic_.given < burst)
			nic_.posted = ccnic_load_acquire(rx_tail_);
		return nic_.posted - nic_.given;
	}

	uint32_t stride_;
	uint32_t largest_;
	SharedMemory memory_;
	uint8_t *buffers_;
	Descriptor *tx_;
	Descriptor *rx_;
	uint32_t *tx_tail_;
	uint32_t *tx_head_;
	uint32_t *rx_tail_;
	uint32_t *rx_head_;
	Host host_;
	Nic nic_;
};

} // namespace bench
