// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of Sepia's geometry: figures of real caches, and figures that
 * must be refused. Linked into sepia_kunit.ko with the code under test.
 */
#include <kunit/test.h>

#include "../geometry.c"

static void geometry_known_caches(struct kunit *test)
{
	/* Ice Lake-SP, 39 MB: 26 slices of 2048 sets. */
	KUNIT_EXPECT_EQ(test, sepia_groups_of(53248, 26, 64), 32u);
	/* The same sets, were they 13 slices of 4096. */
	KUNIT_EXPECT_EQ(test, sepia_groups_of(53248, 13, 64), 64u);
	/* One slice of 64 sets: a page covers it all. */
	KUNIT_EXPECT_EQ(test, sepia_groups_of(64, 1, 64), 1u);
	KUNIT_EXPECT_EQ(test, sepia_groups_of(16384, 1, 64), 256u);
	KUNIT_EXPECT_EQ(test, sepia_groups_of(16384, 8, 64), 32u);
	KUNIT_EXPECT_EQ(test, sepia_groups_of(8192, 8, 128), 32u);
}

static void geometry_refused(struct kunit *test)
{
	/* No slice count, no cache, no line. */
	KUNIT_EXPECT_EQ(test, sepia_groups_of(53248, 0, 64), 0u);
	KUNIT_EXPECT_EQ(test, sepia_groups_of(0, 26, 64), 0u);
	KUNIT_EXPECT_EQ(test, sepia_groups_of(53248, 26, 0), 0u);
	/* Slices that do not divide the sets, or not into a power of two. */
	KUNIT_EXPECT_EQ(test, sepia_groups_of(53248, 25, 64), 0u);
	KUNIT_EXPECT_EQ(test, sepia_groups_of(53248, 1, 64), 0u);
	KUNIT_EXPECT_EQ(test, sepia_groups_of(53248, 2, 64), 0u);
	/* Fewer sets than a page has lines. */
	KUNIT_EXPECT_EQ(test, sepia_groups_of(32, 1, 64), 0u);
	/* More groups than a 2 MiB block can hold. */
	KUNIT_EXPECT_EQ(test, sepia_groups_of(512 * 64, 1, 64), 512u);
	KUNIT_EXPECT_EQ(test, sepia_groups_of(1024 * 64, 1, 64), 0u);
	/* Lines larger than a page. */
	KUNIT_EXPECT_EQ(test, sepia_groups_of(64, 1, 2 * PAGE_SIZE), 0u);
}

static void geometry_detected(struct kunit *test)
{
	const char *origin = NULL;
	unsigned int groups = sepia_detect_groups(&origin);

	KUNIT_EXPECT_TRUE(test, is_power_of_2(groups));
	KUNIT_EXPECT_LE(test, groups, SEPIA_MAX_GROUPS);
	KUNIT_ASSERT_NOT_NULL(test, origin);
	if (!strcmp(origin, "default"))
		KUNIT_EXPECT_EQ(test, groups, SEPIA_DEFAULT_GROUPS);
	else
		KUNIT_EXPECT_STREQ(test, origin, "cpuid");
}

static struct kunit_case geometry_cases[] = {
	KUNIT_CASE(geometry_known_caches),
	KUNIT_CASE(geometry_refused),
	KUNIT_CASE(geometry_detected),
	{}
};

static struct kunit_suite geometry_suite = {
	.name = "sepia_geometry",
	.test_cases = geometry_cases,
};

kunit_test_suite(geometry_suite);
