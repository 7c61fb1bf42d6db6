/* SPDX-License-Identifier: GPL-2.0 */
/** @file
 * CC-NIC in user space: packets through cache-coherent shared memory.
 *
 * A region is shared by a host and a NIC, which may be two threads or two
 * processes. The host side is an application: it opens a region, takes buffers,
 * and sends and receives in bursts on up to 64 queue pairs. The NIC side carries
 * packets over a wire; ccnic-nicd is a program around it.
 *
 * Functions that can fail return a negative errno number; where a region or a
 * NIC could not be opened, ccnic_strerror() says more.
 *
 * Threads: every queue may be used by another thread, without a lock. One queue
 * is used by one thread at a time; with ccnic_options.split its transmit side
 * (ccnic_buf_alloc(), ccnic_tx_burst()) and its receive side (ccnic_rx_burst())
 * may be two threads, and a buffer then is freed or sent by the side it is from.
 *
 * Either side may die at any moment. The other notices, its bursts return 0
 * until the peer is back, and packets that were on their way are lost. Buffers
 * that the application holds stay its own and valid all the while.
 */
#ifndef LIBCCNIC_H
#define LIBCCNIC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CCNIC_API __attribute__((visibility("default")))
#else
#define CCNIC_API
#endif

/** A region, seen from the host. */
struct ccnic_region;
/** A queue pair of a region, seen from the host. */
struct ccnic_queue;
/** A NIC that serves one region or two. */
struct ccnic_nic;

/** Bytes that one pool buffer holds. */
#define CCNIC_BUF_BYTES 2048u
/** Bytes of the largest packet. */
#define CCNIC_PACKET_MAX 65535u
/** Buffers of the largest packet. */
#define CCNIC_PACKET_BUFS 64u

/** The packet goes on in the next buffer. */
#define CCNIC_BUF_MORE 0x0001u
/** To be sent from the caller's own memory, which is copied and stays his. */
#define CCNIC_BUF_COPY 0x0002u

/**
 * A buffer, or a part of it. A packet is one of them, or several in a row, all
 * but the last with CCNIC_BUF_MORE.
 */
struct ccnic_buf {
	/** First byte; may be moved within the buffer before it is sent. */
	void *data;
	/** Which buffer; not to be changed. Unused with CCNIC_BUF_COPY. */
	uint32_t handle;
	/** Bytes, at least 1. */
	uint16_t len;
	/** CCNIC_BUF_* */
	uint16_t flags;
};

/** What a region is like; start with ccnic_options_init(). */
struct ccnic_options {
	/** sizeof(struct ccnic_options) */
	size_t size;
	/** Queue pairs, 1 to 64. */
	uint32_t queues;
	/** Lines of a ring, a power of two from 32 to 4096; 4 buffers a line. */
	uint32_t ring_lines;
	/** Packets up to so many bytes ride in the ring: 0, 64, 128 or 256. */
	uint32_t cell_bytes;
	/** Ask for huge pages; without any, others are used. See ccnic_info. */
	uint32_t huge_pages;
	/** NUMA nodes of host and NIC; negative: leave it to the system. */
	int32_t host_node;
	int32_t nic_node;
	/** A queue's two sides may be two threads; see the top of this file. */
	uint32_t split;
	/** ccnic_wait_rx() and ccnic_wait_tx() sleep; costs a fence a burst. */
	uint32_t sleeps;
	/** Private buffers for small packets a queue; 0: four for each slot. */
	uint32_t private_buffers;
	/**
	 * After a poll that found less than rx_gate_few packets, do not touch
	 * the ring again for so many cycles of the time stamp counter, or an
	 * eighth of them if it found none; 0: never pause.
	 */
	uint32_t rx_gate_cycles;
	uint32_t rx_gate_few;
	/**
	 * Say what has been read when it is 1/n of the ring, or the ring is
	 * empty; 0: after every burst.
	 */
	uint32_t return_part;
	/** Read several lines ahead and fetch what they name. */
	uint32_t look_ahead;
};

/** What became of a region. */
struct ccnic_info {
	uint32_t queues;
	uint32_t ring_lines;
	uint32_t cell_bytes;
	/** Pool buffers. */
	uint32_t buffers;
	/** Bytes that are mapped. */
	uint64_t bytes;
	/** Bytes of a page of the file that the region is in. */
	uint64_t page_bytes;
	/**
	 * 1 if large pages are used: page_bytes is large, or the system was
	 * advised to make large ones and may.
	 */
	uint32_t huge_pages;
	/** Nodes on which memory was put, or -1. */
	int32_t host_node;
	int32_t nic_node;
	/** Starts of the rings so far, the first included. */
	uint32_t generation;
	/** 1 while a NIC serves the region. */
	uint32_t link;
};

/** Counters of a queue; they never go backwards. */
struct ccnic_queue_stats {
	uint64_t tx_packets;
	uint64_t tx_bytes;
	uint64_t rx_packets;
	uint64_t rx_bytes;
	/** Bursts that sent less than they should, for lack of room. */
	uint64_t tx_full;
	/** What the NIC named and may not; ignored. */
	uint64_t rx_bad;
	/** Times that the queue slept. */
	uint64_t sleeps;
};

/* ------------------------------------------------------------------ regions */

/** Sets every option to its default. */
CCNIC_API void ccnic_options_init(struct ccnic_options *options);

/**
 * Makes a region and opens its host side.
 * @param options what it is to be like; NULL for the defaults
 * @param path file to be made, best in /dev/shm; NULL for memory without a name
 * @param region set on success
 * @return 0; -EEXIST if there is such a file, or another negative errno number
 */
CCNIC_API int ccnic_create(const struct ccnic_options *options, const char *path,
			   struct ccnic_region **region);

/**
 * Opens the host side of a region that was made before, for example by a host
 * that died. The geometry is the region's; the other options are taken.
 * @return 0; -EBUSY if it has a host, -EPROTO if it is no region
 */
CCNIC_API int ccnic_open(const struct ccnic_options *options, const char *path,
			 struct ccnic_region **region);

/** As ccnic_open(), by a descriptor, which stays the caller's. */
CCNIC_API int ccnic_open_fd(const struct ccnic_options *options, int fd,
			    struct ccnic_region **region);

/** Closes a region. All its queues and buffers become invalid. A file stays. */
CCNIC_API void ccnic_close(struct ccnic_region *region);

/** @return a descriptor of the region's memory, to be passed to a NIC */
CCNIC_API int ccnic_fd(const struct ccnic_region *region);

/** @param index 0 to queues - 1 @return the queue; NULL if there is none */
CCNIC_API struct ccnic_queue *ccnic_get_queue(struct ccnic_region *region, uint32_t index);

CCNIC_API void ccnic_get_info(const struct ccnic_region *region, struct ccnic_info *info);
CCNIC_API void ccnic_get_queue_stats(const struct ccnic_queue *queue, struct ccnic_queue_stats *stats);

/**
 * Is there a NIC?
 * @param timeout_ms how long to wait for one; negative: for ever
 * @return 1; 0 if there is none
 */
CCNIC_API int ccnic_link(struct ccnic_region *region, int timeout_ms);

/** @return why the last ccnic_create() or the like of this thread failed */
CCNIC_API const char *ccnic_strerror(void);

/* ------------------------------------------------------------------ packets */

/**
 * Takes buffers for one packet. Its bytes are then written, and the lengths may
 * be made smaller.
 * @param bytes length of the packet
 * @param buf set to as many buffers as it needs
 * @param room how many there can be
 * @return how many; -ENOBUFS if there are not enough for now, -EMSGSIZE if
 *         @p room is too small or @p bytes no length of a packet
 */
CCNIC_API int ccnic_buf_alloc(struct ccnic_queue *queue, uint32_t bytes, struct ccnic_buf *buf,
			      uint32_t room);

/**
 * Gives buffers back.
 * @return 0; -EINVAL if one of them was not the caller's, which was left alone
 */
CCNIC_API int ccnic_buf_free(struct ccnic_queue *queue, const struct ccnic_buf *buf,
			     uint32_t count);

/**
 * Sends packets. What was sent is no longer the caller's.
 * @return how many buffers, whole packets always; 0 if there is no room;
 *         -EINVAL if the first packet is none that can be sent
 */
CCNIC_API int ccnic_tx_burst(struct ccnic_queue *queue, const struct ccnic_buf *buf,
			     uint32_t count);

/**
 * Receives packets. They are the caller's until ccnic_buf_free(), or until they
 * are sent.
 * @return how many buffers, whole packets always; 0 if there are none;
 *         -EMSGSIZE if the first packet has more than @p room
 */
CCNIC_API int ccnic_rx_burst(struct ccnic_queue *queue, struct ccnic_buf *buf, uint32_t room);

/**
 * Waits until there is something to receive.
 * @param timeout_ms 0 to look only, negative to wait for ever
 * @return 1; 0 when the time is over
 */
CCNIC_API int ccnic_wait_rx(struct ccnic_queue *queue, int timeout_ms);

/** Waits until there is room for @p slots buffers to be sent. */
CCNIC_API int ccnic_wait_tx(struct ccnic_queue *queue, uint32_t slots, int timeout_ms);

/* ---------------------------------------------------------------------- NIC */

enum ccnic_wire {
	/** What a host sends comes back to it. */
	CCNIC_WIRE_LOOP = 0,
	/** Two hosts, each receives what the other sends. */
	CCNIC_WIRE_PAIR = 1,
};

enum ccnic_steer {
	/** To the queue with the sender's index. */
	CCNIC_STEER_SAME = 0,
	/** By a hash over the first 64 bytes. */
	CCNIC_STEER_FLOW = 1,
};

/** How a NIC works; start with ccnic_nic_options_init(). */
struct ccnic_nic_options {
	/** sizeof(struct ccnic_nic_options) */
	size_t size;
	enum ccnic_wire wire;
	enum ccnic_steer steer;
	/** How long a packet waits for room at the receiver before it is lost. */
	uint32_t hold_us;
	/** Packets taken from a queue before it is the next one's turn. */
	uint32_t burst;
	/**
	 * Pauses of the CPU after a poll that found less than pause_few packets;
	 * a quarter of them if it found none.
	 */
	uint32_t pauses;
	uint32_t pause_few;
	/** As in struct ccnic_options. */
	uint32_t return_part;
	uint32_t look_ahead;
	/** ccnic_nic_wait() sleeps; costs its hosts a fence a burst. */
	uint32_t sleeps;
};

/** Counters of a NIC's port, that is, of one region; they never go backwards. */
struct ccnic_nic_stats {
	uint64_t tx_packets;
	uint64_t tx_bytes;
	uint64_t rx_packets;
	uint64_t rx_bytes;
	/** Packets for which there was no room, or no buffer, for too long. */
	uint64_t drop_no_room;
	/** Packets to a host that is not there. */
	uint64_t drop_no_link;
	/** Packets and handles of the host that are against the protocol. */
	uint64_t drop_bad;
	/** Times that a packet had to wait for room. */
	uint64_t holds;
	/** Sleepers woken. */
	uint64_t wakes;
	/** Starts of the rings. */
	uint64_t sessions;
};

CCNIC_API void ccnic_nic_options_init(struct ccnic_nic_options *options);

/**
 * Makes a NIC.
 * @param fds regions, one for a loop, two for a pair; they stay the caller's
 * @return 0; -EBUSY if a region has a NIC, -EPROTO if it is no region
 */
CCNIC_API int ccnic_nic_attach(const struct ccnic_nic_options *options, const int *fds,
			       uint32_t count, struct ccnic_nic **nic);

/** Takes the NIC away. Its hosts have no link then. */
CCNIC_API void ccnic_nic_detach(struct ccnic_nic *nic);

/**
 * Serves every queue once. To be called over and over, by one thread.
 * @return how many packets were carried
 */
CCNIC_API uint32_t ccnic_nic_poll(struct ccnic_nic *nic);

/**
 * Waits until there is something to carry.
 * @return 1; 0 when the time is over
 */
CCNIC_API int ccnic_nic_wait(struct ccnic_nic *nic, int timeout_ms);

/** @param port 0, or 1 in a pair @return 0 or -EINVAL */
CCNIC_API int ccnic_nic_get_stats(const struct ccnic_nic *nic, uint32_t port,
			      struct ccnic_nic_stats *stats);

/** @return 1 while the port has a host that uses it */
CCNIC_API int ccnic_nic_link(const struct ccnic_nic *nic, uint32_t port);

#ifdef __cplusplus
}
#endif

#endif /* LIBCCNIC_H */
