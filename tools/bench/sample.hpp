// SPDX-License-Identifier: GPL-2.0
/** @file
 * One measurement of one design, and files of them.
 */
#pragma once

#include "point.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

namespace bench
{

/** One measurement. */
struct Sample {
	std::string design;
	Point point;
	Figures figures;
	/** The round trip of one line before and after it. */
	double before_ns = 0;
	double after_ns = 0;
	/** The same for designs that were measured one right after the other. */
	uint64_t visit = 0;

	double round_trip_ns() const
	{
		return (before_ns + after_ns) / 2;
	}
	/** @return was it one placement from beginning to end? */
	bool steady() const;
	/** @return is there a figure? Not if the CPU was taken away all the time. */
	bool complete() const;
};

using Samples = std::vector<Sample>;

/** @return a sample as one flat object */
nlohmann::ordered_json to_json(const Sample &sample);

/** @throws nlohmann::json::exception if it is none */
Sample sample_from_json(const nlohmann::json &json);

/** @return the samples of a file, a line each; none if there is no file */
Samples read_samples(const std::filesystem::path &path);

/** Appends samples to a file. @throws std::system_error */
void append_samples(const std::filesystem::path &path, const Samples &samples);

} // namespace bench
