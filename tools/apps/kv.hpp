// SPDX-License-Identifier: GPL-2.0
/** @file
 * A key-value store: GET and SET, keys by Zipf's law, values from tens of bytes
 * to 4 KiB.
 */
#pragma once

#include "message.hpp"
#include "random.hpp"

#include <contents.hpp>
#include <cstdint>
#include <vector>

namespace apps
{

/** The values, and an index of keys. */
class Store
{
public:
	static constexpr uint32_t keys = 10000;
	static constexpr uint32_t least_bytes = 16;
	static constexpr uint32_t most_bytes = 4096;

	/** Holds version 0 of every key. */
	Store();

	/** A key's place. */
	struct Item {
		uint64_t version = 0;
		uint32_t key = 0;
		uint32_t bytes = 0;
		uint32_t at = 0; /**< in lines of the values' memory */
		bool used = false;
	};

	/** @return the key's place; null if there is none */
	Item *find(uint32_t key);
	uint8_t *value(const Item &item)
	{
		return &values_[size_t{item.at} * 64];
	}

	/** @return size of a key's value, the same for ever; as many small as large ones */
	static uint32_t bytes_of(uint32_t key);

	/** @return what the words of a value begin with */
	static uint64_t sequence_of(uint32_t key, uint64_t version)
	{
		return (version << 20) + key;
	}

private:
	static constexpr uint32_t slots = 1 << 15;

	static uint32_t slot_of(uint32_t key)
	{
		return (key * 2654435761U) >> 17;
	}

	std::vector<Item> index_;
	std::vector<uint8_t> values_;
};

/** Serves requests. */
class KvServer
{
public:
	/* A design's sink: takes requests. */
	void read(const uint8_t *from, uint32_t offset, uint32_t bytes);
	void done(uint32_t bytes);

	/* A design's source: gives answers. */
	uint32_t bytes() const
	{
		return static_cast<uint32_t>(sizeof(Header)) + answers_.front().header.bytes;
	}
	void write(uint8_t *to, uint32_t offset, uint32_t bytes);
	void done()
	{
		answers_.pop();
	}
	/** @return answers that wait to be sent */
	uint32_t pending() const
	{
		return answers_.count();
	}

private:
	struct Answer {
		Header header;
		Store::Item *item = nullptr;
	};

	Store store_;
	Assembler request_;
	Fifo<Answer> answers_{2 * window};
};

/** Asks, and checks the answers. */
class KvClient
{
public:
	KvClient();

	/* A design's source: gives requests. */
	uint32_t bytes() const
	{
		return static_cast<uint32_t>(sizeof(Header)) + next_.bytes;
	}
	void write(uint8_t *to, uint32_t offset, uint32_t bytes);
	void done();

	/* A design's sink: takes answers. */
	void read(const uint8_t *from, uint32_t offset, uint32_t bytes);
	void done(uint32_t bytes);

	/** @return requests sent */
	uint64_t sent() const
	{
		return sent_;
	}
	/** @return answers received */
	uint64_t answered() const
	{
		return answered_;
	}
	/** @return answers that were wrong */
	uint64_t wrong() const
	{
		return wrong_;
	}
	/** @return id of the answer received last */
	uint64_t last() const
	{
		return answer_.header().id;
	}

private:
	/* One request of so many changes a value. */
	static constexpr uint32_t set_one_in = 20;

	void draw();

	Zipf zipf_;
	Random random_{77};
	std::vector<uint64_t> versions_;
	Header next_;
	Assembler answer_;
	bool right_ = true;
	uint64_t sent_ = 0;
	uint64_t answered_ = 0;
	uint64_t wrong_ = 0;
};

} // namespace apps
