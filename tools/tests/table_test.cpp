// SPDX-License-Identifier: GPL-2.0
#include "table.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

TEST(Table, ColumnsAreAsWideAsTheirCells)
{
	tools::Table table({"", "ccnic", "veth"});

	table.add({"TCP, Gbit/s", "1.30", "12345.67"});
	table.add({"UDP", "0.1", "2"});
	EXPECT_EQ(table.text(), "             ccnic      veth\n"
				"TCP, Gbit/s   1.30  12345.67\n"
				"UDP            0.1         2\n");
}

TEST(Table, MissingCellsStayEmpty)
{
	tools::Table table({"a", "b", "c"});

	table.add({"1"});
	EXPECT_EQ(table.text(), "a  b  c\n"
				"1\n");
}

TEST(Table, TooManyCellsAreRefused)
{
	tools::Table table({"a", "b"});

	EXPECT_THROW(table.add({"1", "2", "3"}), std::invalid_argument);
}
