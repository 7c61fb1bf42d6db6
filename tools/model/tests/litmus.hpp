// SPDX-License-Identifier: GPL-2.0
/** @file
 * Small programs over a few words of shared memory, and what can come of them.
 */
#pragma once

#include "../engine/explorer.hpp"
#include "../engine/world.hpp"
#include "../platform.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace model
{

/** A word of shared memory. */
struct Word {
	uint32_t *at = nullptr;

	uint32_t relaxed() const
	{
		return load(at, false);
	}
	uint32_t acquire() const
	{
		return load(at, true);
	}
	void relaxed(uint32_t value) const
	{
		store(at, value, false);
	}
	void release(uint32_t value) const
	{
		store(at, value, true);
	}
};

/** Registers of all threads, together the outcome: "0 1". */
class Registers
{
public:
	explicit Registers(size_t count) : values_(count)
	{
	}
	uint32_t &operator[](size_t i)
	{
		return values_[i];
	}
	std::string text() const
	{
		std::string text;

		for (const uint32_t value : values_) {
			if (!text.empty())
				text += ' ';
			text += std::to_string(value);
		}
		return text;
	}

private:
	std::vector<uint32_t> values_;
};

using Outcomes = std::set<std::string>;

inline Outcomes outcomes_of(const Report &report)
{
	Outcomes outcomes;

	for (const auto &[text, count] : report.outcomes)
		outcomes.insert(text);
	return outcomes;
}

/**
 * Explores a program with each reduction, which must all find the same.
 * @return the outcomes
 */
inline Outcomes explore(const Build &build)
{
	const Report all = Explorer(build, Reduction::none).run();
	const Report sleep = Explorer(build, Reduction::sleep).run();
	const Report dynamic = Explorer(build, Reduction::dynamic).run();

	EXPECT_EQ(all.failure.value_or(""), "") << all.trace;
	EXPECT_EQ(outcomes_of(all), outcomes_of(sleep));
	EXPECT_EQ(outcomes_of(all), outcomes_of(dynamic));
	EXPECT_EQ(sleep.complete, dynamic.complete);
	EXPECT_LE(dynamic.redundant, sleep.redundant);
	EXPECT_LE(sleep.complete, all.complete);
	return outcomes_of(dynamic);
}

/** @return what is wrong with the program: the same with each reduction */
inline std::string failure_of(const Build &build)
{
	const Report all = Explorer(build, Reduction::none).run();
	const Report dynamic = Explorer(build, Reduction::dynamic).run();

	EXPECT_EQ(all.failure.has_value(), dynamic.failure.has_value());
	return dynamic.failure.value_or("");
}

} // namespace model
