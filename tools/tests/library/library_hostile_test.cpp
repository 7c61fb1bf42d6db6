// SPDX-License-Identifier: GPL-2.0
/*
 * libccnic with a peer that does anything. The fuzzers look further; this is
 * what every build is put through.
 */
#include "../../fuzz/arena.hpp"
#include "fixture.hpp"

#include <sys/mman.h>

namespace
{

std::vector<uint8_t> noise(Random &random)
{
	std::vector<uint8_t> bytes(random.below(400));

	for (uint8_t &byte : bytes)
		byte = static_cast<uint8_t>(random.below(256));
	return bytes;
}

constexpr uint64_t inputs = test_packets / 1000;

class HostileRegion : public LibraryTest
{
};

} // namespace

TEST(Hostile, HostStandsAnyNic)
{
	Random random(1);

	for (uint64_t i = 0; i < inputs; i++) {
		const auto bytes = noise(random);

		fuzz::run_host(bytes.data(), bytes.size());
	}
}

TEST(Hostile, NicStandsAnyHost)
{
	Random random(2);

	for (uint64_t i = 0; i < inputs; i++) {
		const auto bytes = noise(random);

		fuzz::run_nic(bytes.data(), bytes.size());
	}
}

TEST_F(HostileRegion, ScribblingOverItIsSurvived)
{
	Random random(3);
	Bufs bufs{};

	start(small_options(2));
	const size_t bytes = region->info().bytes;
	void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, region->fd(), 0);
	ASSERT_NE(memory, MAP_FAILED);
	for (uint64_t i = 0; i < inputs; i++) {
		/* All but the superblock, which is looked at when it is opened. */
		const size_t at = 48 + random.below(static_cast<uint32_t>(bytes / 4 - 48));

		static_cast<uint32_t *>(memory)[at] =
			random.below(2) == 0 ? random.below(300) : random.below(UINT32_MAX);
		QueueRef each = queue(random.below(2));
		const int count = make_packet(each, i, 1 + random.below(5000), bufs);
		if (count > 0) {
			const auto packet = std::span(bufs).first(static_cast<size_t>(count));

			if (each.send(packet) == 0)
				each.free(packet);
		}
		nic->poll();
		each.free(each.receive(bufs));
	}
	munmap(memory, bytes);

	/* With a new start everything works again. */
	nic.reset();
	nic.emplace(nic_options(), std::initializer_list<int>{region->fd()});
	for (int i = 0; i < 100 && !(region->link() && nic->link()); i++)
		nic->poll();
	for (uint64_t i = 0; i < 300; i++)
		round(i, i % 2 == 0 ? 64 : 1500);
}
