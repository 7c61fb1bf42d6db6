// SPDX-License-Identifier: GPL-2.0
/** @file
 * The host's loops that measure, the same for every design.
 *
 * A design has tx_burst(source, count) and rx_burst(sink, most) for the host and
 * nic_poll() for the NIC, which sends every packet back.
 */
#pragma once

#include "clock.hpp"
#include "contents.hpp"
#include "peer.hpp"
#include "point.hpp"
#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace bench
{

/** Measures points of one design, which goes on working from point to point. */
template <typename Design>
class Loops
{
public:
	using Designs = std::vector<std::unique_ptr<Design>>;

	/**
	 * @param designs one a queue
	 * @param cpus of the two sides
	 */
	Loops(const Designs &designs, const CpuPair &cpus) : cpus_(cpus)
	{
		for (const auto &design : designs)
			lanes_.push_back({design.get(), Source(0), Sink(0)});
	}

	/** Measures a point for about so long. */
	Figures measure(const Point &point, double ms)
	{
		for (Lane &lane : lanes_) {
			lane.source = Source(point.size);
			lane.sink = Sink(point.size);
		}
		const KeepCpus keep;
		bind_to(cpus_.host.number);

		/* A list of the NIC's own: the host writes beside what is in a lane. */
		std::vector<Design *> served;
		for (const Lane &lane : lanes_)
			served.push_back(lane.design);
		const Peer nic(cpus_.nic.number, point.processes > 1,
			       [served](const std::atomic<bool> &stop) {
				       while (!stop.load(std::memory_order_relaxed))
					       for (Design *design : served)
						       design->nic_poll();
			       });
		Figures figures;
		switch (point.kind) {
		case Kind::rate:
			figures = rate(point, ms);
			break;
		case Kind::latency:
			figures = latency(ms);
			break;
		case Kind::load:
			figures = load(point, ms);
			break;
		default:
			/* Applications have loops of their own. */
			break;
		}
		figures.wrong += drain();
		/* Nothing was counted: the CPU was away. */
		if (!std::isfinite(figures.mpps))
			figures.mpps = 0;
		figures.gbps = figures.mpps * point.size * 8 / 1000;
		return figures;
	}

private:
	struct Lane {
		Design *design;
		Source source;
		Sink sink;

		uint64_t in_flight() const
		{
			return source.count() - sink.count();
		}
	};

	/* Share of the time that is not counted. */
	static constexpr double warm_up = 0.25;
	static constexpr uint32_t burst = 32;
	/* An empty look is cheap next to a packet; reading the clock is not. */
	static constexpr uint32_t turns_a_look = 64;

	uint64_t received() const
	{
		uint64_t count = 0;

		for (const Lane &lane : lanes_)
			count += lane.sink.count();
		return count;
	}

	Figures rate(const Point &point, double ms)
	{
		const uint64_t start = ticks();
		const uint64_t warm = start + ticks_of_ns(ms * warm_up * 1e6);
		const uint64_t end = start + ticks_of_ns(ms * 1e6);
		const uint32_t most = std::max<uint32_t>(point.batch, 4);
		uint64_t first = 0;
		uint64_t since = 0;
		uint64_t now = start;

		for (uint32_t turn = 0; now < end; turn++) {
			for (Lane &lane : lanes_) {
				if (lane.in_flight() + point.batch <= point.outstanding)
					lane.design->tx_burst(lane.source, point.batch);
				lane.design->rx_burst(lane.sink, most);
			}
			if (turn % turns_a_look != 0)
				continue;
			now = ticks();
			if (since == 0 && now >= warm) {
				since = now;
				first = received();
			}
		}
		Figures figures;
		figures.mpps = static_cast<double>(received() - first) /
			       (static_cast<double>(now - since) * tick_ns()) * 1e3;
		return figures;
	}

	Figures latency(double ms)
	{
		Lane &lane = lanes_.front();
		const uint64_t start = ticks();
		const uint64_t warm = start + ticks_of_ns(ms * warm_up * 1e6);
		const uint64_t end = start + ticks_of_ns(ms * 1e6);
		uint64_t now = start;

		histogram_.clear();
		while (now < end) {
			const uint64_t sent = ticks();

			while (lane.design->tx_burst(lane.source, 1) == 0 && ticks() < end)
				;
			while (lane.design->rx_burst(lane.sink, 1) == 0) {
				/* Lost: drain() will say so. */
				if (ticks() - sent > ticks_of_ns(lost_ns))
					return {};
			}
			now = ticks();
			if (sent >= warm)
				histogram_.add(now - sent);
		}
		Figures figures = percentiles();
		figures.mpps = 1e3 / std::max(figures.p50_ns, 1.0);
		return figures;
	}

	/*
	 * Packets are due at fixed times; the latency counts from then on, also of
	 * those that could not be sent in time.
	 */
	Figures load(const Point &point, double ms)
	{
		const double peak = rate(peak_point(point), ms / 3).mpps;
		drain();

		Lane &lane = lanes_.front();
		const double gap = 1e5 / (peak * point.load_percent * tick_ns());
		const uint64_t base = lane.source.count();
		const uint64_t start = ticks();
		const uint64_t warm = start + ticks_of_ns(ms * warm_up * 1e6);
		const uint64_t end = start + ticks_of_ns(ms * 1e6);
		uint64_t now = start;
		uint64_t counted = 0;

		if (!(peak > 0))
			return {};
		histogram_.clear();
		while (now < end) {
			now = ticks();
			const auto due =
				static_cast<uint64_t>(static_cast<double>(now - start) / gap) +
				base;
			const uint64_t sent = lane.source.count();

			if (due > sent && lane.in_flight() < point.outstanding)
				lane.design->tx_burst(
					lane.source,
					static_cast<uint32_t>(std::min<uint64_t>(
						{due - sent, burst,
						 point.outstanding - lane.in_flight()})));
			uint64_t next = lane.sink.count() - base;
			const uint32_t got = lane.design->rx_burst(lane.sink, burst);
			if (got == 0)
				continue;
			now = ticks();
			if (now < warm)
				continue;
			counted += got;
			for (uint32_t i = 0; i < got; i++, next++)
				histogram_.add(
					now - start -
					static_cast<uint64_t>(static_cast<double>(next) * gap));
		}
		Figures figures = percentiles();
		figures.mpps = static_cast<double>(counted) /
			       (static_cast<double>(now - warm) * tick_ns()) * 1e3;
		return figures;
	}

	static Point peak_point(Point point)
	{
		point.batch = burst;
		return point;
	}

	Figures percentiles() const
	{
		Figures figures;

		figures.least_ns = static_cast<double>(histogram_.least()) * tick_ns();
		figures.p50_ns = static_cast<double>(histogram_.quantile(0.5)) * tick_ns();
		figures.p99_ns = static_cast<double>(histogram_.quantile(0.99)) * tick_ns();
		figures.p999_ns = static_cast<double>(histogram_.quantile(0.999)) * tick_ns();
		return figures;
	}

	/* Receives what is still on its way. @return packets that were wrong or lost */
	uint64_t drain()
	{
		uint64_t last = ticks();
		uint64_t wrong = 0;

		for (Lane &lane : lanes_) {
			while (lane.in_flight() != 0 && ticks() - last < ticks_of_ns(lost_ns))
				if (lane.design->rx_burst(lane.sink, burst) != 0)
					last = ticks();
			wrong += lane.sink.wrong() + lane.in_flight();
		}
		return wrong;
	}

	/* A packet that takes longer is lost; not one during which all of us stood still. */
	static constexpr double lost_ns = 1e10;

	CpuPair cpus_;
	std::vector<Lane> lanes_;
	Histogram histogram_;
};

} // namespace bench
