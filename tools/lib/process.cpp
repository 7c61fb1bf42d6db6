// SPDX-License-Identifier: GPL-2.0
#include "process.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace tools
{
namespace
{

constexpr int status_not_started = 127;
constexpr int status_signal = 128;

struct Pipe {
	int read = -1;
	int write = -1;

	Pipe()
	{
		std::array<int, 2> ends{};

		if (pipe2(ends.data(), O_CLOEXEC) != 0)
			throw std::system_error(errno, std::generic_category(), "pipe");
		read = ends[0];
		write = ends[1];
	}
	~Pipe()
	{
		if (read >= 0)
			close(read);
		if (write >= 0)
			close(write);
	}
	Pipe(const Pipe &) = delete;
	Pipe &operator=(const Pipe &) = delete;
	Pipe(Pipe &&) = delete;
	Pipe &operator=(Pipe &&) = delete;

	int take_read()
	{
		return std::exchange(read, -1);
	}
};

/* Between fork and exec: async-signal-safe calls only. */
[[noreturn]] void become(char *const *argv, int out, int err, pid_t parent)
{
	const int none = open("/dev/null", O_RDONLY | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(status_not_started);
	dup2(none, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	execvp(argv[0], argv);

	const char *why = errno == ENOENT ? "is not installed" : "cannot be started";
	(void)!write(STDERR_FILENO, argv[0], std::strlen(argv[0]));
	(void)!write(STDERR_FILENO, " ", 1);
	(void)!write(STDERR_FILENO, why, std::strlen(why));
	_exit(status_not_started);
}

void read_once(int &fd, std::string &into)
{
	std::array<char, 65536> buffer{};
	const ssize_t got = read(fd, buffer.data(), buffer.size());

	if (got > 0) {
		into.append(buffer.data(), static_cast<size_t>(got));
	} else if (got == 0 || errno != EINTR) {
		close(fd);
		fd = -1;
	}
}

std::string last_line(std::string_view text)
{
	while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
		text.remove_suffix(1);

	const size_t end = text.rfind('\n');
	return std::string(end == std::string_view::npos ? text : text.substr(end + 1));
}

} // namespace

std::string quoted(const Command &command)
{
	std::string line;

	for (const std::string &word : command) {
		const bool plain =
			!word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
				return std::isalnum(c) != 0 ||
				       std::strchr("-_./:=,+@%", c) != nullptr;
			});

		if (!line.empty())
			line += ' ';
		if (plain) {
			line += word;
			continue;
		}
		line += '\'';
		for (const char c : word) {
			if (c == '\'')
				line += "'\\''";
			else
				line += c;
		}
		line += '\'';
	}
	return line;
}

std::string ProcessResult::reason() const
{
	if (timed_out)
		return "it did not end within its time";
	std::string line = last_line(errors);
	if (line.empty())
		line = last_line(output);
	if (line.empty())
		line = fmt::format("exit status {}", status);
	return line;
}

Process::Process(const Command &command)
{
	Pipe out;
	Pipe err;
	std::vector<std::string> words = command;
	std::vector<char *> argv;

	argv.reserve(words.size() + 1);
	for (std::string &word : words)
		argv.push_back(word.data());
	argv.push_back(nullptr);

	const pid_t parent = getpid();
	pid_ = fork();
	if (pid_ < 0)
		throw std::system_error(errno, std::generic_category(), "fork");
	if (pid_ == 0)
		become(argv.data(), out.write, err.write, parent);
	output_fd_ = out.take_read();
	errors_fd_ = err.take_read();
}

Process::~Process()
{
	stop();
	if (output_fd_ >= 0)
		close(output_fd_);
	if (errors_fd_ >= 0)
		close(errors_fd_);
}

bool Process::drained() const
{
	return output_fd_ < 0 && errors_fd_ < 0;
}

void Process::read_some(Clock::time_point deadline)
{
	const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
	std::array<pollfd, 2> fds = {{{output_fd_, POLLIN, 0}, {errors_fd_, POLLIN, 0}}};
	const int timeout = static_cast<int>(std::clamp<int64_t>(left.count(), 0, 60'000));

	if (poll(fds.data(), fds.size(), timeout) <= 0)
		return;
	if (fds[0].revents != 0)
		read_once(output_fd_, result_.output);
	if (fds[1].revents != 0)
		read_once(errors_fd_, result_.errors);
}

bool Process::wait_for_output(std::string_view text, std::chrono::milliseconds timeout)
{
	const auto deadline = Clock::now() + timeout;

	while (result_.output.find(text) == std::string::npos) {
		if (drained() || Clock::now() >= deadline)
			return false;
		read_some(deadline);
	}
	return true;
}

bool Process::collect(int options)
{
	int status = 0;
	pid_t got = 0;

	if (pid_ < 0)
		return true;
	do
		got = waitpid(pid_, &status, options);
	while (got < 0 && errno == EINTR);
	if (got == 0)
		return false;
	pid_ = -1;
	result_.status =
		WIFSIGNALED(status) ? status_signal + WTERMSIG(status) : WEXITSTATUS(status);
	return true;
}

bool Process::ended()
{
	return collect(WNOHANG);
}

void Process::reap()
{
	collect(0);
}

ProcessResult Process::wait(std::chrono::milliseconds timeout)
{
	const auto deadline = Clock::now() + timeout;

	while (!drained() && Clock::now() < deadline)
		read_some(deadline);
	/* It may have closed its output and go on. */
	if (!drained() || !await([this] { return ended(); }, deadline - Clock::now())) {
		result_.timed_out = true;
		kill(pid_, SIGKILL);
		reap();
	}
	return result_;
}

ProcessResult Process::stop()
{
	if (pid_ > 0)
		kill(pid_, SIGKILL);
	reap();
	return result_;
}

ProcessResult run(const Command &command, std::chrono::milliseconds timeout)
{
	return Process(command).wait(timeout);
}

void pause_for(std::chrono::milliseconds period)
{
	std::this_thread::sleep_for(period);
}

} // namespace tools
