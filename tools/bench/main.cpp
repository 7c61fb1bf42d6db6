// SPDX-License-Identifier: GPL-2.0
/** @file
 * ccnic-bench: the protocol of include/ccnic on two CPUs, against other designs.
 */
#include "apps.hpp"
#include "campaign.hpp"
#include "figures.hpp"
#include "machine.hpp"
#include "plot.hpp"
#include "process.hpp"
#include "report.hpp"
#include "summary.hpp"
#include "table.hpp"
#include "tables.hpp"

#include <CLI/CLI.hpp>
#include <csignal>
#include <fmt/format.h>
#include <iostream>

namespace bench
{
namespace
{

constexpr int status_wrong_contents = 1;
constexpr int status_not_run = 2;

constexpr double quick_seconds = 120;
constexpr unsigned int full_rounds = 20;

volatile std::sig_atomic_t interrupted = 0;

void catch_interrupt(int /*signal*/)
{
	interrupted = 1;
}

/** What the command line says. */
struct Options {
	Wish wish;
	double seconds = 0;
	double threshold_ns = 0;
	std::vector<int> cpus;
	std::filesystem::path out = "build/reports";
	std::filesystem::path samples;
	bool quick = false;
	bool list = false;
	bool no_measuring = false;
};

void say(const std::string &text)
{
	std::cerr << text << '\n' << std::flush;
}

CpuPair pair_of(const Options &options)
{
	const std::vector<Cpu> all = usable_cpus();

	if (options.cpus.empty()) {
		const auto pair = choose_pair(all);
		if (!pair)
			throw std::runtime_error("this needs two CPUs");
		return *pair;
	}
	std::vector<Cpu> two;
	for (const int number : options.cpus)
		for (const Cpu &cpu : all)
			if (cpu.number == number)
				two.push_back(cpu);
	if (two.size() != 2 || two[0].number == two[1].number)
		throw std::runtime_error("--cpus: two CPUs that this process may use");
	return {two[0], two[1]};
}

std::vector<Entry> everything()
{
	std::vector<Entry> entries = all_subjects();

	for (Entry &entry : apps::all_apps())
		entries.push_back(std::move(entry));
	return entries;
}

void list_designs()
{
	tools::Table table({"design", "what it is"});

	for (const Entry &entry : everything())
		table.add({entry.name, entry.what});
	for (const auto &[name, reason] : missing_subjects())
		table.add({name, "not here: " + reason});
	std::cout << table.text();
}

Outcome measure(const Options &options, const CpuPair &cpus)
{
	Campaign campaign(options.wish, everything(), cpus, say);
	double seconds = options.seconds;

	if (seconds == 0)
		seconds =
			options.wish.full ? full_rounds * campaign.round_seconds() : quick_seconds;
	say(fmt::format("{}; a round takes about {:.1f} s, all of it {:.0f} s", cpus.text(),
			campaign.round_seconds(), seconds));
	return campaign.run(seconds, [] { return interrupted != 0; });
}

std::string placement_text(const Placements &placements, const std::vector<double> &round_trips)
{
	std::string text = fmt::format("Placements: far from {:.0f} ns on ({})\n",
				       placements.threshold_ns(), placements.reason());

	for (const char *name : {"near", "far"}) {
		std::vector<double> some;
		for (const double round_trip : round_trips)
			if (placements.name(round_trip) == name)
				some.push_back(round_trip);
		const auto around = spread(some);
		if (around)
			text += fmt::format(
				"  {}: {} round trips of one line, {:.0f} ns (quartiles {:.0f} "
				"and {:.0f})\n",
				name, around->count, around->median, around->lower, around->upper);
	}
	return text;
}

int run_bench(const Options &options, const std::string &command)
{
	const CpuPair cpus = pair_of(options);
	Samples samples = options.samples.empty() ? Samples{} : read_samples(options.samples);
	uint64_t dropped = 0;

	if (!options.no_measuring) {
		Outcome outcome = measure(options, cpus);

		dropped = outcome.dropped;
		if (!options.samples.empty())
			append_samples(options.samples, outcome.samples);
		samples.insert(samples.end(), outcome.samples.begin(), outcome.samples.end());
	}

	std::vector<double> round_trips;
	uint64_t wrong = 0;
	for (const Sample &sample : samples) {
		round_trips.push_back(sample.before_ns);
		round_trips.push_back(sample.after_ns);
		wrong += sample.figures.wrong;
	}
	const Placements placements(round_trips, options.threshold_ns);
	const Figured figured(samples, placements);
	const auto missing = missing_subjects();

	std::cout << tables(figured, all_subjects()) << baseline_text(figured)
		  << target_text(figured, missing) << placement_text(placements, round_trips)
		  << fmt::format("Measurements: {}, and {} dropped as the placement changed; "
				 "packets wrong or lost: {}\n",
				 samples.size(), dropped, wrong)
		  << "Figures are medians, ± half the distance of the quartiles.\n";
	for (const auto &[name, reason] : missing)
		std::cout << fmt::format("Not here: {}: {}\n", name, reason);

	tools::Report report("bench", command, tools::machine_description());
	add_rows(report, figured);
	summarise(report, figured, missing);
	say(fmt::format("Figures in {}", report.write(options.out).string()));
	for (const auto &picture : draw_plots(figured, options.out))
		say(fmt::format("Picture in {}", picture.string()));
	return wrong == 0 ? 0 : status_wrong_contents;
}

int run_main(int argc, char **argv)
{
	Options options;
	CLI::App app(
		"Measures packets between two CPUs over the protocol of include/ccnic and\n"
		"over other designs: rates, latencies, latency under load. Prints tables and\n"
		"writes the same figures to OUT/bench.json, and pictures if there is gnuplot.\n\n"
		"The round trip of one cache line is taken before and after each measurement;\n"
		"one during which it changed is dropped, and figures of different placements\n"
		"are kept apart. Every byte of every packet is checked.\n\n"
		"Exit status: 0 all well; 1 packets were lost or wrong; 2 not measured.",
		"ccnic-bench");

	auto *quick =
		app.add_flag("--quick", options.quick, "two minutes, coarse sweeps (default)");
	app.add_flag("--full", options.wish.full,
		     "all sweeps, longer measurements; says how long it takes")
		->excludes(quick);
	app.add_option("--seconds", options.seconds, "measure for so long instead")
		->check(CLI::Range(1, 86400));
	app.add_option("--designs", options.wish.designs, "only these; see --list")->delimiter(',');
	app.add_option("--sizes", options.wish.sizes, "only packets of so many bytes")
		->check(CLI::Range(8, 9000))
		->delimiter(',');
	app.add_option("--kinds", options.wish.kinds,
		       "only these: rate, latency, load, queues, processes,\nkv, rpc")
		->check(CLI::IsMember(
			{"rate", "latency", "load", "queues", "processes", "kv", "rpc"}))
		->delimiter(',');
	app.add_option("--cpus", options.cpus, "the host's CPU and the NIC's")
		->delimiter(',')
		->expected(2);
	app.add_option("--threshold", options.threshold_ns,
		       "round trip, in ns, from which a placement is far; default: from the\n"
		       "round trips of the run");
	app.add_option("--samples", options.samples,
		       "keep the measurements in this file; what it holds already counts too");
	app.add_flag("--no-measuring", options.no_measuring, "only evaluate the file of --samples");
	app.add_option("--out", options.out, "folder for bench.json")->capture_default_str();
	app.add_flag("--list", options.list, "list the designs and stop");

	try {
		app.parse(argc, argv);
	} catch (const CLI::ParseError &error) {
		return app.exit(error) == 0 ? 0 : status_not_run;
	}
	if (options.list) {
		list_designs();
		return 0;
	}

	struct sigaction action = {};
	action.sa_handler = catch_interrupt;
	sigaction(SIGINT, &action, nullptr);
	sigaction(SIGTERM, &action, nullptr);
	return run_bench(options, tools::quoted({argv, argv + argc}));
}

} // namespace
} // namespace bench

int main(int argc, char **argv)
{
	try {
		return bench::run_main(argc, argv);
	} catch (const std::exception &error) {
		std::cerr << "ccnic-bench: " << error.what() << '\n';
		return bench::status_not_run;
	}
}
