// SPDX-License-Identifier: GPL-2.0
#include "arena.hpp"

#include "control.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <new>

namespace fuzz
{

Arena::Arena(uint32_t queues)
{
	const ccnic_geometry geometry = {queues, CCNIC_RING_LINES_MIN, CCNIC_PACKET_DESCS_MAX, 64};

	if (ccnic_layout(&geometry, 0, &sb) != 0)
		std::abort();
	/* To the byte, so that a sanitizer sees what is read behind it. */
	memory = ::operator new (ccnic::file_bytes(sb), std::align_val_t{4096});
	std::memset(memory, 0, ccnic::file_bytes(sb));
}

Arena::~Arena()
{
	::operator delete (memory, std::align_val_t{4096});
}

Arena &arena_for(Input &input)
{
	static Arena one(1);
	static Arena two(2);

	return input.u8() % 4 == 3 ? two : one;
}

void Arena::clear()
{
	const ccnic_geometry &g = sb.geometry;
	const size_t exchange =
		static_cast<size_t>(g.queues) * sb.exchange_lines * sizeof(ccnic_line);
	const size_t ring = static_cast<size_t>(g.queues) * g.ring_lines * sizeof(ccnic_line);

	std::memset(ccnic_at(memory, sb.host_lines), 0, g.queues * sizeof(ccnic_host_lines));
	std::memset(ccnic_at(memory, sb.nic_armed), 0, sizeof(ccnic_armed));
	std::memset(ccnic_at(memory, sb.nic_lines), 0, g.queues * sizeof(ccnic_nic_lines));
	for (const uint64_t at : {sb.tx_ring, sb.rx_ring})
		std::memset(ccnic_at(memory, at), 0, ring);
	for (const uint64_t at : {sb.return_ring, sb.offer_ring, sb.supply_ring})
		std::memset(ccnic_at(memory, at), 0, exchange);
	std::memset(ccnic_at(memory, sb.size), 0, ccnic::file_bytes(sb) - sb.size);
}

void Arena::scribble(Input &input)
{
	const std::array<uint64_t, 8> places = {
		sb.tx_ring,     sb.rx_ring,     sb.host_lines, sb.nic_lines,
		sb.return_ring, sb.supply_ring, sb.size,       sb.size + sizeof(ccnic::Control)};
	const uint8_t where = input.u8();
	uint64_t at = input.u16();
	const uint32_t value = (where & 0x80) != 0 ? input.u32() : input.u8();

	at = (where & 0x40) != 0 ? at * 64 % ccnic::file_bytes(sb) : places[where % 8] + at % 1024;
	at &= ~uint64_t{3};
	if (at + 4 <= ccnic::file_bytes(sb))
		ccnic_write_once(static_cast<uint32_t *>(ccnic_at(memory, at)), value);
}

void Arena::demand_in_buffer(const void *at, uint32_t len) const
{
	const auto start = reinterpret_cast<uintptr_t>(ccnic_at(memory, sb.small));
	const uintptr_t offset = reinterpret_cast<uintptr_t>(at) - start;

	if (offset / CCNIC_SMALL_STRIDE >= sb.small_count ||
	    offset % CCNIC_SMALL_STRIDE + len > CCNIC_SMALL_SIZE)
		std::abort();
}

} // namespace fuzz
