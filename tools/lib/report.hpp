// SPDX-License-Identifier: GPL-2.0
/** @file
 * The report that a measuring command leaves behind: NAME.json.
 */
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tools
{

/**
 * Gathers the figures of one measurement and writes them as one JSON object:
 * `name`, `date`, `machine`, `command`, `rows`, `summary`, `missing`.
 *
 * Units stand in the keys (`_gbps`, `_mpps`, `_ns`, `_percent`, `_ratio`).
 */
class Report
{
public:
	using Json = nlohmann::ordered_json;

	/**
	 * @param name of the report; the file is NAME.json
	 * @param command as the user would type it
	 * @param machine see machine_description()
	 */
	Report(std::string name, std::string command, Json machine);

	/** Adds one measured point; a flat object. */
	void add_row(Json row);

	/** Adds a figure that a reader looks for first. */
	void set(const std::string &key, Json value);

	/** Adds a figure, or says why there is none. */
	template <typename T>
	void set(const std::string &key, const std::optional<T> &value, const std::string &reason)
	{
		if (value)
			set(key, Json(*value));
		else
			set_missing(key, reason);
	}

	/** Says that a figure could not be measured, and why. */
	void set_missing(const std::string &key, const std::string &reason);

	/** @return those of the keys that are neither in the summary nor missing */
	std::vector<std::string> unaccounted(const std::vector<std::string> &keys) const;

	/** @return the whole report */
	Json json() const;

	/**
	 * Writes NAME.json, making the folder if need be.
	 * @return the file's path
	 * @throws std::system_error naming the file
	 */
	std::filesystem::path write(const std::filesystem::path &folder) const;

private:
	std::string name_;
	std::string command_;
	std::string date_;
	Json machine_;
	Json rows_ = Json::array();
	Json summary_ = Json::object();
	Json missing_ = Json::object();
};

/** @return the middle value, or the mean of the two middle ones; nothing of nothing */
std::optional<double> median(std::vector<double> values);

/** @return @p value to @p digits significant digits, so that noise is not shown */
double rounded(double value, int digits = 4);

} // namespace tools
