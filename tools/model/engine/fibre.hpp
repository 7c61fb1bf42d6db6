// SPDX-License-Identifier: GPL-2.0
/** @file
 * A thread of control that runs only when it is told to.
 */
#pragma once

#include <csetjmp>
#include <cstddef>
#include <functional>
#include <memory>
#include <ucontext.h>

namespace model
{

/** A function on a stack of its own. */
class Fibre
{
public:
	Fibre();
	Fibre(const Fibre &) = delete;
	Fibre &operator=(const Fibre &) = delete;
	~Fibre() = default;

	/** Makes ready to run @p body, which must not throw. */
	void start(std::function<void()> body);
	/** Runs it until it pauses or ends. */
	void resume();
	/** Called by @p body: back to whoever called resume(). */
	void pause();
	bool ended() const
	{
		return ended_;
	}

private:
	static constexpr size_t stack_bytes = size_t{128} << 10;

	static void enter(unsigned high, unsigned low);

	std::unique_ptr<char[]> stack_;
	std::function<void()> body_;
	ucontext_t first_{};
	/* swapcontext() would also save and set the signal mask, two system calls. */
	std::jmp_buf inside_{};
	std::jmp_buf outside_{};
	bool entered_ = false;
	bool ended_ = true;
};

} // namespace model
