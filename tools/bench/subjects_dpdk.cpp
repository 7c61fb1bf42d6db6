// SPDX-License-Identifier: GPL-2.0
#include "subjects.hpp"

#include "dpdk_ring.hpp"
#include "memif.hpp"

#include <fmt/format.h>

namespace bench
{

void add_dpdk_subjects(std::vector<Entry> &entries, std::map<std::string, std::string> &missing)
{
	const std::string &problem = start_dpdk();

	if (!problem.empty()) {
		missing["rte_ring"] = problem;
		missing["memif"] = problem;
		return;
	}
	entries.push_back({"rte_ring", Role::peer, "DPDK: two rte_ring, mbufs of one pool", [] {
				   return std::make_unique<SubjectOf<DpdkRing>>();
			   }});
	const std::string &trouble = memif_trouble();
	if (!trouble.empty()) {
		missing["memif"] = trouble;
		return;
	}
	entries.push_back({"memif", Role::peer, "DPDK: net_memif, client and server", [] {
				   return std::make_unique<SubjectOf<Memif>>();
			   }});
}

} // namespace bench
