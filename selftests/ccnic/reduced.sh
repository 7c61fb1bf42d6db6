#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# machine: one-cpu one-node cpuless-node
# long: test
#
# Machines on which host and NIC cannot be on two nodes: it says what it does
# instead, and works.
. "$(dirname "$0")/ccnic.sh"

tap_plan 10

mapfile -t cpus < <(online_cpus)
if [ ${#cpus[@]} = 1 ]; then
	sentence="cc0: one CPU: host and NIC share it"
else
	sentence="cc0: one node with CPUs: the NIC is on CPU [0-9]+ of the host's node 0"
fi

spaces_make
mark=$(kernel_log_lines)
check "loads" load_module ccnic
check "a pair comes up" pair_make
check "the log says: $sentence" logged "$mark" "$sentence"
log_since "$mark" | sed 's/^/# /'
addresses_add cc0 cc1
nic=$(device cc0 nic_cpu)
check_equal "the thread runs on CPU $nic" "$nic" "$(cpus_of "$(nic_threads)")"
wrong=0
for queue in 0 1; do
	[ ${#cpus[@]} = 1 ] || [ "$(queue_cpu cc0 $queue)" != "$nic" ] || wrong=$((wrong + 1))
done
check_equal "no queue shares it where there are others" 0 $wrong
check "pings are answered" ip netns exec cca ping -q -n -c 20 -i 0.01 -W 5 -s 1400 $B4
check "requests are answered" wire rr "cca,$A4" "ccb,$B4" rounds=300
check "TCP flows both ways" wire stream "cca,$A4" "ccb,$B4" streams=2 bytes=2000000
check "unloads" unload_module ccnic
check "and leaves nothing" gone
tap_done
