// SPDX-License-Identifier: GPL-2.0
/*
 * libccnic between processes that are killed in the middle of their traffic.
 */
#include "fixture.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace
{

using Clock = std::chrono::steady_clock;

/* Fewer where a sanitizer makes a start slow. */
constexpr int lives = test_packets > 5000000 ? 20 : 6;
constexpr auto patience = std::chrono::seconds(20);

/* A process that runs a function for ever, until it is killed. */
class Child
{
public:
	explicit Child(const std::function<void()> &run)
	{
		pid_ = fork();
		if (pid_ == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			try {
				run();
			} catch (const std::exception &error) {
				(void)!write(STDERR_FILENO, error.what(), strlen(error.what()));
			}
			_exit(1);
		}
	}
	~Child()
	{
		kill_now();
	}
	Child(const Child &) = delete;
	Child &operator=(const Child &) = delete;
	Child(Child &&) = delete;
	Child &operator=(Child &&) = delete;

	void kill_now()
	{
		if (pid_ <= 0)
			return;
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
		pid_ = -1;
	}

private:
	pid_t pid_ = -1;
};

/* A file for a region, gone afterwards. */
class RegionPath
{
public:
	RegionPath() : path_("/dev/shm/ccnic-test-" + std::to_string(getpid()))
	{
		std::filesystem::remove(path_);
	}
	~RegionPath()
	{
		std::filesystem::remove(path_);
	}
	RegionPath(const RegionPath &) = delete;
	RegionPath &operator=(const RegionPath &) = delete;
	RegionPath(RegionPath &&) = delete;
	RegionPath &operator=(RegionPath &&) = delete;
	const char *get() const
	{
		return path_.c_str();
	}
	int open_file() const
	{
		return open(get(), O_RDWR | O_CLOEXEC);
	}

private:
	std::string path_;
};

/* Sends, receives, keeps some of what came for a while. */
class Traffic
{
public:
	explicit Traffic(QueueRef queue) : queue_(queue)
	{
	}
	/* Return: packets received */
	uint64_t step()
	{
		const uint32_t bytes = number_ % 2 == 0 ? 60 : 4000;
		const int count = make_packet(queue_, bytes, bytes, bufs_);
		uint64_t packets = 0;

		number_++;
		if (count > 0) {
			const auto packet = std::span(bufs_).first(static_cast<size_t>(count));

			if (queue_.send(packet) == 0)
				queue_.free(packet);
		}
		auto got = queue_.receive(bufs_);
		while (!got.empty()) {
			const auto one = got.first(first_packet(got));
			uint32_t length = 0;

			for (const ccnic_buf &buf : one)
				length += buf.len;
			EXPECT_TRUE(is_packet(one, length, length));
			kept_.insert(kept_.end(), one.begin(), one.end());
			packets++;
			got = got.subspan(one.size());
		}
		if (kept_.size() > 40) {
			EXPECT_EQ(queue_.free(kept_), 0);
			kept_.clear();
		}
		return packets;
	}
	/* Return: did so many packets come? */
	bool until(uint64_t wanted)
	{
		const auto end = Clock::now() + patience;
		Backoff backoff;

		for (uint64_t got = 0; got < wanted;) {
			const uint64_t now = step();

			got += now;
			if (now == 0)
				backoff.wait();
			if (Clock::now() > end)
				return false;
		}
		return true;
	}

private:
	QueueRef queue_;
	Bufs bufs_{};
	std::vector<ccnic_buf> kept_;
	uint64_t number_ = 0;
};

[[noreturn]] void be_nic(const RegionPath &path)
{
	Nic nic(nic_options(), {path.open_file()});
	Backoff backoff;

	for (;;)
		if (nic.poll() == 0)
			backoff.wait();
}

} // namespace

TEST(LibraryProcessThreads, HostWorksOnAfterEachDeathOfTheNic)
{
	const RegionPath path;
	Region region = Region::create(small_options(), path.get());
	Traffic traffic(region.queue(0));
	Random random(7);

	for (int life = 0; life < lives; life++) {
		Child nic([&] { be_nic(path); });

		ASSERT_TRUE(traffic.until(1 + random.below(3000))) << "life " << life;
		nic.kill_now();
		const auto end = Clock::now() + patience;
		while (region.link() && Clock::now() < end)
			traffic.step();
		EXPECT_FALSE(region.link()) << "the death was not noticed";
	}
	EXPECT_GE(region.info().generation, static_cast<uint32_t>(lives));
}

TEST(LibraryProcessThreads, NicWorksOnAfterEachDeathOfTheHost)
{
	const RegionPath path;
	Random random(8);

	Region::create(small_options(), path.get());
	Nic nic(nic_options(), {path.open_file()});
	Backoff backoff;
	for (int life = 0; life < lives; life++) {
		const uint64_t before = nic.stats().rx_packets;
		const uint64_t wanted = 1 + random.below(3000);
		const auto end = Clock::now() + patience;
		Child host([&] {
			Region region = Region::open(small_options(), path.get());
			Traffic traffic(region.queue(0));

			for (;;)
				traffic.step();
		});

		while (nic.stats().rx_packets < before + wanted && Clock::now() < end)
			if (nic.poll() == 0)
				backoff.wait();
		EXPECT_GE(nic.stats().rx_packets, before + wanted) << "life " << life;
		host.kill_now();
		while (nic.link() && Clock::now() < end)
			nic.poll();
		EXPECT_FALSE(nic.link()) << "the death was not noticed";
		EXPECT_EQ(nic.stats().drop_bad, 0U);
	}
}

TEST(LibraryProcessThreads, PairOutlivesOneOfItsHosts)
{
	const RegionPath path;
	Region left = Region::create(small_options());
	Region::create(small_options(), path.get());
	const int right = path.open_file();
	Random random(9);

	Child nic([&] {
		Nic both(nic_options(CCNIC_WIRE_PAIR), {left.fd(), right});
		Backoff backoff;

		for (;;)
			if (both.poll() == 0)
				backoff.wait();
	});
	close(right);
	Traffic traffic(left.queue(0));
	for (int life = 0; life < lives / 2; life++) {
		Child host([&] {
			Region region = Region::open(small_options(), path.get());
			Traffic peer(region.queue(0));

			for (;;)
				peer.step();
		});

		ASSERT_TRUE(traffic.until(1 + random.below(2000))) << "life " << life;
	}
}

TEST(LibraryProcessThreads, DaemonServesAPassedDescriptor)
{
	const RegionPath path;
	Region region = Region::create(small_options(), path.get());
	const int fd = open(path.get(), O_RDWR); /* inherited */
	const pid_t pid = fork();

	ASSERT_GE(fd, 0);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execl(CCNIC_NICD, "ccnic-nicd", "--fd", std::to_string(fd).c_str(), "--cpu", "0",
		      "--sleep", nullptr);
		_exit(127);
	}
	close(fd);
	EXPECT_TRUE(region.link(10000));
	Traffic traffic(region.queue(0));
	EXPECT_TRUE(traffic.until(1000));
	int status = 0;
	kill(pid, SIGTERM);
	ASSERT_EQ(waitpid(pid, &status, 0), pid);
	EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	EXPECT_FALSE(region.link(0));
}
