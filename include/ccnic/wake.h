/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CC-NIC: waking a consumer that sleeps, and only then.
 *
 * While a consumer polls, nothing but the ring is written. One that wants to
 * sleep writes an armed line of its own; the producer looks at it once after
 * each burst:
 *
 *   consumer                             producer
 *   a store armed                        c store signal (publish, release)
 *     smp_mb                               smp_mb
 *   b load signal again; sleep if 0      d load armed; wake if set
 *
 * The two fences are what makes this safe: either b sees c, or d sees a.
 * Release and acquire alone do not order c before d, nor a before b.
 *
 * Completion is waited for in the same way with the roles exchanged: the host
 * arms the index of a slot, and the NIC looks after it has returned slots.
 */
#ifndef CCNIC_WAKE_H
#define CCNIC_WAKE_H

#include "platform.h"

/**
 * struct ccnic_armed - a sleeper's line
 * @word: token in the low half, 0 while awake and another for each sleep, so
 *        that the peer wakes once a sleep without writing here; slot index in
 *        the high half, where a completion is waited for
 *
 * Written by the sleeper only.
 */
struct ccnic_armed {
	__u64 word;
	__u64 pad[7];
} __aligned(64);

static_assert(sizeof(struct ccnic_armed) == 64, "armed line size");

/**
 * ccnic_arm - announce sleep
 * @armed: the sleeper's line
 * @token: the sleeper's private count of sleeps
 * @index: slot waited for, or 0
 *
 * The caller must look at its ring again before it sleeps.
 */
static inline void ccnic_arm(struct ccnic_armed *armed, __u32 *token,
			     __u32 index)
{
	if (!++*token)
		++*token;
	ccnic_write_once(&armed->word, ((__u64)index << 32) | *token);
	/* Fence between a and b; pairs with the one before ccnic_armed_any(). */
	ccnic_mb();
}

/**
 * ccnic_disarm - awake again
 * @armed: the sleeper's line
 */
static inline void ccnic_disarm(struct ccnic_armed *armed)
{
	/* No order needed: a wake too many does no harm. */
	if (ccnic_read_once(&armed->word))
		ccnic_write_once(&armed->word, 0);
}

/**
 * ccnic_armed_slot - which slot does the sleeper wait for?
 * @armed: the sleeper's line
 * @index: set to the slot's index, if it waits
 *
 * For the sleeper's own side.
 *
 * Return: false if it does not wait
 */
static inline bool ccnic_armed_slot(const struct ccnic_armed *armed,
				    __u32 *index)
{
	__u64 word = ccnic_read_once(&armed->word);

	if (!word)
		return false;
	*index = (__u32)(word >> 32);
	return true;
}

/**
 * ccnic_armed_any - must the sleeper be woken?
 * @armed: the sleeper's line
 * @last: token that was last woken for; private to the waker
 *
 * The caller has executed ccnic_mb() since its last publish; one fence serves
 * a burst and all the lines it looks at.
 */
static inline bool ccnic_armed_any(const struct ccnic_armed *armed, __u32 *last)
{
	__u32 token = (__u32)ccnic_read_once(&armed->word);

	if (!token || token == *last)
		return false;
	*last = token;
	return true;
}

/**
 * ccnic_armed_index - has the slot that is waited for been returned?
 * @armed: the sleeper's line
 * @last: token that was last woken for; private to the waker
 * @returned: absolute index behind the last slot returned
 *
 * As ccnic_armed_any(), for a sleeper that waits for a completion.
 */
static inline bool ccnic_armed_index(const struct ccnic_armed *armed,
				     __u32 *last, __u32 returned)
{
	__u64 word = ccnic_read_once(&armed->word);
	__u32 token = (__u32)word;

	if (!token || token == *last ||
	    (__s32)(returned - (__u32)(word >> 32)) <= 0)
		return false;
	*last = token;
	return true;
}

#endif /* CCNIC_WAKE_H */
