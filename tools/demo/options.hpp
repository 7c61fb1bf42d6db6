// SPDX-License-Identifier: GPL-2.0
/** @file
 * What the demo was asked to do.
 */
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace demo
{

/** The command line. */
struct Options {
	/** Where demo.json goes. */
	std::filesystem::path out = "build/reports";
	/** Where sepia.ko and ccnic.ko are. */
	std::filesystem::path modules = "/ccnic/modules";
	/** Parameters for insmod. */
	std::string sepia_parameters;
	std::string ccnic_parameters;
	/** Use the modules that are loaded, and leave them loaded. */
	bool no_load = false;
	/** Load ccnic alone. */
	bool no_sepia = false;
	/** Measure a second veth pair in ccnic's place. */
	bool control = false;
	/** Length of one run of iperf3. */
	std::chrono::seconds run_time{1};
	/** Runs of the principal tests on each link; medians are shown. */
	int rounds = 3;
	/** Payload of a UDP datagram: 18 bytes make a frame of 64, checksum included. */
	int datagram_bytes = 18;
	/** Description of the machine under this VM; a file, or empty. */
	std::filesystem::path host_machine;
};

} // namespace demo
