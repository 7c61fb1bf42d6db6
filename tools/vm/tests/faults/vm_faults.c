// SPDX-License-Identifier: GPL-2.0
/*
 * Faults on purpose, to see that the VM harness notices each kind of them. Every
 * bit of the parameter "faults" is one; the module then refuses to load.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/delay.h>

#define FAULT_WARN	1	/* a warning with a call trace */
#define FAULT_LEAK	2	/* memory that nothing points to */
#define FAULT_OVERRUN	4	/* a write behind an object, for KASAN */
#define FAULT_LOCKING	8	/* two locks in both orders, for lockdep */
#define FAULT_SLEEP	16	/* sleep in atomic context */

static unsigned int faults;
module_param(faults, uint, 0444);
MODULE_PARM_DESC(faults, "sum of 1 warning, 2 leak, 4 overrun, 8 lock order, 16 sleep in atomic context");

static DEFINE_SPINLOCK(lock_a);
static DEFINE_SPINLOCK(lock_b);

static void fault_locking(void)
{
	spin_lock(&lock_a);
	spin_lock(&lock_b);
	spin_unlock(&lock_b);
	spin_unlock(&lock_a);

	spin_lock(&lock_b);
	spin_lock(&lock_a);
	spin_unlock(&lock_a);
	spin_unlock(&lock_b);
}

static void fault_overrun(void)
{
	char *object = kmalloc(40, GFP_KERNEL);
	unsigned int behind = 40;

	if (!object)
		return;
	OPTIMIZER_HIDE_VAR(behind);
	object[behind] = 1;
	kfree(object);
}

static void fault_leak(void)
{
	unsigned int i;

	/* Several: a stale register or stack slot may still point to one. */
	for (i = 0; i < 8; i++) {
		void *object = kmalloc(100, GFP_KERNEL);

		OPTIMIZER_HIDE_VAR(object);
	}
}

static void fault_sleep(void)
{
	spin_lock(&lock_a);
	might_sleep();
	spin_unlock(&lock_a);
}

static int __init vm_faults_init(void)
{
	if (faults & FAULT_LEAK)
		fault_leak();
	if (faults & FAULT_OVERRUN)
		fault_overrun();
	if (faults & FAULT_LOCKING)
		fault_locking();
	if (faults & FAULT_SLEEP)
		fault_sleep();
	WARN_ON(faults & FAULT_WARN);
	return -ECANCELED;
}
module_init(vm_faults_init);

MODULE_DESCRIPTION("Faults on purpose, for tests of the VM harness");
MODULE_LICENSE("GPL");
