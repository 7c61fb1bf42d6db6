/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CC-NIC: what a packet's descriptors say, checked.
 *
 * Works on a private copy of the descriptors (ccnic_consumer_next()); both
 * sides use it on what the other side wrote.
 */
#ifndef CCNIC_PACKET_H
#define CCNIC_PACKET_H

#include "line.h"

#define CCNIC_PACKET_BYTES_MIN	14u	/* on Ethernet: its header */
#define CCNIC_PACKET_BYTES_MAX	65558u	/* 65535 behind Ethernet, VLAN tags */

/**
 * struct ccnic_packet - a packet's descriptors in plain form
 * @first: index of the first descriptor that names a buffer
 * @count: descriptors, a context included
 * @bytes: length of the packet
 * @csum: CCNIC_F_CSUM_PARTIAL, CCNIC_F_CSUM_VALID or 0
 * @csum_start: with CCNIC_F_CSUM_PARTIAL: where the sum begins
 * @csum_offset: ... and where it goes, from @csum_start
 * @gso_size: payload bytes a segment, or 0
 * @gso_type: CCNIC_GSO_*
 * @hdr_len: bytes of headers before the payload; a hint
 */
struct ccnic_packet {
	__u32 first;
	__u32 count;
	__u32 bytes;
	__u16 csum;
	__u16 csum_start;
	__u16 csum_offset;
	__u16 gso_size;
	__u16 gso_type;
	__u16 hdr_len;
};

/**
 * ccnic_packet_parse - read and check a packet's descriptors
 * @desc: descriptors, private memory
 * @count: how many, at least 1
 * @least: bytes of the shortest packet that the wire takes, at least 1
 * @packet: filled in
 *
 * Checks everything that can be checked without knowing the buffers: kinds,
 * lengths, and that checksum and segmentation positions lie in the packet.
 *
 * Return: 0 or CCNIC_EPROTO
 */
static inline int ccnic_packet_parse(const struct ccnic_desc *desc, __u32 count,
				     __u32 least, struct ccnic_packet *packet)
{
	struct ccnic_context context;
	const struct ccnic_desc *d;
	__u32 i;

	packet->first = 0;
	packet->count = count;
	packet->bytes = 0;
	packet->csum = 0;
	packet->csum_start = 0;
	packet->csum_offset = 0;
	packet->gso_size = 0;
	packet->gso_type = CCNIC_GSO_NONE;
	packet->hdr_len = 0;

	if (ccnic_desc_kind(&desc[0]) == CCNIC_KIND_CONTEXT) {
		ccnic_copy(&context, &desc[0], sizeof(context));
		packet->first = 1;
		packet->csum = context.flags & CCNIC_F_CSUM_PARTIAL;
		packet->csum_start = context.csum_start;
		packet->csum_offset = context.csum_offset;
		packet->gso_size = context.gso_size;
		packet->gso_type = context.gso_type;
		packet->hdr_len = context.hdr_len;
	}
	if (packet->first == count)
		return CCNIC_EPROTO;

	for (i = packet->first; i < count; i++) {
		d = &desc[i];
		switch (ccnic_desc_kind(d)) {
		case CCNIC_KIND_BUFFER:
		case CCNIC_KIND_PAGE:
		case CCNIC_KIND_INLINE:
			break;
		default:
			return CCNIC_EPROTO;
		}
		if (!d->len)
			return CCNIC_EPROTO;
		packet->bytes += d->len;
	}
	if (packet->bytes < least || packet->bytes > CCNIC_PACKET_BYTES_MAX)
		return CCNIC_EPROTO;

	d = &desc[packet->first];
	if (!packet->first && (d->flags & CCNIC_F_CSUM_PARTIAL)) {
		packet->csum = CCNIC_F_CSUM_PARTIAL;
		packet->csum_start = d->meta[0] & 0xff;
		packet->csum_offset = d->meta[0] >> 8;
	}
	if (!packet->csum)
		packet->csum = d->flags & CCNIC_F_CSUM_VALID;

	if (packet->csum == CCNIC_F_CSUM_PARTIAL &&
	    (__u32)packet->csum_start + packet->csum_offset + 2 > packet->bytes)
		return CCNIC_EPROTO;
	if (packet->gso_size) {
		if (packet->csum != CCNIC_F_CSUM_PARTIAL ||
		    packet->gso_size >= packet->bytes)
			return CCNIC_EPROTO;
		switch (packet->gso_type & CCNIC_GSO_TYPE_MASK) {
		case CCNIC_GSO_TCPV4:
		case CCNIC_GSO_TCPV6:
		case CCNIC_GSO_UDP_L4:
			break;
		default:
			return CCNIC_EPROTO;
		}
	} else if (packet->gso_type != CCNIC_GSO_NONE) {
		return CCNIC_EPROTO;
	}
	return 0;
}

/**
 * ccnic_packet_describe - the metadata descriptor that a packet needs, if any
 * @packet: what to say; @packet->first is set
 * @desc: the packet's descriptors; desc[0] is written if a context is needed,
 *        so the buffers start at desc[packet->first] afterwards
 *
 * A checksum within the first 255 bytes rides in the first buffer's
 * descriptor, see ccnic_packet_mark(); segmentation needs a context.
 */
static inline void ccnic_packet_describe(struct ccnic_packet *packet,
					 struct ccnic_desc *desc)
{
	struct ccnic_context context = { 0, 0, 0, 0, 0, 0, 0 };

	packet->first = packet->gso_size ||
			(packet->csum == CCNIC_F_CSUM_PARTIAL &&
			 (packet->csum_start > 255 || packet->csum_offset > 255));
	if (!packet->first)
		return;
	context.gso_size = packet->gso_size;
	context.csum_start = packet->csum_start;
	context.csum_offset = packet->csum_offset;
	context.hdr_len = packet->hdr_len;
	context.flags = (__u16)(CCNIC_KIND_CONTEXT |
				(packet->csum & CCNIC_F_CSUM_PARTIAL));
	context.gso_type = packet->gso_type;
	ccnic_copy(&desc[0], &context, sizeof(context));
}

/**
 * ccnic_packet_mark - finish a packet's descriptors
 * @packet: as given to ccnic_packet_describe()
 * @desc: the packet's descriptors
 * @count: how many, a context included
 *
 * Puts the checksum into the first buffer's descriptor where no context
 * carries it, and the end mark into the last.
 */
static inline void ccnic_packet_mark(const struct ccnic_packet *packet,
				     struct ccnic_desc *desc, __u32 count)
{
	struct ccnic_desc *d = &desc[packet->first];

	if (!packet->first && packet->csum == CCNIC_F_CSUM_PARTIAL) {
		d->flags |= CCNIC_F_CSUM_PARTIAL;
		d->meta[0] = (__u16)(packet->csum_start |
				     (packet->csum_offset << 8));
	} else {
		d->flags |= packet->csum & CCNIC_F_CSUM_VALID;
	}
	desc[count - 1].flags |= CCNIC_F_EOP;
}

#endif /* CCNIC_PACKET_H */
