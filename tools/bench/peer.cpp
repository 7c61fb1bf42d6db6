// SPDX-License-Identifier: GPL-2.0
#include "peer.hpp"

#include <cerrno>
#include <csignal>
#include <new>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace bench
{

Peer::Peer(int cpu, bool process, const std::function<void(const std::atomic<bool> &)> &loop)
	: memory_(4096), stop_(new (memory_.at(0)) std::atomic<bool>(false))
{
	if (!process) {
		thread_ = std::thread([this, cpu, loop] {
			bind_to(cpu);
			loop(*stop_);
		});
		return;
	}
	child_ = fork();
	if (child_ < 0)
		throw std::system_error(errno, std::generic_category(), "fork");
	if (child_ == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		bind_to(cpu);
		loop(*stop_);
		_exit(0);
	}
}

Peer::~Peer()
{
	stop_->store(true, std::memory_order_relaxed);
	if (thread_.joinable())
		thread_.join();
	if (child_ > 0)
		waitpid(child_, nullptr, 0);
}

} // namespace bench
