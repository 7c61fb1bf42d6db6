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
	entered_ = false;
	getcontext(&first_);
	first_.uc_stack.ss_sp = stack_.get();
	first_.uc_stack.ss_size = stack_bytes;
	first_.uc_link = nullptr;
	/* makecontext() passes ints. */
	makecontext(&first_, reinterpret_cast<void (*)()>(&Fibre::enter), 2,
		    static_cast<unsigned>(uint64_t{self} >> 32), static_cast<unsigned>(self));
}

void Fibre::enter(unsigned high, unsigned low)
{
	const auto address = static_cast<uintptr_t>((uint64_t{high} << 32) | low);
	auto *self = reinterpret_cast<Fibre *>(address); // NOLINT(performance-no-int-to-ptr)

	self->body_();
	self->ended_ = true;
	self->pause();
}

void Fibre::resume()
{
	if (_setjmp(outside_) != 0)
		return;
	if (entered_)
		_longjmp(inside_, 1);
	entered_ = true;
	setcontext(&first_);
}

void Fibre::pause()
{
	if (_setjmp(inside_) == 0)
		_longjmp(outside_, 1);
}

} // namespace model
