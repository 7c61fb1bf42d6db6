// SPDX-License-Identifier: GPL-2.0
/** @file
 * Tables of plain text for people.
 */
#pragma once

#include <string>
#include <vector>

namespace tools
{

/**
 * A table: first column to the left, the others to the right, as wide as
 * their widest cell.
 */
class Table
{
public:
	/** @param titles one a column; their number is the number of columns */
	explicit Table(std::vector<std::string> titles);

	/**
	 * Adds a line.
	 * @param cells one a column; missing ones at the end stay empty
	 * @throws std::invalid_argument if there are more cells than columns
	 */
	void add(std::vector<std::string> cells);

	/** @return the table, each line ended by a newline, no trailing blanks */
	std::string text() const;

private:
	std::vector<std::vector<std::string>> lines_;
};

} // namespace tools
