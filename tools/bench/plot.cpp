// SPDX-License-Identifier: GPL-2.0
#include "plot.hpp"

#include "file.hpp"
#include "process.hpp"

#include <fmt/format.h>
#include <map>

namespace bench
{

namespace
{

/* The designs that are drawn; elements would crowd it. */
const char *const drawn[] = {"ours", "textbook", "naive", "rte_ring", "memif"};

/** One picture. */
struct Plot {
	const char *name;
	const char *title;
	const char *x_title;
	const char *y_title;
	const char *settings;
	/** Does a point belong in it? */
	bool (*wanted)(const Point &point);
	uint32_t Point::*x;
	double Figures::*y;
};

constexpr Plot plots[] = {
	{"rate", "Batch 32, 1024 in flight", "packet size, bytes", "Gbit/s", "set logscale x 2",
	 [](const Point &point) {
		 return point.kind == Kind::rate && point.batch == 32 &&
			point.outstanding == 1024 && point.queues == 1 && point.processes == 1;
	 },
	 &Point::size, &Figures::gbps},
	{"latency", "One packet in flight", "packet size, bytes", "p50, ns", "set logscale x 2",
	 [](const Point &point) { return point.kind == Kind::latency && point.processes == 1; },
	 &Point::size, &Figures::p50_ns},
	{"load-p50", "64 B, open loop", "load, percent of the peak rate", "p50, ns",
	 "set logscale y", [](const Point &point) { return point.kind == Kind::load; },
	 &Point::load_percent, &Figures::p50_ns},
	{"load-p99", "64 B, open loop", "load, percent of the peak rate", "p99, ns",
	 "set logscale y", [](const Point &point) { return point.kind == Kind::load; },
	 &Point::load_percent, &Figures::p99_ns},
};

/* x, median, quartiles: a line each; empty if there is nothing to draw. */
std::string data(const Figured &figured, const std::string &placement, const std::string &design,
		 const Plot &plot)
{
	std::map<uint32_t, std::string> lines;
	std::string text;

	for (const Point &point : figured.points()) {
		if (!plot.wanted(point))
			continue;
		const auto spread =
			figured.value(placement, design, point,
				      [&](const Sample &sample) { return sample.figures.*plot.y; });
		if (spread)
			lines[point.*plot.x] =
				fmt::format("{} {} {} {}\n", point.*plot.x, spread->median,
					    spread->lower, spread->upper);
	}
	if (lines.size() < 2)
		return "";
	for (const auto &[x, line] : lines)
		text += line;
	return text;
}

std::string script(const Figured &figured, const std::string &placement, const Plot &plot,
		   const std::filesystem::path &picture)
{
	std::string blocks;
	std::string curves;

	for (const char *design : drawn) {
		const std::string lines = data(figured, placement, design, plot);

		if (lines.empty())
			continue;
		blocks += fmt::format("${} << EOD\n{}EOD\n", design, lines);
		curves += fmt::format("{}${} using 1:2:3:4 with yerrorlines title '{}'",
				      curves.empty() ? "" : ", ", design, design);
	}
	if (curves.empty())
		return "";
	return fmt::format("set terminal svg size 720,480 background 'white' noenhanced\n"
			   "set output '{}'\nset title '{}, {}'\nset xlabel '{}'\nset ylabel '{}'\n"
			   "set key outside\nset grid\n{}\n{}plot {}\n",
			   picture.string(), plot.title, placement, plot.x_title, plot.y_title,
			   plot.settings, blocks, curves);
}

} // namespace

std::vector<std::filesystem::path> draw_plots(const Figured &figured,
					      const std::filesystem::path &folder)
{
	std::vector<std::filesystem::path> pictures;

	if (!tools::run({"gnuplot", "--version"}).ok())
		return {};
	for (const std::string &placement : figured.placements())
		for (const Plot &plot : plots) {
			const auto base = folder / fmt::format("bench-{}-{}", plot.name, placement);
			const std::string text =
				script(figured, placement, plot, base.string() + ".svg");

			if (text.empty())
				continue;
			tools::write_file(base.string() + ".gnuplot", text);
			if (tools::run({"gnuplot", base.string() + ".gnuplot"}).ok())
				pictures.emplace_back(base.string() + ".svg");
		}
	return pictures;
}

} // namespace bench
