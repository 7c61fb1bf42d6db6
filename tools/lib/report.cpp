// SPDX-License-Identifier: GPL-2.0
#include "report.hpp"

#include "file.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <stdexcept>

namespace tools
{

Report::Report(std::string name, std::string command, Json machine)
	: name_(std::move(name)), command_(std::move(command)), machine_(std::move(machine))
{
	const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());

	date_ = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

void Report::add_row(Json row)
{
	if (!row.is_object() || std::any_of(row.begin(), row.end(), [](const Json &value) {
		    return value.is_structured();
	    }))
		throw std::invalid_argument("a row of a report is a flat object");
	rows_.push_back(std::move(row));
}

void Report::set(const std::string &key, Json value)
{
	if (value.is_structured() || value.is_null())
		throw std::invalid_argument(key + ": a figure of a summary is one value");
	if (value.is_number_float() && !std::isfinite(value.get<double>()))
		throw std::invalid_argument(key + ": a figure of a summary is a finite number");
	missing_.erase(key);
	summary_[key] = std::move(value);
}

void Report::set_missing(const std::string &key, const std::string &reason)
{
	summary_.erase(key);
	missing_[key] = reason;
}

std::vector<std::string> Report::unaccounted(const std::vector<std::string> &keys) const
{
	std::vector<std::string> left;

	std::copy_if(keys.begin(), keys.end(), std::back_inserter(left),
		     [&](const std::string &key) {
			     return !summary_.contains(key) && !missing_.contains(key);
		     });
	return left;
}

Report::Json Report::json() const
{
	return {
		{"name", name_},       {"date", date_}, {"machine", machine_},
		{"command", command_}, {"rows", rows_}, {"summary", summary_},
		{"missing", missing_},
	};
}

std::filesystem::path Report::write(const std::filesystem::path &folder) const
{
	std::filesystem::path path = folder / (name_ + ".json");

	std::filesystem::create_directories(folder);
	write_file(path, json().dump(2) + '\n');
	return path;
}

std::optional<double> median(std::vector<double> values)
{
	if (values.empty())
		return {};
	std::sort(values.begin(), values.end());

	const size_t middle = values.size() / 2;
	if (values.size() % 2 != 0)
		return values[middle];
	return (values[middle - 1] + values[middle]) / 2;
}

double rounded(double value, int digits)
{
	if (value == 0 || !std::isfinite(value))
		return value;

	const double scale = std::pow(10, digits - 1 - std::floor(std::log10(std::fabs(value))));
	return std::round(value * scale) / scale;
}

} // namespace tools
