// SPDX-License-Identifier: GPL-2.0
#include "tables.hpp"

#include "plan.hpp"
#include "table.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace bench
{

namespace
{

using Texts = std::vector<std::string>;
using Field = double Figures::*;

/** Makes the tables of one placement. */
class Writer
{
public:
	Writer(const Figured &figured, const std::vector<Entry> &subjects, std::string placement)
		: figured_(figured), subjects_(subjects), placement_(std::move(placement))
	{
	}

	std::string text() const
	{
		std::string all;

		for (const uint32_t size : {64u, 1500u})
			all += cells(size);
		all += latencies() + sizes() + load() + queues() + processes() + applications();
		return all;
	}

private:
	/* A figure with half the distance of its quartiles; a dash without one. */
	std::string cell(const std::string &design, const Point &point, Field field) const
	{
		const auto spread =
			figured_.value(placement_, design, point, [field](const Sample &sample) {
				return sample.figures.*field;
			});

		if (!spread)
			return "-";
		const double around = (spread->upper - spread->lower) / 2;
		if (spread->median >= 100)
			return fmt::format("{:.0f} ±{:.0f}", spread->median, around);
		return fmt::format("{:.{}f} ±{:.{}f}", spread->median, spread->median < 10 ? 2 : 1,
				   around, spread->median < 10 ? 2 : 1);
	}

	/* A table whose columns are points; designs without any figure are left out. */
	std::string table(const std::string &title, const Texts &titles,
			  const std::vector<std::pair<Point, Field>> &columns) const
	{
		Texts heads = {title + ", " + placement_};
		heads.insert(heads.end(), titles.begin(), titles.end());

		tools::Table table(heads);
		bool any = false;
		for (const Entry &subject : subjects_) {
			Texts line = {subject.name};
			for (const auto &[point, field] : columns)
				line.push_back(cell(subject.name, point, field));
			if (std::all_of(line.begin() + 1, line.end(),
					[](const std::string &text) { return text == "-"; }))
				continue;
			any = true;
			table.add(line);
		}
		return any ? table.text() + '\n' : "";
	}

	std::string cells(uint32_t size) const
	{
		Texts titles;
		std::vector<std::pair<Point, Field>> columns;

		for (const uint32_t outstanding : outstandings)
			for (const uint32_t batch : batches) {
				titles.push_back(fmt::format("{}/{}", batch, outstanding));
				columns.push_back({{Kind::rate, size, batch, outstanding},
						   size >= 1024 ? &Figures::gbps : &Figures::mpps});
			}
		return table(fmt::format("{} B, {}, batch/in flight", size,
					 size >= 1024 ? "Gbit/s" : "Mpps"),
			     titles, columns);
	}

	std::string latencies() const
	{
		const Point point = {Kind::latency, 64, 1, 1};

		return table("64 B, one in flight, ns", {"least", "p50", "p99", "p99.9"},
			     {{point, &Figures::least_ns},
			      {point, &Figures::p50_ns},
			      {point, &Figures::p99_ns},
			      {point, &Figures::p999_ns}});
	}

	std::set<uint32_t> all_sizes() const
	{
		std::set<uint32_t> sizes;

		for (const Point &point : figured_.points())
			if (point.kind == Kind::rate || point.kind == Kind::latency)
				sizes.insert(point.size);
		return sizes;
	}

	std::string sizes() const
	{
		Texts titles;
		std::vector<std::pair<Point, Field>> latency;
		std::vector<std::pair<Point, Field>> rate;

		for (const uint32_t size : all_sizes()) {
			titles.push_back(fmt::format("{} B", size));
			latency.push_back({{Kind::latency, size, 1, 1}, &Figures::p50_ns});
			rate.push_back({{Kind::rate, size, 32, 1024}, &Figures::gbps});
		}
		if (titles.size() < 2)
			return "";
		return table("p50, one in flight, ns", titles, latency) +
		       table("Gbit/s, batch 32, 1024 in flight", titles, rate);
	}

	std::string load() const
	{
		Texts titles;
		std::vector<std::pair<Point, Field>> p50;
		std::vector<std::pair<Point, Field>> p99;

		for (const uint32_t percent : loads) {
			const Point point = {Kind::load, 64, 32, 1024, 1, 1, percent};

			titles.push_back(fmt::format("{} %", percent));
			p50.emplace_back(point, &Figures::p50_ns);
			p99.emplace_back(point, &Figures::p99_ns);
		}
		return table("64 B, p50 at a load, ns", titles, p50) +
		       table("64 B, p99 at a load, ns", titles, p99);
	}

	std::string queues() const
	{
		Texts titles;
		std::vector<std::pair<Point, Field>> columns;

		for (const uint32_t batch : {1u, 32u})
			for (const uint32_t queues : {1u, 2u, 4u, 8u}) {
				titles.push_back(fmt::format("{}/{}", batch, queues));
				columns.push_back(
					{{Kind::rate, 64, batch, 1024, queues}, &Figures::mpps});
			}
		if (std::none_of(columns.begin(), columns.end(), [this](const auto &column) {
			    return column.first.queues > 1 &&
				   !figured_.designs(column.first).empty();
		    }))
			return "";
		return table("64 B, Mpps, batch/queues", titles, columns);
	}

	std::string processes() const
	{
		const Point latency = {Kind::latency, 64, 1, 1, 1, 2};

		return table("64 B, two processes", {"p50 ns", "p99 ns", "Mpps, 32/1024"},
			     {{latency, &Figures::p50_ns},
			      {latency, &Figures::p99_ns},
			      {{Kind::rate, 64, 32, 1024, 1, 2}, &Figures::mpps}});
	}

	std::string applications() const
	{
		std::string all;

		for (const auto &[title, point] :
		     {std::pair{"Key-value store", kv_point}, {"Remote calls", rpc_point}}) {
			tools::Table table({fmt::format("{}, {}", title, placement_),
					    "million a second", "p50 ns", "p99 ns"});
			bool any = false;

			for (const char *name : {"ours", "naive", "udp"}) {
				const std::string rate = cell(name, point, &Figures::mpps);
				if (rate == "-")
					continue;
				any = true;
				table.add({name, rate, cell(name, point, &Figures::p50_ns),
					   cell(name, point, &Figures::p99_ns)});
			}
			if (any)
				all += table.text() + '\n';
		}
		return all;
	}

	const Figured &figured_;
	const std::vector<Entry> &subjects_;
	std::string placement_;
};

} // namespace

std::string tables(const Figured &figured, const std::vector<Entry> &subjects)
{
	std::string text;

	for (const std::string &placement : figured.placements())
		text += Writer(figured, subjects, placement).text();
	return text;
}

} // namespace bench
