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
 * Ownership: a line whose signal is 0 belongs to the producer, any other to
 * the consumer. Only the owner may write it, and handing it over is the store
 * (release) of the signal; see ring.h.
 */
#ifndef CCNIC_LINE_H
#define CCNIC_LINE_H

#include "platform.h"

#define CCNIC_LINE_SIZE		64	/* bytes */
#define CCNIC_LINE_DESCS	4	/* packet descriptors a line */
#define CCNIC_LINE_HANDLES	15	/* handles a line of an exchange ring */

/*
 * The signal word: count of valid entries in the low half, never 0 while the
 * consumer owns the line; the low 16 bits of the line's absolute index in the
 * high half. A consumer that finds another index than the one it expects has
 * lost step with the producer.
 */
#define CCNIC_SIGNAL_COUNT_MASK	0xffffu
#define CCNIC_SIGNAL_SEQ_SHIFT	16

static inline __u32 ccnic_signal(__u32 index, __u32 count)
{
	return (index << CCNIC_SIGNAL_SEQ_SHIFT) |
	       (count & CCNIC_SIGNAL_COUNT_MASK);
}

static inline __u32 ccnic_signal_count(__u32 signal)
{
	return signal & CCNIC_SIGNAL_COUNT_MASK;
}

/**
 * ccnic_signal_valid - does a signal make sense at this place of the ring?
 * @signal: the signal word, read once
 * @index: absolute index of the line
 * @max: largest count that the ring's lines can hold
 */
static inline bool ccnic_signal_valid(__u32 signal, __u32 index, __u32 max)
{
	__u32 count = ccnic_signal_count(signal);

	return count && count <= max &&
	       (signal >> CCNIC_SIGNAL_SEQ_SHIFT) == (index & 0xffffu);
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

/* desc.flags: kind in bits 0..2, lines in bits 3..7, flags in bits 8..15 */
#define CCNIC_KIND_MASK		0x0007u
#define CCNIC_KIND_NONE		0u	/* never valid */
#define CCNIC_KIND_BUFFER	1u	/* small buffer of the shared pool */
#define CCNIC_KIND_PAGE		2u	/* named by the translation table */
#define CCNIC_KIND_INLINE	3u	/* room kept: payload follows in the line */
#define CCNIC_KIND_CONTEXT	4u	/* struct ccnic_context, not a buffer */
#define CCNIC_KIND_EVENT	5u	/* room kept: transmit timestamps */

/*
 * Lines that the packet occupies; in its first descriptor only, and 0 there
 * if the packet shares a line with others.
 */
#define CCNIC_LINES_SHIFT	3
#define CCNIC_LINES_MASK	0x00f8u

#define CCNIC_F_EOP		0x0100u	/* last descriptor of the packet */
#define CCNIC_F_CSUM_PARTIAL	0x0200u	/* meta[0]: checksum start | offset << 8 */
#define CCNIC_F_CSUM_VALID	0x0400u	/* the checksum was verified */
#define CCNIC_F_HASH		0x0800u	/* meta[0..1]: room kept, receive hash */
#define CCNIC_F_VLAN		0x1000u	/* meta[1]: room kept, VLAN tag */

/**
 * struct ccnic_desc - one buffer of a packet
 * @handle: which buffer; CCNIC_HANDLE_*
 * @offset: bytes from the buffer's start to the first byte of the packet
 * @len: bytes of the packet in this buffer, never 0
 * @flags: kind, lines and CCNIC_F_*
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
 * @flags: kind and lines, at the same place as in struct ccnic_desc
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
 * @signal: see ccnic_signal(); 0: the producer's; written last by whoever
 *          hands the line over
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

static inline __u32 ccnic_desc_lines(const struct ccnic_desc *desc)
{
	return (desc->flags & CCNIC_LINES_MASK) >> CCNIC_LINES_SHIFT;
}

static inline void ccnic_desc_set_lines(struct ccnic_desc *desc, __u32 lines)
{
	desc->flags = (__u16)((desc->flags & ~CCNIC_LINES_MASK) |
			      ((lines << CCNIC_LINES_SHIFT) & CCNIC_LINES_MASK));
}

#endif /* CCNIC_LINE_H */
