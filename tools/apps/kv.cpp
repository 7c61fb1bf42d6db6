// SPDX-License-Identifier: GPL-2.0
#include "kv.hpp"

namespace apps
{

using bench::contents_right;
using bench::write_contents;

namespace
{

constexpr double zipf_exponent = 0.99;

} // namespace

uint32_t Store::bytes_of(uint32_t key)
{
	Random random(key * 0x9e3779b97f4a7c15u + 1);
	const uint32_t doublings = 8; /* from 16 to 4096 */

	random.next();
	const uint32_t least = least_bytes << random.below(doublings);
	return (least + random.below(least + 1)) & ~7U;
}

Store::Store() : index_(slots)
{
	uint32_t lines = 0;

	for (uint32_t key = 0; key < keys; key++) {
		uint32_t slot = slot_of(key);

		while (index_[slot].used)
			slot = (slot + 1) % slots;
		index_[slot] = {0, key, bytes_of(key), lines, true};
		lines += (index_[slot].bytes + 63) / 64;
	}
	values_.resize(size_t{lines} * 64);
	for (Item &item : index_)
		if (item.used)
			write_contents(value(item), sequence_of(item.key, 0), 0, item.bytes);
}

Store::Item *Store::find(uint32_t key)
{
	for (uint32_t slot = slot_of(key); index_[slot].used; slot = (slot + 1) % slots)
		if (index_[slot].key == key)
			return &index_[slot];
	return nullptr;
}

void KvServer::read(const uint8_t *from, uint32_t offset, uint32_t bytes)
{
	request_.read(
		from, offset, bytes,
		[this](const Header &header, const uint8_t *piece, uint32_t at, uint32_t count) {
			Store::Item *item = store_.find(header.key);

			if (item != nullptr && at + count <= item->bytes)
				std::memcpy(store_.value(*item) + at, piece, count);
		});
}

void KvServer::done(uint32_t /*bytes*/)
{
	const Header &request = request_.header();
	Answer answer{request, store_.find(request.key)};

	if (answer.item == nullptr)
		answer.header.bytes = 0;
	else if (request.op == Op::set)
		answer.item->version = request.version;
	if (answer.item != nullptr && request.op == Op::get) {
		answer.header.op = Op::value;
		answer.header.bytes = answer.item->bytes;
		answer.header.version = answer.item->version;
	} else {
		answer.header.op = Op::stored;
		answer.header.bytes = 0;
	}
	answers_.push(answer);
}

void KvServer::write(uint8_t *to, uint32_t offset, uint32_t bytes)
{
	const Answer &answer = answers_.front();
	Header header = answer.header;

	/* A later request may have changed it since. */
	if (header.op == Op::value)
		header.version = answer.item->version;
	write_message(header, to, offset, bytes, [&](uint8_t *body, uint32_t at, uint32_t count) {
		std::memcpy(body, store_.value(*answer.item) + at, count);
	});
}

KvClient::KvClient() : zipf_(Store::keys, zipf_exponent, 12345), versions_(Store::keys)
{
	draw();
}

void KvClient::draw()
{
	next_.id = sent_;
	next_.key = zipf_.next();
	next_.op = random_.below(set_one_in) == 0 ? Op::set : Op::get;
	next_.bytes = next_.op == Op::set ? Store::bytes_of(next_.key) : 0;
	next_.version = next_.op == Op::set ? versions_[next_.key] + 1 : 0;
}

void KvClient::write(uint8_t *to, uint32_t offset, uint32_t bytes)
{
	write_message(next_, to, offset, bytes, [&](uint8_t *body, uint32_t at, uint32_t count) {
		write_contents(body, Store::sequence_of(next_.key, next_.version), at, count);
	});
}

void KvClient::done()
{
	if (next_.op == Op::set)
		versions_[next_.key] = next_.version;
	sent_++;
	draw();
}

void KvClient::read(const uint8_t *from, uint32_t offset, uint32_t bytes)
{
	answer_.read(
		from, offset, bytes,
		[this](const Header &header, const uint8_t *piece, uint32_t at, uint32_t count) {
			right_ = right_ &&
				 contents_right(piece,
						Store::sequence_of(header.key, header.version), at,
						count);
		});
}

void KvClient::done(uint32_t bytes)
{
	const Header &answer = answer_.header();
	/* Answers come in the order of the requests. */
	const bool expected =
		answer.id == answered_ && answer.key < Store::keys &&
		bytes == sizeof(Header) + answer.bytes &&
		(answer.op == Op::stored || answer.bytes == Store::bytes_of(answer.key));

	if (!right_ || !expected)
		wrong_++;
	right_ = true;
	answered_++;
}

} // namespace apps
