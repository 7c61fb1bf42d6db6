// SPDX-License-Identifier: GPL-2.0
/** @file
 * A packet ring's two sides, and the payload that goes with it.
 */
#pragma once

#include <ccnic/ring.h>
#include <model/engine/world.hpp>

#include <array>

namespace model
{

/**
 * What the sides share: lines, cells and progress, and beside them a buffer of
 * one word for each slot. Cells and buffers are plain memory, so they race
 * unless the ring orders the accesses to them.
 */
struct SharedRing {
	ccnic_ring ring{};
	uint32_t *buffer;
	/** Index that both sides begin with, a multiple of the ring's size. */
	uint32_t start;

	SharedRing(World &world, uint32_t lines, uint32_t first = 0) : start(first)
	{
		ring.slots = lines * CCNIC_LINE_DESCS;
		ring.cell_bytes = CCNIC_LINE_SIZE;
		ring.lines = world.shared<ccnic_line>("line", lines,
						      {{"signal", 0}, {"aux", 4}, {"desc", 8}});
		ring.cells = static_cast<__u8 *>(
			world.shared_bytes("cell", ring.cell_bytes, ring.slots));
		ring.progress = world.shared<ccnic_progress>("progress");
		buffer = world.shared<uint32_t>("buffer", ring.slots);
		ccnic_write_once(&ring.progress->slots, start);
	}
};

/** What a packet's payload says. */
inline uint32_t payload_of(uint32_t number, uint32_t part)
{
	return 1000 + 100 * number + part;
}

/** Every other small packet rides in its cell. */
inline bool is_inline(uint32_t number, uint32_t descs)
{
	return descs == 1 && number % 2 == 0;
}

/** Puts numbered packets into a ring. */
class Sender
{
public:
	explicit Sender(const SharedRing &shared) : shared_(shared)
	{
		ccnic_producer_init(&producer_, &shared.ring);
		producer_.next = shared.start;
		producer_.published = shared.start;
		producer_.clean = shared.start;
	}
	/** Waits for room, and puts the packet without publishing it. */
	void send(uint32_t number, uint32_t descs)
	{
		while (ccnic_producer_free(&producer_) < descs) {
			/* What was put must not wait for room. */
			flush();
			await("room in the ring", [this] { return reclaim() != 0; });
		}
		put(number, descs);
	}
	void flush()
	{
		ccnic_producer_flush(&producer_);
	}
	/** @return slots that came back */
	uint32_t reclaim()
	{
		return ccnic_producer_reclaim(&producer_);
	}
	const ccnic_producer *ring() const
	{
		return &producer_;
	}

private:
	void put(uint32_t number, uint32_t descs)
	{
		std::array<ccnic_desc, CCNIC_PACKET_DESCS_MAX> desc{};

		/* The slots are ours, and with them cells and buffers. */
		for (uint32_t i = 0; i < descs; i++) {
			const uint32_t payload = payload_of(number, i);

			desc[i].len = static_cast<uint16_t>(number + 1);
			if (is_inline(number, descs)) {
				desc[i].flags = CCNIC_KIND_INLINE;
				ccnic_copy(ccnic_producer_cell(&producer_, i), &payload,
					   sizeof(payload));
				continue;
			}
			desc[i].flags = CCNIC_KIND_BUFFER;
			desc[i].handle = (producer_.next + i) % shared_.ring.slots;
			write(&shared_.buffer[desc[i].handle], payload);
		}
		desc[descs - 1].flags |= CCNIC_F_EOP;
		check(ccnic_producer_put(&producer_, desc.data(), descs),
		      "no room where there was");
	}

	const SharedRing &shared_;
	ccnic_producer producer_{};
};

/** Takes numbered packets out of a ring and looks whether they are right. */
class Receiver
{
public:
	explicit Receiver(const SharedRing &shared) : shared_(shared)
	{
		ccnic_consumer_init(&consumer_, &shared.ring);
		consumer_.next = shared.start;
		consumer_.end = shared.start;
		consumer_.returned = shared.start;
	}
	/** @return false if there is none */
	bool take(uint32_t number, uint32_t descs)
	{
		const int got = ccnic_consumer_next(&consumer_, desc_.data());

		if (got == 0)
			return false;
		note("takes packet", number);
		check(got > 0, "the ring broke");
		check(got == static_cast<int>(descs), "another count of descriptors than was sent");
		for (uint32_t i = 0; i < descs; i++) {
			check(desc_[i].len == number + 1, "another packet than was sent");
			check(payload(descs, i) == payload_of(number, i),
			      "another payload than was sent");
		}
		return true;
	}
	/** As take(), but waits for the packet. */
	void receive(uint32_t number, uint32_t descs)
	{
		await("a packet", [=, this] { return take(number, descs); });
	}
	/** Waits for a packet, and looks for up to @p most at once. */
	uint32_t look_ahead(uint32_t most)
	{
		int found = 0;

		await("a packet", [&] {
			found = ccnic_consumer_ahead(&consumer_, most);
			return found != 0;
		});
		check(found > 0, "the ring broke");
		return static_cast<uint32_t>(found);
	}
	void give_back()
	{
		ccnic_consumer_return(&consumer_);
	}
	bool pending()
	{
		return ccnic_consumer_pending(&consumer_);
	}
	const ccnic_consumer *ring() const
	{
		return &consumer_;
	}

private:
	uint32_t payload(uint32_t descs, uint32_t i) const
	{
		uint32_t value = 0;

		if ((desc_[i].flags & CCNIC_KIND_MASK) != CCNIC_KIND_INLINE) {
			check(desc_[i].handle < shared_.ring.slots, "no such buffer");
			return read(&shared_.buffer[desc_[i].handle]);
		}
		ccnic_copy(&value, ccnic_consumer_cell(&consumer_, descs, i), sizeof(value));
		return value;
	}

	const SharedRing &shared_;
	ccnic_consumer consumer_{};
	std::array<ccnic_desc, CCNIC_PACKET_DESCS_MAX> desc_{};
};

} // namespace model
