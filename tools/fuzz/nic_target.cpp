// SPDX-License-Identifier: GPL-2.0
/*
 * The NIC side, and hosts that do what the input says.
 */
#include "arena.hpp"

#include "nic.hpp"

#include <array>
#include <cstdlib>
#include <memory>

namespace fuzz
{

namespace
{

bool alive(const void *)
{
	return true;
}

/* What a host needs to be polite. */
struct Peer {
	ccnic_producer tx{};
	ccnic_consumer rx{};
	ccnic_lender returns{};
	ccnic_borrower supply{};
};

class NicRun
{
public:
	NicRun(Arena &arena, Input input) : arena_(arena), input_(input)
	{
		const uint8_t kind = input_.u8();

		arena_.clear();
		control_ = ccnic::control_of(arena_.memory, arena_.sb);
		port_ = &port_of(kind % 12);
		say(ccnic::State::none);
		port_->poll();
		connect();
	}

	void run()
	{
		for (int steps = 0; !input_.empty() && steps < 200; steps++)
			step(input_.u8());
		port_->poll();
	}

private:
	/* Made once for each sort: that takes longer than an input. */
	ccnic::Port &port_of(uint32_t kind)
	{
		static std::array<std::array<std::unique_ptr<ccnic::Port>, 12>,
				  Arena::queues_max + 1>
			all;
		std::unique_ptr<ccnic::Port> &port = all[arena_.queues()][kind];
		ccnic::NicOptions options;

		options.burst = 8;
		options.return_part = kind % 3;
		options.steer_flow = (kind & 1) != 0;
		options.look_ahead = kind < 6;
		if (!port)
			port = std::make_unique<ccnic::Port>(arena_.memory, arena_.sb, options,
							     alive, nullptr);
		return *port;
	}
	void say(ccnic::State state)
	{
		ccnic_store_release(&control_->host.word, ccnic::word_of(generation_, state));
	}

	/* As Host does it, but with any map of kept buffers. */
	void connect()
	{
		generation_++;
		say(ccnic::State::reset);
		port_->poll();
		arena_clear_host();
		for (uint32_t i = 0; i < arena_.queues(); i++) {
			const ccnic_ring rx = ccnic_region_rx_ring(arena_.memory, &arena_.sb, i);
			const ccnic_ring tx = ccnic_region_tx_ring(arena_.memory, &arena_.sb, i);

			ccnic_producer_init(&peer_[i].tx, &tx);
			ccnic_consumer_init(&peer_[i].rx, &rx);
			ccnic_lender_init(&peer_[i].returns,
					  ccnic_region_exchange(arena_.memory, &arena_.sb,
								arena_.sb.return_ring, i),
					  arena_.sb.exchange_lines);
			ccnic_borrower_init(&peer_[i].supply,
					    ccnic_region_exchange(arena_.memory, &arena_.sb,
								  arena_.sb.supply_ring, i),
					    arena_.sb.exchange_lines);
		}
		ccnic_write_once(ccnic::kept_of(arena_.memory, arena_.sb),
				 static_cast<uint64_t>(input_.u8()));
		say(ccnic::State::run);
		port_->poll();
	}

	void arena_clear_host()
	{
		const uint64_t word = ccnic_read_once(&control_->host.word);
		const uint64_t nic = ccnic_read_once(&control_->nic.word);

		arena_.clear();
		ccnic_write_once(&control_->host.word, word);
		ccnic_write_once(&control_->nic.word, nic);
	}

	void send(Peer &peer)
	{
		std::array<ccnic_desc, CCNIC_PACKET_DESCS_MAX> desc{};
		const uint32_t count = 1 + input_.u8() % 6;

		for (uint32_t i = 0; i < count; i++)
			desc[i] = input_.desc();
		desc[count - 1].flags |= CCNIC_F_EOP;
		ccnic_producer_reclaim(&peer.tx);
		if (ccnic_producer_put(&peer.tx, desc.data(), count))
			ccnic_producer_flush(&peer.tx);
	}

	/* What the NIC hands out is checked as a host would. */
	void receive(Peer &peer)
	{
		std::array<ccnic_desc, CCNIC_PACKET_DESCS_MAX> desc{};
		const int count = ccnic_consumer_next(&peer.rx, desc.data());

		for (int i = 0; i < count && !scribbled_; i++) {
			const ccnic_desc &d = desc[static_cast<size_t>(i)];

			if (ccnic_desc_kind(&d) == CCNIC_KIND_BUFFER) {
				if (d.handle >= arena_.sb.small_count ||
				    d.offset + d.len > CCNIC_SMALL_SIZE)
					std::abort();
			} else if (ccnic_desc_kind(&d) == CCNIC_KIND_INLINE && d.len > 64) {
				std::abort();
			}
		}
		ccnic_consumer_return(&peer.rx);
	}

	void step(uint8_t operation)
	{
		Peer &peer = peer_[operation / 128 % arena_.queues()];
		std::array<uint32_t, CCNIC_LINE_HANDLES> batch{};

		switch (operation % 10) {
		case 0:
		case 1:
		case 2:
			return send(peer);
		case 3:
		case 4:
			port_->poll();
			return;
		case 5:
			return receive(peer);
		case 6:
			for (uint32_t i = 0, first = input_.u16() % 320; i < 15; i++)
				ccnic_lend(&peer.returns, first + i);
			return;
		case 7:
			(void)ccnic_borrow(&peer.supply, batch.data());
			return;
		case 8:
			scribbled_ = true;
			return arena_.scribble(input_);
		default:
			if (input_.u8() % 4 == 0)
				connect();
		}
	}

	Arena &arena_;
	Input input_;
	uint32_t generation_ = 1;
	bool scribbled_ = false;
	ccnic::Control *control_ = nullptr;
	ccnic::Port *port_ = nullptr;
	std::array<Peer, Arena::queues_max> peer_{};
};

} // namespace

void run_nic(const uint8_t *data, size_t size)
{
	Input input(data, size);
	Arena &arena = arena_for(input);

	NicRun(arena, input).run();
}

} // namespace fuzz
