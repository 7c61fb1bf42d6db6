// SPDX-License-Identifier: GPL-2.0
/*
 * ccnic-nicd: a NIC for regions of other processes.
 */
#include "libccnic.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

namespace
{

volatile std::sig_atomic_t stop = 0;
volatile std::sig_atomic_t report = 0;

void on_signal(int number)
{
	if (number == SIGUSR1)
		report = 1;
	else
		stop = 1;
}

/* The command line. */
struct Options {
	std::vector<std::string> regions;
	std::vector<int> fds;
	ccnic_nic_options nic{};
	int cpu = -1;
};

void print_counters(const ccnic_nic *nic)
{
	ccnic_nic_stats s{};

	for (uint32_t port = 0; ccnic_nic_get_stats(nic, port, &s) == 0; port++)
		fmt::print("port {}: link {} tx_packets {} tx_bytes {} rx_packets {} rx_bytes {} "
			   "drop_no_room {} drop_no_link {} drop_bad {} holds {} wakes {} "
			   "sessions {}\n",
			   port, ccnic_nic_link(nic, port), s.tx_packets, s.tx_bytes, s.rx_packets,
			   s.rx_bytes, s.drop_no_room, s.drop_no_link, s.drop_bad, s.holds, s.wakes,
			   s.sessions);
	std::fflush(stdout);
}

void use_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(static_cast<size_t>(cpu), &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		throw std::runtime_error(
			fmt::format("cannot run on CPU {}: {}", cpu, std::strerror(errno)));
}

void serve(const Options &options)
{
	std::vector<int> fds = options.fds;
	ccnic_nic *nic = nullptr;

	for (const std::string &path : options.regions) {
		const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);

		if (fd < 0)
			throw std::runtime_error(path + ": " + std::strerror(errno));
		fds.push_back(fd);
	}
	if (options.cpu >= 0)
		use_cpu(options.cpu);
	if (ccnic_nic_attach(&options.nic, fds.data(), static_cast<uint32_t>(fds.size()), &nic) !=
	    0)
		throw std::runtime_error(ccnic_strerror());
	fmt::print("ready\n");
	std::fflush(stdout);

	constexpr uint32_t patience = 20000;
	uint32_t idle = 0;
	while (stop == 0) {
		if (report != 0) {
			report = 0;
			print_counters(nic);
		}
		if (ccnic_nic_poll(nic) != 0) {
			idle = 0;
		} else if (++idle >= patience) {
			idle = 0;
			if (options.nic.sleeps != 0)
				ccnic_nic_wait(nic, 50);
		}
	}
	print_counters(nic);
	ccnic_nic_detach(nic);
}

int run(int argc, char **argv)
{
	Options options;
	CLI::App app{"Serves CC-NIC regions of other processes. Prints \"ready\" when it does, and "
		     "its counters on SIGUSR1 and at the end, on SIGTERM or SIGINT."};
	bool sleeps = false;

	ccnic_nic_options_init(&options.nic);
	app.add_option("--region", options.regions, "File of a region; twice for a pair");
	app.add_option("--fd", options.fds,
		       "Inherited descriptor of a region; ports are those first, then files");
	app.add_option("--wire", options.nic.wire, "What becomes of a packet: loop or pair")
		->transform(CLI::CheckedTransformer(std::map<std::string, ccnic_wire>{
			{"loop", CCNIC_WIRE_LOOP}, {"pair", CCNIC_WIRE_PAIR}}));
	app.add_option("--steer", options.nic.steer, "Queue that gets a packet: same or flow")
		->transform(CLI::CheckedTransformer(std::map<std::string, ccnic_steer>{
			{"same", CCNIC_STEER_SAME}, {"flow", CCNIC_STEER_FLOW}}));
	app.add_option("--cpu", options.cpu, "CPU to run on")->check(CLI::NonNegativeNumber);
	app.add_option("--burst", options.nic.burst, "Packets of a queue at a time")
		->check(CLI::Range(1, 4096))
		->capture_default_str();
	app.add_option("--hold-us", options.nic.hold_us,
		       "How long a packet waits for room before it is dropped")
		->capture_default_str();
	app.add_option("--pauses", options.nic.pauses, "Pauses of the CPU after an idle poll")
		->capture_default_str();
	app.add_flag("--sleep", sleeps, "Sleep while there is nothing to do");
	CLI11_PARSE(app, argc, argv);
	options.nic.sleeps = sleeps ? 1 : 0;

	struct sigaction action = {};
	action.sa_handler = on_signal;
	for (const int number : {SIGUSR1, SIGTERM, SIGINT})
		sigaction(number, &action, nullptr);
	serve(options);
	return 0;
}

} // namespace

int main(int argc, char **argv)
{
	try {
		return run(argc, argv);
	} catch (const std::exception &error) {
		std::fputs("ccnic-nicd: ", stderr);
		std::fputs(error.what(), stderr);
		std::fputs("\n", stderr);
		return 1;
	}
}
