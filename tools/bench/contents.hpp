// SPDX-License-Identifier: GPL-2.0
/** @file
 * What stands in the packets, so that the receiver can check every byte.
 */
#pragma once

#include <cstdint>
#include <cstring>

namespace bench
{

/** Word @p i of packet @p sequence is first_word(sequence) + i. */
inline uint64_t first_word(uint64_t sequence)
{
	return sequence * 0x9e3779b97f4a7c15u;
}

/**
 * Writes a piece of a packet.
 * @param offset of the piece in the packet, a multiple of 8
 */
inline void write_contents(uint8_t *to, uint64_t sequence, uint32_t offset, uint32_t bytes)
{
	const uint64_t first = first_word(sequence) + offset / 8;
	const uint32_t words = bytes / 8;

	for (uint32_t i = 0; i < words; i++) {
		const uint64_t word = first + i;
		std::memcpy(to + 8 * i, &word, 8);
	}
	if (bytes % 8 != 0) {
		const uint64_t word = first + words;
		std::memcpy(to + 8 * words, &word, bytes % 8);
	}
}

/**
 * Reads every byte of a piece of a packet.
 * @param offset of the piece in the packet, a multiple of 8
 * @return true if all of them are right
 */
inline bool contents_right(const uint8_t *from, uint64_t sequence, uint32_t offset, uint32_t bytes)
{
	const uint64_t first = first_word(sequence) + offset / 8;
	const uint32_t words = bytes / 8;
	uint64_t wrong = 0;

	for (uint32_t i = 0; i < words; i++) {
		uint64_t word = 0;
		std::memcpy(&word, from + 8 * i, 8);
		wrong |= word ^ (first + i);
	}
	if (bytes % 8 != 0) {
		const uint64_t want = first + words;
		wrong |=
			static_cast<uint64_t>(std::memcmp(from + 8 * words, &want, bytes % 8) != 0);
	}
	return wrong == 0;
}

/** Packets 0, 1, 2, ... of one size, for a design to send. */
class Source
{
public:
	explicit Source(uint32_t bytes) : bytes_(bytes)
	{
	}
	/** @return size of the next packet */
	uint32_t bytes() const
	{
		return bytes_;
	}
	/** Writes a piece of the next packet. */
	void write(uint8_t *to, uint32_t offset, uint32_t bytes) const
	{
		write_contents(to, sequence_, offset, bytes);
	}
	/** The next packet has been written. */
	void done()
	{
		sequence_++;
	}
	/** @return packets so far */
	uint64_t count() const
	{
		return sequence_;
	}

private:
	uint64_t sequence_ = 0;
	uint32_t bytes_;
};

/** Takes what a Source wrote, in order, and checks it. */
class Sink
{
public:
	explicit Sink(uint32_t bytes) : bytes_(bytes)
	{
	}
	/** Checks a piece of the next packet. */
	void read(const uint8_t *from, uint32_t offset, uint32_t bytes)
	{
		if (!contents_right(from, sequence_, offset, bytes))
			right_ = false;
	}
	/** The next packet has been read. */
	void done(uint32_t bytes)
	{
		if (!right_ || bytes != bytes_) {
			wrong_++;
			right_ = true;
		}
		sequence_++;
	}
	/** @return packets so far */
	uint64_t count() const
	{
		return sequence_;
	}
	/** @return packets with a wrong size or a wrong byte */
	uint64_t wrong() const
	{
		return wrong_;
	}

private:
	uint64_t sequence_ = 0;
	uint64_t wrong_ = 0;
	uint32_t bytes_;
	bool right_ = true;
};

} // namespace bench
