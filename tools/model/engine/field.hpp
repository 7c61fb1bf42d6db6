// SPDX-License-Identifier: GPL-2.0
/** @file
 * What a trace calls the parts of shared objects.
 */
#pragma once

#include <cstddef>

namespace model
{

/** Name of a field and where it begins. */
struct Field {
	const char *name;
	size_t offset;
};

} // namespace model
