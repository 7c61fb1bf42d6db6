// SPDX-License-Identifier: GPL-2.0
#include "arena.hpp"

/* NOLINTBEGIN(readability-identifier-naming): libFuzzer's name */
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz::run_host(data, size);
	return 0;
}
/* NOLINTEND(readability-identifier-naming) */
