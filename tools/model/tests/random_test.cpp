// SPDX-License-Identifier: GPL-2.0
/*
 * Random programs: leaving out what is equal must not leave out what is not.
 */
#include "litmus.hpp"

#include <array>
#include <memory>
#include <random>

using namespace model;

namespace
{

constexpr size_t words = 3;
constexpr size_t steps_a_thread = 3;

enum class Action : uint8_t { load, store, exchange, fence, wait, wait_either, plain };

struct Instruction {
	Action action;
	size_t word;
	bool ordered;
	uint32_t value;
};

using Thread = std::vector<Instruction>;
using Program = std::vector<Thread>;

class Generator
{
public:
	explicit Generator(uint32_t seed) : random_(seed)
	{
	}
	/* What is stored tells who stored it. */
	Program program(const std::vector<Action> &actions)
	{
		Program program(2 + below(2));
		uint32_t value = 0;

		for (Thread &thread : program) {
			for (size_t i = 0; i < steps_a_thread; i++)
				thread.push_back({actions[below(actions.size())], below(words),
						  below(2) == 0, ++value});
		}
		return program;
	}

private:
	size_t below(size_t limit)
	{
		return random_() % limit;
	}

	std::mt19937 random_;
};

struct Memory {
	std::array<Word, words> word;
	uint32_t *plain;
	std::array<std::vector<uint32_t>, max_threads> found;

	explicit Memory(World &world) : plain(world.shared<uint32_t>("plain"))
	{
		for (Word &one : word)
			one.at = world.shared<uint32_t>("word");
	}
	void run(size_t thread, const Instruction &instruction)
	{
		uint32_t *at = word[instruction.word].at;

		switch (instruction.action) {
		case Action::load:
			found[thread].push_back(load(at, instruction.ordered));
			break;
		case Action::store:
			store(at, instruction.value, instruction.ordered);
			break;
		case Action::exchange:
			found[thread].push_back(exchange(at, instruction.value));
			break;
		case Action::fence:
			fence();
			break;
		case Action::wait:
			await("a store", [&] { return load(at, instruction.ordered) != 0; });
			break;
		case Action::wait_either:
			await("either of two stores", [&] {
				const Word &other = word[(instruction.word + 1) % words];
				const uint32_t first = load(at, instruction.ordered);
				const uint32_t second = load(other.at, instruction.ordered);

				if (first + second == 0)
					return false;
				found[thread].push_back(first);
				found[thread].push_back(second);
				return true;
			});
			break;
		case Action::plain:
			write(plain, instruction.value);
			break;
		}
	}
	std::string text() const
	{
		std::string text;

		for (const auto &thread : found) {
			for (const uint32_t value : thread)
				text += std::to_string(value) + ' ';
			text += '/';
		}
		for (const Word &one : word)
			text += std::to_string(one.relaxed()) + ' ';
		return text;
	}
};

Build build(const Program &program)
{
	return [&program](World &world) {
		auto memory = std::make_shared<Memory>(world);

		for (size_t i = 0; i < program.size(); i++) {
			world.thread("thread", [=, &program] {
				for (const Instruction &instruction : program[i])
					memory->run(i, instruction);
			});
		}
		world.at_end([=] { outcome(memory->text()); });
	};
}

} // namespace

TEST(Random, SameOutcomesWithEveryReduction)
{
	const std::vector<Action> actions = {Action::load,  Action::load,     Action::store,
					     Action::store, Action::exchange, Action::fence};

	for (uint32_t seed = 0; seed < CCNIC_MODEL_PROGRAMS && !HasFailure(); seed++) {
		const Program program = Generator(seed).program(actions);

		SCOPED_TRACE(testing::Message() << "seed " << seed);
		explore(build(program));
	}
}

TEST(Random, SameFailuresWithEveryReduction)
{
	const std::vector<Action> actions = {Action::load, Action::store,       Action::store,
					     Action::wait, Action::wait_either, Action::plain,
					     Action::fence};
	uint32_t failures = 0;

	for (uint32_t seed = 0; seed < CCNIC_MODEL_PROGRAMS && !HasFailure(); seed++) {
		const Program program = Generator(seed).program(actions);
		const Report all = Explorer(build(program), Reduction::none).run();
		const Report dynamic = Explorer(build(program), Reduction::dynamic).run();

		SCOPED_TRACE(testing::Message() << "seed " << seed);
		EXPECT_EQ(all.failure.has_value(), dynamic.failure.has_value());
		if (!all.failure) {
			EXPECT_EQ(outcomes_of(all), outcomes_of(dynamic));
		}
		failures += all.failure ? 1 : 0;
	}
	EXPECT_GT(failures, 0U);
	EXPECT_LT(failures, CCNIC_MODEL_PROGRAMS);
}
