// SPDX-License-Identifier: GPL-2.0
#include "mapping.hpp"

#include "error.hpp"

#include <cerrno>
#include <fcntl.h>
#include <linux/memfd.h>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <utility>
#ifdef CCNIC_HAVE_NUMA
#include <numa.h>
#endif

namespace ccnic
{

namespace
{

/* Behind every file's end, where nobody else locks. */
constexpr off_t lock_base = off_t{1} << 61;

struct flock lock_of(Side side)
{
	struct flock lock = {};

	lock.l_type = F_WRLCK;
	lock.l_whence = SEEK_SET;
	lock.l_start = lock_base + static_cast<off_t>(side);
	lock.l_len = 1;
	return lock;
}

/* The same file, opened once more: a lock belongs to whoever opened the file. */
int open_anew(int fd)
{
	const std::string name = "/proc/self/fd/" + std::to_string(fd);
	const int anew = open(name.c_str(), O_RDWR | O_CLOEXEC);

	if (anew < 0)
		throw system_error("the region's file");
	return anew;
}

/* A memory file. Its size is sealed, so no peer can cut it off under us. */
int make_memory(size_t bytes, unsigned int flags)
{
	const int fd = memfd_create("ccnic", MFD_CLOEXEC | MFD_ALLOW_SEALING | flags);

	if (fd < 0)
		return -1;
	if (ftruncate(fd, static_cast<off_t>(bytes)) == 0 &&
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
		return fd;
	close(fd);
	return -1;
}

/* mmap() of large pages takes them from the stock, so later faults succeed. */
bool can_be_mapped(int fd, size_t bytes)
{
	void *at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (at == MAP_FAILED)
		return false;
	munmap(at, bytes);
	return true;
}

constexpr size_t huge_bytes = size_t{2} << 20;

#ifdef CCNIC_HAVE_NUMA
int bind_part(void *at, size_t bytes, int node)
{
	if (bytes == 0 || node < 0 || numa_available() < 0 || numa_num_configured_nodes() < 2 ||
	    node > numa_max_node())
		return -1;
	numa_tonode_memory(at, bytes, node);
	return node;
}
#else
int bind_part(void *, size_t, int)
{
	return -1;
}
#endif

} // namespace

/* The mapping keeps an open file, and its locks with it, so it has one without. */
Memory::Memory(int fd, size_t bytes) : bytes_(bytes)
{
	const int own = open_anew(fd);

	at_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, own, 0);
	const int error = errno;
	close(own);
	errno = error;
	if (at_ == MAP_FAILED)
		throw system_error("mapping of the region");
}

Memory::~Memory()
{
	munmap(at_, bytes_);
}

std::shared_ptr<Memory> Memory::of(int fd, size_t bytes)
{
	static std::mutex mutex;
	static std::map<std::pair<dev_t, ino_t>, std::weak_ptr<Memory>> all;
	const std::lock_guard<std::mutex> lock(mutex);
	struct stat status = {};

	if (fstat(fd, &status) != 0)
		throw system_error("the region's file");
	std::erase_if(all, [](const auto &each) { return each.second.expired(); });
	std::weak_ptr<Memory> &known = all[{status.st_dev, status.st_ino}];
	std::shared_ptr<Memory> memory = known.lock();
	if (!memory || memory->bytes() != bytes) {
		memory = std::make_shared<Memory>(fd, bytes);
		known = memory;
	}
	return memory;
}

Mapping::~Mapping()
{
	if (fd_ >= 0)
		close(fd_);
}

void Mapping::make_file(const std::string &path, size_t bytes)
{
	if (!path.empty()) {
		fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd_ < 0)
			throw system_error(path);
		if (ftruncate(fd_, static_cast<off_t>(bytes)) != 0)
			throw system_error(path);
		bytes_ = bytes;
		return;
	}
	if (homing_.huge) {
		const size_t rounded = (bytes + huge_bytes - 1) & ~(huge_bytes - 1);

		fd_ = make_memory(rounded, MFD_HUGETLB | MFD_HUGE_2MB);
		if (fd_ >= 0 && can_be_mapped(fd_, rounded)) {
			bytes_ = rounded;
			return;
		}
		if (fd_ >= 0)
			close(fd_);
	}
	fd_ = make_memory(bytes, 0);
	if (fd_ < 0)
		throw system_error("memory of " + std::to_string(bytes) + " bytes");
	bytes_ = bytes;
}

void Mapping::lock(Side side)
{
	struct flock lock = lock_of(side);

	side_ = side;
	if (fcntl(fd_, F_OFD_SETLK, &lock) == 0)
		return;
	if (errno == EAGAIN || errno == EACCES)
		throw Error(-EBUSY, side == Side::host ? "the region has a host already"
						       : "the region has a NIC already");
	throw system_error("lock of the region");
}

bool Mapping::peer_lives() const
{
	struct flock lock = lock_of(side_ == Side::host ? Side::nic : Side::host);

	return fcntl(fd_, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

void Mapping::map(size_t bytes)
{
	struct statfs fs = {};

	memory_ = Memory::of(fd_, bytes);
	bytes_ = bytes;
	page_bytes_ = fstatfs(fd_, &fs) == 0 && fs.f_bsize > 0 ? static_cast<uint64_t>(fs.f_bsize)
							       : CCNIC_REGION_ALIGN;
}

/* Advice and policy first, pages afterwards. */
void Mapping::place(const ccnic_superblock &sb, const Homing &homing)
{
	const size_t part = sb.host_bytes;

	homing_ = homing;
	if (page_bytes_ >= huge_bytes)
		homing_.huge = true;
	else if (homing.huge)
		homing_.huge = madvise(memory(), bytes_, MADV_HUGEPAGE) == 0;
	homing_.host_node = bind_part(memory(), part, homing.host_node);
	homing_.nic_node = bind_part(ccnic_at(memory(), part), bytes_ - part, homing.nic_node);
	/* Or the first packets pay for it. It does no harm if it is refused. */
	(void)madvise(memory(), bytes_, MADV_POPULATE_WRITE);
}

void Mapping::create(const std::string &path, const ccnic_geometry &geometry, const Homing &homing)
{
	ccnic_superblock sb{};

	if (ccnic_layout(&geometry, 0, &sb) != 0)
		throw Error(-EINVAL, "no region can be made with so many queues, lines or bytes");
	homing_ = homing;
	make_file(path, file_bytes(sb));
	lock(Side::host);
	map(bytes_);
	place(sb, homing);
	superblock_ = sb;
	/* Magic last: without it nobody takes this for a region. */
	auto *shared = static_cast<ccnic_superblock *>(memory());
	const uint64_t magic = sb.magic;
	sb.magic = 0;
	*shared = sb;
	ccnic_store_release(&shared->magic, magic);
}

void Mapping::open(int fd, Side side, const Homing &homing)
{
	struct stat status = {};

	fd_ = open_anew(fd);
	if (fstat(fd_, &status) != 0)
		throw system_error("the region's file");
	const auto bytes = static_cast<size_t>(status.st_size);
	if (!S_ISREG(status.st_mode) || bytes < sizeof(ccnic_superblock))
		throw Error(-EPROTO, "that file is no region");
	lock(side);
	map(bytes);

	/* A copy is checked and used: what is there may change at any time. */
	ccnic_copy(&superblock_, memory(), sizeof(superblock_));
	ccnic_barrier();
	if (!ccnic_superblock_valid(&superblock_, bytes) || file_bytes(superblock_) > bytes)
		throw Error(-EPROTO,
			    "that file is no region of version " + std::to_string(CCNIC_VERSION));
	place(superblock_, homing);
}

} // namespace ccnic
