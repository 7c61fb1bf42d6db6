// SPDX-License-Identifier: GPL-2.0
#include "library.hpp"

#include <cstring>
#include <fmt/format.h>
#include <stdexcept>

namespace bench
{

LibraryHost::LibraryHost(const Shape &shape)
	: pieces_((shape.largest + CCNIC_BUF_BYTES - 1) / CCNIC_BUF_BYTES)
{
	ccnic_options options;
	ccnic_info info;

	ccnic_options_init(&options);
	options.huge_pages = 1;
	if (ccnic_create(&options, nullptr, &region_) != 0)
		throw std::runtime_error(fmt::format("libccnic: {}", ccnic_strerror()));
	queue_ = ccnic_get_queue(region_, 0);
	ccnic_get_info(region_, &info);
	cell_bytes_ = info.cell_bytes;
}

LibraryHost::~LibraryHost()
{
	ccnic_close(region_);
}

LibraryNic::LibraryNic(const std::vector<ccnic_region *> &regions)
{
	/* Tries until the two sides have met. */
	constexpr unsigned int patience = 1'000'000;
	ccnic_nic_options options;
	std::vector<int> fds;

	fds.reserve(regions.size());
	for (const ccnic_region *region : regions)
		fds.push_back(ccnic_fd(region));
	ccnic_nic_options_init(&options);
	/* None is to be lost, however long the host stood still. */
	options.hold_us = 10'000'000;
	options.wire = fds.size() == 2 ? CCNIC_WIRE_PAIR : CCNIC_WIRE_LOOP;
	if (ccnic_nic_attach(&options, fds.data(), static_cast<uint32_t>(fds.size()), &nic_) != 0)
		throw std::runtime_error(fmt::format("libccnic: {}", ccnic_strerror()));
	for (ccnic_region *region : regions) {
		for (unsigned int i = 0; i < patience && ccnic_link(region, 0) == 0; i++)
			ccnic_nic_poll(nic_);
		if (ccnic_link(region, 0) != 0)
			continue;
		ccnic_nic_detach(nic_);
		throw std::runtime_error("libccnic: no link");
	}
}

LibraryNic::~LibraryNic()
{
	ccnic_nic_detach(nic_);
}

void LibraryHost::move_up(uint32_t sent)
{
	kept_ -= sent;
	for (uint32_t i = 0; i < kept_; i++) {
		tx_[i] = tx_[sent + i];
		if ((tx_[i].flags & CCNIC_BUF_COPY) == 0)
			continue;
		std::memcpy(small_ + i * small_bytes, tx_[i].data, tx_[i].len);
		tx_[i].data = small_ + i * small_bytes;
	}
}

} // namespace bench
