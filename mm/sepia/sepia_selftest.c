// SPDX-License-Identifier: GPL-2.0
/*
 * A small client of Sepia for its selftests: takes pages on chosen cores,
 * holds them, and gives them back on chosen cores.
 */
#include <linux/module.h>
MODULE_DESCRIPTION("Sepia: client for the selftests");
MODULE_LICENSE("GPL");
