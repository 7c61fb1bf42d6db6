// SPDX-License-Identifier: GPL-2.0
#include "fibre.hpp"

#include <cstdint>

namespace model
{

Fibre::Fibre() : stack_(std::make_unique<char[]>(stack_bytes))
{
}

void Fibre::start(std::function<void()> body)
{
	const auto self = reinterpret_cast<uintptr_t>(this);

	body_ = std::move(body);
	ended_ = false;
	getcontext(&inside_);
	inside_.uc_stack.ss_sp = stack_.get();
	inside_.uc_stack.ss_size = stack_bytes;
	inside_.uc_link = nullptr;
	/* makecontext() passes ints. */
	makecontext(&inside_, reinterpret_cast<void (*)()>(&Fibre::enter), 2,
		    static_cast<unsigned>(uint64_t{self} >> 32), static_cast<unsigned>(self));
}

void Fibre::enter(unsigned high, unsigned low)
{
	auto *self =
		reinterpret_cast<Fibre *>(static_cast<uintptr_t>((uint64_t{high} << 32) | low));

	self->body_();
	self->ended_ = true;
	self->pause();
}

void Fibre::resume()
{
	swapcontext(&outside_, &inside_);
}

void Fibre::pause()
{
	swapcontext(&inside_, &outside_);
}

} // namespace model
