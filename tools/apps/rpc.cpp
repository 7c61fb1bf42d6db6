// SPDX-License-Identifier: GPL-2.0
#include "rpc.hpp"

namespace apps
{

using bench::contents_right;
using bench::write_contents;

namespace
{

/* Most calls are small. */
uint32_t bytes_of(uint64_t draw)
{
	return draw % 8 == 0 ? RpcServer::most_bytes : 32;
}

uint64_t sequence_of(const Header &header)
{
	return (header.version << 16) + header.key;
}

} // namespace

RpcServer::RpcServer() : connections_(connections), bodies_(size_t{2 * window} * most_bytes)
{
}

void RpcServer::read(const uint8_t *from, uint32_t offset, uint32_t bytes)
{
	call_.read(
		from, offset, bytes,
		[this](const Header & /*header*/, const uint8_t *piece, uint32_t at,
		       uint32_t count) {
			if (at + count <= most_bytes)
				std::memcpy(
					&bodies_[size_t{taken_ % (2 * window)} * most_bytes + at],
					piece, count);
		});
}

void RpcServer::done(uint32_t /*bytes*/)
{
	Header answer = call_.header();
	Connection &connection = connections_[answer.key % connections];

	answer.op = Op::echo;
	/* The client sees what is out of order or lost. */
	answer.version = connection.calls++;
	connection.bytes += answer.bytes;
	answers_.push(answer);
	taken_++;
}

void RpcServer::write(uint8_t *to, uint32_t offset, uint32_t bytes) const
{
	write_message(answers_.front(), to, offset, bytes,
		      [this](uint8_t *body, uint32_t at, uint32_t count) {
			      std::memcpy(
				      body,
				      &bodies_[size_t{written_ % (2 * window)} * most_bytes + at],
				      count);
		      });
}

RpcClient::RpcClient() : calls_(connections)
{
	draw();
}

void RpcClient::draw()
{
	next_.id = sent_;
	next_.key = random_.below(connections);
	next_.version = calls_[next_.key];
	next_.bytes = bytes_of(random_.next() >> 32);
	next_.op = Op::echo;
}

void RpcClient::write(uint8_t *to, uint32_t offset, uint32_t bytes) const
{
	write_message(next_, to, offset, bytes, [&](uint8_t *body, uint32_t at, uint32_t count) {
		write_contents(body, sequence_of(next_), at, count);
	});
}

void RpcClient::done()
{
	calls_[next_.key]++;
	sent_++;
	draw();
}

void RpcClient::read(const uint8_t *from, uint32_t offset, uint32_t bytes)
{
	answer_.read(
		from, offset, bytes,
		[this](const Header &header, const uint8_t *piece, uint32_t at, uint32_t count) {
			right_ = right_ && contents_right(piece, sequence_of(header), at, count);
		});
}

void RpcClient::done(uint32_t bytes)
{
	const Header &answer = answer_.header();

	if (!right_ || answer.id != answered_ || bytes != sizeof(Header) + answer.bytes)
		wrong_++;
	right_ = true;
	answered_++;
}

} // namespace apps
