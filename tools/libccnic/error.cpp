// SPDX-License-Identifier: GPL-2.0
#include "error.hpp"

#include <cerrno>
#include <new>
#include <system_error>

namespace ccnic
{

namespace
{

thread_local std::string last;

void keep(const char *text) noexcept
{
	try {
		last = text;
	} catch (const std::bad_alloc &) {
		last.clear();
	}
}

} // namespace

Error system_error(const std::string &what)
{
	const int code = errno;

	return {-code, what + ": " + std::generic_category().message(code)};
}

const char *last_error()
{
	return last.c_str();
}

int keep_error()
{
	try {
		throw;
	} catch (const Error &error) {
		keep(error.what());
		return error.code();
	} catch (const std::bad_alloc &) {
		keep("no memory");
		return -ENOMEM;
	} catch (const std::exception &error) {
		keep(error.what());
		return -EIO;
	}
}

} // namespace ccnic
