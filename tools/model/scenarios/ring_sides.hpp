// SPDX-License-Identifier: GPL-2.0
/** @file
 * A packet ring's two sides, and the payload that goes with it.
 */
#pragma once

#include <model/engine/world.hpp>

#include <ccnic/ring.h>

#include <array>

namespace model
{

/**
 * What the sides share: lines, and one word of payload for each descriptor that
 * the ring can hold. The word is plain memory, so it races unless the ring
 * orders the accesses to it.
 */
struct SharedRing {
	ccnic_line *lines;
	uint32_t *payload;
	uint32_t count;

	SharedRing(World &world, uint32_t ring_lines)
		: lines(world.shared<ccnic_line>("line", ring_lines,
						 {{"signal", 0}, {"aux", 4}, {"desc", 8}})),
		  payload(world.shared<uint32_t>("payload", ring_lines * CCNIC_LINE_DESCS)),
		  count(ring_lines)
	{
	}
};

/** What a packet's payload says, and its descriptors. */
inline uint32_t payload_of(uint32_t number, uint32_t part)
{
	return 1000 + 100 * number + part;
}

/** Puts numbered packets into a ring. */
class Sender
{
public:
	explicit Sender(const SharedRing &ring) : ring_(ring)
	{
		ccnic_producer_init(&producer_, ring.lines, ring.count);
	}
	/** @return false if there is no room */
	bool put(uint32_t number, uint32_t descs)
	{
		std::array<ccnic_desc, CCNIC_PACKET_DESCS_MAX> desc{};
		const bool joins =
			producer_.staged != 0 && producer_.staged + descs <= CCNIC_LINE_DESCS;
		const uint32_t lines =
			joins ? 0 : (descs + CCNIC_LINE_DESCS - 1) / CCNIC_LINE_DESCS;
		const uint32_t line = producer_.next + (!joins && producer_.staged != 0 ? 1 : 0);
		const uint32_t slot = joins ? producer_.staged : 0;

		if (ccnic_producer_free(&producer_) < lines)
			return false;
		/* The lines are ours, and with them the payload. */
		for (uint32_t i = 0; i < descs; i++) {
			const uint32_t handle = (line * CCNIC_LINE_DESCS + slot + i) %
						(ring_.count * CCNIC_LINE_DESCS);

			write(&ring_.payload[handle], payload_of(number, i));
			desc[i].handle = handle;
			desc[i].len = static_cast<uint16_t>(number + 1);
			desc[i].flags = CCNIC_KIND_BUFFER;
		}
		desc[descs - 1].flags |= CCNIC_F_EOP;
		return ccnic_producer_put(&producer_, desc.data(), descs);
	}
	void flush()
	{
		ccnic_producer_flush(&producer_);
	}
	/** @return lines that came back */
	uint32_t reclaim()
	{
		return ccnic_producer_reclaim(&producer_);
	}
	/** As put(), but waits for room. */
	void send(uint32_t number, uint32_t descs)
	{
		while (!put(number, descs)) {
			/* What was gathered must not wait for room. */
			flush();
			await("a line's return", [this] { return reclaim() != 0; });
		}
	}
	ccnic_producer *ring()
	{
		return &producer_;
	}

private:
	const SharedRing &ring_;
	ccnic_producer producer_{};
};

/** Takes numbered packets out of a ring and looks whether they are right. */
class Receiver
{
public:
	explicit Receiver(const SharedRing &ring) : ring_(ring)
	{
		ccnic_consumer_init(&consumer_, ring.lines, ring.count);
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
			check(desc_[i].handle < ring_.count * CCNIC_LINE_DESCS, "no such payload");
			check(read(&ring_.payload[desc_[i].handle]) == payload_of(number, i),
			      "another payload than was sent");
		}
		return true;
	}
	/** As take(), but waits for the packet. */
	void receive(uint32_t number, uint32_t descs)
	{
		await("a packet", [=, this] { return take(number, descs); });
	}
	void give_back()
	{
		ccnic_consumer_return(&consumer_);
	}
	bool pending() const
	{
		return ccnic_consumer_pending(&consumer_);
	}
	ccnic_consumer *ring()
	{
		return &consumer_;
	}

private:
	const SharedRing &ring_;
	ccnic_consumer consumer_{};
	std::array<ccnic_desc, CCNIC_PACKET_DESCS_MAX> desc_{};
};

} // namespace model
