// SPDX-License-Identifier: GPL-2.0
#include <linux/module.h>
MODULE_DESCRIPTION("Sepia: KUnit tests");
MODULE_LICENSE("GPL");
