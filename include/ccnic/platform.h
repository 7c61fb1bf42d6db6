/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CC-NIC: the few things that the kernel and user space name differently.
 *
 * Every other header of include/ccnic/ includes only this one, so that the
 * same text compiles into the module (C), into a C11 program without a libc,
 * and into C++20.
 *
 * The two sides of a region run on coherent CPUs of one machine: all fields
 * are in native byte order.
 */
#ifndef CCNIC_PLATFORM_H
#define CCNIC_PLATFORM_H

#ifdef __KERNEL__

#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/prefetch.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/barrier.h>

#define ccnic_load_acquire(ptr)		smp_load_acquire(ptr)
#define ccnic_store_release(ptr, val)	smp_store_release(ptr, val)
#define ccnic_read_once(ptr)		READ_ONCE(*(ptr))
#define ccnic_write_once(ptr, val)	WRITE_ONCE(*(ptr), val)
#define ccnic_exchange(ptr, val)	xchg(ptr, val)
#define ccnic_mb()			smp_mb()
#define ccnic_barrier()			barrier()
#define ccnic_copy(dst, src, len)	memcpy(dst, src, len)
#define ccnic_prefetch(ptr)		prefetch(ptr)

#else /* user space */

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

#if !defined(__cplusplus) && !defined(static_assert)
#define static_assert _Static_assert
#endif
#ifndef __packed
#define __packed __attribute__((__packed__))
#endif
#ifndef __aligned
#define __aligned(x) __attribute__((__aligned__(x)))
#endif

#ifdef CCNIC_MODEL
/* Each access is a step of the model checker. */
#include <model/platform.hpp>
#else
#define ccnic_load_acquire(ptr)		__atomic_load_n(ptr, __ATOMIC_ACQUIRE)
#define ccnic_store_release(ptr, val)	__atomic_store_n(ptr, val, __ATOMIC_RELEASE)
#define ccnic_read_once(ptr)		__atomic_load_n(ptr, __ATOMIC_RELAXED)
#define ccnic_write_once(ptr, val)	__atomic_store_n(ptr, val, __ATOMIC_RELAXED)
#define ccnic_exchange(ptr, val)	__atomic_exchange_n(ptr, val, __ATOMIC_SEQ_CST)
#define ccnic_mb()			__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define ccnic_barrier()			__asm__ __volatile__("" : : : "memory")
#define ccnic_prefetch(ptr)		__builtin_prefetch(ptr)
#ifdef __SANITIZE_THREAD__
/* GCC's ThreadSanitizer sees calls of memcpy, but not what is expanded inline. */
static inline void ccnic_copy(void *dst, const void *src, size_t len)
{
	__asm__("" : "+r" (len));
	__builtin_memcpy(dst, src, len);
}
#else
#define ccnic_copy(dst, src, len)	__builtin_memcpy(dst, src, len)
#endif
#endif /* CCNIC_MODEL */

#endif /* __KERNEL__ */

/*
 * What the functions of these headers return instead of errno numbers, which
 * a freestanding program does not have.
 */
#define CCNIC_EPROTO	(-1)	/* the peer broke the protocol */
#define CCNIC_EINVAL	(-2)	/* the caller's argument is out of range */

#endif /* CCNIC_PLATFORM_H */
