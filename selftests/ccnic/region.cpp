// SPDX-License-Identifier: GPL-2.0
//
// Reads a device's region through debugfs, and writes into it what a peer that
// breaks the protocol would: signals, progress, descriptors.
#include <ccnic/region.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

const char *const usage =
	"Usage: region FILE COMMAND...\n"
	"FILE is .../debug/ccnic/ID/region; RING is tx or rx; Q is a queue\n"
	"  show                        the superblock\n"
	"  signal RING Q VALUE         store a signal in the line that comes next\n"
	"  progress RING Q DELTA       move the consumer's progress\n"
	"  desc RING Q HANDLE OFFSET LEN FLAGS [HANDLE OFFSET LEN FLAGS]...\n"
	"                              publish a packet of these descriptors, of which\n"
	"                              the last is marked as the end\n"
	"  batch supply|return|offer Q SIGNAL   store a signal in an exchange ring's line\n"
	"                              that was written last, in its first turn\n"
	"  awake                       the NIC's announcement of its sleep is lost\n"
	"Rings are to be idle: what comes next is told from the progress.\n";

std::uint32_t number(const std::string &text)
{
	std::size_t used = 0;
	const long long value = std::stoll(text, &used, 0);

	if (used != text.size())
		throw std::runtime_error("'" + text + "' is not a number");
	return static_cast<std::uint32_t>(value);
}

class Region
{
public:
	explicit Region(const std::string &file) : fd_(open(file.c_str(), O_RDWR | O_CLOEXEC))
	{
		if (fd_ < 0)
			throw std::runtime_error(file + ": " + std::strerror(errno));
		get(0, &sb_, sizeof(sb_));
		if (!ccnic_superblock_valid(&sb_, sb_.size))
			throw std::runtime_error(file + ": not a region of this version");
	}
	~Region()
	{
		close(fd_);
	}
	Region(const Region &) = delete;
	Region &operator=(const Region &) = delete;

	const ccnic_superblock &superblock() const
	{
		return sb_;
	}
	void get(std::uint64_t at, void *to, std::size_t bytes) const
	{
		if (pread(fd_, to, bytes, static_cast<off_t>(at)) != static_cast<ssize_t>(bytes))
			throw std::runtime_error(std::string("read: ") + std::strerror(errno));
	}
	void put(std::uint64_t at, const void *from, std::size_t bytes) const
	{
		if (pwrite(fd_, from, bytes, static_cast<off_t>(at)) != static_cast<ssize_t>(bytes))
			throw std::runtime_error(std::string("write: ") + std::strerror(errno));
	}
	std::uint32_t get_word(std::uint64_t at) const
	{
		std::uint32_t word = 0;

		get(at, &word, sizeof(word));
		return word;
	}
	void put_word(std::uint64_t at, std::uint32_t word) const
	{
		put(at, &word, sizeof(word));
	}

private:
	int fd_;
	ccnic_superblock sb_{};
};

class Ring
{
public:
	Ring(const Region &region, const std::string &name, std::uint32_t queue) : region_(region)
	{
		const ccnic_superblock &sb = region.superblock();
		std::uint64_t first = 0;

		if (queue >= sb.geometry.queues)
			throw std::runtime_error("there is no queue " + std::to_string(queue));
		if (name == "tx") {
			first = sb.tx_ring;
			progress_ = sb.nic_lines + queue * sizeof(ccnic_nic_lines);
		} else if (name == "rx") {
			first = sb.rx_ring;
			progress_ = sb.host_lines + queue * sizeof(ccnic_host_lines) +
				    offsetof(ccnic_host_lines, rx_done);
		} else {
			throw std::runtime_error("no ring '" + name + "': tx or rx");
		}
		lines_ = first + std::uint64_t{queue} * sb.geometry.ring_lines * sizeof(ccnic_line);
		next_ = region_.get_word(progress_);
	}

	void signal(std::uint32_t value) const
	{
		region_.put_word(line(next_), value);
	}
	void progress(std::uint32_t delta) const
	{
		region_.put_word(progress_, next_ + delta);
	}
	void publish(const std::vector<ccnic_desc> &packet) const
	{
		std::uint32_t slot = next_;
		std::uint32_t left = static_cast<std::uint32_t>(packet.size());

		for (const ccnic_desc &desc : packet) {
			region_.put(line(slot) + offsetof(ccnic_line, slots.desc) +
					    ccnic_slot_in_line(slot) * sizeof(desc),
				    &desc, sizeof(desc));
			slot++;
		}
		/* From the last line to the first, as a producer does. */
		while (left > 0) {
			const std::uint32_t in_line = ccnic_slot_in_line(slot - 1) + 1;

			region_.put_word(line(slot - 1),
					 ccnic_signal((slot - 1) / CCNIC_LINE_DESCS, in_line));
			left -= in_line < left ? in_line : left;
			slot -= in_line;
		}
	}

private:
	std::uint64_t line(std::uint32_t slot) const
	{
		return lines_ + slot / CCNIC_LINE_DESCS %
					region_.superblock().geometry.ring_lines *
					sizeof(ccnic_line);
	}

	const Region &region_;
	std::uint64_t lines_ = 0;
	std::uint64_t progress_ = 0;
	std::uint32_t next_ = 0;
};

std::uint64_t exchange_ring(const ccnic_superblock &sb, const std::string &name,
			    std::uint32_t queue)
{
	const std::uint64_t first = name == "supply"   ? std::uint64_t{sb.supply_ring}
				    : name == "return" ? std::uint64_t{sb.return_ring}
				    : name == "offer"  ? std::uint64_t{sb.offer_ring}
						       : 0;

	if (first == 0)
		throw std::runtime_error("no ring '" + name + "': supply, return or offer");
	return first + std::uint64_t{queue} * sb.exchange_lines * sizeof(ccnic_line);
}

void run(const std::vector<std::string> &args)
{
	const Region region(args.at(0));
	const ccnic_superblock &sb = region.superblock();
	const std::string &command = args.at(1);

	if (command == "show") {
		std::printf("queues %u\nring_lines %u\npages %u\ncell_bytes %u\nsmall_count %u\n"
			    "generation %u\nsize %llu\n",
			    sb.geometry.queues, sb.geometry.ring_lines, sb.geometry.pages,
			    sb.geometry.cell_bytes, sb.small_count, sb.generation, sb.size);
		return;
	}
	if (command == "awake") {
		const std::uint64_t word = 0;

		region.put(sb.nic_armed, &word, sizeof(word));
		return;
	}
	if (command == "batch") {
		const std::uint64_t ring = exchange_ring(sb, args.at(2), number(args.at(3)));
		std::uint32_t line = 0;

		while (line < sb.exchange_lines &&
		       region.get_word(ring + line * sizeof(ccnic_line)) != 0)
			line++;
		if (line == 0 || line == sb.exchange_lines)
			throw std::runtime_error("the ring is not in its first turn");
		region.put_word(ring + (line - 1) * sizeof(ccnic_line), number(args.at(4)));
		return;
	}

	const Ring ring(region, args.at(2), number(args.at(3)));
	if (command == "signal") {
		ring.signal(number(args.at(4)));
	} else if (command == "progress") {
		ring.progress(number(args.at(4)));
	} else if (command == "desc") {
		std::vector<ccnic_desc> packet;

		for (std::size_t i = 4; i < args.size(); i += 4) {
			ccnic_desc desc{};

			desc.handle = number(args.at(i));
			desc.offset = static_cast<std::uint16_t>(number(args.at(i + 1)));
			desc.len = static_cast<std::uint16_t>(number(args.at(i + 2)));
			desc.flags = static_cast<std::uint16_t>(number(args.at(i + 3)));
			packet.push_back(desc);
		}
		if (packet.empty())
			throw std::runtime_error("a packet has a descriptor at least");
		packet.back().flags |= CCNIC_F_EOP;
		ring.publish(packet);
	} else {
		throw std::runtime_error("no command '" + command + "'");
	}
}

} // namespace

int main(int argc, char **argv)
{
	const std::vector<std::string> args(argv + 1, argv + argc);

	if (args.size() < 2) {
		std::fputs(usage, stderr);
		return 2;
	}
	try {
		run(args);
	} catch (const std::out_of_range &) {
		std::fputs(usage, stderr);
		return 2;
	} catch (const std::exception &error) {
		std::fprintf(stderr, "region: %s\n", error.what());
		return 1;
	}
	return 0;
}
