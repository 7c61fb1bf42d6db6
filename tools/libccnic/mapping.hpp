// SPDX-License-Identifier: GPL-2.0
/** @file
 * A region's file: made or opened, mapped, and locked by the side that uses it.
 */
#pragma once

#include "control.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace ccnic
{

/** The two users of a region. */
enum class Side : uint8_t { host, nic };

/** Where memory comes from. */
struct Homing {
	/** Large pages, if there are any. */
	bool huge = false;
	/** Node of each part; negative: not asked for, or not done. */
	int host_node = -1;
	int nic_node = -1;
};

/**
 * A file's memory. Both sides share it where they are in one process, so that
 * tools which watch addresses see that it is the same.
 */
class Memory
{
public:
	/** @throws Error */
	Memory(int fd, size_t bytes);
	~Memory();
	Memory(const Memory &) = delete;
	Memory &operator=(const Memory &) = delete;
	Memory(Memory &&) = delete;
	Memory &operator=(Memory &&) = delete;

	/** The memory of a file that is mapped already, or is mapped now. @throws Error */
	static std::shared_ptr<Memory> of(int fd, size_t bytes);

	void *at() const
	{
		return at_;
	}
	size_t bytes() const
	{
		return bytes_;
	}

private:
	void *at_ = nullptr;
	size_t bytes_;
};

/**
 * Memory that both sides map, and the lock of one of them.
 *
 * The lock is on a byte far behind the file's end, held by the open file
 * description (F_OFD_SETLK): the kernel releases it when the process is gone,
 * however it died, and at no other time, so a peer that is stopped or slow is
 * not taken for dead, and a number that was given to another process does not
 * matter. It also keeps a second host, or a second NIC, away. Both sides may
 * be in one process, since each opens the file for itself. A child that was
 * forked and did not call exec holds its parent's locks.
 */
class Mapping
{
public:
	Mapping() = default;
	~Mapping();
	Mapping(const Mapping &) = delete;
	Mapping &operator=(const Mapping &) = delete;
	Mapping(Mapping &&) = delete;
	Mapping &operator=(Mapping &&) = delete;

	/**
	 * Makes a region with an empty superblock's worth of zeroes in all its
	 * rings, and becomes its host.
	 * @param path of a file that does not exist; empty for none
	 * @throws Error
	 */
	void create(const std::string &path, const ccnic_geometry &geometry, const Homing &homing);

	/**
	 * Opens a region by a descriptor, which stays the caller's.
	 * @throws Error
	 */
	void open(int fd, Side side, const Homing &homing);

	/**
	 * Does the other side live?
	 *
	 * A system call: not for every poll.
	 */
	bool peer_lives() const;

	void *memory() const
	{
		return memory_->at();
	}
	size_t bytes() const
	{
		return bytes_;
	}
	int fd() const
	{
		return fd_;
	}
	/** The superblock, as it was when it was checked. */
	const ccnic_superblock &superblock() const
	{
		return superblock_;
	}
	/** What was done of what was asked. */
	const Homing &homing() const
	{
		return homing_;
	}
	/** Size of the file's pages. */
	uint64_t page_bytes() const
	{
		return page_bytes_;
	}

private:
	void make_file(const std::string &path, size_t bytes);
	void lock(Side side);
	void map(size_t bytes);
	void place(const ccnic_superblock &sb, const Homing &homing);

	ccnic_superblock superblock_{};
	int fd_ = -1;
	Side side_ = Side::host;
	std::shared_ptr<Memory> memory_;
	size_t bytes_ = 0;
	uint64_t page_bytes_ = 0;
	Homing homing_;
};

} // namespace ccnic
