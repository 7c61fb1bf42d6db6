// SPDX-License-Identifier: GPL-2.0
#include "plan.hpp"

#include <algorithm>

namespace bench
{

namespace
{

/* What the round trip and the threads of a measurement take on top. */
constexpr double overhead_ms = 1.5;

const std::vector<uint32_t> quick_sizes = {8, 64, 256, 512, 1024, 1500, 4096, 9000};
const std::vector<uint32_t> full_sizes = {8,   16,   32,   64,   96,   128,  256,
					  512, 1024, 1500, 2048, 4096, 6000, 9000};

/* Sizes for which every cell is measured. */
constexpr uint32_t cell_sizes[] = {64, 1500};

template <typename T>
bool wished(const std::vector<T> &wish, const T &value)
{
	return wish.empty() || std::find(wish.begin(), wish.end(), value) != wish.end();
}

/** Gathers steps that the wish allows. */
class Builder
{
public:
	Builder(const Wish &wish, const std::vector<Entry> &subjects)
		: wish_(wish), subjects_(subjects)
	{
	}

	/* Applications are wished by the design under them. */
	void add_app(const std::string &kind, const Point &point)
	{
		Step step{point, {}};

		if (!wished(wish_.kinds, kind) || !wish_.sizes.empty())
			return;
		for (const Entry &entry : subjects_)
			if (entry.role == Role::app && entry.name.starts_with(kind + "/") &&
			    wished(wish_.designs, entry.name.substr(kind.size() + 1)))
				step.designs.push_back(entry.name);
		if (!step.designs.empty())
			steps_.push_back(std::move(step));
	}

	void add(const std::string &kind, const Point &point, const std::vector<Role> &roles)
	{
		Step step{point, {}};

		if (!wished(wish_.kinds, kind) || !wished(wish_.sizes, point.size))
			return;
		for (const Entry &entry : subjects_)
			if (wished(wish_.designs, entry.name) &&
			    std::find(roles.begin(), roles.end(), entry.role) != roles.end())
				step.designs.push_back(entry.name);
		if (!step.designs.empty())
			steps_.push_back(std::move(step));
	}

	std::vector<Step> take()
	{
		return std::move(steps_);
	}

private:
	const Wish &wish_;
	const std::vector<Entry> &subjects_;
	std::vector<Step> steps_;
};

bool is_cell_size(uint32_t size)
{
	return std::find(std::begin(cell_sizes), std::end(cell_sizes), size) !=
	       std::end(cell_sizes);
}

} // namespace

std::vector<Step> make_plan(const Wish &wish, const std::vector<Entry> &subjects)
{
	const std::vector<Role> compared = {Role::main, Role::peer};
	const std::vector<Role> fast = {Role::main, Role::peer, Role::element};
	const std::vector<Role> everyone = {Role::main, Role::peer, Role::element, Role::floor};
	std::vector<uint32_t> sizes = wish.full ? full_sizes : quick_sizes;
	Builder builder(wish, subjects);

	if (!wish.sizes.empty())
		sizes = wish.sizes;
	for (const uint32_t size : cell_sizes)
		for (const uint32_t outstanding : outstandings)
			for (const uint32_t batch : batches)
				builder.add("rate", {Kind::rate, size, batch, outstanding},
					    outstanding == 1024 && (batch == 1 || batch == 32)
						    ? everyone
						    : fast);
	for (const uint32_t size : sizes) {
		builder.add("latency", {Kind::latency, size, 1, 1},
			    size == 64 ? everyone : compared);
		if (is_cell_size(size))
			continue;
		for (const uint32_t outstanding : outstandings)
			for (const uint32_t batch : batches)
				if (wish.full || (outstanding == 1024 && batch == 32))
					builder.add("rate", {Kind::rate, size, batch, outstanding},
						    compared);
	}
	for (const uint32_t load : loads)
		builder.add("load", {Kind::load, 64, 32, 1024, 1, 1, load}, compared);
	for (const uint32_t queues : {2, 4, 8})
		for (const uint32_t batch : {1, 32})
			builder.add("queues", {Kind::rate, 64, batch, 1024, queues}, {Role::main});
	builder.add("processes", {Kind::rate, 64, 32, 1024, 1, 2}, {Role::main});
	builder.add("processes", {Kind::latency, 64, 1, 1, 1, 2}, {Role::main});
	builder.add_app("kv", kv_point);
	builder.add_app("rpc", rpc_point);
	return builder.take();
}

double measurement_ms(const Point &point, const Wish &wish)
{
	const double ms = wish.full ? 16 : 6;

	return point.kind >= Kind::load ? 2 * ms : ms;
}

double round_seconds(const std::vector<Step> &plan, const Wish &wish)
{
	double ms = 0;

	for (const Step &step : plan)
		ms += static_cast<double>(step.designs.size()) *
		      (measurement_ms(step.point, wish) + overhead_ms);
	return ms / 1000;
}

} // namespace bench
