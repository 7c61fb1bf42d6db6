// SPDX-License-Identifier: GPL-2.0
#include "subjects.hpp"

#include "floors.hpp"
#include "library.hpp"
#include "naive.hpp"
#include "textbook.hpp"

namespace bench
{

void add_main_subjects(std::vector<Entry> &entries)
{
	entries.push_back({"ours", Role::main, "libccnic: the protocol of include/ccnic", [] {
				   return std::make_unique<SubjectOf<Library>>();
			   }});
	entries.push_back(
		{"textbook", Role::main, "CC-NIC as described: the consumer clears the signal", [] {
			 return std::make_unique<SubjectOf<Textbook>>();
		 }});
	entries.push_back({"naive", Role::main,
			   "a PCIe NIC's interface on coherent memory: doorbell, completions", [] {
				   return std::make_unique<SubjectOf<Naive>>();
			   }});
}

void add_floor_subjects(std::vector<Entry> &entries)
{
	entries.push_back({"socketpair", Role::floor, "AF_UNIX sockets, SOCK_SEQPACKET", [] {
				   return std::make_unique<SubjectOf<SocketPair>>();
			   }});
	entries.push_back(
		{"mutex", Role::floor, "queues with a mutex and a condition variable", [] {
			 return std::make_unique<SubjectOf<LockedQueue>>();
		 }});
}

#ifndef CCNIC_BENCH_DPDK
void add_dpdk_subjects(std::vector<Entry> & /*entries*/,
		       std::map<std::string, std::string> &missing)
{
	for (const char *name : {"rte_ring", "memif"})
		missing[name] = "built without DPDK (libdpdk-dev)";
}
#endif

std::vector<Entry> all_subjects()
{
	std::vector<Entry> entries;
	std::map<std::string, std::string> missing;

	add_main_subjects(entries);
	add_element_subjects(entries);
	add_dpdk_subjects(entries, missing);
	add_floor_subjects(entries);
	return entries;
}

std::map<std::string, std::string> missing_subjects()
{
	std::vector<Entry> entries;
	std::map<std::string, std::string> missing;

	add_dpdk_subjects(entries, missing);
	return missing;
}

} // namespace bench
