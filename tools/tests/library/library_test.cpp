// SPDX-License-Identifier: GPL-2.0
/*
 * libccnic: what a burst does, what it refuses, and what it leaves behind.
 */
#include "fixture.hpp"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <numeric>
#include <unistd.h>

namespace
{

class Library : public LibraryTest
{
};

class LibraryCells : public LibraryTest, public testing::WithParamInterface<uint32_t>
{
};

/* A path that does not exist. */
std::string fresh_path(const char *name)
{
	return testing::TempDir() + "ccnic-" + std::to_string(getpid()) + "-" + name;
}

} // namespace

TEST_P(LibraryCells, EverySizeComesBackWhole)
{
	ccnic_options options = small_options();

	options.cell_bytes = GetParam();
	start(options);
	/* Not all of them where a sanitizer makes a byte slow. */
	constexpr uint32_t step = test_packets > 5000000 ? 1 : 7;
	uint64_t sent = 0;
	for (uint32_t bytes = 1; bytes <= 9000 && !HasFatalFailure(); bytes += step, sent++)
		round(bytes, bytes);
	for (const uint32_t bytes : {16384U, 65534U, CCNIC_PACKET_MAX})
		round(bytes, bytes);
	const ccnic_nic_stats stats = nic->stats();
	EXPECT_EQ(stats.tx_packets, sent + 3);
	EXPECT_EQ(stats.rx_packets, sent + 3);
	EXPECT_EQ(stats.tx_bytes, stats.rx_bytes);
	EXPECT_EQ(stats.drop_bad, 0U);
	EXPECT_EQ(queue().stats().rx_bytes, stats.rx_bytes);
}

INSTANTIATE_TEST_SUITE_P(Cells, LibraryCells, testing::Values(0, 64, 128, 256));

TEST_F(Library, CopiesOfAnySizeComeBackWhole)
{
	std::vector<std::byte> bytes(CCNIC_PACKET_MAX);
	std::vector<ccnic_buf> got(CCNIC_PACKET_BUFS);

	start(small_options());
	for (size_t i = 0; i < bytes.size(); i++)
		bytes[i] = static_cast<std::byte>(byte_at(1, i));
	for (const size_t len : {1, 63, 64, 65, 2048, 2049, 9000, 65535}) {
		ASSERT_TRUE(queue().send_copy(std::span(bytes).first(len))) << len;
		ASSERT_EQ(nic->poll(), 1U);
		const auto packet = queue().receive(got);
		ASSERT_TRUE(is_packet(packet, 1, static_cast<uint32_t>(len)));
		ASSERT_EQ(queue().free(packet), 0);
	}
}

TEST_F(Library, ScatteredPacketIsOnePacket)
{
	std::array<std::byte, 300> header{};
	Bufs bufs{};

	start(small_options());
	/* A copy, a small buffer, a pool buffer's middle: in all of them 7. */
	header.fill(std::byte{7});
	bufs[0] = {header.data(), 0, 10, CCNIC_BUF_COPY | CCNIC_BUF_MORE};
	ASSERT_EQ(queue().alloc(20, std::span(bufs).subspan(1)), 1);
	ASSERT_EQ(queue().alloc(2000, std::span(bufs).subspan(2)), 1);
	bufs[3] = {header.data(), 0, 300, CCNIC_BUF_COPY};
	std::ranges::fill(bytes_of(bufs[1]), std::byte{7});
	std::ranges::fill(bytes_of(bufs[2]), std::byte{7});
	bufs[2].data = static_cast<std::byte *>(bufs[2].data) + 900;
	bufs[2].len = 1000;
	bufs[1].flags = bufs[2].flags = CCNIC_BUF_MORE;
	ASSERT_EQ(queue().send(std::span(bufs).first(4)), 4);
	ASSERT_EQ(nic->poll(), 1U);
	const auto got = queue().receive(bufs);
	ASSERT_EQ(got.size(), 1U) << "1330 bytes fit in one buffer";
	EXPECT_EQ(got[0].len, 1330);
	EXPECT_TRUE(std::ranges::all_of(bytes_of(got[0]),
					[](std::byte each) { return each == std::byte{7}; }));
	EXPECT_EQ(queue().free(got), 0);
}

TEST_F(Library, BurstIsCutWhereTheRingIsFull)
{
	std::array<std::byte, 8> bytes{};
	std::vector<ccnic_buf> burst(200, {bytes.data(), 0, 8, CCNIC_BUF_COPY});
	std::vector<ccnic_buf> got(200);

	start(small_options());
	EXPECT_EQ(queue().send(burst), 128) << "32 lines of 4";
	EXPECT_EQ(queue().send(burst), 0);
	EXPECT_EQ(queue().stats().tx_full, 2U);
	while (nic->poll() != 0)
		;
	EXPECT_EQ(queue().receive(std::span(got).first(100)).size(), 100U);
	EXPECT_EQ(queue().free(std::span(got).first(100)), 0);
	EXPECT_EQ(queue().send(burst), 128);
	EXPECT_EQ(queue().receive(got).size(), 28U);
}

TEST_F(Library, PacketIsSentWholeOrNotAtAll)
{
	Bufs bufs{};
	int packets = 0;

	start(small_options());
	for (;; packets++) {
		const int count = queue().alloc(9000, bufs);

		if (count < 0)
			break;
		const int sent = queue().send(std::span(bufs).first(5));
		if (sent == 0)
			break;
		ASSERT_EQ(sent, 5);
	}
	EXPECT_EQ(packets, 25) << "128 slots, 5 each";
}

TEST_F(Library, RoomOfTheReceiverIsRespected)
{
	Bufs bufs{};

	start(small_options());
	ASSERT_EQ(make_packet(queue(), 5, 9000, bufs), 5);
	ASSERT_EQ(queue().send(std::span(bufs).first(5)), 5);
	ASSERT_EQ(nic->poll(), 1U);
	EXPECT_EQ(ccnic_rx_burst(queue().get(), bufs.data(), 4), -EMSGSIZE);
	EXPECT_EQ(ccnic_rx_burst(queue().get(), bufs.data(), 5), 5) << "and it is not lost";
	EXPECT_TRUE(is_packet(std::span(bufs).first(5), 5, 9000));
}

TEST_F(Library, ExhaustionHeals)
{
	std::vector<ccnic_buf> all;
	Bufs bufs{};

	start(small_options());
	for (int turn = 0; turn < 3; turn++) {
		while (queue().alloc(2048, bufs) == 1) {
			all.push_back(bufs[0]);
			nic->poll();
		}
		EXPECT_EQ(queue().alloc(2048, bufs), -ENOBUFS);
		EXPECT_GE(all.size(), 120U);
		std::vector<uint32_t> handles;
		handles.reserve(all.size());
		for (const ccnic_buf &buf : all)
			handles.push_back(buf.handle);
		std::ranges::sort(handles);
		EXPECT_TRUE(std::ranges::adjacent_find(handles) == handles.end());
		EXPECT_EQ(queue().free(all), 0);
		all.clear();
		round(1, 9000);
	}
}

TEST_F(Library, PrivateBuffersOfTheReceiverRunOutAndHeal)
{
	ccnic_options options = small_options();
	std::array<std::byte, 64> bytes{};
	std::vector<ccnic_buf> burst(20, {bytes.data(), 0, 64, CCNIC_BUF_COPY});
	std::vector<ccnic_buf> got(20);

	options.private_buffers = 8;
	start(options);
	ASSERT_EQ(queue().send(burst), 20);
	nic->poll();
	ASSERT_EQ(queue().receive(got).size(), 8U);
	ASSERT_EQ(queue().free(std::span(got).first(8)), 0);
	ASSERT_EQ(queue().receive(got).size(), 8U);
	ASSERT_EQ(queue().free(std::span(got).first(8)), 0);
	ASSERT_EQ(queue().receive(got).size(), 4U);
}

TEST_F(Library, WhatIsNotTheCallersIsRefused)
{
	std::array<std::byte, 64> bytes{};
	Bufs bufs{};

	start(small_options());
	for (const uint32_t size : {40U, 1500U}) {
		ASSERT_EQ(queue().alloc(size, bufs), 1);
		const ccnic_buf buf = bufs[0];

		ccnic_buf wrong = buf;
		wrong.handle++;
		EXPECT_EQ(queue().send({&wrong, 1}), -EINVAL);
		EXPECT_EQ(queue().free({&wrong, 1}), -EINVAL);
		wrong = buf;
		wrong.data = bytes.data();
		EXPECT_EQ(queue().send({&wrong, 1}), -EINVAL);
		wrong = buf;
		wrong.data = static_cast<std::byte *>(buf.data) + 2000;
		EXPECT_EQ(queue().send({&wrong, 1}), -EINVAL);
		wrong = buf;
		wrong.len = 0;
		EXPECT_EQ(queue().send({&wrong, 1}), -EINVAL);
		wrong = buf;
		wrong.flags = CCNIC_BUF_MORE;
		EXPECT_EQ(queue().send({&wrong, 1}), -EINVAL) << "a packet has an end";
		EXPECT_EQ(queue().free({&buf, 1}), 0);
		EXPECT_EQ(queue().free({&buf, 1}), -EINVAL) << "twice";
		EXPECT_EQ(queue().send({&buf, 1}), -EINVAL) << "free already";
		ASSERT_EQ(queue().alloc(size, bufs), 1);
		ASSERT_EQ(queue().send(std::span(bufs).first(1)), 1);
		EXPECT_EQ(queue().send(std::span(bufs).first(1)), -EINVAL) << "sent already";
		EXPECT_EQ(queue().free(std::span(bufs).first(1)), -EINVAL);
	}
	EXPECT_EQ(queue().alloc(0, bufs), -EMSGSIZE);
	EXPECT_EQ(queue().alloc(CCNIC_PACKET_MAX + 1, bufs), -EMSGSIZE);
	EXPECT_EQ(queue().alloc(9000, std::span(bufs).first(4)), -EMSGSIZE);
	EXPECT_THROW(queue(1), std::out_of_range);
}

TEST_F(Library, ReceivedBuffersCanBeSentOn)
{
	Bufs bufs{};

	start(small_options());
	for (const uint32_t size : {50U, 1500U, 9000U}) {
		int count = make_packet(queue(), size, size, bufs);
		for (int hop = 0; hop < 300; hop++) {
			const auto packet = std::span(bufs).first(static_cast<size_t>(count));

			ASSERT_EQ(queue().send(packet), count);
			ASSERT_EQ(nic->poll(), 1U);
			count = static_cast<int>(queue().receive(bufs).size());
			ASSERT_GT(count, 0);
		}
		const auto packet = std::span(bufs).first(static_cast<size_t>(count));
		EXPECT_TRUE(is_packet(packet, size, size));
		EXPECT_EQ(queue().free(packet), 0);
	}
}

TEST_F(Library, FlowsKeepToTheirQueue)
{
	ccnic_nic_options nic_is = nic_options();
	std::array<std::byte, 40> bytes{};
	std::vector<ccnic_buf> got(64);
	std::array<int, 4> hits{};

	nic_is.steer = CCNIC_STEER_FLOW;
	start(small_options(4), nic_is);
	for (int flow = 0; flow < 64; flow++) {
		std::array<int, 4> found{};

		bytes[0] = static_cast<std::byte>(flow);
		for (uint32_t from = 0; from < 4; from++)
			ASSERT_TRUE(queue(from).send_copy(bytes));
		nic->poll();
		for (uint32_t to = 0; to < 4; to++) {
			const auto packets = queue(to).receive(got);

			found[to] = static_cast<int>(packets.size());
			hits[to] += found[to];
			queue(to).free(packets);
		}
		EXPECT_TRUE(std::ranges::count(found, 4) == 1) << "flow " << flow;
	}
	for (const int each : hits)
		EXPECT_GT(each, 0);
}

TEST_F(Library, PacketWaitsForRoomAndIsThenDropped)
{
	ccnic_nic_options nic_is = nic_options();
	std::array<std::byte, 8> bytes{};
	std::vector<ccnic_buf> burst(128, {bytes.data(), 0, 8, CCNIC_BUF_COPY});

	nic_is.hold_us = 2000;
	start(small_options(), nic_is);
	ASSERT_EQ(queue().send(burst), 128);
	while (nic->poll() != 0)
		;
	ASSERT_TRUE(queue().send_copy(bytes));
	EXPECT_EQ(nic->poll(), 0U);
	EXPECT_EQ(nic->stats().holds, 1U);
	EXPECT_EQ(nic->stats().drop_no_room, 0U);
	usleep(3000);
	EXPECT_EQ(nic->poll(), 1U);
	EXPECT_EQ(nic->stats().drop_no_room, 1U);
}

TEST_F(Library, BuffersOutliveTheNic)
{
	Bufs kept{};
	Bufs bufs{};
	std::vector<uint32_t> handles;

	start(small_options());
	ASSERT_EQ(make_packet(queue(), 9, 9000, kept), 5);
	for (int life = 0; life < 5; life++) {
		nic.reset();
		EXPECT_FALSE(region->link());
		EXPECT_EQ(queue().send(std::span(kept).first(5)), 0);
		EXPECT_TRUE(queue().receive(bufs).empty());
		nic.emplace(nic_options(), std::initializer_list<int>{region->fd()});
		join();
		EXPECT_TRUE(is_packet(std::span(kept).first(5), 9, 9000));
		round(1, 60);
		/* None of them is handed out again. */
		handles.clear();
		for (int i = 0; i < 100 && queue().alloc(2048, bufs) == 1; i++) {
			handles.push_back(bufs[0].handle);
			for (int j = 0; j < 5; j++)
				ASSERT_NE(bufs[0].handle, kept[static_cast<size_t>(j)].handle);
			if (i % 2 == 0) {
				ASSERT_EQ(queue().free(std::span(bufs).first(1)), 0);
			}
		}
		for (const uint32_t handle : handles) {
			const ccnic_buf buf = {nullptr, handle, 1, 0};
			queue().free({&buf, 1});
		}
	}
	EXPECT_EQ(region->info().generation, 6U);
	ASSERT_EQ(queue().send(std::span(kept).first(5)), 5);
	ASSERT_EQ(nic->poll(), 1U);
	EXPECT_TRUE(is_packet(queue().receive(bufs), 9, 9000));
}

TEST_F(Library, BuffersCanBeFreedWithoutNic)
{
	Bufs bufs{};

	start(small_options());
	ASSERT_EQ(make_packet(queue(), 9, 9000, bufs), 5);
	nic.reset();
	EXPECT_FALSE(region->link());
	EXPECT_EQ(queue().free(std::span(bufs).first(5)), 0);
	EXPECT_EQ(queue().free(std::span(bufs).first(5)), -EINVAL);
	nic.emplace(nic_options(), std::initializer_list<int>{region->fd()});
	join();
	round(1, 9000);
}

TEST_F(Library, HostComesBackToItsRegion)
{
	const std::string path = fresh_path("back");

	region.emplace(Region::create(small_options(), path.c_str()));
	const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
	ASSERT_GE(fd, 0);
	nic.emplace(nic_options(), std::initializer_list<int>{fd});
	join();
	round(1, 1500);
	for (int life = 0; life < 5; life++) {
		region.reset();
		nic->poll();
		EXPECT_FALSE(nic->link());
		region.emplace(Region::open(small_options(), path.c_str()));
		join();
		for (uint64_t i = 0; i < 300; i++)
			round(i, i % 2 == 0 ? 64 : 1500);
	}
	close(fd);
	std::filesystem::remove(path);
}

TEST_F(Library, RegionHasOneHostAndOneNic)
{
	start(small_options());
	try {
		Region::open(small_options(), region->fd());
		FAIL() << "two hosts";
	} catch (const ccnic::user::OpenError &error) {
		EXPECT_EQ(error.code(), -EBUSY);
		EXPECT_NE(std::string(error.what()).find("host"), std::string::npos);
	}
	try {
		const Nic second(nic_options(), {region->fd()});
		FAIL() << "two NICs";
	} catch (const ccnic::user::OpenError &error) {
		EXPECT_EQ(error.code(), -EBUSY);
	}
}

TEST_F(Library, WhatIsNoRegionIsRefused)
{
	const std::string path = fresh_path("none");
	ccnic_options options = small_options();
	ccnic_region *made = nullptr;
	const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	ASSERT_GE(fd, 0);
	EXPECT_EQ(ccnic_open(nullptr, path.c_str(), &made), -EPROTO);
	ASSERT_EQ(ftruncate(fd, 1 << 20), 0);
	EXPECT_EQ(ccnic_open(nullptr, path.c_str(), &made), -EPROTO);
	EXPECT_EQ(ccnic_create(nullptr, path.c_str(), &made), -EEXIST);
	EXPECT_NE(std::string(ccnic_strerror()).find(path), std::string::npos);
	close(fd);
	std::filesystem::remove(path);
	EXPECT_EQ(ccnic_open(nullptr, path.c_str(), &made), -ENOENT);
	options.queues = 65;
	EXPECT_EQ(ccnic_create(&options, nullptr, &made), -EINVAL);
	options = small_options();
	options.cell_bytes = 65;
	EXPECT_EQ(ccnic_create(&options, nullptr, &made), -EINVAL);
	options = small_options();
	options.size = 4;
	EXPECT_EQ(ccnic_create(&options, nullptr, &made), -EINVAL);
}

TEST_F(Library, HugePagesAreUsedOrNot)
{
	ccnic_options options = small_options();

	options.huge_pages = 1;
	options.host_node = 0;
	options.nic_node = 1;
	start(options);
	const ccnic_info info = region->info();
	EXPECT_TRUE(info.page_bytes == 4096 || info.huge_pages == 1);
	EXPECT_EQ(info.link, 1U);
	round(1, 9000);
}

TEST_F(Library, TwoSidesOfAQueueKeepTheirBuffersApart)
{
	ccnic_options options = small_options();
	Bufs bufs{};

	options.split = 1;
	start(options);
	for (const uint32_t size : {50U, 1500U})
		for (int i = 0; i < 1000; i++) {
			ASSERT_EQ(make_packet(queue(), 3, size, bufs), 1) << i;
			ASSERT_EQ(queue().send(std::span(bufs).first(1)), 1);
			ASSERT_EQ(nic->poll(), 1U);
			ASSERT_EQ(queue().receive(bufs).size(), 1U);
			EXPECT_EQ(queue().send(std::span(bufs).first(1)), -EINVAL);
			ASSERT_EQ(queue().free(std::span(bufs).first(1)), 0);
			nic->poll();
		}
}
