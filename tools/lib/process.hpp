// SPDX-License-Identifier: GPL-2.0
/** @file
 * Child processes: run one and collect what it prints, or keep one running.
 */
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace tools
{

/** A program and its arguments, looked up in PATH; no shell is involved. */
using Command = std::vector<std::string>;

/** @return the command as a user would type it, quoted where it must be */
std::string quoted(const Command &command);

/** What became of a child process. */
struct ProcessResult {
	/** Exit status; 128 + N after signal N; 127 if it could not be started. */
	int status = 0;
	/** Killed because its time was over. */
	bool timed_out = false;
	/** Its standard output. */
	std::string output;
	/** Its standard error. */
	std::string errors;

	/** @return true after exit status 0 within its time */
	bool ok() const
	{
		return status == 0 && !timed_out;
	}
	/** @return one line that says what went wrong, for a message */
	std::string reason() const;
};

/**
 * A running child process. It is killed and waited for when this goes away,
 * and by the kernel if this process dies first.
 */
class Process
{
public:
	/**
	 * Starts the child. Its standard input is empty.
	 * @throws std::system_error if there is no pipe or no process to be had
	 */
	explicit Process(const Command &command);
	~Process();
	Process(const Process &) = delete;
	Process &operator=(const Process &) = delete;
	Process(Process &&) = delete;
	Process &operator=(Process &&) = delete;

	/**
	 * Waits until the child's standard output contains a text.
	 * @return false if it ended, or the time was over, before that
	 */
	bool wait_for_output(std::string_view text, std::chrono::milliseconds timeout);

	/** Waits for the end; kills the child when the time is over. */
	ProcessResult wait(std::chrono::milliseconds timeout);

	/** Kills the child and waits for it. */
	ProcessResult stop();

private:
	using Clock = std::chrono::steady_clock;

	void read_some(Clock::time_point deadline);
	bool drained() const;
	bool collect(int options);
	bool ended();
	void reap();

	pid_t pid_ = -1;
	int output_fd_ = -1;
	int errors_fd_ = -1;
	ProcessResult result_;
};

/** Runs a command to its end; see Process. */
ProcessResult run(const Command &command,
		  std::chrono::milliseconds timeout = std::chrono::seconds(10));

/**
 * Calls a condition until it holds.
 * @param period how often it is looked at
 * @return false if it did not hold within the time
 */
template <typename Condition>
bool await(Condition condition, std::chrono::nanoseconds timeout,
	   std::chrono::milliseconds period = std::chrono::milliseconds(10));

/** Pauses the calling thread; the period of await(). */
void pause_for(std::chrono::milliseconds period);

template <typename Condition>
bool await(Condition condition, std::chrono::nanoseconds timeout, std::chrono::milliseconds period)
{
	const auto deadline = std::chrono::steady_clock::now() + timeout;

	while (!condition()) {
		if (std::chrono::steady_clock::now() >= deadline)
			return false;
		pause_for(period);
	}
	return true;
}

} // namespace tools
