// SPDX-License-Identifier: GPL-2.0
#include "outcome.hpp"

#include "machine.hpp"
#include "table.hpp"

#include <fmt/format.h>

namespace demo
{
namespace
{

constexpr const char *nothing = "-";
constexpr std::array<End, 2> ends = {CLIENT, SERVER};

const Runs &runs_of(const Outcome &outcome, const char *test, LinkIndex link)
{
	static const Runs none;
	const auto at = outcome.runs.find(test);

	return at == outcome.runs.end() ? none : at->second[link];
}

std::string shown(std::optional<double> value, int decimals)
{
	return value ? fmt::format("{:.{}f}", *value, decimals) : nothing;
}

std::string side_note(const Outcome &outcome, const Test &test, LinkIndex link)
{
	const Runs &runs = runs_of(outcome, test.name, link);

	if (test.udp) {
		const auto lost = runs.lost_percent();
		return lost ? fmt::format("{:.0f} % lost", *lost) : nothing;
	}
	const auto count = runs.retransmits();
	return count ? fmt::format("{} again", *count) : nothing;
}

std::string failure_or(const std::string &failure, const char *otherwise)
{
	return failure.empty() ? otherwise : failure;
}

std::string traffic_table(const Outcome &outcome)
{
	const std::string &subject = outcome.labels[SUBJECT];
	const std::string &other = outcome.labels[VETH];
	tools::Table text({"", subject, other, subject + "/" + other, subject + " resent, lost",
			   other + " resent, lost"});

	for (const Test &test : outcome.tests) {
		const int decimals = test.udp ? 4 : 2;

		text.add({test.title, shown(outcome.rate(test, SUBJECT), decimals),
			  shown(outcome.rate(test, VETH), decimals), shown(outcome.ratio(test), 2),
			  side_note(outcome, test, SUBJECT), side_note(outcome, test, VETH)});
	}
	return text.text();
}

std::string ring_table(const Outcome &outcome)
{
	tools::Table text({"ring", "lines published", "descriptors", "descriptors/line"});
	bool any = false;

	for (const End end : ends) {
		for (const auto &[name, ring] : tools::ring_counters(outcome.counters[end])) {
			any = true;
			text.add({outcome.devices[end] + " " + name, std::to_string(ring.lines),
				  std::to_string(ring.descriptors),
				  shown(ring.descriptors_per_line(), 2)});
		}
	}
	return any ? text.text() : std::string("No ring counters.\n");
}

std::string backend(const Outcome &outcome)
{
	if (!outcome.sepia)
		return {};
	const auto at = outcome.sepia->find("backend");
	return at == outcome.sepia->end() ? std::string() : at->second;
}

std::string page_line(const Outcome &outcome)
{
	const auto pages = outcome.pages();

	if (!pages)
		return "RX pages: not counted\n";
	std::string line = fmt::format("RX pages: {} coloured, {} fallen back", pages->coloured,
				       pages->fallback);
	if (const auto ratio = pages->coloured_ratio())
		line += fmt::format(" ({:.2f} % coloured)", 100 * *ratio);
	line += outcome.sepia ? fmt::format("; Sepia's back end: {}\n", backend(outcome))
			      : "; Sepia is not loaded\n";
	return line;
}

std::optional<double> rounded(std::optional<double> value)
{
	if (value)
		value = tools::rounded(*value);
	return value;
}

void add_run_rows(tools::Report &report, const Outcome &outcome, const Test &test, LinkIndex link)
{
	int round = 0;

	for (const auto &run : runs_of(outcome, test.name, link).results) {
		tools::Report::Json row = {
			{"link", outcome.labels[link]},
			{"test", test.name},
			{"round", ++round},
			{"duration_seconds", tools::rounded(run.seconds)},
			{"throughput_gbps", tools::rounded(run.gbps)},
		};

		if (const auto count = run.retransmits)
			row["retransmits"] = *count;
		if (const auto share = run.retransmit_percent())
			row["retransmits_percent"] = tools::rounded(*share);
		if (const auto rate = run.mpps())
			row["received_mpps"] = tools::rounded(*rate);
		if (const auto lost = run.lost_percent())
			row["lost_percent"] = tools::rounded(*lost);
		report.add_row(std::move(row));
	}
}

void add_device_rows(tools::Report &report, const Outcome &outcome)
{
	for (const End end : ends) {
		const auto &counters = outcome.counters[end];

		for (const auto &[name, ring] : tools::ring_counters(counters)) {
			tools::Report::Json row = {
				{"device", outcome.devices[end]},
				{"ring", name},
				{"lines", ring.lines},
				{"descriptors", ring.descriptors},
			};

			if (const auto density = ring.descriptors_per_line())
				row["descriptors_per_line"] = tools::rounded(*density);
			report.add_row(std::move(row));
		}
		if (const auto pages = pages_of(counters)) {
			report.add_row({{"device", outcome.devices[end]},
					{"coloured_pages", pages->coloured},
					{"fallback_pages", pages->fallback}});
		}
	}
}

} // namespace

std::optional<double> Pages::coloured_ratio() const
{
	if (coloured + fallback == 0)
		return {};
	return static_cast<double>(coloured) / static_cast<double>(coloured + fallback);
}

std::optional<Pages> pages_of(const tools::Counters &counters)
{
	const auto coloured = tools::find(counters, "rx_pages_coloured");
	const auto fallback = tools::find(counters, "rx_pages_fallback");
	const auto plain = tools::find(counters, "rx_pages_plain");

	if (!coloured || !fallback || !plain)
		return {};
	return Pages{*coloured, *fallback + *plain};
}

std::optional<double> Outcome::rate(const Test &test, LinkIndex link) const
{
	return runs_of(*this, test.name, link).rate(test.udp);
}

std::optional<double> Outcome::ratio(const Test &test) const
{
	const auto ours = rate(test, SUBJECT);
	const auto theirs = rate(test, VETH);

	if (!ours || !theirs || *theirs <= 0)
		return {};
	return *ours / *theirs;
}

std::optional<Pages> Outcome::pages() const
{
	Pages sum;

	for (const auto &each : counters) {
		const auto pages = pages_of(each);

		if (!pages)
			return {};
		sum.coloured += pages->coloured;
		sum.fallback += pages->fallback;
	}
	return sum;
}

tools::RingCounters Outcome::rings() const
{
	tools::RingCounters sum;

	for (const auto &each : counters) {
		for (const auto &[name, ring] : tools::ring_counters(each)) {
			sum.lines += ring.lines;
			sum.descriptors += ring.descriptors;
		}
	}
	return sum;
}

std::optional<uint64_t> Outcome::retransmits() const
{
	std::optional<uint64_t> sum;

	for (const Test &test : tests) {
		if (const auto count = runs_of(*this, test.name, SUBJECT).retransmits())
			sum = sum.value_or(0) + *count;
	}
	return sum;
}

std::string table(const Outcome &outcome, const Options &options)
{
	const auto machine = tools::machine_description();
	std::string text = fmt::format(
		"Linux {}, {} CPUs, {} nodes, {}; medians of {} rounds of {} s a run\n"
		"ping over {}: IPv4 {}, IPv6 {}\n\n",
		machine["kernel"].get<std::string>(), machine["cores"].get<long>(),
		machine["nodes"].get<unsigned int>(), machine.value("hypervisor", "no hypervisor"),
		options.rounds, options.run_time.count(), outcome.labels[SUBJECT],
		outcome.ping_failure[0].empty() ? "answered" : "NOT answered",
		outcome.ping_failure[1].empty() ? "answered" : "NOT answered");

	text += traffic_table(outcome) + '\n';
	if (!options.control)
		text += ring_table(outcome) + '\n' + page_line(outcome);
	return text;
}

const std::vector<std::string> &summary_keys()
{
	static const std::vector<std::string> keys = {
		"tcp_gbps",
		"tcp_reverse_gbps",
		"tcp_4_streams_gbps",
		"udp_mpps",
		"veth_tcp_gbps",
		"veth_udp_mpps",
		"tcp_veth_ratio",
		"udp_veth_ratio",
		"coloured_ratio",
		"fallback_pages",
		"sepia_backend",
		"retransmits",
		"descriptors_per_line",
		"kernel",
	};

	return keys;
}

void fill(tools::Report &report, const Outcome &outcome)
{
	const auto pages = outcome.pages();
	const std::string no_pages = "the driver counts no pages of this kind";

	for (const Test &test : outcome.tests) {
		const std::string unit = test.udp ? "_mpps" : "_gbps";
		const Runs &ours = runs_of(outcome, test.name, SUBJECT);
		const Runs &theirs = runs_of(outcome, test.name, VETH);

		report.set(test.name + unit, rounded(ours.rate(test.udp)),
			   failure_or(ours.failure, "not run"));
		report.set("veth_" + (test.name + unit), rounded(theirs.rate(test.udp)),
			   failure_or(theirs.failure, "not run"));
		report.set(std::string(test.name) + "_veth_ratio", rounded(outcome.ratio(test)),
			   "one of its two figures is missing");
		if (test.udp) {
			report.set("udp_lost_percent", rounded(ours.lost_percent()), "not run");
			report.set("veth_udp_lost_percent", rounded(theirs.lost_percent()),
				   "not run");
		}
		add_run_rows(report, outcome, test, SUBJECT);
		add_run_rows(report, outcome, test, VETH);
	}
	add_device_rows(report, outcome);

	report.set("coloured_ratio",
		   rounded(pages ? pages->coloured_ratio() : std::optional<double>()),
		   pages ? "no page was received" : no_pages);
	report.set("fallback_pages", pages ? std::optional(pages->fallback) : std::nullopt,
		   no_pages);
	report.set("sepia_backend",
		   backend(outcome).empty() ? std::nullopt : std::optional(backend(outcome)),
		   outcome.sepia ? "Sepia's summary does not say" : "Sepia is not loaded");
	report.set("retransmits", outcome.retransmits(), "no TCP test succeeded");
	report.set("descriptors_per_line", rounded(outcome.rings().descriptors_per_line()),
		   "the driver counts no lines");
	report.set("kernel", tools::kernel_release());
}

Problems judge(const Outcome &outcome)
{
	const std::string &subject = outcome.labels[SUBJECT];
	Problems problems;

	for (const std::string &failure : outcome.ping_failure) {
		if (!failure.empty())
			problems.push_back(fmt::format("{}: {}", subject, failure));
	}
	for (const Test &test : outcome.tests) {
		for (const LinkIndex link : {SUBJECT, VETH}) {
			const Runs &runs = runs_of(outcome, test.name, link);
			const double rate = runs.rate(test.udp).value_or(0);

			if (!runs.failure.empty())
				problems.push_back(fmt::format("{} over {}: {}", test.name,
							       outcome.labels[link], runs.failure));
			else if (rate <= 0)
				problems.push_back(fmt::format("{} over {}: nothing arrived",
							       test.name, outcome.labels[link]));
		}
		const double share =
			runs_of(outcome, test.name, SUBJECT).retransmit_percent().value_or(0);
		if (share > storm_percent)
			problems.push_back(fmt::format("{} over {}: a retransmission storm, {:.1f} "
						       "% of the payload was sent "
						       "again (limit {} %)",
						       test.name, subject, share, storm_percent));
	}
	if (outcome.sepia) {
		const auto pages = outcome.pages();
		const auto ratio = pages ? pages->coloured_ratio() : std::optional<double>();

		if (!ratio)
			problems.push_back("Sepia is loaded, but the driver counted no RX pages");
		else if (*ratio <= coloured_ratio_floor)
			problems.push_back(fmt::format(
				"{:.2f} % of the RX pages were coloured, not more than {:.0f} %",
				100 * *ratio, 100 * coloured_ratio_floor));
	}
	return problems;
}

} // namespace demo
