// SPDX-License-Identifier: GPL-2.0
#include "process.hpp"

#include <csignal>
#include <gtest/gtest.h>

using namespace std::chrono_literals;
using tools::Process;
using tools::run;

namespace
{

tools::Command shell(const char *script)
{
	return {"sh", "-c", script};
}

bool alive(pid_t pid)
{
	return kill(pid, 0) == 0;
}

} // namespace

TEST(Process, CollectsOutputErrorsAndStatus)
{
	const auto result = run(shell("echo out; echo err >&2; exit 3"));

	EXPECT_EQ(result.output, "out\n");
	EXPECT_EQ(result.errors, "err\n");
	EXPECT_EQ(result.status, 3);
	EXPECT_FALSE(result.ok());
	EXPECT_EQ(result.reason(), "err");
}

TEST(Process, SuccessIsSuccess)
{
	const auto result = run({"true"});

	EXPECT_TRUE(result.ok());
	EXPECT_EQ(result.output, "");
}

TEST(Process, NoShellIsInvolved)
{
	EXPECT_EQ(run({"printf", "%s", "$HOME; *"}).output, "$HOME; *");
}

TEST(Process, StandardInputIsEmpty)
{
	EXPECT_EQ(run({"cat"}).output, "");
}

TEST(Process, ProgramThatIsNotThereIsNamed)
{
	const auto result = run({"no-such-program-here"});

	EXPECT_EQ(result.status, 127);
	EXPECT_EQ(result.reason(), "no-such-program-here is not installed");
}

TEST(Process, SignalShowsInTheStatus)
{
	EXPECT_EQ(run(shell("kill -TERM $$")).status, 128 + SIGTERM);
}

TEST(Process, LongOutputOnBothSidesDoesNotBlock)
{
	const auto result =
		run(shell("head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2"), 30s);

	EXPECT_TRUE(result.ok());
	EXPECT_EQ(result.output.size(), 1000000U);
	EXPECT_EQ(result.errors.size(), 1000000U);
}

TEST(Process, IsKilledWhenItsTimeIsOver)
{
	const auto start = std::chrono::steady_clock::now();
	const auto result = run({"sleep", "100"}, 100ms);

	EXPECT_TRUE(result.timed_out);
	EXPECT_FALSE(result.ok());
	EXPECT_EQ(result.reason(), "it did not end within its time");
	EXPECT_LT(std::chrono::steady_clock::now() - start, 50s);
}

TEST(Process, IsKilledWhenItClosesItsOutputAndGoesOn)
{
	EXPECT_TRUE(run(shell("exec >&- 2>&-; exec sleep 100"), 100ms).timed_out);
}

TEST(Process, WaitsForOutput)
{
	Process process(shell("echo listening; exec sleep 100"));

	EXPECT_TRUE(process.wait_for_output("listening", 30s));
	EXPECT_EQ(process.stop().status, 128 + SIGKILL);
}

TEST(Process, WaitsForOutputInVain)
{
	Process ended(shell("echo something else"));
	Process silent({"sleep", "100"});

	EXPECT_FALSE(ended.wait_for_output("listening", 30s));
	EXPECT_FALSE(silent.wait_for_output("listening", 50ms));
}

TEST(Process, GoesAwayWithItsOwner)
{
	pid_t pid = 0;

	{
		Process process(shell("echo $$; exec sleep 100"));

		ASSERT_TRUE(process.wait_for_output("\n", 30s));
		pid = std::stoi(process.stop().output);
		EXPECT_FALSE(alive(pid));
	}
	{
		Process process({"sleep", "100"});
	}
	EXPECT_FALSE(alive(pid));
}

TEST(Quoted, AsAUserWouldTypeIt)
{
	EXPECT_EQ(tools::quoted({"ip", "-n", "a", "link"}), "ip -n a link");
	EXPECT_EQ(tools::quoted({"echo", "two words", ""}), "echo 'two words' ''");
	EXPECT_EQ(tools::quoted({"echo", "it's"}), "echo 'it'\\''s'");
	EXPECT_EQ(run({"sh", "-c", tools::quoted({"printf", "%s", "it's $HOME"})}).output,
		  "it's $HOME");
}

TEST(Await, EndsWhenTheConditionHolds)
{
	int looks = 0;

	EXPECT_TRUE(tools::await([&] { return ++looks == 3; }, 30s, 1ms));
	EXPECT_EQ(looks, 3);
}

TEST(Await, EndsWhenTheTimeIsOver)
{
	EXPECT_FALSE(tools::await([] { return false; }, 20ms, 1ms));
}
