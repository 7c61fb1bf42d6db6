// SPDX-License-Identifier: GPL-2.0
#include "library.hpp"

#include <cstring>
#include <fmt/format.h>
#include <stdexcept>

namespace bench
{

Library::Library(const Shape &shape)
	: pieces_((shape.largest + CCNIC_BUF_BYTES - 1) / CCNIC_BUF_BYTES)
{
	ccnic_options options;
	ccnic_info info;

	ccnic_options_init(&options);
	options.huge_pages = 1;
	if (ccnic_create(&options, nullptr, &region_) != 0)
		throw std::runtime_error(fmt::format("libccnic: {}", ccnic_strerror()));

	const int fd = ccnic_fd(region_);
	if (ccnic_nic_attach(nullptr, &fd, 1, &nic_) != 0) {
		const std::string reason = ccnic_strerror();

		ccnic_close(region_);
		throw std::runtime_error(fmt::format("libccnic: {}", reason));
	}
	queue_ = ccnic_get_queue(region_, 0);
	ccnic_get_info(region_, &info);
	cell_bytes_ = info.cell_bytes;
	for (unsigned int i = 0; i < 1000000 && ccnic_link(region_, 0) == 0; i++)
		ccnic_nic_poll(nic_);
	if (ccnic_link(region_, 0) == 0) {
		ccnic_nic_detach(nic_);
		ccnic_close(region_);
		throw std::runtime_error("libccnic: no link");
	}
}

Library::~Library()
{
	ccnic_nic_detach(nic_);
	ccnic_close(region_);
}

void Library::move_up(uint32_t sent)
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
