// SPDX-License-Identifier: GPL-2.0
#include "world.hpp"

#include "execution.hpp"

namespace model
{

void World::thread(const char *name, std::function<void()> body)
{
	execution_.add_thread(name, std::move(body));
}

void World::at_end(std::function<void()> check)
{
	execution_.set_end(std::move(check));
}

void *World::allocate(const char *name, size_t size, size_t count, std::vector<Field> fields)
{
	return execution_.arena().allocate(name, size, count, std::move(fields));
}

void note(const char *text, uint64_t number)
{
	Execution::current()->note(text, number);
}

void outcome(std::string text)
{
	Execution::current()->set_outcome(std::move(text));
}

void read_shared(void *to, const void *from, size_t size)
{
	Execution::current()->read(to, reinterpret_cast<uintptr_t>(from), size);
}

void write_shared(void *to, const void *from, size_t size)
{
	Execution::current()->write(reinterpret_cast<uintptr_t>(to), from, size);
}

void begin_poll(const char *what)
{
	Execution::current()->begin_poll(what);
}

void end_poll()
{
	Execution::current()->end_poll();
}

void fail_poll()
{
	Execution::current()->fail_poll();
}

} // namespace model
