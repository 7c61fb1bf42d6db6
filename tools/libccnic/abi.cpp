// SPDX-License-Identifier: GPL-2.0
/*
 * The C functions: arguments in, errors out.
 */
#include "error.hpp"
#include "host.hpp"
#include "libccnic.h"
#include "nic.hpp"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using ccnic::Error;
using ccnic::guarded;

namespace
{

bool mapping_alive(const void *context)
{
	return static_cast<const ccnic::Mapping *>(context)->peer_lives();
}

ccnic::Queue *inner(ccnic_queue *queue)
{
	return reinterpret_cast<ccnic::Queue *>(queue);
}

ccnic_options with_defaults(const ccnic_options *given)
{
	ccnic_options options{};

	if (given != nullptr && given->size != sizeof(options))
		throw Error(-EINVAL, "options of another version: ccnic_options_init() first");
	if (given != nullptr)
		return *given;
	ccnic_options_init(&options);
	return options;
}

} // namespace

/* NOLINTBEGIN(readability-identifier-naming): these are C's names */

struct ccnic_region {
	ccnic::Mapping mapping;
	std::unique_ptr<ccnic::Host> host;

	void start(const ccnic_options &options)
	{
		ccnic::HostOptions inside;

		inside.split = options.split != 0;
		inside.sleeps = options.sleeps != 0;
		inside.private_buffers = options.private_buffers;
		inside.rx_gate_cycles = options.rx_gate_cycles;
		inside.rx_gate_few = options.rx_gate_few;
		inside.return_part = options.return_part;
		inside.look_ahead = options.look_ahead != 0;
		if (options.private_buffers > (1U << 20))
			throw Error(-EINVAL, "more than 2^20 private buffers a queue");
		host = std::make_unique<ccnic::Host>(mapping.memory(), mapping.superblock(), inside,
						     mapping_alive, &mapping);
	}
};

struct ccnic_nic {
	explicit ccnic_nic(const ccnic::NicOptions &options) : nic(options)
	{
	}

	std::unique_ptr<ccnic::Mapping> mapping[2];
	ccnic::Nic nic;
};

/* NOLINTEND(readability-identifier-naming) */

extern "C" {

void ccnic_options_init(struct ccnic_options *options)
{
	*options = {};
	options->size = sizeof(*options);
	options->queues = 1;
	options->ring_lines = 256;
	options->cell_bytes = 64;
	options->host_node = -1;
	options->nic_node = -1;
	options->rx_gate_cycles = 800;
	options->rx_gate_few = 16;
	options->return_part = 4;
	options->look_ahead = 1;
}

int ccnic_create(const struct ccnic_options *given, const char *path, struct ccnic_region **region)
{
	return guarded([&] {
		const ccnic_options options = with_defaults(given);
		auto made = std::make_unique<ccnic_region>();
		/* Pages are not used here: as few as there can be. */
		const ccnic_geometry geometry = {options.queues, options.ring_lines,
						 CCNIC_PACKET_DESCS_MAX, options.cell_bytes};

		made->mapping.create(
			path != nullptr ? path : "", geometry,
			{options.huge_pages != 0, options.host_node, options.nic_node});
		made->start(options);
		*region = made.release();
	});
}

int ccnic_open_fd(const struct ccnic_options *given, int fd, struct ccnic_region **region)
{
	return guarded([&] {
		const ccnic_options options = with_defaults(given);
		auto made = std::make_unique<ccnic_region>();

		made->mapping.open(fd, ccnic::Side::host,
				   {options.huge_pages != 0, options.host_node, options.nic_node});
		made->start(options);
		*region = made.release();
	});
}

int ccnic_open(const struct ccnic_options *options, const char *path, struct ccnic_region **region)
{
	int fd = -1;
	int result = guarded([&] {
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			throw ccnic::system_error(path);
	});

	if (result == 0) {
		result = ccnic_open_fd(options, fd, region);
		close(fd);
	}
	return result;
}

void ccnic_close(struct ccnic_region *region)
{
	delete region;
}

int ccnic_fd(const struct ccnic_region *region)
{
	return region->mapping.fd();
}

struct ccnic_queue *ccnic_get_queue(struct ccnic_region *region, uint32_t index)
{
	return reinterpret_cast<struct ccnic_queue *>(region->host->queue(index));
}

void ccnic_get_info(const struct ccnic_region *region, struct ccnic_info *info)
{
	const ccnic_superblock &sb = region->mapping.superblock();

	info->queues = sb.geometry.queues;
	info->ring_lines = sb.geometry.ring_lines;
	info->cell_bytes = sb.geometry.cell_bytes;
	info->buffers = sb.small_count;
	info->bytes = region->mapping.bytes();
	info->page_bytes = region->mapping.page_bytes();
	info->huge_pages = region->mapping.homing().huge ? 1 : 0;
	info->host_node = region->mapping.homing().host_node;
	info->nic_node = region->mapping.homing().nic_node;
	info->generation = region->host->generation();
	info->link = region->host->link() ? 1 : 0;
}

void ccnic_get_queue_stats(const struct ccnic_queue *queue, struct ccnic_queue_stats *stats)
{
	reinterpret_cast<const ccnic::Queue *>(queue)->stats(*stats);
}

int ccnic_link(struct ccnic_region *region, int timeout_ms)
{
	return region->host->wait_link(timeout_ms) ? 1 : 0;
}

const char *ccnic_strerror(void)
{
	return ccnic::last_error();
}

int ccnic_buf_alloc(struct ccnic_queue *queue, uint32_t bytes, struct ccnic_buf *buf, uint32_t room)
{
	return inner(queue)->alloc(bytes, buf, room);
}

int ccnic_buf_free(struct ccnic_queue *queue, const struct ccnic_buf *buf, uint32_t count)
{
	return inner(queue)->free(buf, count);
}

int ccnic_tx_burst(struct ccnic_queue *queue, const struct ccnic_buf *buf, uint32_t count)
{
	return inner(queue)->send(buf, count);
}

int ccnic_rx_burst(struct ccnic_queue *queue, struct ccnic_buf *buf, uint32_t room)
{
	return inner(queue)->receive(buf, room);
}

int ccnic_wait_rx(struct ccnic_queue *queue, int timeout_ms)
{
	return inner(queue)->wait_rx(timeout_ms);
}

int ccnic_wait_tx(struct ccnic_queue *queue, uint32_t slots, int timeout_ms)
{
	return inner(queue)->wait_tx(slots, timeout_ms);
}

void ccnic_nic_options_init(struct ccnic_nic_options *options)
{
	*options = {};
	options->size = sizeof(*options);
	options->wire = CCNIC_WIRE_LOOP;
	options->steer = CCNIC_STEER_SAME;
	options->hold_us = 100000;
	options->burst = 32;
	options->pauses = 16;
	options->pause_few = 16;
	options->return_part = 4;
	options->look_ahead = 1;
}

int ccnic_nic_attach(const struct ccnic_nic_options *given, const int *fds, uint32_t count,
		     struct ccnic_nic **nic)
{
	return guarded([&] {
		ccnic_nic_options options;

		ccnic_nic_options_init(&options);
		if (given != nullptr && given->size != sizeof(options))
			throw Error(-EINVAL, "options of another version: "
					     "ccnic_nic_options_init() first");
		if (given != nullptr)
			options = *given;
		if (count != (options.wire == CCNIC_WIRE_PAIR ? 2U : 1U) || options.burst == 0)
			throw Error(-EINVAL, "a loop has one region, a pair has two, and a burst "
					     "has a packet at least");

		ccnic::NicOptions inside;
		inside.steer_flow = options.steer == CCNIC_STEER_FLOW;
		inside.hold_ns = uint64_t{options.hold_us} * 1000;
		inside.burst = options.burst;
		inside.pauses = options.pauses;
		inside.pause_few = options.pause_few;
		inside.return_part = options.return_part;
		inside.look_ahead = options.look_ahead != 0;
		inside.sleeps = options.sleeps != 0;
		auto made = std::make_unique<ccnic_nic>(inside);
		for (uint32_t i = 0; i < count; i++) {
			made->mapping[i] = std::make_unique<ccnic::Mapping>();
			ccnic::Mapping &mapping = *made->mapping[i];

			mapping.open(fds[i], ccnic::Side::nic, {});
			made->nic.add(std::make_unique<ccnic::Port>(mapping.memory(),
								    mapping.superblock(), inside,
								    mapping_alive, &mapping));
		}
		made->nic.connect();
		*nic = made.release();
	});
}

void ccnic_nic_detach(struct ccnic_nic *nic)
{
	delete nic;
}

uint32_t ccnic_nic_poll(struct ccnic_nic *nic)
{
	return nic->nic.poll();
}

int ccnic_nic_wait(struct ccnic_nic *nic, int timeout_ms)
{
	return nic->nic.wait(timeout_ms) ? 1 : 0;
}

int ccnic_nic_get_stats(const struct ccnic_nic *nic, uint32_t port, struct ccnic_nic_stats *stats)
{
	const ccnic::Port *found = nic->nic.port(port);

	if (found == nullptr)
		return -EINVAL;
	found->stats(*stats);
	return 0;
}

int ccnic_nic_link(const struct ccnic_nic *nic, uint32_t port)
{
	const ccnic::Port *found = nic->nic.port(port);

	return found != nullptr && found->link() ? 1 : 0;
}

} // extern "C"
