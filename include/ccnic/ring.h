/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CC-NIC: the single-producer single-consumer ring of descriptors.
 *
 * A ring is a power-of-two array of lines, four slots a line. A packet is a
 * run of slots, one descriptor each, that ends with CCNIC_F_EOP. Beside the
 * ring stands an array of cells, one a slot: there a small packet's bytes are,
 * where its descriptor is of kind CCNIC_KIND_INLINE.
 *
 * Slots are named by an absolute index, counted from 0 and wrapping at 2^32.
 * Lines and cells are written by the producer only. The consumer's one store
 * is its progress, an absolute index in a line of its own: all slots before it
 * are done with.
 *
 *   producer                              consumer
 *   1 load progress (acquire)             4 load signal (acquire): count
 *   2 write cells and descriptors         5 copy descriptors and cells
 *   3 store signals: those of the later   6 store progress (release)
 *     lines (relaxed), then the first
 *     one's (release)
 *
 *   3 -> 4: what was written before the release is seen after the acquire,
 *           and so are the later lines' signals: a burst that spans lines
 *           becomes visible at once, with its first line.
 *   6 -> 1: the consumer's reads of a slot and of what it named are over
 *           before the producer writes the slot again.
 *
 * A line is open until it is full: the producer appends by storing the signal
 * anew with a higher count, so packets sent one by one share lines as those of
 * a burst do, and a consumer that comes late finds all of them with one read.
 * The consumer never writes to a line, so it costs one transfer, not three.
 * The producer looks at the progress only when it believes the ring is full,
 * or waits for a completion.
 *
 * The consumer reads each descriptor once, into private memory, and checks the
 * copy: what the peer writes afterwards cannot change what was checked.
 */
#ifndef CCNIC_RING_H
#define CCNIC_RING_H

#include "line.h"

#define CCNIC_RING_LINES_MIN	32u
#define CCNIC_RING_LINES_MAX	4096u
#define CCNIC_PACKET_DESCS_MAX	64u	/* slots of the largest packet */
#define CCNIC_CELL_BYTES_MAX	256u

/**
 * struct ccnic_progress - a consumer's line
 * @slots: absolute index of the first slot that it is not done with
 *
 * Written by the ring's consumer only.
 */
struct ccnic_progress {
	__u32 slots;
	__u32 pad[15];
} __aligned(CCNIC_LINE_SIZE);

static_assert(sizeof(struct ccnic_progress) == CCNIC_LINE_SIZE,
	      "progress line size");

/**
 * struct ccnic_ring - where a ring stands
 * @lines: its lines; zeroed before the first use
 * @cells: its cells, or NULL if it has none
 * @progress: its consumer's line; zeroed before the first use
 * @slots: how many, a power of two
 * @cell_bytes: size of a cell: 0, or a multiple of CCNIC_LINE_SIZE
 */
struct ccnic_ring {
	struct ccnic_line *lines;
	__u8 *cells;
	struct ccnic_progress *progress;
	__u32 slots;
	__u32 cell_bytes;
};

static inline struct ccnic_line *ccnic_ring_line(const struct ccnic_ring *r,
						 __u32 slot)
{
	return &r->lines[(slot & (r->slots - 1)) / CCNIC_LINE_DESCS];
}

static inline __u8 *ccnic_ring_cell(const struct ccnic_ring *r, __u32 slot)
{
	return r->cells + (size_t)(slot & (r->slots - 1)) * r->cell_bytes;
}

/* Slots of the same line before this one. */
static inline __u32 ccnic_slot_in_line(__u32 slot)
{
	return slot % CCNIC_LINE_DESCS;
}

/**
 * struct ccnic_producer - the writing side's private view of a ring
 * @ring: the ring
 * @next: the slot to be written next
 * @published: the slots before it are visible
 * @clean: the slots before it are known to be done with
 * @broken: the consumer's progress made no sense; the ring stays full until
 *          ccnic_producer_init()
 * @published_lines: signals stored since the struct was zeroed; goes on over
 *                   ccnic_producer_init()
 * @published_descs: descriptors made visible by them
 *
 * Used by one context at a time.
 */
struct ccnic_producer {
	struct ccnic_ring ring;
	__u32 next;
	__u32 published;
	__u32 clean;
	bool broken;
	/* cold */
	__u64 published_lines;
	__u64 published_descs;
};

/**
 * ccnic_producer_init - start with an empty ring
 * @p: producer, zeroed before its first use
 * @ring: ring, its lines and progress zeroed
 */
static inline void ccnic_producer_init(struct ccnic_producer *p,
				       const struct ccnic_ring *ring)
{
	p->ring = *ring;
	p->next = 0;
	p->published = 0;
	p->clean = 0;
	p->broken = false;
}

/* Slots written, visible or not, and not known to be done with. */
static inline __u32 ccnic_producer_busy(const struct ccnic_producer *p)
{
	return p->next - p->clean;
}

/*
 * Slots that can be written, as far as is known. A line is begun anew only
 * when the consumer is done with all of it.
 */
static inline __u32 ccnic_producer_free(const struct ccnic_producer *p)
{
	__u32 clean = p->clean - ccnic_slot_in_line(p->clean);

	if (p->broken)
		return 0;
	return p->ring.slots - (p->next - clean);
}

/**
 * ccnic_producer_reclaim - learn which slots the consumer is done with
 * @p: producer
 *
 * Return: how many more than at the last call
 */
static inline __u32 ccnic_producer_reclaim(struct ccnic_producer *p)
{
	/* Acquire: pairs with the consumer's return, step 6. */
	__u32 clean = ccnic_load_acquire(&p->ring.progress->slots);
	__u32 count = clean - p->clean;

	if (count > p->published - p->clean) {
		p->broken = true;
		return 0;
	}
	p->clean = clean;
	return count;
}

/**
 * ccnic_producer_passed - is the consumer done with a slot?
 * @p: producer
 * @slot: absolute index of a slot that was written
 *
 * Changes nothing: for a look before sleep.
 */
static inline bool ccnic_producer_passed(const struct ccnic_producer *p,
					 __u32 slot)
{
	/* Acquire: pairs with the consumer's return, step 6. */
	return (__s32)(ccnic_load_acquire(&p->ring.progress->slots) - slot) > 0;
}

/**
 * ccnic_producer_cell - where an inline descriptor's bytes go
 * @p: producer; there is room for the packet
 * @index: which of the descriptors that are put next
 *
 * Return: the cell, cell_bytes long
 */
static inline __u8 *ccnic_producer_cell(const struct ccnic_producer *p,
					__u32 index)
{
	return ccnic_ring_cell(&p->ring, p->next + index);
}

/**
 * ccnic_producer_put - add one packet
 * @p: producer
 * @desc: the packet's descriptors; the last, and no other, has CCNIC_F_EOP
 * @count: how many, 1 to CCNIC_PACKET_DESCS_MAX
 *
 * The packet is invisible until ccnic_producer_flush().
 *
 * Return: true; false if there is no room, and then nothing has changed
 */
static inline bool ccnic_producer_put(struct ccnic_producer *p,
				      const struct ccnic_desc *desc,
				      __u32 count)
{
	struct ccnic_line *line;
	__u32 i;

	if (count > CCNIC_PACKET_DESCS_MAX || ccnic_producer_free(p) < count)
		return false;
	for (i = 0; i < count; i++, p->next++) {
		line = ccnic_ring_line(&p->ring, p->next);
		ccnic_copy(&line->slots.desc[ccnic_slot_in_line(p->next)],
			   &desc[i], sizeof(*desc));
	}
	return true;
}

/**
 * ccnic_producer_flush - publish what was put
 * @p: producer
 *
 * To be called at the end of every burst: a packet that was put and not
 * flushed is invisible to the peer. Does nothing if nothing was put.
 */
static inline void ccnic_producer_flush(struct ccnic_producer *p)
{
	__u32 first = p->published - ccnic_slot_in_line(p->published);
	__u32 last, count, lines = 1;

	if (p->next == p->published)
		return;
	last = p->next - 1;
	last -= ccnic_slot_in_line(last);
	count = p->next - last;
	for (; last != first; last -= CCNIC_LINE_DESCS, lines++) {
		/* Relaxed: nobody looks here before the first line's store. */
		ccnic_write_once(&ccnic_ring_line(&p->ring, last)->signal,
				 ccnic_signal(last / CCNIC_LINE_DESCS, count));
		count = CCNIC_LINE_DESCS;
	}
	/* Release: all that stands in lines, cells and buffers first; step 3. */
	ccnic_store_release(&ccnic_ring_line(&p->ring, first)->signal,
			    ccnic_signal(first / CCNIC_LINE_DESCS, count));
	/* Written whole, for readers of statistics. */
	ccnic_write_once(&p->published_lines, p->published_lines + lines);
	ccnic_write_once(&p->published_descs,
			 p->published_descs + (p->next - p->published));
	p->published = p->next;
}

/**
 * struct ccnic_consumer - the reading side's private view of a ring
 * @ring: the ring
 * @next: the slot to be taken next
 * @end: the slots before it are known to be visible
 * @returned: the progress that was last published
 * @inlined: the packet taken last was in its cell
 * @broken: the producer broke the protocol; the ring yields nothing more
 *          until ccnic_consumer_init()
 *
 * Used by one context at a time.
 */
struct ccnic_consumer {
	struct ccnic_ring ring;
	__u32 next;
	__u32 end;
	__u32 returned;
	bool inlined;
	bool broken;
};

/**
 * ccnic_consumer_init - start at the beginning of an empty ring
 * @c: consumer
 * @ring: ring
 */
static inline void ccnic_consumer_init(struct ccnic_consumer *c,
				       const struct ccnic_ring *ring)
{
	c->ring = *ring;
	c->next = 0;
	c->end = 0;
	c->returned = 0;
	c->inlined = false;
	c->broken = false;
}

/* Slots taken since the progress was last published. */
static inline __u32 ccnic_consumer_owed(const struct ccnic_consumer *c)
{
	return c->next - c->returned;
}

/* Learn how far the line of @end is filled. Return: slots more; CCNIC_EPROTO */
static inline int ccnic_consumer_look(struct ccnic_consumer *c)
{
	__u32 seen = ccnic_slot_in_line(c->end);
	__u32 signal;
	int count;

	/* Acquire: pairs with the producer's publish, step 3. */
	signal = ccnic_load_acquire(&ccnic_ring_line(&c->ring, c->end)->signal);
	count = ccnic_signal_count(signal, c->end / CCNIC_LINE_DESCS,
				   c->ring.slots / CCNIC_LINE_DESCS, seen);
	if (count < 0) {
		c->broken = true;
		return CCNIC_EPROTO;
	}
	if ((__u32)count <= seen)
		return 0;
	c->end += (__u32)count - seen;
	return count - (int)seen;
}

/**
 * ccnic_consumer_pending - is there anything to take?
 * @c: consumer
 *
 * Also the second look of a consumer that goes to sleep; see wake.h. What
 * breaks the protocol is something: ccnic_consumer_next() will say so.
 */
static inline bool ccnic_consumer_pending(struct ccnic_consumer *c)
{
	return !c->broken && (c->next != c->end || ccnic_consumer_look(c));
}

/**
 * ccnic_consumer_ahead - look how much there is, and fetch it
 * @c: consumer
 * @most: slots that the caller will take
 *
 * The lines are read one after the other, but what inline descriptors name is
 * fetched at once, where that is what the packets were like of late.
 *
 * Return: slots that can be taken, possibly more than @most; CCNIC_EPROTO
 */
static inline int ccnic_consumer_ahead(struct ccnic_consumer *c, __u32 most)
{
	__u32 i, count;

	if (c->broken)
		return CCNIC_EPROTO;
	while (c->end - c->next < most) {
		if (ccnic_consumer_look(c) <= 0)
			break;
		if (ccnic_slot_in_line(c->end))
			break;
	}
	if (c->broken && c->next == c->end)
		return CCNIC_EPROTO;
	count = c->end - c->next;
	if (c->inlined)
		for (i = 1; i < count && i < most; i++)
			ccnic_prefetch(ccnic_ring_cell(&c->ring, c->next + i));
	return (int)count;
}

/**
 * ccnic_consumer_next - take the next packet
 * @c: consumer
 * @desc: room for CCNIC_PACKET_DESCS_MAX descriptors, private memory
 *
 * Its slots and cells stay with the consumer until ccnic_consumer_return().
 * Only the framing is checked here; see ccnic_packet_parse() for the rest.
 *
 * Return: how many descriptors the packet has; 0 if there is none;
 * CCNIC_EPROTO if the producer broke the protocol, now or before
 */
static inline int ccnic_consumer_next(struct ccnic_consumer *c,
				      struct ccnic_desc *desc)
{
	const struct ccnic_line *line;
	__u32 slot = c->next, i;

	for (i = 0; i < CCNIC_PACKET_DESCS_MAX; i++, slot++) {
		if (slot == c->end && (c->broken || ccnic_consumer_look(c) <= 0))
			break;
		line = ccnic_ring_line(&c->ring, slot);
		ccnic_copy(&desc[i],
			   &line->slots.desc[ccnic_slot_in_line(slot)],
			   sizeof(*desc));
		/* Or the compiler may take what is checked from there again. */
		ccnic_barrier();
		if (!(desc[i].flags & CCNIC_F_EOP))
			continue;
		c->next = slot + 1;
		c->inlined = ccnic_desc_kind(&desc[i]) == CCNIC_KIND_INLINE;
		return (int)i + 1;
	}
	/* A packet becomes visible whole: one that is not is none. */
	if (i)
		c->broken = true;
	return c->broken ? CCNIC_EPROTO : 0;
}

/**
 * ccnic_consumer_cell - an inline descriptor's bytes
 * @c: consumer
 * @count: descriptors of the packet that was taken last
 * @index: which of them
 *
 * Shared memory: to be copied, and read once.
 */
static inline const __u8 *ccnic_consumer_cell(const struct ccnic_consumer *c,
					      __u32 count, __u32 index)
{
	return ccnic_ring_cell(&c->ring, c->next - count + index);
}

/**
 * ccnic_consumer_return - be done with every packet that was taken
 * @c: consumer
 *
 * To be called when the packets taken so far have been copied: now and then
 * while there are more, and when there are no more.
 *
 * Return: how many slots went back
 */
static inline __u32 ccnic_consumer_return(struct ccnic_consumer *c)
{
	__u32 count = ccnic_consumer_owed(c);

	if (!count)
		return 0;
	/* Release: our reads are over; step 6. */
	ccnic_store_release(&c->ring.progress->slots, c->next);
	c->returned = c->next;
	return count;
}

#endif /* CCNIC_RING_H */
