// SPDX-License-Identifier: GPL-2.0
/** @file
 * The designs that are compared, under their names.
 */
#pragma once

#include "loops.hpp"
#include "shape.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace bench
{

/** One of the designs. */
class Subject
{
public:
	Subject() = default;
	virtual ~Subject() = default;
	Subject(const Subject &) = delete;
	Subject &operator=(const Subject &) = delete;
	Subject(Subject &&) = delete;
	Subject &operator=(Subject &&) = delete;

	/** @return can host and NIC be processes of their own? */
	virtual bool for_processes() const = 0;

	/** Measures a point for about so long. */
	virtual Figures measure(const Point &point, const CpuPair &cpus, double ms) = 0;

	/**
	 * Passes packets from host to NIC and back, in one thread if there are no
	 * CPUs given, and checks them.
	 * @return packets that came back right
	 */
	virtual uint64_t pass(uint32_t size, uint32_t batch, uint64_t packets,
			      const CpuPair *cpus) = 0;
};

/** What a subject is for. */
enum class Role : uint8_t {
	main,    /**< in every table */
	element, /**< ours with one element off */
	peer,    /**< what others offer */
	floor,   /**< what the kernel and the C++ library offer */
	app,     /**< an application over one of them: APPLICATION/DESIGN */
};

/** A subject that can be made. */
struct Entry {
	std::string name;
	Role role;
	std::string what;
	std::function<std::unique_ptr<Subject>()> make;
};

/** All subjects of this build. */
std::vector<Entry> all_subjects();

/** Subjects that could not be built in or do not work here, and why. */
std::map<std::string, std::string> missing_subjects();

/** Makes subjects of one kind of design. */
template <typename Design>
class SubjectOf : public Subject
{
public:
	/** @param shape given to every design that is made */
	explicit SubjectOf(const Shape &shape = {}) : shape_(shape)
	{
	}

	bool for_processes() const override
	{
		return Design::for_processes;
	}

	Figures measure(const Point &point, const CpuPair &cpus, double ms) override
	{
		/* What a process did to its side's state is gone with it. */
		if (point.processes > 1) {
			const auto designs = make(point.size, point.queues);
			return Loops<Design>(designs, cpus).measure(point, ms);
		}

		auto &designs = kept_[{largest(point.size), point.queues}];
		if (designs.empty())
			designs = make(point.size, point.queues);

		const Figures figures = Loops<Design>(designs, cpus).measure(point, ms);
		if (figures.wrong != 0)
			designs.clear();
		return figures;
	}

	uint64_t pass(uint32_t size, uint32_t batch, uint64_t packets, const CpuPair *cpus) override
	{
		const auto designs = make(size, 1);
		Design &design = *designs.front();
		std::unique_ptr<Peer> nic;
		Source source(size);
		Sink sink(size);
		/* Many rounds without a packet: something is stuck. */
		constexpr uint64_t patience = 100'000'000;
		uint64_t idle = 0;

		if (cpus != nullptr)
			nic = std::make_unique<Peer>(
				cpus->nic.number, false, [&](const std::atomic<bool> &stop) {
					while (!stop.load(std::memory_order_relaxed))
						design.nic_poll();
				});
		while (sink.count() < packets && idle < patience) {
			const uint64_t left = packets - source.count();

			design.tx_burst(source,
					static_cast<uint32_t>(std::min<uint64_t>(batch, left)));
			if (nic == nullptr)
				design.nic_poll();
			idle = design.rx_burst(sink, batch) == 0 ? idle + 1 : 0;
		}
		return sink.count() - sink.wrong();
	}

private:
	using Designs = typename Loops<Design>::Designs;

	static uint32_t largest(uint32_t size)
	{
		return size <= 2048 ? 2048 : 9024;
	}

	Designs make(uint32_t size, uint32_t queues) const
	{
		Shape shape = shape_;
		Designs designs;

		shape.largest = largest(size);
		for (uint32_t i = 0; i < queues; i++)
			designs.push_back(std::make_unique<Design>(shape));
		return designs;
	}

	Shape shape_;
	std::map<std::pair<uint32_t, uint32_t>, Designs> kept_;
};

} // namespace bench
