// SPDX-License-Identifier: GPL-2.0
/** @file
 * What stands while the demo measures: modules, namespaces, links. Each undoes
 * itself, in the reverse order of making; remove() also tells what went wrong.
 */
#pragma once

#include "counters.hpp"
#include "options.hpp"
#include "process.hpp"

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace demo
{

/** Something that ends the demo, in words for its user. */
struct Failure : std::runtime_error {
	using std::runtime_error::runtime_error;
};

/** What went wrong, one line each; empty if nothing did. */
using Problems = std::vector<std::string>;

/**
 * Runs a command that must succeed.
 * @return its output
 * @throws Failure with the command and its own last words
 */
std::string must_run(const tools::Command &command);

/** Kernel modules loaded for the demo. */
class Modules
{
public:
	Modules() = default;
	~Modules();
	Modules(const Modules &) = delete;
	Modules &operator=(const Modules &) = delete;
	Modules(Modules &&) = delete;
	Modules &operator=(Modules &&) = delete;

	/** Loads one; @throws Failure, also if it is loaded already */
	void load(const std::string &name, const std::filesystem::path &folder,
		  const std::string &parameters);
	/** Unloads them, last first. */
	Problems remove();

	/** @return is a module of that name in the kernel? */
	static bool loaded(const std::string &name);

private:
	std::vector<std::string> names_;
};

/** The two network namespaces between which traffic flows. */
class Namespaces
{
public:
	/** @throws Failure, also if they exist already */
	Namespaces();
	~Namespaces();
	Namespaces(const Namespaces &) = delete;
	Namespaces &operator=(const Namespaces &) = delete;
	Namespaces(Namespaces &&) = delete;
	Namespaces &operator=(Namespaces &&) = delete;

	/** Deletes both, with all that is in them. */
	Problems remove();

	static constexpr std::array<const char *, 2> name = {"ccnic-demo-a", "ccnic-demo-b"};

private:
	std::array<bool, 2> exists_ = {false, false};
};

/** The two ends of a link. */
enum End : size_t { CLIENT = 0, SERVER = 1 };

/** Makes a command run in an end's namespace. */
tools::Command at(End end, tools::Command command);

/** Two cabled network devices, one in each namespace, with addresses. */
class Link
{
public:
	/**
	 * Nothing is made yet.
	 * @param label what people call it: `ccnic` or `veth`
	 * @param kind the kind that `ip link` knows it by
	 * @param devices names of its ends
	 * @param subnet 1 to 254: addresses are 10.77.SUBNET.x and fd77:SUBNET::x
	 */
	Link(std::string label, std::string kind, std::array<std::string, 2> devices, int subnet);
	~Link();
	Link(const Link &) = delete;
	Link &operator=(const Link &) = delete;
	Link(Link &&) = delete;
	Link &operator=(Link &&) = delete;

	/** Makes the pair and sets it up; @throws Failure */
	void create();
	/** Waits for carrier and addresses; @throws Failure naming what is not there */
	void await_ready() const;
	/** Deletes both ends. */
	Problems remove();

	const std::string &label() const
	{
		return label_;
	}
	const std::string &device(End end) const
	{
		return devices_[end];
	}
	/** @param family 4 or 6 */
	std::string address(End end, int family) const;
	/** @return `ethtool -S` of one end; @throws Failure */
	tools::Counters statistics(End end) const;

private:
	bool present(End end) const;
	std::string not_ready(End end) const;

	std::string label_;
	std::string kind_;
	std::array<std::string, 2> devices_;
	int subnet_;
};

} // namespace demo
