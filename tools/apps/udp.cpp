// SPDX-License-Identifier: GPL-2.0
#include "pairs.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <netinet/in.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

namespace apps
{

namespace
{

void check(int status, const char *what)
{
	if (status < 0)
		throw std::system_error(errno, std::generic_category(), what);
}

} // namespace

UdpHost::UdpHost() : fd_(socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0))
{
	sockaddr_in address = {};
	/* So that nothing is lost with a whole window in flight. */
	const int room = 8 << 20;

	check(fd_, "socket");
	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
	setsockopt(fd_, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
	check(bind(fd_, reinterpret_cast<const sockaddr *>(&address), sizeof(address)), "bind");
}

UdpHost::~UdpHost()
{
	close(fd_);
}

void UdpHost::connect_to(const UdpHost &other) const
{
	sockaddr_in address = {};
	socklen_t length = sizeof(address);

	check(getsockname(other.fd_, reinterpret_cast<sockaddr *>(&address), &length),
	      "getsockname");
	check(connect(fd_, reinterpret_cast<const sockaddr *>(&address), length), "connect");
}

void UdpHost::flush()
{
	mmsghdr messages[burst] = {};
	iovec parts[burst];

	if (kept_ == 0)
		return;
	for (uint32_t i = 0; i < kept_; i++) {
		parts[i] = {tx_packet(i), lengths_[i]};
		messages[i].msg_hdr.msg_iov = &parts[i];
		messages[i].msg_hdr.msg_iovlen = 1;
	}
	const int sent = sendmmsg(fd_, messages, kept_, 0);
	if (sent <= 0)
		return;
	for (auto i = static_cast<uint32_t>(sent); i < kept_; i++) {
		const uint32_t to = i - static_cast<uint32_t>(sent);

		lengths_[to] = lengths_[i];
		std::copy_n(tx_packet(i), lengths_[i], tx_packet(to));
	}
	kept_ -= static_cast<uint32_t>(sent);
}

uint32_t UdpHost::receive(uint32_t most)
{
	mmsghdr messages[burst] = {};
	iovec parts[burst];

	most = std::min(most, burst);
	for (uint32_t i = 0; i < most; i++) {
		parts[i] = {rx_packet(i), most_bytes};
		messages[i].msg_hdr.msg_iov = &parts[i];
		messages[i].msg_hdr.msg_iovlen = 1;
	}
	const int received = recvmmsg(fd_, messages, most, 0, nullptr);
	for (int i = 0; i < received; i++)
		rx_lengths_[i] = messages[i].msg_len;
	return received > 0 ? static_cast<uint32_t>(received) : 0;
}

} // namespace apps
