// SPDX-License-Identifier: GPL-2.0
/** @file
 * How opening a region fails: with a number for programs and a text for people.
 */
#pragma once

#include <stdexcept>
#include <string>

namespace ccnic
{

/** Thrown inside the library; the C functions return its code. */
class Error : public std::runtime_error
{
public:
	/** @param code negative errno number */
	Error(int code, const std::string &text) : std::runtime_error(text), code_(code)
	{
	}
	int code() const
	{
		return code_;
	}

private:
	int code_;
};

/** An error out of errno, which is looked at first. */
Error system_error(const std::string &what);

/**
 * Calls a function, and keeps the text of what it throws for the thread.
 * @return 0 or the error's code
 */
template <typename Function>
int guarded(Function function);

/** The thread's last text. */
const char *last_error();

/** @return the code of the exception that is being handled */
int keep_error();

template <typename Function>
int guarded(Function function)
{
	try {
		function();
		return 0;
	} catch (...) {
		return keep_error();
	}
}

} // namespace ccnic
