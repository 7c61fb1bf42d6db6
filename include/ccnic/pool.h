/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CC-NIC: the shared buffer pool.
 *
 * Both sides allocate from one pool and free to it, without a lock and
 * without a shared stack. Each side keeps a private last-in first-out cache,
 * so that the buffer written next is the one that this CPU touched last, and
 * the sides hand each other handles in batches, a line at a time, through
 * single-producer rings of lines.
 *
 * A private ledger of each side remembers which handles the peer holds. A
 * handle that the peer names without holding it is refused, so a confused
 * peer can neither free twice nor take a buffer that is in use.
 */
#ifndef CCNIC_POOL_H
#define CCNIC_POOL_H

#include "line.h"

/**
 * struct ccnic_cache - a private last-in first-out cache of handles
 * @handle: room for @size handles
 * @count: how many there are
 * @size: how many there can be
 */
struct ccnic_cache {
	__u32 *handle;
	__u32 count;
	__u32 size;
};

static inline void ccnic_cache_init(struct ccnic_cache *cache, __u32 *room,
				    __u32 size)
{
	cache->handle = room;
	cache->count = 0;
	cache->size = size;
}

/* Return: false if the cache is full, and then the handle was not taken */
static inline bool ccnic_cache_push(struct ccnic_cache *cache, __u32 handle)
{
	if (cache->count == cache->size)
		return false;
	cache->handle[cache->count++] = handle;
	return true;
}

/* Return: false if the cache is empty */
static inline bool ccnic_cache_pop(struct ccnic_cache *cache, __u32 *handle)
{
	if (!cache->count)
		return false;
	*handle = cache->handle[--cache->count];
	return true;
}

/**
 * ccnic_scatter_step - stride of the order in which fresh buffers are used
 * @count: buffers
 *
 * Buffers are first handed out in the order 0, step, 2 * step, ... modulo
 * @count, so that neighbours in time are no neighbours in memory, and a
 * prefetcher does not run into the producer's next buffer. The step is the
 * first number from 0.38 * @count up that has no common divisor with @count,
 * so every buffer comes up once.
 */
static inline __u32 ccnic_scatter_step(__u32 count)
{
	__u32 step, a, b, t;

	for (step = (__u32)(((__u64)count * 97) >> 8) | 1; ; step++) {
		for (a = step, b = count; b; b = t) {
			t = a % b;
			a = b;
		}
		if (a == 1)
			return step;
	}
}

/**
 * struct ccnic_ledger - which handles the peer holds, in one side's opinion
 * @at_peer: one byte a handle, so that contexts of one side which deal with
 *           different handles do not disturb each other
 * @count: handles
 */
struct ccnic_ledger {
	__u8 *at_peer;
	__u32 count;
};

/* The handle goes to the peer. The caller owns it. */
static inline void ccnic_ledger_lend(struct ccnic_ledger *ledger, __u32 index)
{
	ccnic_write_once(&ledger->at_peer[index], 1);
}

/**
 * ccnic_ledger_take - the peer says that it gives a handle back
 * @ledger: ledger
 * @index: what the peer named; any value
 *
 * Return: false if the peer does not hold it; it is to be ignored then
 */
static inline bool ccnic_ledger_take(struct ccnic_ledger *ledger, __u32 index)
{
	/*
	 * The peer may name one handle on two queues, whose contexts look at
	 * the same time: the exchange lets only one of them have it.
	 */
	return index < ledger->count &&
	       ccnic_read_once(&ledger->at_peer[index]) &&
	       ccnic_exchange(&ledger->at_peer[index], 0);
}

/**
 * struct ccnic_lender - the giving side of an exchange ring
 * @lines: the ring
 * @mask: lines - 1
 * @next: absolute index of the line to write next
 * @pending: handles gathered
 * @handle: those handles
 *
 * Only full batches are published: a handle on its own is never urgent.
 *
 * Nothing goes back on an exchange ring, because it cannot be full. With at
 * least ccnic_exchange_lines() lines a whole turn lends more handles than
 * there are, so one of them was lent twice in it and has come home between:
 * the peer had read its batch by then, and with it the line that is written
 * next, which is no younger.
 */
struct ccnic_lender {
	struct ccnic_line *lines;
	__u32 mask;
	__u32 next;
	__u32 pending;
	__u32 handle[CCNIC_LINE_HANDLES];
};

/* Smallest power of two of lines that is never full with @handles in all. */
static inline __u32 ccnic_exchange_lines(__u32 handles)
{
	__u32 lines = 16;

	while (lines < handles / CCNIC_LINE_HANDLES + 1)
		lines *= 2;
	return lines;
}

/**
 * ccnic_lender_init - start with an empty ring
 * @l: giving side
 * @lines: ring memory, zeroed
 * @count: lines, a power of two of at most 2^27
 */
static inline void ccnic_lender_init(struct ccnic_lender *l,
				     struct ccnic_line *lines, __u32 count)
{
	l->lines = lines;
	l->mask = count - 1;
	l->next = 0;
	l->pending = 0;
}

/**
 * ccnic_lend - hand a handle to the peer, with the next full batch
 * @l: giving side
 * @handle: handle; the caller has noted it in its ledger
 */
static inline void ccnic_lend(struct ccnic_lender *l, __u32 handle)
{
	struct ccnic_line *line;

	l->handle[l->pending++] = handle;
	if (l->pending < CCNIC_LINE_HANDLES)
		return;
	line = &l->lines[l->next & l->mask];
	ccnic_copy(line->handle, l->handle, sizeof(l->handle));
	/*
	 * Release: the handles, and what was written to or read from the
	 * buffers before they were freed, come first.
	 */
	ccnic_store_release(&line->signal, ccnic_batch_signal(l->next));
	l->next++;
	l->pending = 0;
}

/**
 * struct ccnic_borrower - the taking side of an exchange ring
 * @lines: the ring
 * @mask: lines - 1
 * @next: absolute index of the line to read next
 * @broken: the peer broke the protocol; nothing more comes
 */
struct ccnic_borrower {
	struct ccnic_line *lines;
	__u32 mask;
	__u32 next;
	bool broken;
};

/**
 * ccnic_borrower_init - start at the beginning of an empty ring
 * @b: taking side
 * @lines: ring memory
 * @count: lines, as given to ccnic_lender_init()
 */
static inline void ccnic_borrower_init(struct ccnic_borrower *b,
				       struct ccnic_line *lines, __u32 count)
{
	b->lines = lines;
	b->mask = count - 1;
	b->next = 0;
	b->broken = false;
}

/**
 * ccnic_borrow - take one batch of handles
 * @b: taking side
 * @handle: room for CCNIC_LINE_HANDLES; what comes is the peer's word and to
 *          be checked with ccnic_ledger_take()
 *
 * Return: how many; 0 if there are none; CCNIC_EPROTO
 */
static inline int ccnic_borrow(struct ccnic_borrower *b, __u32 *handle)
{
	struct ccnic_line *line = &b->lines[b->next & b->mask];
	__u32 signal;

	if (b->broken)
		return CCNIC_EPROTO;
	/* Acquire: pairs with the publish in ccnic_lend(). */
	signal = ccnic_load_acquire(&line->signal);
	if (signal != ccnic_batch_signal(b->next)) {
		/* The turn before, or nothing yet; else it has lost step. */
		b->broken = signal &&
			    signal != ccnic_batch_signal(b->next - b->mask - 1);
		return b->broken ? CCNIC_EPROTO : 0;
	}
	ccnic_copy(handle, line->handle, CCNIC_LINE_HANDLES * sizeof(*handle));
	/* Or the compiler may take what is checked from the line once more. */
	ccnic_barrier();
	b->next++;
	return CCNIC_LINE_HANDLES;
}

#endif /* CCNIC_POOL_H */
