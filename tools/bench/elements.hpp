// SPDX-License-Identifier: GPL-2.0
/** @file
 * The elements of the design, each of which can be taken out alone.
 */
#pragma once

#include <cstdint>

namespace bench
{

/** How descriptors and their signals stand in a ring. */
enum class Layout : uint8_t {
	four,   /**< four descriptors and their signal in a line: include/ccnic/ring.h */
	single, /**< one descriptor and its signal in a line */
	apart,  /**< four descriptors in a line, their signal in a line of its own */
	packed, /**< four descriptors in a line, the signals of eight lines in another */
};

/** What the design has; all of it unless said otherwise. */
struct Elements {
	/** A small packet's bytes ride beside the ring. */
	bool inline_payload = true;
	/** A consumer takes several packets at once and fetches what they name. */
	bool look_ahead = true;
	/** A consumer that found little lets some time pass. */
	bool pacing = true;
	/** Buffers are used again last-in first-out; else first-in first-out. */
	bool lifo = true;
	/** Buffers that follow in time do not follow in memory. */
	bool scatter = true;
	/** A burst becomes visible at once; else line by line. */
	bool burst_publish = true;
	/** Progress is published now and then; else after every burst. */
	bool lazy_progress = true;
	/** Both sides allocate and free; else the host alone does. */
	bool shared_pool = true;
	Layout layout = Layout::four;
};

} // namespace bench
