// SPDX-License-Identifier: GPL-2.0
/*
 * Sepia: how many page groups the last level cache makes.
 *
 * Physical address bits above the page offset that select a set choose the
 * page group: groups = sets of one slice / lines of a page. CPUID counts the
 * sets of all slices together, and only the uncore's boxes tell how many
 * slices there are; without them the number of groups cannot be known.
 */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/namei.h>
#include <linux/path.h>
#include <linux/printk.h>

#ifdef CONFIG_X86
#include <asm/cpufeature.h>
#include <asm/processor.h>
#endif

#include "internal.h"

/**
 * sepia_groups_of() - page groups of a cache
 * @sets: sets of all slices together
 * @slices: number of slices, 0 if not known
 * @line_bytes: bytes of a cache line
 *
 * Return: the number of groups, a power of two, or 0 if these figures give
 * none that Sepia can use.
 */
unsigned int sepia_groups_of(unsigned int sets, unsigned int slices,
			     unsigned int line_bytes)
{
	unsigned int groups, lines_per_page;

	if (!slices || !line_bytes || line_bytes > PAGE_SIZE || sets % slices)
		return 0;
	lines_per_page = PAGE_SIZE / line_bytes;
	groups = sets / slices / lines_per_page;
	if (!is_power_of_2(sets / slices) || groups > SEPIA_MAX_GROUPS)
		return 0;
	return groups;
}

/* Boxes of the uncore, one a slice: perf shows each as a device. */
static unsigned int sepia_count_slices(void)
{
	static const char * const kinds[] = { "cha", "cbox" };
	struct path path;
	unsigned int i, n;
	char name[64];

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		for (n = 0; n < 1024; n++) {
			snprintf(name, sizeof(name),
				 "/sys/bus/event_source/devices/uncore_%s_%u",
				 kinds[i], n);
			if (kern_path(name, LOOKUP_FOLLOW, &path))
				break;
			path_put(&path);
		}
		if (n)
			return n;
	}
	return 0;
}

/* CPUID leaf 4: the largest level of cache that the processor describes. */
static unsigned int sepia_cpuid_sets(unsigned int *line_bytes)
{
	unsigned int sets = 0;
#ifdef CONFIG_X86
	unsigned int eax, ebx, ecx, edx, i, level = 0;

	if (boot_cpu_data.cpuid_level < 4)
		return 0;
	for (i = 0; i < 16; i++) {
		cpuid_count(4, i, &eax, &ebx, &ecx, &edx);
		if (!(eax & 0x1f))
			break;
		if (((eax >> 5) & 7) <= level)
			continue;
		level = (eax >> 5) & 7;
		*line_bytes = (ebx & 0xfff) + 1;
		sets = ecx + 1;
	}
#endif
	return sets;
}

/**
 * sepia_detect_groups() - page groups of this machine
 * @origin: set to where the number came from
 *
 * Context: process context.
 * Return: number of page groups, a power of two.
 */
unsigned int sepia_detect_groups(const char **origin)
{
	unsigned int line_bytes = 0, sets, slices, groups;

	sets = sepia_cpuid_sets(&line_bytes);
	slices = sets ? sepia_count_slices() : 0;
	groups = sepia_groups_of(sets, slices, line_bytes);
	if (groups) {
		*origin = "cpuid";
		return groups;
	}
	if (slices)
		pr_info("%u sets in %u slices do not give a number of page groups\n",
			sets, slices);
	*origin = "default";
	return SEPIA_DEFAULT_GROUPS;
}
