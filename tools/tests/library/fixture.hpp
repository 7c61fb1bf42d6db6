// SPDX-License-Identifier: GPL-2.0
/** @file
 * A host and a NIC of the library, and packets whose bytes say who they are.
 */
#pragma once

#include "../threads.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <libccnic.hpp>
#include <optional>
#include <vector>

using ccnic::user::bytes_of;
using ccnic::user::Nic;
using ccnic::user::QueueRef;
using ccnic::user::Region;

/** A packet's buffers. */
using Bufs = std::array<ccnic_buf, CCNIC_PACKET_BUFS>;

/** Small rings, so that they wrap often; polls are not put off. */
inline ccnic_options small_options(uint32_t queues = 1)
{
	ccnic_options options = ccnic::user::default_options();

	options.queues = queues;
	options.ring_lines = 32;
	options.rx_gate_cycles = 0;
	return options;
}

inline ccnic_nic_options nic_options(ccnic_wire wire = CCNIC_WIRE_LOOP)
{
	ccnic_nic_options options = ccnic::user::default_nic_options();

	options.wire = wire;
	options.hold_us = 10000000;
	options.pauses = 0;
	return options;
}

/** The byte at a place of a packet. */
inline uint8_t byte_at(uint64_t number, size_t at)
{
	return static_cast<uint8_t>(number * 31 + at * 7 + (at >> 8));
}

/** Takes buffers for a packet and fills them. @return how many, or an error */
inline int make_packet(QueueRef queue, uint64_t number, uint32_t bytes, std::span<ccnic_buf> room)
{
	const int count = queue.alloc(bytes, room);
	size_t at = 0;

	for (int i = 0; i < count; i++)
		for (std::byte &byte : bytes_of(room[static_cast<size_t>(i)]))
			byte = static_cast<std::byte>(byte_at(number, at++));
	return count;
}

/** Says where a packet differs from make_packet(). */
inline testing::AssertionResult is_packet(std::span<const ccnic_buf> bufs, uint64_t number,
					  uint32_t bytes)
{
	size_t at = 0;

	for (const ccnic_buf &buf : bufs)
		for (const std::byte byte : bytes_of(buf)) {
			if (byte != static_cast<std::byte>(byte_at(number, at)))
				return testing::AssertionFailure()
				       << "byte " << at << " of packet " << number << " is wrong";
			at++;
		}
	if (at != bytes)
		return testing::AssertionFailure()
		       << "packet " << number << " has " << at << " bytes, not " << bytes;
	return testing::AssertionSuccess();
}

/** Buffers of the first packet of several. */
inline size_t first_packet(std::span<const ccnic_buf> bufs)
{
	size_t count = 0;

	while ((bufs[count++].flags & CCNIC_BUF_MORE) != 0)
		;
	return count;
}

/** A host and its NIC in one thread, which is each of them in turn. */
class LibraryTest : public testing::Test
{
protected:
	std::optional<Region> region;
	std::optional<Nic> nic;

	void start(const ccnic_options &options, const ccnic_nic_options &nic_is = nic_options())
	{
		region.emplace(Region::create(options));
		nic.emplace(nic_is, std::initializer_list<int>{region->fd()});
		join();
	}
	/** Both sides agree on a start. */
	void join()
	{
		for (int i = 0; i < 10 && !(region->link() && nic->link()); i++)
			nic->poll();
		ASSERT_TRUE(region->link());
		ASSERT_TRUE(nic->link());
	}
	QueueRef queue(uint32_t index = 0)
	{
		return region->queue(index);
	}
	/** Sends one packet there and back. */
	void round(uint64_t number, uint32_t bytes)
	{
		Bufs bufs{};
		const int count = make_packet(queue(), number, bytes, bufs);

		ASSERT_GT(count, 0) << bytes << " bytes";
		const auto all = std::span(bufs).first(static_cast<size_t>(count));
		ASSERT_EQ(queue().send(all), count);
		ASSERT_EQ(nic->poll(), 1U);
		const auto got = queue().receive(bufs);
		ASSERT_FALSE(got.empty());
		ASSERT_TRUE(is_packet(got, number, bytes));
		ASSERT_EQ(queue().free(got), 0);
	}
};
