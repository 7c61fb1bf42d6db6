// SPDX-License-Identifier: GPL-2.0
#include "floors.hpp"

#include <cerrno>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

namespace bench
{

SocketPair::SocketPair(const Shape &shape)
	: tx_(shape.largest), rx_(shape.largest), nic_(shape.largest)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) != 0)
		throw std::system_error(errno, std::generic_category(), "socketpair");
	host_fd_ = fds[0];
	nic_fd_ = fds[1];
	/* Room for as many packets as the kernel lets us have. */
	const int room = 4 << 20;
	for (const int fd : fds)
		setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
}

SocketPair::~SocketPair()
{
	close(host_fd_);
	close(nic_fd_);
}

bool SocketPair::send(int fd, const uint8_t *from, uint32_t bytes) const
{
	return ::send(fd, from, bytes, MSG_NOSIGNAL) == static_cast<ssize_t>(bytes);
}

uint32_t SocketPair::receive(int fd, uint8_t *to) const
{
	const ssize_t bytes = recv(fd, to, rx_.size(), 0);

	return bytes > 0 ? static_cast<uint32_t>(bytes) : 0;
}

void SocketPair::nic_poll()
{
	for (uint32_t i = 0; i < burst; i++) {
		if (kept_ == 0)
			kept_ = receive(nic_fd_, nic_.data());
		if (kept_ == 0 || !send(nic_fd_, nic_.data(), kept_))
			return;
		kept_ = 0;
	}
}

} // namespace bench
