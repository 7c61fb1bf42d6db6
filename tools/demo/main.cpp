// SPDX-License-Identifier: GPL-2.0
/** @file
 * ccnic-demo: real traffic over a pair of ccnic devices, compared with veth.
 */
#include "file.hpp"
#include "machine.hpp"
#include "outcome.hpp"
#include "setup.hpp"

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <iostream>
#include <unistd.h>

namespace demo
{
namespace
{

constexpr int status_bad_figures = 1;
constexpr int status_not_run = 2;

volatile std::sig_atomic_t interrupted = 0;

/* Children of a terminal get the signal as well; the next step then ends all. */
void catch_interrupt(int /*signal*/)
{
	interrupted = 1;
}

/** One line a step, with the time since the start. */
class Progress
{
public:
	template <typename... Arguments>
	void step(fmt::format_string<Arguments...> format, Arguments &&...arguments) const
	{
		const std::chrono::duration<double> passed = Clock::now() - start_;

		if (interrupted != 0)
			throw Failure("interrupted");
		std::cerr << fmt::format("[{:5.1f} s] ", passed.count())
			  << fmt::format(format, std::forward<Arguments>(arguments)...) << '\n'
			  << std::flush;
	}

private:
	using Clock = std::chrono::steady_clock;
	Clock::time_point start_ = Clock::now();
};

void load_modules(Modules &modules, const Options &options, const Progress &progress)
{
	if (options.control)
		return;
	if (options.no_load) {
		if (!Modules::loaded("ccnic"))
			throw Failure("--no-load, but ccnic is not loaded: insmod ccnic.ko first");
		return;
	}
	if (!options.no_sepia) {
		progress.step("Loading sepia");
		modules.load("sepia", options.modules, options.sepia_parameters);
	}
	progress.step("Loading ccnic");
	modules.load("ccnic", options.modules, options.ccnic_parameters);
}

std::optional<tools::KeyValues> sepia_summary()
{
	if (!Modules::loaded("sepia"))
		return {};
	const auto text = tools::read_file("/sys/kernel/debug/sepia/summary");
	return tools::parse_key_values(text.value_or(""));
}

std::string measure_once(const Link &link, const Test &test, const Options &options, Runs &runs)
{
	/* What failed once is not worth the time of failing again. */
	if (!runs.failure.empty())
		return fmt::format("{} failed", link.label());
	try {
		runs.results.push_back(run_iperf(link, test, options));
	} catch (const Failure &failure) {
		runs.failure = failure.what();
		return fmt::format("{} failed", link.label());
	}

	const tools::IperfResult &result = runs.results.back();
	if (test.udp)
		return fmt::format("{} {:.4f}", link.label(), result.mpps().value_or(0));
	return fmt::format("{} {:.2f}", link.label(), result.gbps);
}

/* The links take turns, so that what else the machine does hits both. */
void measure(Outcome &outcome, const std::array<const Link *, 2> &links, const Options &options,
	     const Progress &progress)
{
	const Link &subject = *links[SUBJECT];
	std::array<tools::Counters, 2> before;

	for (const int family : {4, 6}) {
		const std::string failure = ping(subject, family);

		progress.step("ping, IPv{}: {}", family, failure.empty() ? "answered" : failure);
		outcome.ping_failure[family == 4 ? 0 : 1] = failure;
	}
	if (!options.control) {
		for (const End end : {CLIENT, SERVER})
			before[end] = subject.statistics(end);
	}
	for (int round = 1; round <= options.rounds; round++) {
		for (const Test &test : outcome.tests) {
			std::string line;

			if (!test.runs_in(round))
				continue;
			for (const LinkIndex link : {SUBJECT, VETH})
				line += "  " + measure_once(*links[link], test, options,
							    outcome.runs[test.name][link]);
			progress.step("round {} of {}, {}:{}", round, options.rounds, test.title,
				      line);
		}
	}
	if (!options.control) {
		for (const End end : {CLIENT, SERVER})
			outcome.counters[end] =
				tools::difference(before[end], subject.statistics(end));
	}
	outcome.sepia = options.control ? std::nullopt : sepia_summary();
}

void append(Problems &problems, const Problems &more)
{
	problems.insert(problems.end(), more.begin(), more.end());
}

tools::Report make_report(const Options &options, const std::string &command)
{
	auto machine = tools::machine_description();

	if (!options.host_machine.empty()) {
		const auto text = tools::read_file(options.host_machine);
		auto host = nlohmann::ordered_json::parse(text.value_or(""), nullptr, false);

		if (!host.is_object())
			throw Failure(
				fmt::format("--host-machine: {} is no description of a machine",
					    options.host_machine.string()));
		machine["host"] = std::move(host);
	}
	return {options.control ? "demo-control" : "demo", command, std::move(machine)};
}

int run_demo(const Options &options, const std::string &command)
{
	const Progress progress;
	tools::Report report = make_report(options, command);
	const std::string kind = options.control ? "veth" : "ccnic";
	Outcome outcome;
	Problems problems;

	/* Made in this order, gone in the other, whatever happens on the way. */
	Modules modules;
	load_modules(modules, options, progress);
	Namespaces namespaces;
	Link subject(options.control ? "control" : "ccnic", kind, {"cc0", "cc1"}, 1);
	Link veth("veth", "veth", {"ve0", "ve1"}, 2);

	progress.step("Making a {} pair and a veth pair between two namespaces", kind);
	subject.create();
	veth.create();
	subject.await_ready();
	veth.await_ready();

	outcome.labels = {subject.label(), veth.label()};
	outcome.devices = {subject.device(CLIENT), subject.device(SERVER)};
	outcome.tests = all_tests(options);
	measure(outcome, {&subject, &veth}, options, progress);

	progress.step("Deleting links and namespaces{}",
		      options.no_load || options.control ? "" : ", unloading the modules");
	append(problems, veth.remove());
	append(problems, subject.remove());
	append(problems, namespaces.remove());
	append(problems, modules.remove());

	fill(report, outcome);
	const auto path = report.write(options.out);
	std::cout << '\n' << table(outcome, options) << std::flush;

	append(problems, judge(outcome));
	for (const std::string &problem : problems)
		std::cerr << "ccnic-demo: " << problem << '\n';
	progress.step("Done: figures in {}", path.string());
	return problems.empty() ? 0 : status_bad_figures;
}

int run_main(int argc, char **argv)
{
	Options options;
	bool describe = false;
	int seconds = 1;
	CLI::App app(
		"Sends real traffic (ping, iperf3) over a pair of ccnic devices and over veth,\n"
		"prints a table and writes the same figures to OUT/demo.json. Needs root, ip,\n"
		"ping, iperf3 and ethtool. The pair lives in two network namespaces of its own;\n"
		"nothing that exists is touched, and all that was made is removed again.\n\n"
		"Exit status: 0 all well; 1 a figure is missing or bad (a direction without\n"
		"traffic, too few coloured pages, more than 1 % of TCP's payload sent again,\n"
		"something that would not unload); 2 the measurement could not be made.",
		"ccnic-demo");

	app.add_option("--out", options.out, "folder for demo.json")->capture_default_str();
	app.add_option("--modules", options.modules, "folder with sepia.ko and ccnic.ko")
		->capture_default_str();
	app.add_flag("--no-load", options.no_load,
		     "use the modules that are loaded, and leave them");
	app.add_flag("--no-sepia", options.no_sepia, "load ccnic without sepia");
	app.add_option("--sepia-parameters", options.sepia_parameters, "for insmod sepia.ko");
	app.add_option("--ccnic-parameters", options.ccnic_parameters, "for insmod ccnic.ko");
	app.add_option("--seconds", seconds, "length of one run of iperf3")
		->check(CLI::Range(1, 3600))
		->capture_default_str();
	app.add_option("--rounds", options.rounds,
		       "runs of TCP and of UDP on each link; medians are shown. Reverse and\n"
		       "4 streams run in every second round")
		->check(CLI::Range(1, 100))
		->capture_default_str();
	app.add_option("--datagram", options.datagram_bytes,
		       "payload of a UDP datagram, bytes; 18 make a frame of 64")
		->check(CLI::Range(18, 1472))
		->capture_default_str();
	app.add_flag(
		"--control", options.control,
		"measure a second veth pair in ccnic's place: the ratios to expect are 1, and\n"
		"their distance from it is the noise of this machine");
	app.add_option("--host-machine", options.host_machine,
		       "description of the machine under this VM, for the report")
		->check(CLI::ExistingFile);
	app.add_flag("--describe-machine", describe,
		     "print a description of this machine and stop");

	try {
		app.parse(argc, argv);
	} catch (const CLI::ParseError &error) {
		return app.exit(error) == 0 ? 0 : status_not_run;
	}
	if (describe) {
		std::cout << tools::machine_description().dump() << '\n';
		return 0;
	}
	if (geteuid() != 0)
		throw Failure("needs root, for modules, namespaces and links");
	options.run_time = std::chrono::seconds(seconds);

	struct sigaction action = {};
	action.sa_handler = catch_interrupt;
	sigaction(SIGINT, &action, nullptr);
	sigaction(SIGTERM, &action, nullptr);
	return run_demo(options, tools::quoted({argv, argv + argc}));
}

} // namespace
} // namespace demo

int main(int argc, char **argv)
{
	try {
		return demo::run_main(argc, argv);
	} catch (const std::exception &error) {
		std::cerr << "ccnic-demo: " << error.what() << '\n';
		return demo::status_not_run;
	}
}
