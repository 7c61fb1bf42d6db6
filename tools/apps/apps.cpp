// SPDX-License-Identifier: GPL-2.0
#include "apps.hpp"

#include "kv.hpp"
#include "pairs.hpp"
#include "rpc.hpp"

#include <clock.hpp>
#include <peer.hpp>
#include <statistics.hpp>

#include <algorithm>
#include <cmath>

namespace apps
{

namespace
{

using bench::CpuPair;
using bench::Figures;
using bench::Point;
using bench::ticks;
using bench::ticks_of_ns;

constexpr uint32_t burst = 32;
/* Longest message: a header and a value. */
constexpr uint32_t largest = sizeof(Header) + Store::most_bytes;
/* An answer that takes longer is lost. */
constexpr double lost_ns = 1e10;

/** An application's two ends, and what is between them. */
template <typename Pair, typename Server, typename Client>
class AppRun
{
public:
	explicit AppRun(const bench::Shape &shape) : pair_(shape)
	{
	}

	/** The server on the host's CPU; the client, and the NIC, on the other. */
	Figures measure(const CpuPair &cpus, double ms)
	{
		const bench::KeepCpus keep;
		bench::bind_to(cpus.nic.number);
		const bench::Peer server(cpus.host.number, false,
					 [this](const std::atomic<bool> &stop) {
						 while (!stop.load(std::memory_order_relaxed))
							 serve();
					 });
		const uint64_t start = ticks();
		const uint64_t warm = start + ticks_of_ns(ms / 4 * 1e6);
		const uint64_t end = start + ticks_of_ns(ms * 1e6);
		const uint64_t wrong = client_.wrong();
		uint64_t since = 0;
		uint64_t first = 0;
		uint64_t now = start;

		histogram_.clear();
		while (now < end) {
			now = ask();
			if (since == 0 && now >= warm) {
				since = now;
				first = client_.answered();
				histogram_.clear();
			}
		}
		Figures figures;
		figures.mpps = static_cast<double>(client_.answered() - first) /
			       (static_cast<double>(now - since) * bench::tick_ns()) * 1e3;
		if (!std::isfinite(figures.mpps))
			figures.mpps = 0;
		figures.least_ns = ns(histogram_.least());
		figures.p50_ns = ns(histogram_.quantile(0.5));
		figures.p99_ns = ns(histogram_.quantile(0.99));
		figures.p999_ns = ns(histogram_.quantile(0.999));
		drain();
		figures.wrong = client_.wrong() - wrong + client_.sent() - client_.answered();
		return figures;
	}

	/** Both ends in one thread. @return requests that were answered; 0 if one was wrong */
	uint64_t pass(uint64_t requests)
	{
		const uint64_t limit = 1000 * requests;

		for (uint64_t i = 0; i < limit && client_.answered() < requests; i++) {
			if (client_.sent() < requests)
				ask();
			else
				receive();
			serve();
		}
		return client_.wrong() == 0 ? std::min(client_.answered(), requests) : 0;
	}

private:
	static double ns(uint64_t count)
	{
		return static_cast<double>(count) * bench::tick_ns();
	}

	void serve()
	{
		/* Never more than there is room for answers. */
		if (server_.pending() <= window)
			pair_.server().rx_burst(server_, burst);
		if (server_.pending() != 0)
			pair_.server().tx_burst(server_, std::min(burst, server_.pending()));
	}

	/* Keeps the window full. @return the time */
	uint64_t ask()
	{
		const auto room =
			static_cast<uint32_t>(window - (client_.sent() - client_.answered()));

		if (room != 0) {
			const uint64_t now = ticks();
			const uint64_t before = client_.sent();

			pair_.client().tx_burst(client_, std::min(room, burst));
			for (uint64_t id = before; id < client_.sent(); id++)
				sent_at_[id % window] = now;
		}
		receive();
		return ticks();
	}

	void receive()
	{
		uint64_t id = client_.answered();

		pair_.poll();
		if (pair_.client().rx_burst(client_, burst) == 0)
			return;
		const uint64_t now = ticks();
		for (; id < client_.answered(); id++)
			histogram_.add(now - sent_at_[id % window]);
	}

	void drain()
	{
		uint64_t last = ticks();

		while (client_.answered() < client_.sent() &&
		       ticks() - last < ticks_of_ns(lost_ns)) {
			const uint64_t before = client_.answered();
			receive();
			if (client_.answered() != before)
				last = ticks();
		}
	}

	Pair pair_;
	alignas(bench::writer_gap) Server server_;
	alignas(bench::writer_gap) Client client_;
	uint64_t sent_at_[window] = {};
	bench::Histogram histogram_;
};

/** Makes runs of one application over one kind of pair. */
template <typename Pair, typename Server, typename Client>
class AppSubject : public bench::Subject
{
	using Run = AppRun<Pair, Server, Client>;

public:
	bool for_processes() const override
	{
		return false;
	}

	Figures measure(const Point & /*point*/, const CpuPair &cpus, double ms) override
	{
		if (run_ == nullptr)
			run_ = make();

		Figures figures = run_->measure(cpus, ms);
		if (figures.wrong != 0)
			run_.reset();
		return figures;
	}

	uint64_t pass(uint32_t /*size*/, uint32_t /*batch*/, uint64_t packets,
		      const CpuPair *cpus) override
	{
		if (cpus != nullptr)
			return measure({}, *cpus, 20).wrong == 0 ? packets : 0;
		return make()->pass(packets);
	}

private:
	static std::unique_ptr<Run> make()
	{
		bench::Shape shape;

		shape.largest = largest;
		return std::make_unique<Run>(shape);
	}

	std::unique_ptr<Run> run_;
};

template <typename Pair>
void add(std::vector<bench::Entry> &entries, const std::string &name, const std::string &what)
{
	entries.push_back({"kv/" + name, bench::Role::app, "key-value store over " + what, [] {
				   return std::make_unique<AppSubject<Pair, KvServer, KvClient>>();
			   }});
	entries.push_back(
		{"rpc/" + name, bench::Role::app, "remote calls over " + what, [] {
			 return std::make_unique<AppSubject<Pair, RpcServer, RpcClient>>();
		 }});
}

} // namespace

std::vector<bench::Entry> all_apps()
{
	std::vector<bench::Entry> entries;

	add<LibraryPair>(entries, "ours", "libccnic, pair wire");
	add<NaivePair>(entries, "naive", "two naive ports and a NIC between them");
	add<UdpPair>(entries, "udp", "UDP sockets on loopback");
	return entries;
}

} // namespace apps
