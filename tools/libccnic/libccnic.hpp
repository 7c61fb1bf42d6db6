/* SPDX-License-Identifier: GPL-2.0 */
/** @file
 * libccnic.h for C++: owners that close what they opened, spans for arrays, and
 * exceptions where something cannot be opened. No code of its own to be linked.
 */
#ifndef LIBCCNIC_HPP
#define LIBCCNIC_HPP

#include <libccnic.h>

#include <initializer_list>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

namespace ccnic::user
{

/** Thrown where a region or a NIC cannot be opened. */
class OpenError : public std::runtime_error
{
public:
	explicit OpenError(int code) : std::runtime_error(ccnic_strerror()), code_(code)
	{
	}
	/** @return negative errno number */
	int code() const
	{
		return code_;
	}

private:
	int code_;
};

/** @return the defaults */
inline ccnic_options default_options()
{
	ccnic_options options;

	ccnic_options_init(&options);
	return options;
}

/** @return the defaults */
inline ccnic_nic_options default_nic_options()
{
	ccnic_nic_options options;

	ccnic_nic_options_init(&options);
	return options;
}

/** A queue pair; valid as long as its region. To be copied at will. */
class QueueRef
{
public:
	explicit QueueRef(ccnic_queue *queue) : queue_(queue)
	{
	}
	/** As ccnic_buf_alloc(). */
	int alloc(uint32_t bytes, std::span<ccnic_buf> room)
	{
		return ccnic_buf_alloc(queue_, bytes, room.data(),
				       static_cast<uint32_t>(room.size()));
	}
	/** As ccnic_buf_free(). */
	int free(std::span<const ccnic_buf> bufs)
	{
		return ccnic_buf_free(queue_, bufs.data(), static_cast<uint32_t>(bufs.size()));
	}
	/** As ccnic_tx_burst(). */
	int send(std::span<const ccnic_buf> bufs)
	{
		return ccnic_tx_burst(queue_, bufs.data(), static_cast<uint32_t>(bufs.size()));
	}
	/** Sends one packet of the caller's memory, which is copied. @return was it sent? */
	bool send_copy(std::span<const std::byte> bytes)
	{
		const ccnic_buf buf = {const_cast<std::byte *>(bytes.data()), 0,
				       static_cast<uint16_t>(bytes.size()), CCNIC_BUF_COPY};

		return bytes.size() <= CCNIC_PACKET_MAX && ccnic_tx_burst(queue_, &buf, 1) == 1;
	}
	/** @return the part of @p room that was filled; empty if there is nothing */
	std::span<ccnic_buf> receive(std::span<ccnic_buf> room)
	{
		const int got =
			ccnic_rx_burst(queue_, room.data(), static_cast<uint32_t>(room.size()));

		return room.first(got > 0 ? static_cast<size_t>(got) : 0);
	}
	bool wait_rx(int timeout_ms)
	{
		return ccnic_wait_rx(queue_, timeout_ms) != 0;
	}
	bool wait_tx(uint32_t slots, int timeout_ms)
	{
		return ccnic_wait_tx(queue_, slots, timeout_ms) != 0;
	}
	ccnic_queue_stats stats() const
	{
		ccnic_queue_stats stats;

		ccnic_get_queue_stats(queue_, &stats);
		return stats;
	}
	ccnic_queue *get() const
	{
		return queue_;
	}

private:
	ccnic_queue *queue_;
};

/** The bytes of a buffer. */
inline std::span<std::byte> bytes_of(const ccnic_buf &buf)
{
	return {static_cast<std::byte *>(buf.data), buf.len};
}

/** A region's host side; closed when this goes away. */
class Region
{
public:
	/** Makes a region; without a path it has no name. @throws OpenError */
	static Region create(const ccnic_options &options, const char *path = nullptr)
	{
		ccnic_region *region = nullptr;

		const int result = ccnic_create(&options, path, &region);

		return {result, region};
	}
	/** Opens one that exists. @throws OpenError */
	static Region open(const ccnic_options &options, const char *path)
	{
		ccnic_region *region = nullptr;

		const int result = ccnic_open(&options, path, &region);

		return {result, region};
	}
	/** Opens one that exists. @throws OpenError */
	static Region open(const ccnic_options &options, int fd)
	{
		ccnic_region *region = nullptr;

		const int result = ccnic_open_fd(&options, fd, &region);

		return {result, region};
	}
	/** @throws std::out_of_range */
	QueueRef queue(uint32_t index)
	{
		ccnic_queue *queue = ccnic_get_queue(region_.get(), index);

		if (queue == nullptr)
			throw std::out_of_range("the region has no queue " + std::to_string(index));
		return QueueRef(queue);
	}
	bool link(int timeout_ms = 0)
	{
		return ccnic_link(region_.get(), timeout_ms) != 0;
	}
	int fd() const
	{
		return ccnic_fd(region_.get());
	}
	ccnic_info info() const
	{
		ccnic_info info;

		ccnic_get_info(region_.get(), &info);
		return info;
	}
	ccnic_region *get() const
	{
		return region_.get();
	}

private:
	struct Close {
		void operator()(ccnic_region *region) const
		{
			ccnic_close(region);
		}
	};

	Region(int result, ccnic_region *region) : region_(region)
	{
		if (result != 0)
			throw OpenError(result);
	}

	std::unique_ptr<ccnic_region, Close> region_;
};

/** A NIC; detached when this goes away. */
class Nic
{
public:
	/** @throws OpenError */
	Nic(const ccnic_nic_options &options, std::initializer_list<int> fds)
	{
		ccnic_nic *nic = nullptr;
		const int result = ccnic_nic_attach(&options, fds.begin(),
						    static_cast<uint32_t>(fds.size()), &nic);

		if (result != 0)
			throw OpenError(result);
		nic_.reset(nic);
	}
	uint32_t poll()
	{
		return ccnic_nic_poll(nic_.get());
	}
	bool wait(int timeout_ms)
	{
		return ccnic_nic_wait(nic_.get(), timeout_ms) != 0;
	}
	ccnic_nic_stats stats(uint32_t port = 0) const
	{
		ccnic_nic_stats stats{};

		ccnic_nic_get_stats(nic_.get(), port, &stats);
		return stats;
	}
	bool link(uint32_t port = 0) const
	{
		return ccnic_nic_link(nic_.get(), port) != 0;
	}

private:
	struct Detach {
		void operator()(ccnic_nic *nic) const
		{
			ccnic_nic_detach(nic);
		}
	};

	std::unique_ptr<ccnic_nic, Detach> nic_;
};

} // namespace ccnic::user

#endif /* LIBCCNIC_HPP */
