/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CC-NIC: the single-producer single-consumer ring of lines.
 *
 * A ring is a power-of-two array of lines in the region. Both indices are
 * private to their side; all that the sides share is the lines.
 *
 * Memory order, step by step:
 *
 *   producer                             consumer
 *   1 load signal (acquire), finds 0     4 load signal (acquire), finds != 0
 *   2 write the entries (plain)          5 copy the entries (plain)
 *   3 store signal (release)             6 store signal = 0 (release)
 *
 *   3 -> 4: the entries, and the payload that they name, written before the
 *           release are seen after the acquire.
 *   6 -> 1: the consumer's reads of the line, and of the buffers it named,
 *           are over before the producer writes either again.
 *
 * The consumer reads each line once, into private memory, and checks the
 * copy: what the peer writes afterwards cannot change what was checked.
 *
 * A packet of k > 1 lines waits until k lines are free, is written with its
 * first line's signal last, and says k in its first descriptor. Packets that
 * fit a line share it with others, but are never split over two.
 */
#ifndef CCNIC_RING_H
#define CCNIC_RING_H

#include "line.h"

#define CCNIC_RING_LINES_MIN	32u
#define CCNIC_RING_LINES_MAX	4096u
#define CCNIC_PACKET_LINES_MAX	16u	/* lines of the largest packet */
#define CCNIC_PACKET_DESCS_MAX	(CCNIC_PACKET_LINES_MAX * CCNIC_LINE_DESCS)

/**
 * struct ccnic_producer - the writing side's private view of a packet ring
 * @lines: the ring
 * @mask: lines - 1
 * @next: absolute index of the line to publish next
 * @clean: absolute index of the oldest line not known to be returned
 * @staged: descriptors gathered for line @next and not yet published
 * @stage: those descriptors
 * @published_lines: lines published since the struct was zeroed; goes on
 *                   over ccnic_producer_init()
 * @published_descs: descriptors in them
 *
 * Used by one context at a time.
 */
struct ccnic_producer {
	struct ccnic_line *lines;
	__u32 mask;
	__u32 next;
	__u32 clean;
	__u32 staged;
	struct ccnic_desc stage[CCNIC_LINE_DESCS];
	/* cold */
	__u64 published_lines;
	__u64 published_descs;
};

/**
 * ccnic_producer_init - start with an empty ring
 * @p: producer, zeroed before its first use
 * @lines: ring memory, all signals 0
 * @count: lines, a power of two
 */
static inline void ccnic_producer_init(struct ccnic_producer *p,
				       struct ccnic_line *lines, __u32 count)
{
	p->lines = lines;
	p->mask = count - 1;
	p->next = 0;
	p->clean = 0;
	p->staged = 0;
}

/* Is the line with this absolute index back in the producer's hands? */
static inline bool ccnic_producer_returned(const struct ccnic_producer *p,
					   __u32 index)
{
	/* Acquire: pairs with the consumer's return, step 6. */
	return !ccnic_load_acquire(&p->lines[index & p->mask].signal);
}

/* Lines published and not known to be returned. */
static inline __u32 ccnic_producer_busy(const struct ccnic_producer *p)
{
	return p->next - p->clean;
}

/* Lines that can be published, the one being gathered not among them. */
static inline __u32 ccnic_producer_free(const struct ccnic_producer *p)
{
	return p->mask + 1 - ccnic_producer_busy(p) - (p->staged ? 1 : 0);
}

/**
 * ccnic_producer_reclaim - learn which lines came back
 * @p: producer
 *
 * Lines come back in order, so the scan ends at the first that has not.
 *
 * Return: how many lines came back since the last call
 */
static inline __u32 ccnic_producer_reclaim(struct ccnic_producer *p)
{
	__u32 start = p->clean;

	while (p->clean != p->next && ccnic_producer_returned(p, p->clean))
		p->clean++;
	return p->clean - start;
}

static inline void ccnic_producer_write(struct ccnic_producer *p, __u32 index,
					const struct ccnic_desc *desc,
					__u32 count)
{
	struct ccnic_line *line = &p->lines[index & p->mask];

	ccnic_copy(line->slots.desc, desc, count * sizeof(*desc));
	/* Release: the entries and their payload first; step 3. */
	ccnic_store_release(&line->signal, ccnic_signal(index, count));
	/* Written whole, for readers of statistics. */
	ccnic_write_once(&p->published_lines, p->published_lines + 1);
	ccnic_write_once(&p->published_descs, p->published_descs + count);
}

/**
 * ccnic_producer_flush - publish what was gathered
 * @p: producer
 *
 * To be called at the end of every burst: a descriptor that was put and not
 * flushed is invisible to the peer. Does nothing if nothing was gathered.
 */
static inline void ccnic_producer_flush(struct ccnic_producer *p)
{
	if (!p->staged)
		return;
	ccnic_producer_write(p, p->next, p->stage, p->staged);
	p->next++;
	p->staged = 0;
}

/**
 * ccnic_producer_put - add one packet
 * @p: producer
 * @desc: the packet's descriptors; the last has CCNIC_F_EOP. The line count
 *        is filled in here
 * @count: how many, 1 to CCNIC_PACKET_DESCS_MAX
 *
 * A packet of up to four descriptors is gathered with its neighbours, and
 * published when the line is full or by ccnic_producer_flush(); a larger one
 * is published at once, behind whatever was gathered before it.
 *
 * Return: true; false if there is no room, and then nothing has changed
 */
static inline bool ccnic_producer_put(struct ccnic_producer *p,
				      struct ccnic_desc *desc, __u32 count)
{
	__u32 lines, tail, i;

	if (count <= CCNIC_LINE_DESCS) {
		if (p->staged + count > CCNIC_LINE_DESCS || !p->staged) {
			if (!ccnic_producer_free(p))
				return false;
			ccnic_producer_flush(p);
		}
		ccnic_desc_set_lines(&desc[0], 0);
		ccnic_copy(&p->stage[p->staged], desc, count * sizeof(*desc));
		p->staged += count;
		if (p->staged == CCNIC_LINE_DESCS)
			ccnic_producer_flush(p);
		return true;
	}

	lines = (count + CCNIC_LINE_DESCS - 1) / CCNIC_LINE_DESCS;
	if (lines > CCNIC_PACKET_LINES_MAX || ccnic_producer_free(p) < lines)
		return false;
	ccnic_producer_flush(p);
	ccnic_desc_set_lines(&desc[0], lines);
	tail = count - (lines - 1) * CCNIC_LINE_DESCS;
	for (i = lines - 1; i; i--)
		ccnic_producer_write(p, p->next + i,
				     desc + i * CCNIC_LINE_DESCS,
				     i == lines - 1 ? tail : CCNIC_LINE_DESCS);
	/* Last, so that whoever sees the first line has all of them. */
	ccnic_producer_write(p, p->next, desc, CCNIC_LINE_DESCS);
	p->next += lines;
	return true;
}

/**
 * struct ccnic_consumer - the reading side's private view of a packet ring
 * @lines: the ring
 * @mask: lines - 1
 * @next: absolute index of the line to read next
 * @returned: absolute index of the oldest line read and not yet returned
 * @count: descriptors in @line
 * @pos: the next of them
 * @line: copy of line @next - 1
 * @broken: the producer broke the protocol; the ring yields nothing more
 *          until ccnic_consumer_init()
 *
 * Used by one context at a time.
 */
struct ccnic_consumer {
	struct ccnic_line *lines;
	__u32 mask;
	__u32 next;
	__u32 returned;
	__u32 count;
	__u32 pos;
	struct ccnic_desc line[CCNIC_LINE_DESCS];
	bool broken;
};

/**
 * ccnic_consumer_init - start at the beginning of an empty ring
 * @c: consumer
 * @lines: ring memory
 * @count: lines, a power of two
 */
static inline void ccnic_consumer_init(struct ccnic_consumer *c,
				       struct ccnic_line *lines, __u32 count)
{
	c->lines = lines;
	c->mask = count - 1;
	c->next = 0;
	c->returned = 0;
	c->count = 0;
	c->pos = 0;
	c->broken = false;
}

/**
 * ccnic_consumer_pending - is there anything to read?
 * @c: consumer
 *
 * Also the second look of a consumer that goes to sleep; see wake.h.
 */
static inline bool ccnic_consumer_pending(const struct ccnic_consumer *c)
{
	if (c->broken)
		return false;
	if (c->pos < c->count)
		return true;
	/* A full turn taken and not returned: what stands there is our past. */
	if (c->next - c->returned > c->mask)
		return false;
	/* Acquire keeps it usable before a read of what the line names. */
	return ccnic_load_acquire(&c->lines[c->next & c->mask].signal);
}

/* Copy line @next. Return: its count, 0 if not there yet, CCNIC_EPROTO */
static inline int ccnic_consumer_read(struct ccnic_consumer *c,
				      struct ccnic_desc *desc)
{
	struct ccnic_line *line = &c->lines[c->next & c->mask];
	/* Acquire: pairs with the producer's publish, step 3. */
	__u32 signal = ccnic_load_acquire(&line->signal);

	if (!signal)
		return 0;
	/* A full turn taken without returning a line: this is our own past. */
	if (c->next - c->returned > c->mask)
		return 0;
	if (!ccnic_signal_valid(signal, c->next, CCNIC_LINE_DESCS))
		return CCNIC_EPROTO;
	ccnic_copy(desc, line->slots.desc,
		   ccnic_signal_count(signal) * sizeof(*desc));
	/* Or the compiler may take what is checked from the line once more. */
	ccnic_barrier();
	c->next++;
	return (int)ccnic_signal_count(signal);
}

/**
 * ccnic_consumer_next - take the next packet
 * @c: consumer
 * @desc: room for CCNIC_PACKET_DESCS_MAX descriptors, private memory
 *
 * The packet's line stays with the consumer until ccnic_consumer_return().
 * Only the framing is checked here; see ccnic_packet_parse() for the rest.
 *
 * Return: how many descriptors the packet has; 0 if there is none;
 * CCNIC_EPROTO if the producer broke the protocol, now or before
 */
static inline int ccnic_consumer_next(struct ccnic_consumer *c,
				      struct ccnic_desc *desc)
{
	__u32 lines, total, i;
	int count;

	if (c->broken)
		return CCNIC_EPROTO;
	if (c->pos == c->count) {
		count = ccnic_consumer_read(c, c->line);
		if (count <= 0)
			goto none;
		c->count = (__u32)count;
		c->pos = 0;
	}

	lines = ccnic_desc_lines(&c->line[c->pos]);
	if (!lines) {
		for (i = 0; c->pos < c->count; ) {
			desc[i++] = c->line[c->pos];
			if (c->line[c->pos++].flags & CCNIC_F_EOP)
				return (int)i;
		}
		goto broken;		/* the line ends before the packet */
	}

	if (c->pos || c->count != CCNIC_LINE_DESCS ||
	    lines < 2 || lines > CCNIC_PACKET_LINES_MAX)
		goto broken;
	ccnic_copy(desc, c->line, sizeof(c->line));
	total = CCNIC_LINE_DESCS;
	c->pos = c->count;
	for (i = 1; i < lines; i++) {
		count = ccnic_consumer_read(c, desc + total);
		if (count <= 0 || (i < lines - 1 && count != CCNIC_LINE_DESCS))
			goto broken;
		total += (__u32)count;
	}
	for (i = 0; i < total; i++)
		if (!!(desc[i].flags & CCNIC_F_EOP) != (i == total - 1))
			goto broken;
	return (int)total;

none:
	if (!count)
		return 0;
broken:
	c->broken = true;
	return CCNIC_EPROTO;
}

/**
 * ccnic_consumer_return - give back every line whose packets were all taken
 * @c: consumer
 *
 * To be called when the payload of the packets taken so far has been copied.
 *
 * Return: how many lines went back
 */
static inline __u32 ccnic_consumer_return(struct ccnic_consumer *c)
{
	__u32 end = c->pos == c->count ? c->next : c->next - 1;
	__u32 start = c->returned;

	while (c->returned != end) {
		/* Release: our reads are over; step 6. */
		ccnic_store_release(&c->lines[c->returned & c->mask].signal, 0);
		c->returned++;
	}
	return end - start;
}

#endif /* CCNIC_RING_H */
