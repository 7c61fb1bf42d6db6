#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# long: test
#
# CPUs go and come back under traffic: the NIC's, a queue's, all of a node.
. "$(dirname "$0")/ccnic.sh"

# shellcheck disable=SC2317 # called through wait_until
nic_on() {
	[ "$(device cc0 nic_cpu)" = "$1" ] && [ "$(cpus_of "$(nic_threads)")" = "$1" ]
}

# shellcheck disable=SC2317 # called through wait_until
nic_with_host() {
	[ "$(node_of "$(device cc0 nic_cpu)")" = "$(device cc0 host_node)" ]
}

# shellcheck disable=SC2317 # called through wait_until
queue_on() {
	[ "$(queue_cpu cc1 "$1")" = "$2" ]
}

# shellcheck disable=SC2317 # called through wait_until
passed() {
	[ "$(nstat ccb cc1 rx_packets)" -gt $((before + 200)) ]
}

# flows DESCRIPTION: both ways, from now on
flows() {
	before=$(nstat ccb cc1 rx_packets)
	check "$1" wait_until 20 passed
}

[ -e /sys/devices/system/cpu/cpu1/online ] || skip_all "no CPU of this machine can be taken offline"

tap_plan 27

spaces_make
load_module ccnic
pair_make
addresses_add cc0 cc1
nic=$(device cc0 nic_cpu)
for partner in $(online_cpus); do
	[ "$partner" = "$nic" ] || [ "$(node_of "$partner")" != "$(node_of "$nic")" ] || break
done
at_exit cpu_set "$partner" 1
at_exit cpu_set "$nic" 1
at_exit cpu_set 1 1

log=$(mktemp)
at_exit rm -f "$log"
wire_start "$log" stream "cca,$A4" "ccb,$B4" streams=2 seconds=600

flows "traffic flows"
mark=$(kernel_log_lines)
check "the NIC's CPU $nic goes offline" cpu_set "$nic" 0
check "... the thread moves to CPU $partner of the same node" wait_until 10 nic_on "$partner"
check "... and says so" logged "$mark" "ccnic: NIC thread moved from CPU $nic to CPU $partner"
flows "... traffic flows"
check "CPU $partner goes offline, too" cpu_set "$partner" 0
check "... the thread moves to the host's node" wait_until 10 nic_with_host
flows "... traffic flows"
check "CPU $partner comes back" cpu_set "$partner" 1
mark=$(kernel_log_lines)
check "CPU $nic comes back" cpu_set "$nic" 1
check "... and the thread to it" wait_until 10 nic_on "$nic"
check "... which it says" logged "$mark" "ccnic: NIC thread moved from CPU [0-9]+ to CPU $nic"
flows "... traffic flows"

queue=$(for index in 0 1; do [ "$(queue_cpu cc1 $index)" != 1 ] || echo $index; done)
check_equal "queue 1 is on CPU 1" 1 "$queue"
check "CPU 1 goes offline" cpu_set 1 0
check "... its queue moves to CPU 0" wait_until 10 queue_on 1 0
flows "... traffic flows"
check "a device is created and set up meanwhile" \
	eval 'ip link add cc5 type ccnic && ip link set cc5 up && wait_until 10 has_carrier "" cc5'
check "... and carries frames" wire frames -,cc5 -,cc5 from=60 to=1514 step=100
check "CPU 1 comes back" cpu_set 1 1
check "... and its queue to it" wait_until 10 queue_on 1 1
flows "... traffic flows"
check "the other device is deleted" ip link del cc5

wire_stop
check_equal "all of it had the right content" 0 $?
sed 's/^/# /' "$log"

# Started while its CPU is away
ip -n cca link set cc0 down
ip -n ccb link set cc1 down
cpu_set "$nic" 0
mark=$(kernel_log_lines)
ip -n cca link set cc0 up
ip -n ccb link set cc1 up
check "started while CPU $nic is offline, it says where it runs" \
	logged "$mark" "ccnic: CPU $nic is offline: the NIC runs on CPU [0-9]+"
check "... and works" eval 'wait_until 10 has_carrier cca cc0 && wire rr cca,'$A4' ccb,'$B4' rounds=20'
cpu_set "$nic" 1
check "... and goes to CPU $nic when that is back" wait_until 10 nic_on "$nic"
tap_done
