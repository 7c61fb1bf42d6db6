// SPDX-License-Identifier: GPL-2.0
/** @file
 * What the applications talk over: two hosts and what carries packets between
 * them. The client's thread also does the NIC's work.
 */
#pragma once

#include <library.hpp>
#include <naive.hpp>
#include <shape.hpp>

#include <vector>

namespace apps
{

/** Two hosts of libccnic's and its NIC with the pair wire. */
class LibraryPair
{
public:
	using Host = bench::LibraryHost;

	explicit LibraryPair(const bench::Shape &shape)
		: server_(shape), client_(shape), nic_({server_.region(), client_.region()})
	{
	}
	Host &server()
	{
		return server_;
	}
	Host &client()
	{
		return client_;
	}
	void poll()
	{
		nic_.poll();
	}

private:
	Host server_;
	Host client_;
	bench::LibraryNic nic_;
};

/** Two hosts with naive ports, and a NIC between them. */
class NaivePair
{
public:
	using Host = bench::Naive;

	explicit NaivePair(const bench::Shape &shape) : server_(shape), client_(shape)
	{
	}
	Host &server()
	{
		return server_;
	}
	Host &client()
	{
		return client_;
	}
	void poll()
	{
		bench::Naive::nic_carry(server_, client_);
		bench::Naive::nic_carry(client_, server_);
	}

private:
	Host server_;
	Host client_;
};

/** One end of a pair of UDP sockets on loopback; many packets a system call. */
class UdpHost
{
public:
	/** @throws std::system_error */
	UdpHost();
	~UdpHost();
	UdpHost(const UdpHost &) = delete;
	UdpHost &operator=(const UdpHost &) = delete;
	UdpHost(UdpHost &&) = delete;
	UdpHost &operator=(UdpHost &&) = delete;

	/** Sends to the other end from now on. @throws std::system_error */
	void connect_to(const UdpHost &other) const;

	template <typename Source>
	uint32_t tx_burst(Source &source, uint32_t count)
	{
		uint32_t packets = 0;

		/* What did not go the last time goes first. */
		if (kept_ == 0)
			for (; packets < count && packets < burst; packets++) {
				lengths_[packets] = source.bytes();
				source.write(tx_packet(packets), 0, source.bytes());
				source.done();
				kept_++;
			}
		flush();
		return packets;
	}

	template <typename Sink>
	uint32_t rx_burst(Sink &sink, uint32_t most)
	{
		flush();

		const uint32_t count = receive(most);
		for (uint32_t i = 0; i < count; i++) {
			sink.read(rx_packet(i), 0, rx_lengths_[i]);
			sink.done(rx_lengths_[i]);
		}
		return count;
	}

private:
	static constexpr uint32_t burst = 32;
	static constexpr uint32_t most_bytes = 4608;

	uint8_t *tx_packet(uint32_t index)
	{
		return &tx_[size_t{index} * most_bytes];
	}
	uint8_t *rx_packet(uint32_t index)
	{
		return &rx_[size_t{index} * most_bytes];
	}
	void flush();
	uint32_t receive(uint32_t most);

	int fd_ = -1;
	uint32_t kept_ = 0;
	uint32_t lengths_[burst] = {};
	uint32_t rx_lengths_[burst] = {};
	std::vector<uint8_t> tx_ = std::vector<uint8_t>(size_t{burst} * most_bytes);
	std::vector<uint8_t> rx_ = std::vector<uint8_t>(size_t{burst} * most_bytes);
};

/** Two of them. */
class UdpPair
{
public:
	using Host = UdpHost;

	explicit UdpPair(const bench::Shape & /*shape*/)
	{
		server_.connect_to(client_);
		client_.connect_to(server_);
	}
	Host &server()
	{
		return server_;
	}
	Host &client()
	{
		return client_;
	}
	void poll()
	{
	}

private:
	Host server_;
	Host client_;
};

} // namespace apps
