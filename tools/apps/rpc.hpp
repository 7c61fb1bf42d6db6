// SPDX-License-Identifier: GPL-2.0
/** @file
 * Remote calls that come back as they went, over many connections in one queue.
 */
#pragma once

#include "message.hpp"
#include "random.hpp"

#include <contents.hpp>
#include <cstdint>
#include <vector>

namespace apps
{

inline constexpr uint32_t connections = 4096;

/** Answers calls, in the order of each connection. */
class RpcServer
{
public:
	static constexpr uint32_t most_bytes = 1024;

	RpcServer();

	/* A design's sink: takes calls. */
	void read(const uint8_t *from, uint32_t offset, uint32_t bytes);
	void done(uint32_t bytes);

	/* A design's source: gives answers. */
	uint32_t bytes() const
	{
		return static_cast<uint32_t>(sizeof(Header)) + answers_.front().bytes;
	}
	void write(uint8_t *to, uint32_t offset, uint32_t bytes) const;
	void done()
	{
		answers_.pop();
		written_++;
	}
	uint32_t pending() const
	{
		return answers_.count();
	}

private:
	/** What a server keeps of a connection. */
	struct alignas(64) Connection {
		uint64_t calls = 0;
		uint64_t bytes = 0;
	};

	std::vector<Connection> connections_;
	/* Bodies of the calls that are to be answered, one a place in the queue. */
	std::vector<uint8_t> bodies_;
	Assembler call_;
	Fifo<Header> answers_{2 * window};
	uint32_t taken_ = 0;
	uint32_t written_ = 0;
};

/** Calls, from one connection after the other, and checks what comes back. */
class RpcClient
{
public:
	RpcClient();

	uint32_t bytes() const
	{
		return static_cast<uint32_t>(sizeof(Header)) + next_.bytes;
	}
	void write(uint8_t *to, uint32_t offset, uint32_t bytes) const;
	void done();

	void read(const uint8_t *from, uint32_t offset, uint32_t bytes);
	void done(uint32_t bytes);

	uint64_t sent() const
	{
		return sent_;
	}
	uint64_t answered() const
	{
		return answered_;
	}
	uint64_t wrong() const
	{
		return wrong_;
	}
	uint64_t last() const
	{
		return answer_.header().id;
	}

private:
	void draw();

	Random random_{4711};
	std::vector<uint64_t> calls_;
	Header next_;
	Assembler answer_;
	bool right_ = true;
	uint64_t sent_ = 0;
	uint64_t answered_ = 0;
	uint64_t wrong_ = 0;
};

} // namespace apps
