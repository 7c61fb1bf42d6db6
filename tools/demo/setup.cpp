// SPDX-License-Identifier: GPL-2.0
#include "setup.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace demo
{
namespace
{

using nlohmann::json;
using tools::Command;

constexpr auto ready_timeout = std::chrono::seconds(10);

void note(Problems &problems, const Command &command)
{
	const auto result = tools::run(command);

	if (!result.ok())
		problems.push_back(fmt::format("{}: {}", tools::quoted(command), result.reason()));
}

bool contains(const json &list, const char *word)
{
	return std::find(list.begin(), list.end(), word) != list.end();
}

} // namespace

std::string must_run(const Command &command)
{
	auto result = tools::run(command);

	if (!result.ok())
		throw Failure(fmt::format("{}: {}", tools::quoted(command), result.reason()));
	return std::move(result.output);
}

Modules::~Modules()
{
	remove();
}

bool Modules::loaded(const std::string &name)
{
	return std::filesystem::exists("/sys/module/" + name);
}

void Modules::load(const std::string &name, const std::filesystem::path &folder,
		   const std::string &parameters)
{
	const auto file = folder / (name + ".ko");
	Command command = {"insmod", file.string()};
	std::istringstream words(parameters);

	if (loaded(name))
		throw Failure(fmt::format(
			"{} is loaded already; --no-load measures with it as it is", name));
	if (!std::filesystem::exists(file))
		throw Failure(fmt::format("there is no {}; --modules tells where the modules are",
					  file.string()));
	for (std::string word; words >> word;)
		command.push_back(word);

	const auto result = tools::run(command, std::chrono::seconds(60));
	if (!result.ok())
		throw Failure(fmt::format("{}: {} (dmesg tells why)", tools::quoted(command),
					  result.reason()));
	names_.push_back(name);
}

Problems Modules::remove()
{
	Problems problems;

	while (!names_.empty()) {
		note(problems, {"rmmod", names_.back()});
		names_.pop_back();
	}
	return problems;
}

Namespaces::Namespaces()
{
	for (const char *each : name) {
		if (std::filesystem::exists(std::string("/run/netns/") + each))
			throw Failure(fmt::format("the namespace {0} exists: another demo runs, or "
						  "one was killed; to clear up: ip netns del {0}",
						  each));
	}
	try {
		for (size_t i = 0; i < name.size(); i++) {
			must_run({"ip", "netns", "add", name[i]});
			exists_[i] = true;
			must_run({"ip", "-n", name[i], "link", "set", "lo", "up"});
		}
	} catch (...) {
		remove();
		throw;
	}
}

Namespaces::~Namespaces()
{
	remove();
}

Problems Namespaces::remove()
{
	Problems problems;

	for (size_t i = name.size(); i-- > 0;) {
		if (exists_[i])
			note(problems, {"ip", "netns", "del", name[i]});
		exists_[i] = false;
	}
	return problems;
}

Command at(End end, Command command)
{
	command.insert(command.begin(), {"ip", "netns", "exec", Namespaces::name[end]});
	return command;
}

Link::Link(std::string label, std::string kind, std::array<std::string, 2> devices, int subnet)
	: label_(std::move(label)), kind_(std::move(kind)), devices_(std::move(devices)),
	  subnet_(subnet)
{
}

Link::~Link()
{
	remove();
}

std::string Link::address(End end, int family) const
{
	if (family == 4)
		return fmt::format("10.77.{}.{}", subnet_, end + 1);
	return fmt::format("fd77:{:x}::{}", subnet_, end + 1);
}

/* Both ends are born in the client's namespace; the server's end moves over. */
void Link::create()
{
	const std::string client = Namespaces::name[CLIENT];
	const Command add = {"ip", "-n", client, "link", "add"};
	const auto added = [&](const Command &arguments) {
		Command command = add;

		command.insert(command.end(), arguments.begin(), arguments.end());
		must_run(command);
	};

	if (kind_ == "veth") {
		added({devices_[CLIENT], "type", kind_, "peer", "name", devices_[SERVER]});
	} else {
		added({devices_[CLIENT], "type", kind_});
		added({devices_[SERVER], "link", devices_[CLIENT], "type", kind_});
	}
	must_run({"ip", "-n", client, "link", "set", devices_[SERVER], "netns",
		  Namespaces::name[SERVER]});

	for (const End end : {CLIENT, SERVER}) {
		const Command ip = {"ip", "-n", Namespaces::name[end]};
		const auto did = [&](const Command &arguments) {
			Command command = ip;

			command.insert(command.end(), arguments.begin(), arguments.end());
			must_run(command);
		};

		did({"addr", "add", address(end, 4) + "/24", "dev", devices_[end]});
		did({"addr", "add", address(end, 6) + "/64", "dev", devices_[end], "nodad"});
		did({"link", "set", devices_[end], "up"});
	}
}

std::string Link::not_ready(End end) const
{
	const auto shown = json::parse(must_run({"ip", "-n", Namespaces::name[end], "-json", "addr",
						 "show", "dev", devices_[end]}),
				       nullptr, false);

	if (!shown.is_array() || shown.empty())
		return "does not show up in `ip addr`";

	const json &device = shown.front();
	if (!contains(device.value("flags", json::array()), "LOWER_UP"))
		return "has no carrier";
	if (device.value("operstate", "") == "DOWN")
		return "is down";
	for (const int family : {4, 6}) {
		const auto &list = device.value("addr_info", json::array());
		const bool usable = std::any_of(list.begin(), list.end(), [&](const json &entry) {
			return entry.value("local", "") == address(end, family) &&
			       !entry.value("tentative", false);
		});

		if (!usable)
			return "has not got " + address(end, family);
	}
	return {};
}

void Link::await_ready() const
{
	for (const End end : {CLIENT, SERVER}) {
		std::string lacking;

		if (!tools::await(
			    [&] {
				    lacking = not_ready(end);
				    return lacking.empty();
			    },
			    ready_timeout))
			throw Failure(fmt::format("{} {} {} s after it was set up", devices_[end],
						  lacking, ready_timeout.count()));
	}
}

bool Link::present(End end) const
{
	return std::filesystem::exists(std::string("/run/netns/") + Namespaces::name[end]) &&
	       tools::run({"ip", "-n", Namespaces::name[end], "link", "show", "dev", devices_[end]})
		       .ok();
}

Problems Link::remove()
{
	Problems problems;

	for (const End end : {SERVER, CLIENT}) {
		if (present(end))
			note(problems, {"ip", "-n", Namespaces::name[end], "link", "del", "dev",
					devices_[end]});
	}
	return problems;
}

tools::Counters Link::statistics(End end) const
{
	try {
		return tools::parse_ethtool_statistics(
			must_run(at(end, {"ethtool", "-S", devices_[end]})));
	} catch (const Failure &) {
		throw;
	} catch (const std::runtime_error &error) {
		throw Failure(fmt::format("{}: {}", devices_[end], error.what()));
	}
}

} // namespace demo
