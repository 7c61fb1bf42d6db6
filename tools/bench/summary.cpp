// SPDX-License-Identifier: GPL-2.0
#include "summary.hpp"

#include "plan.hpp"
#include "table.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace bench
{

namespace
{

const char *const subject = "ours";
const char *const baseline = "naive";

const std::vector<std::string> known_placements = {"near", "far", "local"};

/* Where the figures of another machine were taken. */
struct Reference {
	const char *placement;
	double round_trip_ns;
	double latency_ns;
	double mpps[4]; /* batch 1, 4, 16, 32; 1024 in flight */
};
constexpr Reference naive_elsewhere[] = {
	{"near", 121, 331, {49, 76, 74, 96}},
	{"far", 470, 1257, {13, 23, 25, 38}},
};
constexpr Reference textbook_elsewhere[] = {
	{"near", 121, 266, {12, 33, 33, 36}},
	{"far", 470, 1062, {2.4, 8.9, 14, 13}},
};

Point rate_point(uint32_t size, uint32_t batch, uint32_t outstanding)
{
	return {Kind::rate, size, batch, outstanding};
}

const Point latency64 = {Kind::latency, 64, 1, 1};

/* The worst cell of those batches; nothing if one was not measured. */
std::optional<double> worst_ratio(const Figured &figured, const std::string &placement,
				  const std::string &other, uint32_t size,
				  const std::vector<uint32_t> &some_batches)
{
	std::optional<double> worst;

	for (const uint32_t outstanding : outstandings)
		for (const uint32_t batch : some_batches) {
			const auto ratio = figured.rate_ratio(placement, subject, other,
							      rate_point(size, batch, outstanding));
			if (!ratio)
				return {};
			worst = std::min(worst.value_or(*ratio), *ratio);
		}
	return worst;
}

std::optional<double> latency_ratio(const Figured &figured, const std::string &placement)
{
	const auto ratio = figured.value(placement, subject, latency64, [](const Sample &sample) {
		return sample.figures.p50_ns / sample.round_trip_ns();
	});

	return ratio ? std::optional(ratio->median) : std::nullopt;
}

std::optional<double> load_ratio(const Figured &figured, const std::string &placement)
{
	const auto p99 = figured.value(placement, subject, {Kind::load, 64, 32, 1024, 1, 1, 80},
				       [](const Sample &sample) { return sample.figures.p99_ns; });
	const auto least = figured.value(placement, subject, latency64, [](const Sample &sample) {
		return sample.figures.p50_ns;
	});

	if (!p99 || !least)
		return {};
	return p99->median / least->median;
}

std::string reason_for(const std::map<std::string, std::string> &missing, const std::string &name)
{
	const auto found = missing.find(name);

	return found != missing.end() ? name + ": " + found->second : "not measured in this run";
}

} // namespace

std::vector<Target> targets(const Figured &figured, const std::string &placement,
			    const std::map<std::string, std::string> &missing)
{
	const std::vector<uint32_t> all = {std::begin(batches), std::end(batches)};
	const std::string p = placement + "_";
	const bool far = placement == "far";
	const std::string unmeasured = "not measured in this run";
	const auto worst = [&](const char *other, uint32_t size,
			       const std::vector<uint32_t> &some) {
		return worst_ratio(figured, placement, other, size, some);
	};

	return {
		{p + "latency64_rtt_ratio", "64 B: latency / round trip of one line",
		 latency_ratio(figured, placement), unmeasured, 1.4, true},
		{p + "min_rate64_naive_ratio", "64 B: rate / naive port, worst cell",
		 worst(baseline, 64, all), unmeasured, 1.0},
		{p + "rate64_naive_ratio_batch16", "64 B, batch 16: rate / naive port",
		 worst(baseline, 64, {16}), unmeasured, 1.5},
		{p + "rate64_naive_ratio_batch32", "64 B, batch 32: rate / naive port",
		 worst(baseline, 64, {32}), unmeasured, 1.5},
		{p + "min_rate_rte_ring_ratio", "64 B: rate / rte_ring, worst cell",
		 worst("rte_ring", 64, all), reason_for(missing, "rte_ring"), 1.5},
		{p + "min_rate_memif_ratio", "64 B: rate / memif, worst cell",
		 worst("memif", 64, all), reason_for(missing, "memif"), 1.5},
		{p + "rate1500_naive_ratio_batch32",
		 "1500 B, batch 32, 1024 in flight: rate / naive port",
		 figured.rate_ratio(placement, subject, baseline, rate_point(1500, 32, 1024)),
		 unmeasured, far ? std::optional(3.3) : std::nullopt},
		{p + "min_rate1500_rte_ring_ratio", "1500 B: rate / rte_ring, worst cell",
		 worst("rte_ring", 1500, all), reason_for(missing, "rte_ring"), 1.2},
		{p + "p99_at_80_percent_min_ratio",
		 "64 B at 80 % load: p99 / latency with one in flight",
		 load_ratio(figured, placement), unmeasured, 4.0, true},
	};
}

void summarise(tools::Report &report, const Figured &figured,
	       const std::map<std::string, std::string> &missing)
{
	const std::vector<std::string> seen = figured.placements();
	std::string list;

	for (const std::string &name : seen)
		list += (list.empty() ? "" : ",") + name;
	report.set("placements_seen", list);
	for (const std::string &placement : known_placements) {
		const bool here = std::find(seen.begin(), seen.end(), placement) != seen.end();

		for (const Target &target : targets(figured, placement, missing))
			if (target.value)
				report.set(target.key, tools::rounded(*target.value));
			else
				report.set_missing(target.key,
						   here ? target.reason
							: "this placement was not seen");
	}
}

void add_rows(tools::Report &report, const Figured &figured)
{
	const auto median = [&](const std::string &placement, const std::string &design,
				const Point &point, double Figures::*field) {
		return figured.value(placement, design, point, [field](const Sample &sample) {
			return sample.figures.*field;
		});
	};

	for (const std::string &placement : figured.placements())
		for (const Point &point : figured.points())
			for (const std::string &design : figured.designs(point)) {
				const auto mpps = median(placement, design, point, &Figures::mpps);
				if (!mpps)
					continue;

				tools::Report::Json row = {{"design", design},
							   {"kind", kind_name(point.kind)},
							   {"size", point.size},
							   {"batch", point.batch},
							   {"outstanding", point.outstanding},
							   {"queues", point.queues},
							   {"processes", point.processes},
							   {"placement", placement}};
				const auto rtt = figured.value(
					placement, design, point, [](const Sample &sample) {
						return sample.round_trip_ns();
					});
				row["rtt_ns"] = tools::rounded(rtt->median);
				row["samples"] = mpps->count;
				if (point.kind == Kind::load)
					row["load_percent"] = point.load_percent;
				row["mpps"] = tools::rounded(mpps->median);
				row["mpps_lower_quartile"] = tools::rounded(mpps->lower);
				row["mpps_upper_quartile"] = tools::rounded(mpps->upper);
				if (point.kind < Kind::kv)
					row["gbps"] = tools::rounded(
						median(placement, design, point, &Figures::gbps)
							->median);
				if (point.kind != Kind::rate) {
					const auto p50 =
						median(placement, design, point, &Figures::p50_ns);
					row["p50_ns"] = tools::rounded(p50->median);
					row["p50_lower_quartile_ns"] = tools::rounded(p50->lower);
					row["p50_upper_quartile_ns"] = tools::rounded(p50->upper);
					row["p99_ns"] = tools::rounded(
						median(placement, design, point, &Figures::p99_ns)
							->median);
					row["p999_ns"] = tools::rounded(
						median(placement, design, point, &Figures::p999_ns)
							->median);
				}
				report.add_row(std::move(row));
			}
}

std::string target_text(const Figured &figured, const std::map<std::string, std::string> &missing)
{
	std::string text;

	for (const std::string &placement : figured.placements()) {
		tools::Table table({"Targets, " + placement, "wanted", "measured", ""});

		for (const Target &target : targets(figured, placement, missing)) {
			const std::string wanted =
				target.wanted
					? fmt::format("{} {}",
						      target.at_most ? "<=" : ">=", *target.wanted)
					: "";
			std::string verdict;

			if (!target.value)
				verdict = target.reason;
			else if (target.wanted)
				verdict = target.reached() ? "reached" : "not reached";
			table.add({target.what, wanted,
				   target.value ? fmt::format("{:.2f}", *target.value) : "-",
				   verdict});
		}
		text += table.text() + '\n';
	}
	return text;
}

std::string baseline_text(const Figured &figured)
{
	std::string text;

	for (const std::string &placement : figured.placements()) {
		tools::Table table(
			{"Packets a round trip, " + placement, "batch 1", "4", "16", "32"});
		bool any = false;

		for (const auto &[name, list] :
		     {std::pair{"naive", naive_elsewhere}, {"textbook", textbook_elsewhere}}) {
			const Reference &reference = list[placement == "far" ? 1 : 0];
			std::vector<std::string> here = {std::string(name) + ", here"};
			std::vector<std::string> there = {std::string(name) + ", elsewhere"};

			for (size_t i = 0; i < std::size(batches); i++) {
				const auto packets = figured.value(
					placement, name, rate_point(64, batches[i], 1024),
					[](const Sample &sample) {
						return sample.figures.mpps *
						       sample.round_trip_ns() / 1000;
					});
				any = any || packets;
				here.push_back(packets ? fmt::format("{:.2f}", packets->median)
						       : "-");
				there.push_back(fmt::format(
					"{:.2f}",
					reference.mpps[i] * reference.round_trip_ns / 1000));
			}
			table.add(here);
			table.add(there);
		}
		if (any)
			text += table.text() + '\n';
	}
	return text;
}

} // namespace bench
