// SPDX-License-Identifier: GPL-2.0
#include "sample.hpp"

#include "placement.hpp"

#include <cerrno>
#include <cmath>
#include <fstream>
#include <system_error>

namespace bench
{

bool Sample::steady() const
{
	return same_placement(before_ns, after_ns);
}

bool Sample::complete() const
{
	return std::isfinite(figures.mpps) && figures.mpps > 0 &&
	       (point.kind == Kind::rate || figures.p50_ns > 0);
}

nlohmann::ordered_json to_json(const Sample &sample)
{
	const Point &point = sample.point;
	const Figures &figures = sample.figures;

	return {{"design", sample.design},
		{"kind", kind_name(point.kind)},
		{"size", point.size},
		{"batch", point.batch},
		{"outstanding", point.outstanding},
		{"queues", point.queues},
		{"processes", point.processes},
		{"load_percent", point.load_percent},
		{"mpps", figures.mpps},
		{"gbps", figures.gbps},
		{"least_ns", figures.least_ns},
		{"p50_ns", figures.p50_ns},
		{"p99_ns", figures.p99_ns},
		{"p999_ns", figures.p999_ns},
		{"wrong", figures.wrong},
		{"before_ns", sample.before_ns},
		{"after_ns", sample.after_ns},
		{"visit", sample.visit}};
}

Sample sample_from_json(const nlohmann::json &json)
{
	Sample sample;
	Point &point = sample.point;
	Figures &figures = sample.figures;

	json.at("design").get_to(sample.design);
	point.kind = kind_named(json.at("kind"));
	json.at("size").get_to(point.size);
	json.at("batch").get_to(point.batch);
	json.at("outstanding").get_to(point.outstanding);
	json.at("queues").get_to(point.queues);
	json.at("processes").get_to(point.processes);
	json.at("load_percent").get_to(point.load_percent);
	json.at("mpps").get_to(figures.mpps);
	json.at("gbps").get_to(figures.gbps);
	json.at("least_ns").get_to(figures.least_ns);
	json.at("p50_ns").get_to(figures.p50_ns);
	json.at("p99_ns").get_to(figures.p99_ns);
	json.at("p999_ns").get_to(figures.p999_ns);
	json.at("wrong").get_to(figures.wrong);
	json.at("before_ns").get_to(sample.before_ns);
	json.at("after_ns").get_to(sample.after_ns);
	json.at("visit").get_to(sample.visit);
	return sample;
}

Samples read_samples(const std::filesystem::path &path)
{
	std::ifstream file(path);
	std::string line;
	Samples samples;

	while (std::getline(file, line))
		samples.push_back(sample_from_json(nlohmann::json::parse(line)));
	return samples;
}

void append_samples(const std::filesystem::path &path, const Samples &samples)
{
	std::ofstream file(path, std::ios::app);

	for (const Sample &sample : samples)
		file << to_json(sample).dump() << '\n';
	if (!file.flush())
		throw std::system_error(errno, std::generic_category(), path.string());
}

} // namespace bench
