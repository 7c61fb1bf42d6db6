// SPDX-License-Identifier: GPL-2.0
/** @file
 * One side of the library with an input in the place of its peer.
 *
 * The input is a program of one-byte operations and their arguments. It works on
 * the shared memory as a peer can, politely (the protocol's own producers and
 * lenders, but with any descriptor and handle) or not (any value anywhere), and
 * calls the side that is tested. What that side returns must lie in its buffers.
 */
#pragma once

#include <ccnic/region.h>

#include <cstddef>
#include <cstdint>

namespace fuzz
{

/** Reads an input; behind its end there are zeroes. */
class Input
{
public:
	Input(const uint8_t *data, size_t size) : data_(data), left_(size)
	{
	}
	bool empty() const
	{
		return left_ == 0;
	}
	uint8_t u8()
	{
		if (left_ == 0)
			return 0;
		left_--;
		return *data_++;
	}
	uint16_t u16()
	{
		const uint32_t low = u8();

		return static_cast<uint16_t>(low | static_cast<uint32_t>(u8()) << 8);
	}
	uint32_t u32()
	{
		const uint32_t low = u16();

		return low | static_cast<uint32_t>(u16()) << 16;
	}
	ccnic_desc desc()
	{
		ccnic_desc d = {};

		/* Small handles and lengths are the interesting ones, but not all. */
		const uint8_t shape = u8();
		d.handle = (shape & 1) != 0 ? u32() : u16() % 320;
		d.offset = (shape & 2) != 0 ? u16() : 0;
		d.len = (shape & 4) != 0 ? u16() : u8();
		d.flags = (shape & 8) != 0 ? u16() : static_cast<uint16_t>(shape >> 6);
		d.meta[0] = (shape & 16) != 0 ? u16() : 0;
		return d;
	}

private:
	const uint8_t *data_;
	size_t left_;
};

/** Memory of a small region, used by one input after the other. */
class Arena
{
public:
	static constexpr uint32_t queues_max = 2;

	explicit Arena(uint32_t queues);
	~Arena();
	Arena(const Arena &) = delete;
	Arena &operator=(const Arena &) = delete;
	Arena(Arena &&) = delete;
	Arena &operator=(Arena &&) = delete;

	/** As a new file is, where it matters. */
	void clear();
	/** Writes a value somewhere, most often where it hurts. */
	void scribble(Input &input);
	/** Dies if [at, at + len) is not in the used part of one pool buffer. */
	void demand_in_buffer(const void *at, uint32_t len) const;

	uint32_t queues() const
	{
		return sb.geometry.queues;
	}

	void *memory = nullptr;
	ccnic_superblock sb{};
};

/** @return one of one queue, or one of two where an input asks for it */
Arena &arena_for(Input &input);

/** Runs the host side against an input. */
void run_host(const uint8_t *data, size_t size);

/** Runs the NIC side against an input. */
void run_nic(const uint8_t *data, size_t size);

} // namespace fuzz
