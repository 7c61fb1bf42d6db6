// SPDX-License-Identifier: GPL-2.0
#include "cpus.hpp"

#include "file.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <system_error>

namespace bench
{

namespace
{

/* 0 if it is none. */
int number_of(const char *text)
{
	return static_cast<int>(std::strtol(text, nullptr, 10));
}

int number_in(const std::filesystem::path &path)
{
	return number_of(tools::first_line(path).c_str());
}

int node_of(const std::filesystem::path &cpu)
{
	std::error_code error;

	for (const auto &entry : std::filesystem::directory_iterator(cpu, error)) {
		const std::string name = entry.path().filename();
		if (name.starts_with("node"))
			return number_of(name.c_str() + 4);
	}
	return 0;
}

/* How far two CPUs stand from each other: 0 one core, 3 two nodes. */
int distance(const Cpu &a, const Cpu &b)
{
	if (a.node != b.node)
		return 3;
	if (a.package != b.package)
		return 2;
	return a.core != b.core ? 1 : 0;
}

} // namespace

std::string CpuPair::text() const
{
	static constexpr const char *relation[] = {"one core", "two cores", "two packages",
						   "two nodes"};

	return fmt::format("CPU {} and CPU {}, {}", host.number, nic.number,
			   relation[distance(host, nic)]);
}

std::vector<Cpu> usable_cpus(const std::filesystem::path &sysfs)
{
	cpu_set_t set;
	std::vector<Cpu> cpus;

	CPU_ZERO(&set);
	sched_getaffinity(0, sizeof(set), &set);
	for (int number = 0; number < CPU_SETSIZE; number++) {
		if (!CPU_ISSET(number, &set))
			continue;
		const auto folder = sysfs / "cpu" / fmt::format("cpu{}", number);
		cpus.push_back({number, node_of(folder),
				number_in(folder / "topology/physical_package_id"),
				number_in(folder / "topology/core_id")});
	}
	return cpus;
}

std::optional<CpuPair> choose_pair(const std::vector<Cpu> &cpus)
{
	std::optional<CpuPair> best;

	for (const Cpu &other : cpus) {
		const Cpu &first = cpus.front();

		if (other.number == first.number)
			continue;
		if (!best || distance(first, other) > distance(first, best->nic))
			best = CpuPair{first, other};
	}
	return best;
}

void bind_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		throw std::system_error(errno, std::generic_category(),
					fmt::format("binding to CPU {}", cpu));
}

KeepCpus::KeepCpus() : set_()
{
	sched_getaffinity(0, sizeof(set_), &set_);
}

KeepCpus::~KeepCpus()
{
	sched_setaffinity(0, sizeof(set_), &set_);
}

} // namespace bench
