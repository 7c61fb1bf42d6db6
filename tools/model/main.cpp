// SPDX-License-Identifier: GPL-2.0
/** @file
 * ccnic-model: every execution of the protocol's small programs.
 */
#include "engine/explorer.hpp"
#include "scenario.hpp"

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <iostream>
#include <unistd.h>

namespace model
{
namespace
{

constexpr int status_failed = 1;
constexpr int status_not_run = 2;
constexpr int status_bypassed = 3;

/* The arena's addresses are not mapped: only platform.h's accesses reach it. */
void on_fault(int /*signal*/, siginfo_t *info, void * /*context*/)
{
	const Execution *execution = Execution::current();
	const bool ours = execution != nullptr && execution->holds(info->si_addr);
	const std::string_view text =
		ours ? "ccnic-model: shared memory was accessed past platform.h\n"
		     : "ccnic-model: invalid memory access\n";

	if (::write(STDERR_FILENO, text.data(), text.size()) < 0)
		_exit(status_not_run);
	_exit(ours ? status_bypassed : status_not_run);
}

void catch_faults()
{
	static std::array<char, 64 << 10> stack;
	stack_t alternate{};
	struct sigaction action {
	};

	alternate.ss_sp = stack.data();
	alternate.ss_size = stack.size();
	sigaltstack(&alternate, nullptr);
	action.sa_sigaction = on_fault;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK;
	sigaction(SIGSEGV, &action, nullptr);
}

struct Options {
	std::vector<std::string> names;
	uint32_t lines = 0;
	uint32_t packets = 0;
	uint64_t limit = UINT64_MAX;
	bool list = false;
	bool expect_failure = false;
	Reduction reduction = Reduction::dynamic;
};

std::vector<Scenario> all_scenarios()
{
	std::vector<Scenario> all;

	for (const auto &scenarios : {ring_scenarios(), wake_scenarios(), pool_scenarios()})
		all.insert(all.end(), scenarios.begin(), scenarios.end());
	return all;
}

Report run(const Scenario &scenario, const Options &options)
{
	const auto start = std::chrono::steady_clock::now();
	Size size = scenario.size;

	if (options.lines != 0)
		size.lines = options.lines;
	if (options.packets != 0)
		size.packets = options.packets;
	Report report = Explorer([&](World &world) { scenario.build(world, size); },
				 options.reduction, {options.limit, Limits{}.steps})
				.run();
	const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;

	std::cout << fmt::format(
		"{}: {} executions, {} more given up as equal to one, at most {} steps, {:.2f} s: "
		"{}\n",
		scenario.name, report.complete, report.redundant, report.deepest, passed.count(),
		report.failure ? "FAILED" : (report.truncated ? "not finished" : "passed"));
	if (report.failure && !options.expect_failure)
		std::cout << fmt::format("{}\n{}\n", report.trace, *report.failure);
	else if (report.failure)
		std::cout << fmt::format("{}\n", *report.failure);
	return report;
}

int run_all(const Options &options)
{
	const std::vector<Scenario> all = all_scenarios();
	bool failed = false;
	bool finished = true;

	if (options.list) {
		for (const Scenario &scenario : all)
			std::cout << fmt::format("{:<18} {} ({} lines, {} packets)\n",
						 scenario.name, scenario.about, scenario.size.lines,
						 scenario.size.packets);
		return 0;
	}
	for (const std::string &name : options.names) {
		if (std::ranges::find(all, name, &Scenario::name) == all.end())
			throw std::invalid_argument(
				fmt::format("there is no scenario '{}' (see --list)", name));
	}
	for (const Scenario &scenario : all) {
		if (!options.names.empty() &&
		    std::ranges::find(options.names, scenario.name) == options.names.end())
			continue;
		const Report report = run(scenario, options);

		failed = failed || report.failure.has_value();
		finished = finished && !report.truncated;
	}
	if (options.expect_failure)
		return failed ? 0 : status_failed;
	return failed || !finished ? status_failed : 0;
}

int run_main(int argc, char **argv)
{
	Options options;
	CLI::App app("Runs small programs over the functions of include/ccnic in every order of\n"
		     "their steps, and with everything that weak memory may show them. Stops at\n"
		     "the first execution that goes wrong, and prints it.");

	app.add_option("scenario", options.names, "Which ones to run; all of them by default");
	app.add_flag("--list", options.list, "List the scenarios");
	app.add_option("--lines", options.lines, "Lines of each ring, in place of the scenario's")
		->check(CLI::IsMember({1, 2, 4, 8}));
	app.add_option("--packets", options.packets,
		       "Packets, sleeps or batches, in place of the scenario's")
		->check(CLI::Range(1, 100));
	app.add_option("--limit", options.limit, "Executions at most");
	app.add_flag("--expect-failure", options.expect_failure,
		     "Succeed if one of them goes wrong");
	const std::map<std::string, Reduction> reductions = {{"none", Reduction::none},
							     {"sleep", Reduction::sleep},
							     {"dynamic", Reduction::dynamic}};
	app.add_option("--reduction", options.reduction,
		       "What to leave out as equal: none, sleep or dynamic")
		->transform(CLI::CheckedTransformer(reductions));
	CLI11_PARSE(app, argc, argv);

	catch_faults();
	return run_all(options);
}

} // namespace
} // namespace model

int main(int argc, char **argv)
{
	try {
		return model::run_main(argc, argv);
	} catch (const std::exception &error) {
		std::cerr << "ccnic-model: " << error.what() << '\n';
		return model::status_not_run;
	}
}
