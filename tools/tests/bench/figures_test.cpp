// SPDX-License-Identifier: GPL-2.0
/*
 * From samples to figures, and what is left out on the way.
 */
#include "figures.hpp"
#include "file.hpp"
#include "plan.hpp"
#include "report.hpp"
#include "summary.hpp"
#include "tables.hpp"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace
{

using namespace bench;

constexpr double near_ns = 50;
constexpr double far_ns = 200;

Sample sample_of(const std::string &design, const Point &point, double mpps,
		 double before = near_ns, double after = near_ns, uint64_t visit = 0)
{
	Sample sample{design, point, {}, before, after, visit};

	sample.figures.mpps = mpps;
	sample.figures.p50_ns = 10 * before;
	sample.figures.p99_ns = 20 * before;
	return sample;
}

double mpps_of(const Sample &sample)
{
	return sample.figures.mpps;
}

const Point cell = {Kind::rate, 64, 1, 64};
const Placements placements({}, 100);

TEST(Figures, KeepPlacementsApart)
{
	const Figured figured({sample_of("ours", cell, 10), sample_of("ours", cell, 20),
			       sample_of("ours", cell, 30),
			       sample_of("ours", cell, 2, far_ns, far_ns)},
			      placements);

	EXPECT_EQ(figured.placements(), (std::vector<std::string>{"near", "far"}));
	EXPECT_EQ(figured.value("near", "ours", cell, mpps_of)->median, 20);
	EXPECT_EQ(figured.value("near", "ours", cell, mpps_of)->count, 3U);
	EXPECT_EQ(figured.value("far", "ours", cell, mpps_of)->median, 2);
	EXPECT_FALSE(figured.value("near", "naive", cell, mpps_of).has_value());
}

TEST(Figures, LeaveOutWhatChangedItsPlacement)
{
	const Figured figured({sample_of("ours", cell, 10),
			       sample_of("ours", cell, 99, near_ns, far_ns),
			       sample_of("ours", cell, 98, far_ns, near_ns),
			       /* close to each other, but on two sides of the threshold */
			       sample_of("ours", cell, 97, 95, 105)},
			      placements);

	EXPECT_EQ(figured.placements(), std::vector<std::string>{"near"});
	EXPECT_EQ(figured.value("near", "ours", cell, mpps_of)->count, 1U);
}

TEST(Figures, LeaveOutWhatWasWrong)
{
	Sample wrong = sample_of("ours", cell, 10);
	wrong.figures.wrong = 1;
	const Figured figured({wrong}, placements);

	EXPECT_TRUE(figured.placements().empty());
}

TEST(Figures, LeaveOutWhatWasNotMeasured)
{
	Sample lost = sample_of("ours", {Kind::latency, 64, 1, 1}, 10);
	lost.figures.p50_ns = 0;
	const Figured figured({lost, sample_of("ours", cell, 0)}, placements);

	EXPECT_TRUE(figured.placements().empty());
}

TEST(Figures, RatiosAreOfOneVisit)
{
	/* The machine is twice as fast in the second visit: no matter. */
	const Figured figured({sample_of("ours", cell, 20, near_ns, near_ns, 1),
			       sample_of("naive", cell, 10, near_ns, near_ns, 1),
			       sample_of("ours", cell, 40, near_ns, near_ns, 2),
			       sample_of("naive", cell, 20, near_ns, near_ns, 2),
			       /* without a partner */
			       sample_of("ours", cell, 1000, near_ns, near_ns, 3),
			       sample_of("naive", cell, 1, far_ns, far_ns, 3)},
			      placements);

	EXPECT_DOUBLE_EQ(*figured.rate_ratio("near", "ours", "naive", cell), 2);
	EXPECT_FALSE(figured.rate_ratio("far", "ours", "naive", cell).has_value());
	EXPECT_FALSE(figured.rate_ratio("near", "ours", "memif", cell).has_value());
}

Samples all_cells(double ours, double other)
{
	Samples samples;
	uint64_t visit = 1;

	for (const uint32_t size : {64U, 1500U})
		for (const uint32_t outstanding : outstandings)
			for (const uint32_t batch : batches) {
				const Point point = {Kind::rate, size, batch, outstanding};
				visit++;
				samples.push_back(
					sample_of("ours", point, ours, near_ns, near_ns, visit));
				for (const char *name : {"naive", "rte_ring", "memif"})
					samples.push_back(sample_of(name, point, other, near_ns,
								    near_ns, visit));
			}
	samples.push_back(sample_of("ours", {Kind::latency, 64, 1, 1}, 1));
	samples.push_back(sample_of("ours", {Kind::load, 64, 32, 1024, 1, 1, 80}, 1));
	return samples;
}

TEST(Summary, HasEveryKeyOrSaysWhyNot)
{
	tools::Report report("bench", "ccnic-bench", {});
	std::vector<std::string> keys = {"placements_seen"};

	for (const std::string placement : {"near", "far", "local"})
		for (const char *key :
		     {"_latency64_rtt_ratio", "_min_rate64_naive_ratio",
		      "_rate64_naive_ratio_batch16", "_rate64_naive_ratio_batch32",
		      "_rate1500_naive_ratio_batch32", "_min_rate1500_rte_ring_ratio",
		      "_p99_at_80_percent_min_ratio", "_min_rate_rte_ring_ratio",
		      "_min_rate_memif_ratio"})
			keys.push_back(placement + key);
	summarise(report, Figured(all_cells(20, 10), placements), {});
	EXPECT_TRUE(report.unaccounted(keys).empty());

	const auto json = report.json();
	EXPECT_EQ(json["summary"]["placements_seen"], "near");
	EXPECT_EQ(json["summary"]["near_latency64_rtt_ratio"], 10);
	EXPECT_EQ(json["summary"]["near_min_rate64_naive_ratio"], 2);
	EXPECT_EQ(json["summary"]["near_p99_at_80_percent_min_ratio"], 2);
	EXPECT_TRUE(json["missing"].contains("far_min_rate_memif_ratio"));
}

TEST(Summary, TakesTheWorstCell)
{
	Samples samples = all_cells(20, 10);
	tools::Report report("bench", "ccnic-bench", {});

	for (Sample &sample : samples)
		if (sample.design == "ours" && sample.point == Point{Kind::rate, 64, 4, 1024})
			sample.figures.mpps = 7;
	summarise(report, Figured(samples, placements), {});
	EXPECT_EQ(report.json()["summary"]["near_min_rate64_naive_ratio"], 0.7);
	EXPECT_EQ(report.json()["summary"]["near_rate64_naive_ratio_batch32"], 2);
}

TEST(Summary, NamesWhatWasNotBuilt)
{
	tools::Report report("bench", "ccnic-bench", {});
	Samples samples = all_cells(20, 10);

	std::erase_if(samples, [](const Sample &sample) { return sample.design == "memif"; });
	summarise(report, Figured(samples, placements), {{"memif", "no DPDK"}});
	EXPECT_EQ(report.json()["missing"]["near_min_rate_memif_ratio"], "memif: no DPDK");
}

TEST(Summary, TargetsAreJudged)
{
	const Figured good(all_cells(20, 10), placements);
	const Figured bad(all_cells(10, 20), placements);

	EXPECT_NE(target_text(good, {}).find("2.00"), std::string::npos);
	const auto cell_reached = [](const Figured &figured) {
		const std::vector<Target> list = targets(figured, "near", {});
		return std::any_of(list.begin(), list.end(), [](const Target &target) {
			return target.key == "near_min_rate64_naive_ratio" && target.reached();
		});
	};
	EXPECT_TRUE(cell_reached(good));
	EXPECT_FALSE(cell_reached(bad));
	for (const Target &target : targets(Figured({}, placements), "near", {}))
		EXPECT_FALSE(target.reached());
}

TEST(Summary, RowsAreFlatAndHaveTheirKeys)
{
	tools::Report report("bench", "ccnic-bench", {});

	add_rows(report, Figured(all_cells(20, 10), placements));
	const auto json = report.json();
	ASSERT_FALSE(json["rows"].empty());
	for (const auto &row : json["rows"]) {
		for (const char *key : {"design", "size", "batch", "outstanding", "placement",
					"rtt_ns", "mpps", "gbps"})
			EXPECT_TRUE(row.contains(key)) << row.dump();
		EXPECT_EQ(row.contains("p50_ns"), row["kind"] != "rate") << row.dump();
	}
}

TEST(Summary, TablesShowEveryDesign)
{
	const std::vector<Entry> entries = {{"ours", Role::main, "", {}},
					    {"naive", Role::main, "", {}}};
	const std::string text = tables(Figured(all_cells(20, 10), placements), entries);

	EXPECT_NE(text.find("ours"), std::string::npos);
	EXPECT_NE(text.find("naive"), std::string::npos);
	EXPECT_EQ(text.find("memif"), std::string::npos);
}

TEST(SampleFile, GivesBackWhatWasPutIn)
{
	const auto path = std::filesystem::temp_directory_path() /
			  ("ccnic-bench-samples-" + std::to_string(getpid()));
	const Samples first = all_cells(20, 10);

	std::filesystem::remove(path);
	EXPECT_TRUE(read_samples(path).empty());
	append_samples(path, first);
	append_samples(path, first);
	const Samples both = read_samples(path);
	std::filesystem::remove(path);

	ASSERT_EQ(both.size(), 2 * first.size());
	for (size_t i = 0; i < first.size(); i++) {
		EXPECT_EQ(both[i].design, first[i].design);
		EXPECT_EQ(both[i].point, first[i].point);
		EXPECT_EQ(both[i].figures.mpps, first[i].figures.mpps);
		EXPECT_EQ(both[i].before_ns, first[i].before_ns);
		EXPECT_EQ(both[i].visit, first[i].visit);
	}
}

} // namespace
