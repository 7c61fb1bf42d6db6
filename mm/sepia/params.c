// SPDX-License-Identifier: GPL-2.0
/*
 * Sepia: module parameters. They are strings, so that each refusal can name
 * the parameter, what it was given, and what it takes.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "internal.h"

static char *pool_mib = "16";
module_param(pool_mib, charp, 0444);
MODULE_PARM_DESC(pool_mib, "MiB of pages for each core, even, 2 to 1024 (default 16)");

static char *cpus = "online";
module_param(cpus, charp, 0444);
MODULE_PARM_DESC(cpus, "list of CPUs that get a pool, e.g. 0-3,8 (default: all that are online)");

static char *groups = "auto";
module_param(groups, charp, 0444);
MODULE_PARM_DESC(groups, "page groups (colours), a power of two, 1 to 512 (default: from the cache's geometry, or 32)");

static char *backend = "auto";
module_param(backend, charp, 0444);
MODULE_PARM_DESC(backend, "auto, cma, contig or buddy (default auto: each in this order for what is still missing)");

static char *linger = "10";
module_param(linger, charp, 0444);
MODULE_PARM_DESC(linger, "seconds that unloading waits for pages of a CMA area that are still held, 0 to 3600 (default 10)");

static int sepia_check_pool_mib(struct sepia_config *config)
{
	unsigned int mib;

	if (kstrtouint(pool_mib, 10, &mib) || mib < 2 || mib > 1024 || mib % 2) {
		pr_err("pool_mib=%s: must be an even number of MiB from 2 to 1024\n",
		       pool_mib);
		return -EINVAL;
	}
	config->pool_pages = mib * (SZ_1M >> PAGE_SHIFT);
	return 0;
}

static int sepia_check_cpus(struct sepia_config *config)
{
	if (!strcmp(cpus, "online")) {
		cpumask_copy(&config->cpus, cpu_online_mask);
		return 0;
	}
	if (cpulist_parse(cpus, &config->cpus) ||
	    cpumask_empty(&config->cpus) ||
	    !cpumask_subset(&config->cpus, cpu_online_mask)) {
		pr_err("cpus=%s: must be a list of CPUs that are online, out of %*pbl\n",
		       cpus, cpumask_pr_args(cpu_online_mask));
		return -EINVAL;
	}
	return 0;
}

static int sepia_check_groups(struct sepia_config *config)
{
	if (!strcmp(groups, "auto")) {
		config->groups = sepia_detect_groups(&config->groups_origin);
		return 0;
	}
	if (kstrtouint(groups, 10, &config->groups) ||
	    !is_power_of_2(config->groups) ||
	    config->groups > SEPIA_MAX_GROUPS) {
		pr_err("groups=%s: must be auto or a power of two from 1 to %u\n",
		       groups, SEPIA_MAX_GROUPS);
		return -EINVAL;
	}
	config->groups_origin = "parameter";
	return 0;
}

static int sepia_check_backend(struct sepia_config *config)
{
	unsigned int i;

	config->backend = NULL;
	if (!strcmp(backend, "auto"))
		return 0;
	for (i = 0; i < SEPIA_NR_BACKENDS; i++) {
		if (!strcmp(backend, sepia_backends[i]->name)) {
			config->backend = sepia_backends[i];
			return 0;
		}
	}
	pr_err("backend=%s: must be auto, cma, contig or buddy\n", backend);
	return -EINVAL;
}

static int sepia_check_linger(struct sepia_config *config)
{
	if (kstrtouint(linger, 10, &config->linger_s) ||
	    config->linger_s > 3600) {
		pr_err("linger=%s: must be a number of seconds from 0 to 3600\n",
		       linger);
		return -EINVAL;
	}
	return 0;
}

/**
 * sepia_params_check() - check all parameters
 * @config: filled in
 *
 * Context: process context.
 * Return: 0, or -EINVAL after one line in the log.
 */
int sepia_params_check(struct sepia_config *config)
{
	return sepia_check_pool_mib(config) ?:
	       sepia_check_cpus(config) ?:
	       sepia_check_groups(config) ?:
	       sepia_check_backend(config) ?:
	       sepia_check_linger(config);
}
