#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# long: test
#
# Sleep and wake-up: no packet waits for the next one to come, however long host
# and NIC had slept; who runs where.
. "$(dirname "$0")/ccnic.sh"

SPIN=/sys/module/ccnic/parameters/spin_us
WORST_US=$((1000000 * TAP_TIME_FACTOR)) # a lost wake-up would take for ever

# spin MICROSECONDS
spin() {
	echo "$1" >$SPIN
}

# rr DESCRIPTION [NAME=VALUE]...: every request is answered, none too late
rr() {
	local description=$1 worst
	shift
	check "$description" wire rr "cca,$A4" "ccb,$B4" "$@" || return
	worst=$(awk '$1 == "worst_us" { print $2 }' "$TAP_OUTPUT")
	diag "$(tr '\n' ' ' <"$TAP_OUTPUT")"
	[ "$worst" -lt $WORST_US ] || diag "the worst of them took $worst us"
}

# cpu_ticks PID: processor time, user and system
cpu_ticks() {
	local fields
	read -r -a fields <"/proc/$1/stat"
	echo $((fields[13] + fields[14]))
}

# shellcheck disable=SC2317 # called through wait_until
# asleep PID
asleep() {
	local state
	state=$(sed -n 's/^State:[[:space:]]*//p' "/proc/$1/status")
	[[ $state = [ISD]* ]]
}

tap_plan 31

spaces_make_quiet
mark=$(kernel_log_lines)
load_module ccnic
check "no NIC thread without a device" no_nic_thread
pair_make
ip -n cca addr add $A4/24 dev cc0
ip -n ccb addr add $B4/24 dev cc1

# ----------------------------------------------------------------- who runs where
nic=$(nic_threads)
cpu=$(device cc0 nic_cpu)
check_equal "one thread for the pair" 1 "$(wc -w <<<"$nic")"
check_equal "it runs on the CPU that debugfs names" "$cpu" "$(cpus_of "$nic")"
check "... that the log names" logged "$mark" "cc0: host on node $(device cc0 host_node), NIC on CPU $cpu of node $(device cc0 nic_node)"
check_equal "... that ethtool names" "$cpu" "$(estat cca cc0 nic_cpu)"
check_equal "... and is named after it" "ccnic-nic/$cpu" "$(cat "/proc/$nic/comm")"
check_equal "it is on another node than the host" "$(device cc0 nic_node) yes" \
	"$(node_of "$cpu") $([ "$(device cc0 host_node)" != "$(node_of "$cpu")" ] && echo yes)"

# Sent from a CPU that has no queue: NAPI still runs on the queues' own. Which of
# them receives is for the NIC to say, by flow.
mapfile -t owners < <(for queue in 0 1; do queue_cpu cc1 $queue; done)
for other in $(online_cpus); do
	[[ " $cpu ${owners[*]} " = *" $other "* ]] || break
done
diag "queues on CPUs ${owners[*]}, NIC on CPU $cpu, sent on CPU $other"
for queue in 0 1; do
	read -r mask < <(ip netns exec cca cat /sys/class/net/cc0/queues/tx-$queue/xps_cpus)
	check_equal "CPU ${owners[queue]} sends on queue $queue" 1 $((0x$mask >> owners[queue] & 1))
done
there=$(($(net_rx "${owners[0]}") + $(net_rx "${owners[1]}"))) elsewhere=$(($(net_rx "$other") + $(net_rx "$cpu")))
check "1000 rounds, sent on CPU $other" taskset -c "$other" "$HERE/wire" rr "cca,$A4" "ccb,$B4" gap_us=0
check_at_least "NAPI ran on the queues' CPUs" 500 $(($(net_rx "${owners[0]}") + $(net_rx "${owners[1]}") - there))
check_at_most "... and not on CPU $other or the NIC's" 200 $(($(net_rx "$other") + $(net_rx "$cpu") - elsewhere))

# --------------------------------------------------------- awake, asleep, between
spin 0
sleeps=$(device cc0 nic_sleeps)
rr "asleep after each packet" rounds=2000 gap_us=0
check_at_least "... and it did sleep" 1000 $(($(device cc0 nic_sleeps) - sleeps))
rr "asleep, and gaps of up to 150 us" rounds=2000 gap_us=150
rr "asleep, and gaps of up to 20 ms" rounds=150 gap_us=20000
spin 50
rr "gaps about as long as it polls: up to 120 us" rounds=3000 gap_us=120
# The second packet of a burst comes about when the first one's poll ends
check "bursts of two" wire frames cca,cc0 ccb,cc1 from=60 to=60 count=20000 burst=2
check "bursts of three" wire frames ccb,cc1 cca,cc0 from=60 to=60 count=15000 burst=3
rr "gaps of up to 120 us, large datagrams" rounds=1000 gap_us=120 size=1400
rr "gaps of up to 20 ms" rounds=150 gap_us=20000
spin 60000000
check "it polls" wire rr "cca,$A4" "ccb,$B4" rounds=1
sleeps=$(device cc0 nic_sleeps) ticks=$(cpu_ticks "$nic")
rr "always polling" rounds=1000 gap_us=150
check_equal "... it does not sleep" 0 $(($(device cc0 nic_sleeps) - sleeps))
check_at_least "... and uses its CPU" 1 $(($(cpu_ticks "$nic") - ticks))
spin 50

# Idle: asleep, and using no time
check "idle, it falls asleep" wait_until 10 asleep "$nic"
sleeps=$(device cc0 nic_sleeps) ticks=$(cpu_ticks "$nic")
sleep 2 # idle time is what is measured
check_at_most "... stays asleep for 2 s" 10 $(($(device cc0 nic_sleeps) - sleeps))
check_at_most "... and uses no time" 2 $(($(cpu_ticks "$nic") - ticks))
rr "the first packet after that is answered" rounds=1

ip -n cca link set cc0 down
check_equal "the thread stays for one end" "$nic" "$(nic_threads)"
ip -n ccb link set cc1 down
check "... and goes with the last" no_nic_thread
tap_done
