// SPDX-License-Identifier: GPL-2.0
/** @file
 * On which CPUs the two sides run.
 */
#pragma once

#include <filesystem>
#include <optional>
#include <sched.h>
#include <string>
#include <vector>

namespace bench
{

/** A CPU that this process may use, and where it stands. */
struct Cpu {
	int number = 0;
	int node = 0;
	int package = 0;
	int core = 0;
};

/** The CPUs of the host's side and of the NIC's. */
struct CpuPair {
	Cpu host;
	Cpu nic;

	/** @return what is between them, for people */
	std::string text() const;
};

/** @return the CPUs this process may use, as sysfs describes them */
std::vector<Cpu> usable_cpus(const std::filesystem::path &sysfs = "/sys/devices/system");

/**
 * Chooses two CPUs: of two nodes if there are two, else of two packages, else
 * of two cores, else any two.
 * @return nothing if there is only one CPU
 */
std::optional<CpuPair> choose_pair(const std::vector<Cpu> &cpus);

/** Binds the calling thread to a CPU. @throws std::system_error */
void bind_to(int cpu);

/** Keeps the CPUs that the calling thread may use, and gives them back at the end. */
class KeepCpus
{
public:
	KeepCpus();
	~KeepCpus();
	KeepCpus(const KeepCpus &) = delete;
	KeepCpus &operator=(const KeepCpus &) = delete;
	KeepCpus(KeepCpus &&) = delete;
	KeepCpus &operator=(KeepCpus &&) = delete;

private:
	cpu_set_t set_;
};

} // namespace bench
