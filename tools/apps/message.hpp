// SPDX-License-Identifier: GPL-2.0
/** @file
 * What both applications put in front of their packets, and how they take a
 * packet that comes in pieces.
 */
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace apps
{

/** What a message wants, or says. */
enum class Op : uint32_t { get, set, value, stored, echo };

/** In front of every message. */
struct Header {
	uint64_t id = 0;      /**< of the request; its answer has the same */
	uint64_t version = 0; /**< of the value, or sequence in the connection */
	uint32_t key = 0;     /**< or the connection */
	Op op = Op::get;
	uint32_t bytes = 0; /**< that follow */
	uint32_t reserved = 0;
};

static_assert(sizeof(Header) == 32);

/** Takes a packet's pieces: the header, then what follows. */
class Assembler
{
public:
	/**
	 * @param body called with (header, piece, offset in the body, bytes) for each
	 *        piece of what follows
	 */
	template <typename Body>
	void read(const uint8_t *from, uint32_t offset, uint32_t bytes, const Body &body)
	{
		if (offset < sizeof(Header)) {
			const uint32_t part = std::min<uint32_t>(bytes, sizeof(Header) - offset);

			std::memcpy(reinterpret_cast<uint8_t *>(&header_) + offset, from, part);
			from += part;
			offset += part;
			bytes -= part;
		}
		if (bytes != 0)
			body(header_, from, offset - static_cast<uint32_t>(sizeof(Header)), bytes);
	}
	const Header &header() const
	{
		return header_;
	}

private:
	Header header_;
};

/**
 * Writes a piece of a message.
 * @param body called with (to, offset in the body, bytes) for what is behind the
 *        header
 */
template <typename Body>
void write_message(const Header &header, uint8_t *to, uint32_t offset, uint32_t bytes,
		   const Body &body)
{
	if (offset < sizeof(Header)) {
		const uint32_t part = std::min<uint32_t>(bytes, sizeof(Header) - offset);

		std::memcpy(to, reinterpret_cast<const uint8_t *>(&header) + offset, part);
		to += part;
		offset += part;
		bytes -= part;
	}
	if (bytes != 0)
		body(to, offset - static_cast<uint32_t>(sizeof(Header)), bytes);
}

/** First in, first out, without memory to be had for each. */
template <typename T>
class Fifo
{
public:
	/** @param most that are in it at once, a power of two */
	explicit Fifo(uint32_t most) : items_(most)
	{
	}
	uint32_t count() const
	{
		return end_ - begin_;
	}
	void push(const T &item)
	{
		items_[end_++ & (items_.size() - 1)] = item;
	}
	const T &front() const
	{
		return items_[begin_ & (items_.size() - 1)];
	}
	void pop()
	{
		begin_++;
	}

private:
	std::vector<T> items_;
	uint32_t begin_ = 0;
	uint32_t end_ = 0;
};

/** Requests in flight, at most; a power of two. */
inline constexpr uint32_t window = 64;

} // namespace apps
