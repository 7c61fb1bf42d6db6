#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Loading and unloading: with Sepia and without, with wrong parameters, with
# devices and under traffic.
. "$(dirname "$0")/ccnic.sh"

tap_plan 43

spaces_make

check "loads without Sepia" load_module ccnic
check_equal "follows CPUs with two hotplug states" 2 "$(hotplug_states)"
check_fails "is not loaded twice" "File exists" load_module ccnic
check_equal "asks to be loaded for its kind of link" rtnl-link-ccnic "$(modinfo -F alias "${CCNIC_MODULES:-/ccnic/modules}/ccnic.ko")"

check "a pair comes up" pair_make
addresses_add cc0 cc1
check "and carries traffic" wire sizes "cca,$A4" "ccb,$B4" from=1000 to=1100
check_equal "in ordinary pages" "plain 0" "$(device cc1 page_backend) $(estat ccb cc1 rx_pages_coloured)"
check "rmmod with both ends up" unload_module ccnic
check "deletes them" eval '! exists cca cc0 && ! exists ccb cc1'
check "and leaves nothing" gone

load_module sepia
check "loads with Sepia" load_module ccnic
pair_make
addresses_add cc0 cc1
wire sizes "cca,$A4" "ccb,$B4" from=1000 to=1100 >/dev/null
check_equal "takes its pages from Sepia" 0 "$(estat ccb cc1 rx_pages_plain)"
check_at_least "and they are coloured" 101 "$(estat ccb cc1 rx_pages_coloured)"
check_equal "by a back end that Sepia names" "$(awk '$1 == "backend" { print $2 }' /sys/kernel/debug/sepia/summary)" "$(device cc1 page_backend)"
check_fails "Sepia stays while it is in use" "in use" unload_module sepia
ip -n cca link set cc0 down
ip -n ccb link set cc1 down
# Pages that sockets still held come back with a deferred free
check "and may go when the devices are down" wait_until 10 unload_module sepia
check "they come up without it" eval 'ip -n cca link set cc0 up && ip -n ccb link set cc1 up'
check_equal "in ordinary pages again" plain "$(device cc0 page_backend)"
unload_module ccnic

# Traffic that ends with its devices, whatever it is doing just then
load_module ccnic
pair_make
addresses_add cc0 cc1
wire_start /dev/null stream "cca,$A4" "ccb,$B4" streams=4 seconds=600
# shellcheck disable=SC2317 # called through wait_until
flows() {
	[ "$(nstat ccb cc1 rx_packets)" -gt 500 ]
}
check "traffic flows" wait_until 20 flows
check "rmmod under traffic" unload_module ccnic
check "leaves nothing" gone
kill -9 $traffic
wait $traffic 2>/dev/null

# refused DESCRIPTION PATTERN PARAMETER: the message tells it, nothing stays
refused() {
	check_fails "$1 is refused: $3" "$2" load_module ccnic "$3"
	check "... and leaves nothing" gone
}

last=$(online_cpus | tail -n 1)
refused "a CPU that is not there" "ccnic: nic_cpu=9999: there is no such CPU" nic_cpu=9999
refused "a negative CPU" "ccnic: nic_cpu=-2: there is no such CPU" nic_cpu=-2
cpu_set "$last" 0
at_exit cpu_set "$last" 1
refused "a CPU that is offline" "ccnic: nic_cpu=$last: that CPU is offline; online are 0" "nic_cpu=$last"
cpu_set "$last" 1
refused "too many queues" "ccnic: queues=65: must be 1 to 64" queues=65
refused "too short a ring" "ccnic: ring_lines=16: must be a power of two from 32 to 4096" ring_lines=16
refused "no ring" "ccnic: ring_lines=0: must be a power of two" ring_lines=0
refused "too long a ring" "ccnic: ring_lines=8192: must be a power of two from 32 to 4096" ring_lines=8192
refused "an odd length of rings" "ccnic: ring_lines=100: must be a power of two" ring_lines=100
refused "something that is no number" "queues.*invalid|invalid.*queues|[Ii]nvalid (parameters|argument)" queues=many

mark=$(kernel_log_lines)
load_module ccnic "nic_cpu=0" ring_lines=32 queues=1
check "what is allowed is obeyed: nic_cpu=0 queues=1 ring_lines=32" pair_make
check_equal "... says debugfs" "0 1 32" "$(device cc0 nic_cpu) $(device cc0 queues) $(device cc0 ring_lines)"
check "... says the log" logged "$mark" "cc0: host on node [0-9]+, NIC on CPU 0 of node 0"
check_equal "... and the thread's CPUs" 0 "$(cpus_of "$(nic_threads)")"
tap_done
