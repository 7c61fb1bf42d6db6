// SPDX-License-Identifier: GPL-2.0
#include "table.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace tools
{

Table::Table(std::vector<std::string> titles)
{
	lines_.push_back(std::move(titles));
}

void Table::add(std::vector<std::string> cells)
{
	const size_t columns = lines_.front().size();

	if (cells.size() > columns) {
		throw std::invalid_argument(
			fmt::format("{} cells in a table of {} columns", cells.size(), columns));
	}
	cells.resize(columns);
	lines_.push_back(std::move(cells));
}

std::string Table::text() const
{
	std::vector<size_t> widths(lines_.front().size());
	std::string text;

	for (const auto &line : lines_) {
		for (size_t i = 0; i < line.size(); i++)
			widths[i] = std::max(widths[i], line[i].size());
	}
	for (const auto &line : lines_) {
		std::string row = fmt::format("{:<{}}", line[0], widths[0]);

		for (size_t i = 1; i < line.size(); i++)
			row += fmt::format("  {:>{}}", line[i], widths[i]);
		row.erase(row.find_last_not_of(' ') + 1);
		text += row + '\n';
	}
	return text;
}

} // namespace tools
