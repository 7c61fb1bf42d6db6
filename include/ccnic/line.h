/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CC-NIC: the 64-byte line and the descriptors in it.
 *
 * One line is what crosses the interconnect at once. It carries one signal
 * and either up to four packet descriptors or up to fifteen buffer handles:
 * a consumer that sees the signal has everything the signal speaks of in the
 * same line read. There is no head, no tail and no doorbell.
 *
 *   byte  0      4      8             22            36            50       64
 *         +------+------+-------------+-------------+-------------+--------+
 *  packet |signal| aux  | desc[0]     | desc[1]     | desc[2]     | desc[3]|
 *         +------+------+-------------+-------------+-------------+--------+
 *  batch  |signal| handle[0] ... handle[14]                                |
 *         +------+---------------------------------------------------------+
 *
 * Ownership: a ring has one writer, and all of its lines are written by that
 * side alone. The signal says how much of a line may be read; what the reader
 * is done with it says in a line of its own, now and then; see ring.h.
 */
#ifndef CCNIC_LINE_H
#define CCNIC_LINE_H

#include "platform.h"

#define CCNIC_LINE_SIZE		64	/* bytes */
#define CCNIC_LINE_DESCS	4	/* packet descriptors a line */
#define CCNIC_LINE_HANDLES	15	/* handles a line of an exchange ring */

/*
 * The signal word of a packet line: count of valid descriptors in the low
 * half, the low 16 bits of the line's absolute index in the high half. The
 * index tells this turn's line from the one that stood here a turn ago: there
 * are fewer lines than 65536. 0 stands in a line that was never written.
 */
#define CCNIC_SIGNAL_COUNT_MASK	0xffffu
#define CCNIC_SIGNAL_SEQ_SHIFT	16

static inline __u32 ccnic_signal(__u32 index, __u32 count)
{
	return (index << CCNIC_SIGNAL_SEQ_SHIFT) |
	       (count & CCNIC_SIGNAL_COUNT_MASK);
}

/**
 * ccnic_signal_count - what does a signal say at this place of a ring?
 * @signal: the signal word, read once
 * @index: absolute index of the line
 * @lines: lines of the ring
 * @seen: valid descriptors that the reader has already been told of
 *
 * Return: how many descriptors are valid, @seen or more; CCNIC_EPROTO if the
 * writer has lost step
 */
static inline int ccnic_signal_count(__u32 signal, __u32 index, __u32 lines,
				     __u32 seen)
{
	__u32 count = signal & CCNIC_SIGNAL_COUNT_MASK;
	__u32 seq = signal >> CCNIC_SIGNAL_SEQ_SHIFT;

	if (seq == (index & 0xffffu) && count && count <= CCNIC_LINE_DESCS &&
	    count >= seen)
		return (int)count;
	/* Not begun: it shows the turn before, or nothing yet. */
	if (!seen && (!signal || (seq == ((index - lines) & 0xffffu) &&
				  count == CCNIC_LINE_DESCS)))
		return 0;
	return CCNIC_EPROTO;
}

/*
 * The signal word of an exchange line, which is written once a turn: the low
 * 28 bits of its absolute index, and 15 handles. Never 0.
 */
static inline __u32 ccnic_batch_signal(__u32 index)
{
	return (index << 4) | CCNIC_LINE_HANDLES;
}

/*
 * What a descriptor names: never an address, always a handle. Bit 31 clear: a
 * small buffer in the region. Bit 31 set: an entry of the translation table,
 * which has a part for each direction: in an RX ring a page that the host
 * offered, in a TX ring memory of the stack that the host mapped for as long
 * as the descriptor's line is out.
 */
#define CCNIC_HANDLE_PAGE	0x80000000u
#define CCNIC_HANDLE_INDEX(h)	((h) & 0x7fffffffu)

/* desc.flags: kind in bits 0..2, flags in bits 8..15, the rest 0 */
#define CCNIC_KIND_MASK		0x0007u
#define CCNIC_KIND_NONE		0u	/* never valid */
#define CCNIC_KIND_BUFFER	1u	/* small buffer of the shared pool */
#define CCNIC_KIND_PAGE		2u	/* named by the translation table */
#define CCNIC_KIND_INLINE	3u	/* the slot's cell, beside the ring */
#define CCNIC_KIND_CONTEXT	4u	/* struct ccnic_context, not a buffer */
#define CCNIC_KIND_EVENT	5u	/* room kept: transmit timestamps */

#define CCNIC_F_EOP		0x0100u	/* last descriptor of the packet */
#define CCNIC_F_CSUM_PARTIAL	0x0200u	/* meta[0]: checksum start | offset << 8 */
#define CCNIC_F_CSUM_VALID	0x0400u	/* the checksum was verified */
#define CCNIC_F_HASH		0x0800u	/* meta[0..1]: room kept, receive hash */
#define CCNIC_F_VLAN		0x1000u	/* meta[1]: room kept, VLAN tag */

/**
 * struct ccnic_desc - one buffer of a packet
 * @handle: which buffer; CCNIC_HANDLE_*; 0 where the bytes are in the cell
 * @offset: bytes from the buffer's start to the first byte of the packet
 * @len: bytes of the packet in this buffer, never 0
 * @flags: kind and CCNIC_F_*
 * @meta: what the flags say: checksum position, hash, VLAN tag
 *
 * 14 bytes, so that four of them and the signal fill a line.
 */
struct ccnic_desc {
	__u32 handle;
	__u16 offset;
	__u16 len;
	__u16 flags;
	__u16 meta[2];
} __packed __aligned(2);

/* context.gso_type: one of these, and perhaps the flag */
#define CCNIC_GSO_NONE		0u
#define CCNIC_GSO_TCPV4		1u
#define CCNIC_GSO_TCPV6		2u
#define CCNIC_GSO_UDP_L4	3u
#define CCNIC_GSO_TYPE_MASK	0x7fu
#define CCNIC_GSO_ECN		0x80u	/* TCP with the CWR bit */

/**
 * struct ccnic_context - offload metadata that no buffer descriptor holds
 * @gso_size: payload bytes a segment, 0 if the packet is not to be segmented
 * @csum_start: offset from the packet's start at which the checksum begins
 * @csum_offset: offset from @csum_start to the checksum field
 * @hdr_len: bytes of headers before the payload; a hint
 * @flags: kind, at the same place as in struct ccnic_desc
 * @gso_type: CCNIC_GSO_*
 * @reserved: 0
 *
 * Takes the place of a packet's first descriptor where a packet needs it:
 * for segmentation, or for a checksum that starts beyond byte 255.
 */
struct ccnic_context {
	__u16 gso_size;
	__u16 csum_start;
	__u16 csum_offset;
	__u16 hdr_len;
	__u16 flags;
	__u16 gso_type;
	__u16 reserved;
} __packed __aligned(2);

/**
 * struct ccnic_slots - the packet form of a line, less its signal
 * @aux: room kept for what a whole line shares; 0
 * @desc: @signal of them are valid
 */
struct ccnic_slots {
	__u32 aux;
	struct ccnic_desc desc[CCNIC_LINE_DESCS];
};

/**
 * struct ccnic_line - what one line read brings
 * @signal: see ccnic_signal() and ccnic_batch_signal(); written last
 * @slots: packet descriptors, in packet rings
 * @handle: buffer handles, in exchange rings
 */
struct ccnic_line {
	__u32 signal;
	union {
		struct ccnic_slots slots;
		__u32 handle[CCNIC_LINE_HANDLES];
	};
} __aligned(CCNIC_LINE_SIZE);

static_assert(sizeof(struct ccnic_desc) == 14, "descriptor size");
static_assert(sizeof(struct ccnic_context) == sizeof(struct ccnic_desc),
	      "a context takes a descriptor's place");
static_assert(offsetof(struct ccnic_desc, flags) ==
	      offsetof(struct ccnic_context, flags), "flags at one place");
static_assert(sizeof(struct ccnic_slots) == 60, "slots size");
static_assert(sizeof(struct ccnic_line) == CCNIC_LINE_SIZE, "line size");
static_assert(offsetof(struct ccnic_line, slots) == 4, "slots behind signal");

static inline __u32 ccnic_desc_kind(const struct ccnic_desc *desc)
{
	return desc->flags & CCNIC_KIND_MASK;
}

#endif /* CCNIC_LINE_H */
