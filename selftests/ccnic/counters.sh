#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# long: test
#
# Raw frames whose number and bytes are known: what both ends count is exactly
# that, and what they counted outlives down and up.
. "$(dirname "$0")/ccnic.sh"

# tx SPACE DEVICE, rx SPACE DEVICE: packets bytes errors dropped
tx() {
	nstat "$1" "$2" tx_packets tx_bytes tx_errors tx_dropped
}
rx() {
	nstat "$1" "$2" rx_packets rx_bytes rx_errors rx_dropped
}

# minus "NOW" "THEN": figure by figure
minus() {
	# shellcheck disable=SC2206 # numbers
	local now=($1) then=($2) i out=''
	for i in "${!now[@]}"; do
		out+=" $((now[i] - then[i]))"
	done
	echo "${out# }"
}

# sum FROM TO MINIMUM: of the frame sizes, short ones padded
sum() {
	local size total=0
	for ((size = $1; size <= $2; size++)); do
		total=$((total + (size < $3 ? $3 : size)))
	done
	echo $total
}

# frames DESCRIPTION FROM TO COUNT [OPTION]...: from cc0 to cc1, both counted
frames() {
	local description=$1 from=$2 to=$3 count=$4 tx0 rx1 rx0 tx1 want
	shift 4
	tx0=$(tx cca cc0) rx1=$(rx ccb cc1) rx0=$(rx cca cc0) tx1=$(tx ccb cc1)
	check "$description" wire frames cca,cc0 ccb,cc1 "from=$from" "to=$to" "count=$count" "$@"
	want="$(((to - from + 1) * count)) $((count * $(sum "$from" "$to" 60))) 0 0"
	check_equal "... and the sender counts them" "$want" "$(minus "$(tx cca cc0)" "$tx0")"
	check_equal "... and the receiver" "$want" "$(minus "$(rx ccb cc1)" "$rx1")"
	check_equal "... and nobody counts anything else" "0 0 0 0 0 0 0 0" \
		"$(minus "$(rx cca cc0)" "$rx0") $(minus "$(tx ccb cc1)" "$tx1")"
}

# shellcheck disable=SC2317 # called through check
# ratio_is_right SPACE DEVICE RING: 1 to 4 descriptors a line
ratio_is_right() {
	local lines descs
	lines=$(estat "$1" "$2" "${3}_lines")
	descs=$(estat "$1" "$2" "${3}_descriptors")
	diag "$2 ${3/./}: $descs descriptors in $lines lines"
	[ "$lines" -gt 0 ] && [ "$descs" -ge "$lines" ] && [ "$descs" -le $((4 * lines)) ]
}

tap_plan 41

spaces_make_quiet
# A wait as long as it may be: nothing is lost when the emulated CPUs stall
load_module ccnic hold_us=1000000
pair_make

frames "frames of each size from 14 to 1514, one by one" 14 1514 1 burst=1
frames "short frames are padded with zeros" 14 60 20 burst=8
frames "small ones in bursts" 60 64 400 burst=40
frames "full-size ones in bursts" 1500 1514 60 burst=40
ip -n cca link set cc0 mtu 9000
ip -n ccb link set cc1 mtu 9000
frames "jumbo frames" 8950 9014 2 burst=16
check "the way back as well" wire frames ccb,cc1 cca,cc0 from=14 to=1514 step=50

for ring in 'tx.' 'rx.'; do
	check "cc1: 1 to 4 descriptors a line on ${ring/./}" ratio_is_right ccb cc1 "$ring"
	check "cc0: 1 to 4 descriptors a line on ${ring/./}" ratio_is_right cca cc0 "$ring"
done
check_equal "queues add up to the device: sent" "$(nstat cca cc0 tx_packets)" "$(estat cca cc0 'tx._packets')"
check_equal "queues add up to the device: received" "$(nstat ccb cc1 rx_packets)" "$(estat ccb cc1 'rx._packets')"

# Longer than the receiver's MTU: counted, by a name
before=$(rx ccb cc1)
ip -n ccb link set cc1 mtu 1500
wire blast cca,cc0 ccb,cc1 count=10 size=3000 >/dev/null
# shellcheck disable=SC2317 # called through wait_until
ten_errors() {
	[ "$(nstat ccb cc1 rx_length_errors)" = 10 ]
}
check "frames longer than the receiver's MTU are length errors" wait_until 10 ten_errors
check_equal "... and nothing else" "0 0 10 0" "$(minus "$(rx ccb cc1)" "$before")"
check_equal "... ethtool knows them by name" 10 "$(estat ccb cc1 rx_drop_length)"
ip -n cca link set cc0 mtu 1500

# ----------------------------------------------------------------- down and up
before="$(tx cca cc0) $(rx cca cc0) $(tx ccb cc1) $(rx ccb cc1)"
named=$(ip netns exec ccb ethtool -S cc1 | grep -E 'packets|drop|lines')
ip -n cca link set cc0 down
ip -n ccb link set cc1 down
check_equal "counters stand while down" "$before" "$(tx cca cc0) $(rx cca cc0) $(tx ccb cc1) $(rx ccb cc1)"
ip -n cca link set cc0 up
ip -n ccb link set cc1 up
wait_until 10 has_carrier cca cc0
check_equal "... and when up again" "$before" "$(tx cca cc0) $(rx cca cc0) $(tx ccb cc1) $(rx ccb cc1)"
smaller=$(paste -d' ' <(printf '%s\n' "$named") <(ip netns exec ccb ethtool -S cc1 | grep -E 'packets|drop|lines') |
	awk '$4 < $2 { printf "%s%s->%s ", $1, $2, $4 }')
check_equal "... and so do ethtool's" "" "$smaller"
frames "they go on from there" 60 159 1

# --------------------------------------------------------------- bursts (pktgen)
# The stack says "more follows" of all but a burst's last packet
if modprobe pktgen 2>/dev/null; then
	# pktgen sends from the namespace in which its files are written
	# shellcheck disable=SC2317
	burst_of() {
		local count=$1
		ip netns exec cca bash -c "
			cd /proc/net/pktgen || exit
			echo rem_device_all >kpktgend_0
			echo add_device cc0 >kpktgend_0 || exit
			printf '%s\n' 'count $count' 'burst 8' 'pkt_size 100' 'delay 0' \
				'dst 10.77.0.2' 'dst_mac 02:00:00:00:00:09' | while IFS= read -r line; do
				echo \"\$line\" >cc0 || exit
			done
			echo start >pgctrl
			echo rem_device_all >kpktgend_0"
	}
	# As many as were sent: pktgen may round its count up to whole bursts
	# shellcheck disable=SC2317 # called through wait_until
	arrived() {
		[ "$(nstat ccb cc1 rx_packets)" = $((start_rx + $(nstat cca cc0 tx_packets) - start_tx)) ]
	}
	start_tx=$(nstat cca cc0 tx_packets) start_rx=$(nstat ccb cc1 rx_packets)
	lost=''
	for count in 1 2 3 5 7 8 9 31 33 100 257; do
		burst_of $count
		wait_until 5 arrived || lost+=" $count"
	done
	check_equal "bursts of 1 to 257 packets arrive to the last one" "" "$lost"
	check_at_least "... all that were asked for" 456 $(($(nstat cca cc0 tx_packets) - start_tx))
	shared=$(($(estat cca cc0 'tx._descriptors') - $(estat cca cc0 'tx._lines')))
	check_at_least "... in lines that are shared" 200 $shared
	rmmod pktgen
else
	skip "bursts of 1 to 257 packets arrive to the last one" "this kernel has no pktgen"
	skip "... all that were asked for" "this kernel has no pktgen"
	skip "... in lines that are shared" "this kernel has no pktgen"
fi
check_equal "nothing was dropped but those that were too long" " rx_drop_length:10 " "$(drops cca cc0) $(drops ccb cc1)"
tap_done
