// SPDX-License-Identifier: GPL-2.0
#include "ours.hpp"
#include "subjects.hpp"

namespace bench
{

namespace
{

template <Elements elements>
void add(std::vector<Entry> &entries, const std::string &name, const std::string &what)
{
	entries.push_back({name, Role::element, what, [] {
				   return std::make_unique<SubjectOf<Ours<elements>>>();
			   }});
}

} // namespace

void add_element_subjects(std::vector<Entry> &entries)
{
	add<Elements{}>(entries, "direct", "include/ccnic driven directly, without a library");
	add<Elements{.inline_payload = false}>(entries, "no-inline",
					       "direct, small packets in buffers as well");
	add<Elements{.look_ahead = false}>(entries, "no-look-ahead",
					   "direct, one packet at a time, nothing fetched early");
	add<Elements{.pacing = false}>(entries, "no-pacing", "direct, polling without a break");
	add<Elements{.lifo = false}>(entries, "fifo",
				     "direct, buffers used again first-in first-out");
	add<Elements{.scatter = false}>(entries, "no-scatter",
					"direct, fresh buffers in memory's order");
	add<Elements{.burst_publish = false}>(entries, "by-line",
					      "direct, a burst becomes visible line by line");
	add<Elements{.lazy_progress = false}>(entries, "eager-progress",
					      "direct, progress published after every burst");
	add<Elements{.shared_pool = false}>(entries, "host-pool",
					    "direct, the host manages all buffers");
	add<Elements{.layout = Layout::single}>(entries, "one-a-line",
						"direct, one descriptor a line");
	add<Elements{.layout = Layout::apart}>(entries, "signal-apart",
					       "direct, the signal in a line of its own");
	add<Elements{.layout = Layout::packed}>(entries, "signal-packed",
						"direct, signals of eight lines in one, apart");
}

} // namespace bench
