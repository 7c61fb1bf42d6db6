// SPDX-License-Identifier: GPL-2.0
/*
 * The host side, and a NIC that does what the input says.
 */
#include "arena.hpp"

#include "host.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <vector>

namespace fuzz
{

namespace
{

bool alive_now = true;

bool alive(const void *)
{
	return alive_now;
}

/* What a NIC needs to be polite. */
struct Peer {
	ccnic_producer rx{};
	ccnic_consumer tx{};
	ccnic_lender supply{};
};

class HostRun
{
public:
	HostRun(Arena &arena, Input input) : arena_(arena), input_(input)
	{
		const uint8_t kind = input_.u8();

		arena_.clear();
		alive_now = true;
		host_ = &host_of(kind % 12);
		control_ = ccnic::control_of(arena_.memory, arena_.sb);
		/* Whatever the last input left behind: begin anew. */
		host_->fail();
		host_->link();
		connect();
	}
	~HostRun()
	{
		for (const Kept &kept : bufs_)
			if (kept.queue->free(&kept.buf, 1) != 0)
				std::abort();
	}
	HostRun(const HostRun &) = delete;
	HostRun &operator=(const HostRun &) = delete;
	HostRun(HostRun &&) = delete;
	HostRun &operator=(HostRun &&) = delete;

	void run()
	{
		for (int steps = 0; !input_.empty() && steps < 200; steps++)
			step(input_.u8());
	}

private:
	/* Made once for each sort: that takes longer than an input. */
	ccnic::Host &host_of(uint32_t kind)
	{
		static std::array<std::array<std::unique_ptr<ccnic::Host>, 12>,
				  Arena::queues_max + 1>
			all;
		std::unique_ptr<ccnic::Host> &host = all[arena_.queues()][kind];
		ccnic::HostOptions options;

		options.private_buffers = 16;
		options.return_part = kind % 3;
		options.split = (kind & 1) != 0;
		options.look_ahead = kind < 6;
		if (!host)
			host = std::make_unique<ccnic::Host>(arena_.memory, arena_.sb, options,
							     alive, nullptr);
		return *host;
	}
	void connect()
	{
		const uint64_t word = ccnic_read_once(&control_->host.word);

		ccnic_write_once(&control_->nic.word,
				 ccnic::word_of(ccnic::generation_of(word), ccnic::State::clean));
		std::memset(ccnic_at(arena_.memory, arena_.sb.nic_lines), 0,
			    arena_.sb.size - arena_.sb.nic_lines);
		host_->link();
		for (uint32_t i = 0; i < arena_.queues(); i++) {
			const ccnic_ring rx = ccnic_region_rx_ring(arena_.memory, &arena_.sb, i);
			const ccnic_ring tx = ccnic_region_tx_ring(arena_.memory, &arena_.sb, i);

			ccnic_producer_init(&peer_[i].rx, &rx);
			ccnic_consumer_init(&peer_[i].tx, &tx);
			ccnic_lender_init(&peer_[i].supply,
					  ccnic_region_exchange(arena_.memory, &arena_.sb,
								arena_.sb.supply_ring, i),
					  arena_.sb.exchange_lines);
		}
	}

	/* A packet of any descriptors. */
	void deliver(Peer &peer)
	{
		std::array<ccnic_desc, CCNIC_PACKET_DESCS_MAX> desc{};
		const uint32_t count = 1 + input_.u8() % 6;

		for (uint32_t i = 0; i < count; i++)
			desc[i] = input_.desc();
		desc[count - 1].flags |= CCNIC_F_EOP;
		ccnic_producer_reclaim(&peer.rx);
		if (ccnic_producer_put(&peer.rx, desc.data(), count))
			ccnic_producer_flush(&peer.rx);
	}

	void take(Peer &peer)
	{
		std::array<ccnic_desc, CCNIC_PACKET_DESCS_MAX> desc{};

		while (ccnic_consumer_next(&peer.tx, desc.data()) > 0)
			;
		ccnic_consumer_return(&peer.tx);
	}

	/* No two buffers at once may be the same, and all are the host's own. */
	void keep(ccnic::Queue *queue, const ccnic_buf &buf)
	{
		if ((buf.handle & ccnic::private_handle) == 0) {
			arena_.demand_in_buffer(buf.data, buf.len);
			if (!held_.insert(buf.handle).second)
				std::abort();
		} else if (buf.len > 64) {
			std::abort();
		}
		std::memset(buf.data, 1, buf.len);
		bufs_.push_back({queue, buf});
	}

	void forget(uint32_t handle)
	{
		if ((handle & ccnic::private_handle) == 0)
			held_.erase(handle);
	}

	void receive(ccnic::Queue *queue)
	{
		std::array<ccnic_buf, 64> room{};
		const int got = queue->receive(room.data(), 1 + input_.u8() % 64);

		for (int i = 0; i < got; i++)
			keep(queue, room[static_cast<size_t>(i)]);
	}

	void alloc(ccnic::Queue *queue)
	{
		std::array<ccnic_buf, 8> room{};
		const int got = queue->alloc(input_.u16() % 9001, room.data(), 8);

		for (int i = 0; i < got; i++) {
			room[static_cast<size_t>(i)].flags = 0;
			keep(queue, room[static_cast<size_t>(i)]);
		}
	}

	void give_back(bool send)
	{
		if (bufs_.empty())
			return;
		const size_t which = input_.u8() % bufs_.size();
		const Kept kept = bufs_[which];
		const int result =
			send ? kept.queue->send(&kept.buf, 1) : kept.queue->free(&kept.buf, 1);

		if (!send && result != 0)
			std::abort();
		if (send && result != 1)
			return;
		forget(kept.buf.handle);
		bufs_[which] = bufs_.back();
		bufs_.pop_back();
	}

	void step(uint8_t operation)
	{
		const uint32_t index = operation / 128 % arena_.queues();
		ccnic::Queue *queue = host_->queue(index);
		Peer &peer = peer_[index];
		std::array<uint8_t, 4000> bytes{};

		switch (operation % 12) {
		case 0:
		case 1:
			return deliver(peer);
		case 2:
		case 3:
			return receive(queue);
		case 4:
			return give_back(false);
		case 5:
			return give_back(true);
		case 6:
			return alloc(queue);
		case 7: {
			const ccnic_buf buf = {bytes.data(), 0,
					       static_cast<uint16_t>(input_.u16() % bytes.size()),
					       CCNIC_BUF_COPY};

			queue->send(&buf, 1);
			return;
		}
		case 8:
			for (uint32_t i = 0, first = input_.u16() % 320; i < 15; i++)
				ccnic_lend(&peer.supply, first + i);
			return;
		case 9:
			return take(peer);
		case 10:
			return arena_.scribble(input_);
		default:
			alive_now = (input_.u8() & 7) != 0;
			if (!host_->link())
				connect();
		}
	}

	struct Kept {
		ccnic::Queue *queue;
		ccnic_buf buf;
	};

	Arena &arena_;
	Input input_;
	ccnic::Host *host_ = nullptr;
	ccnic::Control *control_ = nullptr;
	std::array<Peer, Arena::queues_max> peer_{};
	std::vector<Kept> bufs_;
	std::set<uint32_t> held_;
};

} // namespace

void run_host(const uint8_t *data, size_t size)
{
	Input input(data, size);
	Arena &arena = arena_for(input);

	HostRun(arena, input).run();
}

} // namespace fuzz
