// SPDX-License-Identifier: GPL-2.0
//
// Traffic between two network namespaces of which every byte is checked. Both
// ends are sockets of this one process, so a test awaits each packet and needs
// no server. Content follows from a seed and a position.
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace
{

using Clock = std::chrono::steady_clock;

constexpr std::uint16_t port_number = 5477;
constexpr std::uint16_t frame_type = ETH_P_802_EX1;
constexpr std::size_t frame_min = 60;

const char usage_text[] =
	R"(Usage: wire COMMAND FROM TO [NAME=VALUE]...

FROM and TO are NAMESPACE,ADDRESS, or NAMESPACE,DEVICE for frames; the namespace
"-" is this process's own.

  sizes   UDP datagrams of each size, there and back, each awaited
            from=0 to=1472 step=1
  rr      requests and answers over UDP with random gaps; an answer that does not
          come ends it
            rounds=1000 gap_us=200 size=64 timeout_ms=3000
  stream  TCP with checked content
            streams=1 bytes=1048576 (each) or seconds=N; way=both|there|back
          SIGTERM ends it early; what was sent until then is still checked
  frames  raw Ethernet frames of each size in bursts, checked for content, order
          and padding
            from=14 to=1514 step=1 count=1 burst=16 timeout_ms=3000
  blast   raw frames that nobody reads, also while the device is down
            count=1000 size=1514; SIGTERM ends it early

Prints "NAME VALUE" lines. Exit status: 0, or 1 when anything was lost or wrong.
)";

[[noreturn]] void fail(const std::string &what)
{
	throw std::runtime_error(what);
}

[[noreturn]] void fail_errno(const std::string &what)
{
	fail(what + ": " + std::strerror(errno));
}

class Options
{
public:
	Options(int argc, char **argv, std::map<std::string, std::string> defaults)
		: values_(std::move(defaults))
	{
		for (int i = 4; i < argc; i++) {
			const std::string arg = argv[i];
			const auto equals = arg.find('=');
			if (equals == std::string::npos || !values_.count(arg.substr(0, equals)))
				fail("unknown option '" + arg + "'; see wire --help");
			values_[arg.substr(0, equals)] = arg.substr(equals + 1);
		}
	}

	std::string text(const std::string &name) const
	{
		return values_.at(name);
	}

	std::uint64_t number(const std::string &name) const
	{
		const std::string &value = values_.at(name);
		char *end = nullptr;
		const std::uint64_t number = std::strtoull(value.c_str(), &end, 10);
		if (value.empty() || *end)
			fail(name + "=" + value + ": not a number");
		return number;
	}

private:
	std::map<std::string, std::string> values_;
};

struct End {
	std::string space;
	std::string name;
};

End parse_end(const std::string &arg)
{
	const auto comma = arg.find(',');
	if (comma == std::string::npos)
		fail("'" + arg + "': want NAMESPACE,ADDRESS; see wire --help");
	return {arg.substr(0, comma), arg.substr(comma + 1)};
}

class Socket
{
public:
	explicit Socket(int fd) : fd_(fd)
	{
	}
	Socket(const Socket &) = delete;
	Socket(Socket &&other) noexcept : fd_(std::exchange(other.fd_, -1))
	{
	}
	~Socket()
	{
		if (fd_ >= 0)
			close(fd_);
	}
	int fd() const
	{
		return fd_;
	}

private:
	int fd_;
};

// A socket belongs for ever to the namespace in which it was made
Socket make_socket(const std::string &space, int domain, int type, int protocol)
{
	const Socket home(open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
	if (space != "-") {
		const Socket there(open(("/run/netns/" + space).c_str(), O_RDONLY | O_CLOEXEC));
		if (there.fd() < 0 || setns(there.fd(), CLONE_NEWNET))
			fail_errno("namespace " + space);
	}
	const int fd = socket(domain, type | SOCK_CLOEXEC, protocol);
	const int error = errno;
	if (space != "-" && setns(home.fd(), CLONE_NEWNET))
		fail_errno("back from namespace " + space);
	errno = error;
	if (fd < 0)
		fail_errno("socket");
	return Socket(fd);
}

struct Address {
	sockaddr_storage storage = {};
	socklen_t size = 0;

	sockaddr *get()
	{
		return reinterpret_cast<sockaddr *>(&storage);
	}
};

Address parse_address(const std::string &text, std::uint16_t port)
{
	Address address;
	auto *v4 = reinterpret_cast<sockaddr_in *>(&address.storage);
	auto *v6 = reinterpret_cast<sockaddr_in6 *>(&address.storage);
	if (inet_pton(AF_INET, text.c_str(), &v4->sin_addr) == 1) {
		v4->sin_family = AF_INET;
		v4->sin_port = htons(port);
		address.size = sizeof(*v4);
	} else if (inet_pton(AF_INET6, text.c_str(), &v6->sin6_addr) == 1) {
		v6->sin6_family = AF_INET6;
		v6->sin6_port = htons(port);
		address.size = sizeof(*v6);
	} else {
		fail("'" + text + "' is no address");
	}
	return address;
}

std::uint64_t mix(std::uint64_t value)
{
	value += 0x9e3779b97f4a7c15;
	value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
	value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
	return value ^ (value >> 31);
}

// The bytes from a position on, which is a multiple of 8
void fill(std::uint8_t *to, std::size_t bytes, std::uint64_t seed, std::uint64_t position)
{
	for (std::size_t done = 0; done < bytes; done += 8) {
		const std::uint64_t word = mix(seed * 0x100000001b3 + (position + done) / 8);
		std::memcpy(to + done, &word, std::min<std::size_t>(8, bytes - done));
	}
}

bool readable(int fd, std::uint64_t timeout_ms)
{
	pollfd wait = {.fd = fd, .events = POLLIN, .revents = 0};
	int ready = 0;
	do
		ready = poll(&wait, 1, static_cast<int>(timeout_ms));
	while (ready < 0 && errno == EINTR);
	return ready > 0;
}

void set_buffers(int fd, int bytes)
{
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes));
	setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &bytes, sizeof(bytes));
}

// ------------------------------------------------------------------------ UDP

// Two sockets that are connected to each other
struct UdpPair {
	UdpPair(const End &a, const End &b)
		: from(make_socket(a.space, parse_address(a.name, 0).storage.ss_family, SOCK_DGRAM,
				   0)),
		  to(make_socket(b.space, parse_address(b.name, 0).storage.ss_family, SOCK_DGRAM,
				 0))
	{
		Address here = parse_address(a.name, port_number),
			there = parse_address(b.name, port_number);
		for (const Socket *socket : {&from, &to})
			set_buffers(socket->fd(), 4 << 20);
		if (bind(from.fd(), here.get(), here.size) ||
		    bind(to.fd(), there.get(), there.size))
			fail_errno("bind");
		if (connect(from.fd(), there.get(), there.size) ||
		    connect(to.fd(), here.get(), here.size))
			fail_errno("connect");
	}

	Socket from, to;
};

// One datagram from one socket to the other. False: it did not come.
bool pass_datagram(int from, int to, std::size_t size, std::uint64_t seed, std::uint64_t timeout_ms)
{
	static std::vector<std::uint8_t> sent(1 << 16), got(1 << 16);

	fill(sent.data(), size, seed, 0);
	if (send(from, sent.data(), size, 0) != static_cast<ssize_t>(size))
		fail_errno("send of " + std::to_string(size) + " bytes");
	if (!readable(to, timeout_ms))
		return false;
	const ssize_t bytes = recv(to, got.data(), got.size(), 0);
	if (bytes < 0)
		fail_errno("receive");
	if (bytes != static_cast<ssize_t>(size))
		fail("sent " + std::to_string(size) + " bytes and got " + std::to_string(bytes));
	if (std::memcmp(sent.data(), got.data(), size) != 0)
		fail("a datagram of " + std::to_string(size) + " bytes has other content");
	return true;
}

void run_sizes(const End &a, const End &b, const Options &options)
{
	const std::uint64_t to = options.number("to"), step = options.number("step");
	UdpPair pair(a, b);
	std::uint64_t datagrams = 0;

	for (std::uint64_t size = options.number("from"); size <= to; size += step) {
		if (!pass_datagram(pair.from.fd(), pair.to.fd(), size, datagrams++, 5000))
			fail("a datagram of " + std::to_string(size) + " bytes was lost");
		if (!pass_datagram(pair.to.fd(), pair.from.fd(), size, datagrams++, 5000))
			fail("a datagram of " + std::to_string(size) +
			     " bytes was lost on its way back");
	}
	std::printf("datagrams %llu\n", static_cast<unsigned long long>(datagrams));
}

void pause_for(std::chrono::microseconds gap)
{
	// A sleep is longer than it was meant to be: short gaps are spun
	if (gap > std::chrono::microseconds(200)) {
		std::this_thread::sleep_for(gap);
		return;
	}
	const auto end = Clock::now() + gap;
	while (Clock::now() < end)
		;
}

void run_rr(const End &a, const End &b, const Options &options)
{
	const std::uint64_t rounds = options.number("rounds"), size = options.number("size");
	const std::uint64_t gap = options.number("gap_us"), timeout = options.number("timeout_ms");
	UdpPair pair(a, b);
	std::minstd_rand random(rounds);
	std::chrono::microseconds worst(0), sum(0);

	for (std::uint64_t round = 0; round < rounds; round++) {
		pause_for(std::chrono::microseconds(gap ? random() % (gap + 1) : 0));
		const auto start = Clock::now();
		if (!pass_datagram(pair.from.fd(), pair.to.fd(), size, 2 * round, timeout))
			fail("round " + std::to_string(round) + ": no request came");
		if (!pass_datagram(pair.to.fd(), pair.from.fd(), size, 2 * round + 1, timeout))
			fail("round " + std::to_string(round) + ": no answer came");
		const auto took =
			std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
		worst = std::max(worst, took);
		sum += took;
	}
	std::printf(
		"rounds %llu\nmean_us %lld\nworst_us %lld\n",
		static_cast<unsigned long long>(rounds),
		static_cast<long long>(rounds ? sum.count() / static_cast<long long>(rounds) : 0),
		static_cast<long long>(worst.count()));
}

// ------------------------------------------------------------------------ TCP

constexpr std::size_t chunk_size = 1 << 16;

struct StreamPlan {
	std::uint64_t bytes;
	std::uint64_t seconds;
};

std::atomic<bool> stop_asked = false;

// The second one kills
void ask_stop()
{
	struct sigaction action = {};
	action.sa_handler = [](int) {
		stop_asked = true;
	};
	action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
	sigaction(SIGTERM, &action, nullptr);
}

// The first error of any thread; the others give up when there is one
class Trouble
{
public:
	void report(const std::string &what)
	{
		if (!set_.exchange(true))
			what_ = what;
	}
	bool any() const
	{
		return set_;
	}
	const std::string &what() const
	{
		return what_;
	}

private:
	std::atomic<bool> set_ = false;
	std::string what_;
};

void send_stream(int fd, std::uint64_t seed, const StreamPlan &plan, std::uint64_t &total)
{
	std::vector<std::uint8_t> chunk(chunk_size);
	const auto end = Clock::now() + std::chrono::seconds(plan.seconds);

	for (total = 0; plan.seconds ? Clock::now() < end : total < plan.bytes;) {
		if (stop_asked)
			break;
		const std::size_t size =
			plan.seconds ? chunk_size
				     : std::min<std::uint64_t>(chunk_size, plan.bytes - total);
		fill(chunk.data(), size, seed, total);
		for (std::size_t done = 0; done < size;) {
			const ssize_t sent =
				send(fd, chunk.data() + done, size - done, MSG_NOSIGNAL);
			if (sent < 0)
				fail_errno("send after " + std::to_string(total) + " bytes");
			done += static_cast<std::size_t>(sent);
		}
		total += size;
	}
	shutdown(fd, SHUT_WR);
}

void receive_stream(int fd, std::uint64_t seed, std::uint64_t &total)
{
	std::vector<std::uint8_t> got(chunk_size), want(chunk_size);

	for (total = 0;;) {
		// Filled up to a multiple of 8, so that the content can be made anew
		std::size_t bytes = 0;
		ssize_t part = 0;
		do {
			part = recv(fd, got.data() + bytes, chunk_size - bytes, 0);
			if (part < 0)
				fail_errno("receive after " + std::to_string(total) + " bytes");
			bytes += static_cast<std::size_t>(part);
		} while (part && bytes % 8);
		if (!bytes)
			return;
		fill(want.data(), bytes, seed, total);
		if (std::memcmp(got.data(), want.data(), bytes) != 0)
			fail("other content after " + std::to_string(total) + " bytes");
		total += bytes;
	}
}

void run_stream(const End &a, const End &b, const Options &options)
{
	const StreamPlan plan = {options.number("bytes"), options.number("seconds")};
	const std::uint64_t streams = options.number("streams");
	const bool there = options.text("way") != "back", back = options.text("way") != "there";
	Address address = parse_address(b.name, port_number);
	const Socket listener = make_socket(b.space, address.storage.ss_family, SOCK_STREAM, 0);
	const timeval limit = {.tv_sec = 30, .tv_usec = 0};
	std::vector<Socket> sockets;
	std::vector<std::thread> threads;
	std::vector<std::uint64_t> totals(4 * streams);
	Trouble trouble;
	int one = 1;

	ask_stop();
	setsockopt(listener.fd(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(listener.fd(), address.get(), address.size) || listen(listener.fd(), 64))
		fail_errno("listen");
	for (std::uint64_t i = 0; i < streams; i++) {
		sockets.push_back(make_socket(a.space, address.storage.ss_family, SOCK_STREAM, 0));
		const int fd = sockets.back().fd();
		setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
		if (connect(fd, address.get(), address.size))
			fail_errno("connect");
		sockets.emplace_back(accept4(listener.fd(), nullptr, nullptr, SOCK_CLOEXEC));
	}
	for (const Socket &socket : sockets) {
		setsockopt(socket.fd(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
		setsockopt(socket.fd(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	}

	const auto guarded = [&](auto work) {
		threads.emplace_back([&trouble, &sockets, work] {
			try {
				work();
			} catch (const std::exception &error) {
				trouble.report(error.what());
				for (const Socket &socket : sockets)
					shutdown(socket.fd(), SHUT_RDWR);
			}
		});
	};
	for (std::uint64_t i = 0; i < 2 * streams; i++) {
		const int mine = sockets[i].fd(), other = sockets[i ^ 1].fd();
		const bool sends = i % 2 ? back : there;
		const StreamPlan share = sends ? plan : StreamPlan{0, 0};
		guarded([=, &totals] { send_stream(mine, i, share, totals[2 * i]); });
		guarded([=, &totals] { receive_stream(other, i, totals[2 * i + 1]); });
	}
	for (std::thread &thread : threads)
		thread.join();
	if (trouble.any())
		fail(trouble.what());

	std::uint64_t bytes = 0, retransmitted = 0;
	for (std::uint64_t i = 0; i < 2 * streams; i++) {
		tcp_info info = {};
		socklen_t size = sizeof(info);

		if (totals[2 * i] != totals[2 * i + 1])
			fail("sent " + std::to_string(totals[2 * i]) + " bytes and got " +
			     std::to_string(totals[2 * i + 1]));
		bytes += totals[2 * i];
		if (!getsockopt(sockets[i].fd(), IPPROTO_TCP, TCP_INFO, &info, &size))
			retransmitted += info.tcpi_total_retrans;
	}
	std::printf("bytes %llu\nretransmitted %llu\n", static_cast<unsigned long long>(bytes),
		    static_cast<unsigned long long>(retransmitted));
}

// ------------------------------------------------------------- Ethernet frames

struct PacketSocket {
	explicit PacketSocket(const End &end)
		: socket(make_socket(end.space, AF_PACKET, SOCK_RAW, htons(frame_type)))
	{
		ifreq request = {};
		sockaddr_ll address = {};

		set_buffers(socket.fd(), 16 << 20);
		std::strncpy(request.ifr_name, end.name.c_str(), IFNAMSIZ - 1);
		if (ioctl(socket.fd(), SIOCGIFINDEX, &request))
			fail_errno("device " + end.name);
		address.sll_family = AF_PACKET;
		address.sll_protocol = htons(frame_type);
		address.sll_ifindex = request.ifr_ifindex;
		if (bind(socket.fd(), reinterpret_cast<sockaddr *>(&address), sizeof(address)))
			fail_errno("bind to " + end.name);
		// Straight to the driver: a queueing discipline may drop as it likes
		const int one = 1;
		if (setsockopt(socket.fd(), SOL_PACKET, PACKET_QDISC_BYPASS, &one, sizeof(one)))
			fail_errno("PACKET_QDISC_BYPASS");
		if (ioctl(socket.fd(), SIOCGIFHWADDR, &request))
			fail_errno("address of " + end.name);
		std::memcpy(mac, request.ifr_hwaddr.sa_data, ETH_ALEN);
	}

	Socket socket;
	std::uint8_t mac[ETH_ALEN];
};

std::vector<std::uint8_t> make_frame(const PacketSocket &from, const PacketSocket &to,
				     std::size_t size, std::uint64_t seed)
{
	std::vector<std::uint8_t> frame(std::max<std::size_t>(size, ETH_HLEN));
	const std::uint16_t type = htons(frame_type);

	std::memcpy(frame.data(), to.mac, ETH_ALEN);
	std::memcpy(frame.data() + ETH_ALEN, from.mac, ETH_ALEN);
	std::memcpy(frame.data() + 2UL * ETH_ALEN, &type, sizeof(type));
	fill(frame.data() + ETH_HLEN, frame.size() - ETH_HLEN, seed, 0);
	return frame;
}

void send_frame(const PacketSocket &from, const std::vector<std::uint8_t> &frame)
{
	const auto end = Clock::now() + std::chrono::seconds(5);

	// ENOBUFS: the queue is stopped
	while (send(from.socket.fd(), frame.data(), frame.size(), 0) < 0) {
		if (errno != ENOBUFS || Clock::now() > end)
			fail_errno("send of a frame of " + std::to_string(frame.size()) + " bytes");
		std::this_thread::sleep_for(std::chrono::microseconds(100));
	}
}

// The next frame that came in; those that this device sent are seen as well
std::vector<std::uint8_t> receive_frame(const PacketSocket &to, std::uint64_t timeout_ms)
{
	std::vector<std::uint8_t> frame(1 << 16);
	sockaddr_ll address = {};

	for (;;) {
		socklen_t size = sizeof(address);
		if (!readable(to.socket.fd(), timeout_ms))
			return {};
		const ssize_t bytes = recvfrom(to.socket.fd(), frame.data(), frame.size(), 0,
					       reinterpret_cast<sockaddr *>(&address), &size);
		if (bytes < 0)
			fail_errno("receive");
		if (address.sll_pkttype == PACKET_OUTGOING)
			continue;
		frame.resize(static_cast<std::size_t>(bytes));
		return frame;
	}
}

bool same_start(const std::vector<std::uint8_t> &sent, const std::vector<std::uint8_t> &got)
{
	return got.size() >= sent.size() && std::equal(sent.begin(), sent.end(), got.begin());
}

void check_frame(const std::vector<std::uint8_t> &sent, const std::vector<std::uint8_t> &got)
{
	const std::string name = "a frame of " + std::to_string(sent.size()) + " bytes";

	if (got.empty())
		fail(name + " was lost");
	if (got.size() != std::max(sent.size(), frame_min))
		fail(name + " came with " + std::to_string(got.size()));
	if (!same_start(sent, got))
		fail(name + " has other content");
	if (!std::all_of(got.begin() + static_cast<std::ptrdiff_t>(sent.size()), got.end(),
			 [](std::uint8_t byte) { return byte == 0; }))
		fail(name + " was padded with something else than zeros");
}

// Another frame came than the one that was due: is that late, or lost?
void check_order(const PacketSocket &to, const std::vector<std::uint8_t> &due,
		 const std::vector<std::uint8_t> &got)
{
	const std::string name = "a frame of " + std::to_string(due.size()) + " bytes";

	for (int others = 1;; others++) {
		const auto next = receive_frame(to, 300);
		if (next.empty())
			fail(name + " was lost or has other content; one of " +
			     std::to_string(got.size()) + " came instead");
		if (same_start(due, next))
			fail(name + " came after " + std::to_string(others) + " later ones");
	}
}

// A device's queues are chosen by CPU, and only one queue keeps an order
void stay_on_this_cpu()
{
	cpu_set_t cpus;
	CPU_ZERO(&cpus);
	CPU_SET(sched_getcpu(), &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
}

void run_frames(const End &a, const End &b, const Options &options)
{
	const std::uint64_t first = options.number("from"), last = options.number("to");
	const std::uint64_t step = options.number("step"), count = options.number("count");
	const std::uint64_t burst = options.number("burst"), timeout = options.number("timeout_ms");
	PacketSocket from(a), to(b);
	std::vector<std::vector<std::uint8_t>> waiting;
	std::uint64_t frames = 0, bytes = 0;

	stay_on_this_cpu();
	const auto collect = [&] {
		for (const auto &frame : waiting) {
			const auto got = receive_frame(to, timeout);
			if (!got.empty() && !same_start(frame, got))
				check_order(to, frame, got);
			check_frame(frame, got);
		}
		waiting.clear();
	};
	for (std::uint64_t size = first; size <= last; size += step) {
		for (std::uint64_t i = 0; i < count; i++) {
			waiting.push_back(make_frame(from, to, size, frames++));
			bytes += std::max<std::uint64_t>(size, frame_min);
			send_frame(from, waiting.back());
			if (waiting.size() == burst)
				collect();
		}
	}
	collect();
	std::printf("frames %llu\nbytes %llu\n", static_cast<unsigned long long>(frames),
		    static_cast<unsigned long long>(bytes));
}

void run_blast(const End &a, const End &b, const Options &options)
{
	const std::uint64_t count = options.number("count");
	PacketSocket from(a), to(b);
	std::uint64_t sent = 0;

	const auto frame = make_frame(from, to, options.number("size"), 1);
	ask_stop();
	for (std::uint64_t i = 0; i < count && !stop_asked; i++) {
		if (send(from.socket.fd(), frame.data(), frame.size(), 0) > 0)
			sent++;
		else if (errno == ENETDOWN || errno == ENXIO)
			std::this_thread::sleep_for(std::chrono::milliseconds(1));
		else if (errno != ENOBUFS)
			fail_errno("send");
	}
	std::printf("sent %llu\n", static_cast<unsigned long long>(sent));
}

struct Command {
	void (*run)(const End &a, const End &b, const Options &options);
	std::map<std::string, std::string> defaults;
};

const std::map<std::string, Command> &commands()
{
	static const std::map<std::string, Command> all = {
		{"sizes", {run_sizes, {{"from", "0"}, {"to", "1472"}, {"step", "1"}}}},
		{"rr",
		 {run_rr,
		  {{"rounds", "1000"}, {"gap_us", "200"}, {"size", "64"}, {"timeout_ms", "3000"}}}},
		{"stream",
		 {run_stream,
		  {{"streams", "1"}, {"bytes", "1048576"}, {"seconds", "0"}, {"way", "both"}}}},
		{"frames",
		 {run_frames,
		  {{"from", "14"},
		   {"to", "1514"},
		   {"step", "1"},
		   {"count", "1"},
		   {"burst", "16"},
		   {"timeout_ms", "3000"}}}},
		{"blast", {run_blast, {{"count", "1000"}, {"size", "1514"}}}},
	};
	return all;
}

} // namespace

int main(int argc, char **argv)
{
	if (argc == 2 && std::string(argv[1]) == "--help") {
		std::fputs(usage_text, stdout);
		return 0;
	}
	try {
		if (argc < 4 || !commands().count(argv[1])) {
			std::fputs(usage_text, stderr);
			return 1;
		}
		const Command &command = commands().at(argv[1]);
		command.run(parse_end(argv[2]), parse_end(argv[3]),
			    Options(argc, argv, command.defaults));
	} catch (const std::exception &error) {
		std::fprintf(stderr, "wire %s: %s\n", argv[1], error.what());
		return 1;
	}
	return 0;
}
