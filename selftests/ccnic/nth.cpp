// SPDX-License-Identifier: GPL-2.0
//
// One operation again and again, of which the kernel lets the first, second,
// third, ... allocation fail, until it succeeds with none of them hit. After each
// failure nothing may be left of it.
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>

namespace
{

const char usage_text[] =
	R"(Usage: nth FIRST STEP add DEVICE [PEER]   create and delete a device (cabled to PEER)
       nth FIRST STEP up DEVICE           set a device up and down
       nth FIRST STEP mtu DEVICE          change the MTU and back

Begins with the FIRST allocation and goes on with every STEP-th.

Needs a kernel with FAULT_INJECTION and /proc/self/fail-nth. Prints how many
allocations were made to fail, and how many of those made the operation fail.
)";

constexpr int limit_of_tries = 20000;

[[noreturn]] void fail(const std::string &what)
{
	throw std::runtime_error(what);
}

// The kernel's count-down to a failing allocation of this thread
class FailNth
{
public:
	FailNth() : fd_(open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC))
	{
		if (fd_ < 0)
			fail("no /proc/thread-self/fail-nth: the kernel has no fault injection");
	}
	~FailNth()
	{
		close(fd_);
	}

	void set(int n)
	{
		const std::string text = std::to_string(n);
		if (pwrite(fd_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
			fail(std::string("fail-nth: ") + std::strerror(errno));
	}

	// Was an allocation made to fail since set()? Ends the count-down.
	bool hit()
	{
		char text[16] = {};
		if (pread(fd_, text, sizeof(text) - 1, 0) <= 0)
			fail(std::string("fail-nth: ") + std::strerror(errno));
		set(0);
		return std::strtol(text, nullptr, 10) == 0;
	}

private:
	int fd_;
};

class Netlink
{
public:
	Netlink() : fd_(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE))
	{
		// Lost acknowledgements must not be waited for in vain
		const timeval limit = {.tv_sec = 0, .tv_usec = 200000};
		setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	}
	~Netlink()
	{
		close(fd_);
	}

	// 0 or an errno
	int link(std::uint16_t type, std::uint16_t flags, const std::string &name, int peer)
	{
		begin(type, flags);
		add(IFLA_IFNAME, name.c_str(), name.size() + 1);
		if (peer)
			add(IFLA_LINK, &peer, sizeof(peer));
		if (type == RTM_NEWLINK) {
			const std::size_t start = size_;
			add(IFLA_LINKINFO, nullptr, 0);
			add(IFLA_INFO_KIND, "ccnic", 6);
			reinterpret_cast<rtattr *>(buffer_ + start)->rta_len =
				static_cast<unsigned short>(size_ - start);
		}
		return request();
	}

private:
	void begin(std::uint16_t type, std::uint16_t flags)
	{
		std::memset(buffer_, 0, sizeof(buffer_));
		auto *header = reinterpret_cast<nlmsghdr *>(buffer_);
		header->nlmsg_type = type;
		header->nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | NLM_F_ACK | flags);
		header->nlmsg_seq = ++sequence_;
		size_ = NLMSG_LENGTH(sizeof(ifinfomsg));
	}

	void add(std::uint16_t type, const void *data, std::size_t bytes)
	{
		auto *attribute = reinterpret_cast<rtattr *>(buffer_ + size_);
		attribute->rta_type = type;
		attribute->rta_len = static_cast<unsigned short>(RTA_LENGTH(bytes));
		if (bytes)
			std::memcpy(RTA_DATA(attribute), data, bytes);
		size_ += RTA_ALIGN(attribute->rta_len);
	}

	int request()
	{
		reinterpret_cast<nlmsghdr *>(buffer_)->nlmsg_len =
			static_cast<std::uint32_t>(size_);
		if (send(fd_, buffer_, size_, 0) < 0)
			return errno;
		alignas(nlmsghdr) char answer[8192];
		for (;;) {
			const ssize_t bytes = recv(fd_, answer, sizeof(answer), 0);
			if (bytes < 0)
				return errno;
			const auto *header = reinterpret_cast<nlmsghdr *>(answer);
			if (header->nlmsg_type == NLMSG_ERROR && header->nlmsg_seq == sequence_)
				return -static_cast<nlmsgerr *>(NLMSG_DATA(header))->error;
		}
	}

	int fd_;
	std::uint32_t sequence_ = 0;
	std::size_t size_ = 0;
	alignas(nlmsghdr) char buffer_[1024] = {};
};

class Device
{
public:
	explicit Device(std::string name)
		: fd_(socket(AF_INET, SOCK_DGRAM, 0)), name_(std::move(name))
	{
	}
	~Device()
	{
		close(fd_);
	}

	bool up()
	{
		ifreq request = make();
		if (ioctl(fd_, SIOCGIFFLAGS, &request))
			fail(name_ + ": " + std::strerror(errno));
		return request.ifr_flags & IFF_UP;
	}

	int set_up(bool up)
	{
		ifreq request = make();
		request.ifr_flags = up ? IFF_UP : 0;
		return ioctl(fd_, SIOCSIFFLAGS, &request) ? errno : 0;
	}

	int mtu()
	{
		ifreq request = make();
		if (ioctl(fd_, SIOCGIFMTU, &request))
			fail(name_ + ": " + std::strerror(errno));
		return request.ifr_mtu;
	}

	int set_mtu(int mtu)
	{
		ifreq request = make();
		request.ifr_mtu = mtu;
		return ioctl(fd_, SIOCSIFMTU, &request) ? errno : 0;
	}

private:
	ifreq make() const
	{
		ifreq request = {};
		std::strncpy(request.ifr_name, name_.c_str(), IFNAMSIZ - 1);
		return request;
	}

	int fd_;
	std::string name_;
};

struct Operation {
	std::function<int()> run;   // 0 or an errno
	std::function<bool()> done; // does it show?
	std::function<int()> undo;
};

void sweep(const Operation &operation, int first, int step)
{
	FailNth nth;
	std::map<int, int> errors;
	int n = 0, tries = 0, failed = 0, survived = 0;

	for (n = first; n <= limit_of_tries; n += step, tries++) {
		nth.set(n);
		const int error = operation.run();
		const bool hit = nth.hit();
		const bool done = operation.done();

		if (error && !hit)
			fail("failed with no allocation made to fail: " +
			     std::string(std::strerror(error)));
		// An acknowledgement that was lost tells nothing
		if (error && done && error != EAGAIN && error != ENOBUFS)
			fail("allocation " + std::to_string(n) + ": refused (" +
			     std::strerror(error) + "), but it shows");
		if (!error && !done)
			fail("allocation " + std::to_string(n) +
			     ": succeeded, but it does not show");
		if (error) {
			failed++;
			errors[error]++;
		} else if (hit) {
			survived++;
		}
		if (done && operation.undo())
			fail("allocation " + std::to_string(n) + ": cannot be undone");
		if (!error && !hit)
			break;
		// Now and then: it works at once when nothing fails any more
		if (error && failed % 16 == 1 && (operation.run() || operation.undo()))
			fail("allocation " + std::to_string(n) + ": no second try works");
	}
	if (n > limit_of_tries)
		fail("no end after " + std::to_string(limit_of_tries) + " allocations");
	std::printf("tried %d\nfailed %d\nsurvived %d\n", tries, failed, survived);
	for (const auto &[error, count] : errors)
		std::printf("error %d %s\n", count, std::strerror(error));
}

Operation make_operation(const std::string &what, const std::string &name, const char *peer)
{
	static Netlink netlink;
	static Device device(name);
	static int mtu;

	if (what == "add") {
		const int link = peer ? static_cast<int>(if_nametoindex(peer)) : 0;
		if (peer && !link)
			fail(std::string(peer) + ": no such device");
		return {
			[=] {
				return netlink.link(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, name,
						    link);
			},
			[=] { return if_nametoindex(name.c_str()) != 0; },
			[=] { return netlink.link(RTM_DELLINK, 0, name, 0); },
		};
	}
	if (what == "up") {
		return {
			[] { return device.set_up(true); },
			[] { return device.up(); },
			[] { return device.set_up(false); },
		};
	}
	if (what == "mtu") {
		mtu = device.mtu();
		return {
			[] { return device.set_mtu(mtu + 100); },
			[] { return device.mtu() == mtu + 100; },
			[] { return device.set_mtu(mtu); },
		};
	}
	fail("'" + what + "': see nth --help");
}

} // namespace

int main(int argc, char **argv)
{
	if (argc == 2 && std::string(argv[1]) == "--help") {
		std::fputs(usage_text, stdout);
		return 0;
	}
	const int first = argc < 5 ? 0 : static_cast<int>(std::strtol(argv[1], nullptr, 10));
	const int step = argc < 5 ? 0 : static_cast<int>(std::strtol(argv[2], nullptr, 10));
	if (first < 1 || step < 1) {
		std::fputs(usage_text, stderr);
		return 1;
	}
	try {
		sweep(make_operation(argv[3], argv[4], argc > 5 ? argv[5] : nullptr), first, step);
	} catch (const std::exception &error) {
		std::fprintf(stderr, "nth %s: %s\n", argv[3], error.what());
		return 1;
	}
	return 0;
}
