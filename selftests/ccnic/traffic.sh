#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# long: test
#
# Checked traffic over the pair and over a loop: every size, both families, several
# MTUs, VLANs, streams side by side.
. "$(dirname "$0")/ccnic.sh"

tap_plan 35

# sizes DESCRIPTION ADDRESS_A ADDRESS_B [NAME=VALUE]...
sizes() {
	local description=$1 a=$2 b=$3
	shift 3
	check "$description" wire sizes "cca,$a" "ccb,$b" "$@"
}

# mtu MTU DEV_A DEV_B
mtu() {
	ip -n cca link set "$2" mtu "$1" && ip -n ccb link set "$3" mtu "$1"
}

# pings DESCRIPTION ADDRESS SIZE...: ping checks what comes back, too
pings() {
	local description=$1 address=$2 size failed=''
	shift 2
	for size; do
		ip netns exec cca ping -q -n -c 2 -i 0.01 -W 5 -s "$size" "$address" >/dev/null || failed+=" $size"
	done
	check_equal "$description" "" "$failed"
}

spaces_make
# A wait as long as it may be: nothing is lost when the emulated CPUs stall
load_module ccnic hold_us=1000000
pair_make
addresses_add cc0 cc1

# -------------------------------------------------------------------------- pair
pings "pair: IPv4 pings from nothing to 65507 bytes" $B4 0 1 17 18 19 213 214 215 1472 1473 65507
pings "pair: IPv6 pings from nothing to 65487 bytes" $B6 0 1 193 194 195 1452 1453 65487
sizes "pair: UDP datagrams of each size that fits" $A4 $B4 from=0 to=1473
sizes "pair: ... and of sizes that are cut into fragments" $A4 $B4 from=1474 to=65507 step=1361
sizes "pair: the same over IPv6" $A6 $B6 from=1 to=65507 step=613
mtu 9000 cc0 cc1
sizes "pair, MTU 9000: datagrams around the buffers' sizes" $A4 $B4 from=1990 to=2060
sizes "pair, MTU 9000: ... around the pages'" $A4 $B4 from=4030 to=4100
sizes "pair, MTU 9000: ... and around the MTU" $A4 $B4 from=8940 to=8980
sizes "pair, MTU 9000: over IPv6" $A6 $B6 from=1 to=65507 step=1361
check "pair, MTU 9000: TCP both ways" wire stream "cca,$A4" "ccb,$B4" bytes=4000000
mtu 1500 cc0 cc1

check "pair: TCP there" wire stream "cca,$A4" "ccb,$B4" bytes=8000000 way=there
check "pair: TCP back" wire stream "cca,$A4" "ccb,$B4" bytes=8000000 way=back
check "pair: TCP over IPv6, both ways" wire stream "cca,$A6" "ccb,$B6" bytes=4000000
wire stream "cca,$A4" "ccb,$B4" streams=4 bytes=4000000 >"$TAP_OUTPUT" 2>&1
check_equal "pair: four streams both ways" 0 $?
sed 's/^/# /' "$TAP_OUTPUT"
for queue in 0 1; do
	check_at_least "pair: queue $queue sends" 1 "$(estat cca cc0 "tx${queue}_packets")"
	check_at_least "pair: queue $queue receives" 1 "$(estat ccb cc1 "rx${queue}_packets")"
done

# All at once
wire_start /dev/null stream "cca,$A4" "ccb,$B4" streams=2 seconds=600
ip netns exec cca ping -q -n -A -w 3 -s 1000 $B6 >/dev/null 2>&1 &
ping=$!
sizes "pair: datagrams beside streams and pings" $A6 $B6 from=1 to=3000 step=7
wait $ping
check_equal "pair: ... pings beside both" 0 $?
wire_stop
check_equal "pair: ... streams beside datagrams and pings" 0 $?

# -------------------------------------------------------------------------- VLAN
ip -n cca link add link cc0 name cc0.7 type vlan id 7
ip -n ccb link add link cc1 name cc1.7 type vlan id 7
ip -n cca -b - <<-BATCH
	addr add 10.78.0.1/24 dev cc0.7
	link set cc0.7 up
BATCH
ip -n ccb -b - <<-BATCH
	addr add 10.78.0.2/24 dev cc1.7
	link set cc1.7 up
BATCH
check "VLAN: a full-size frame and its tag are carried" \
	ip netns exec cca ping -q -n -c 3 -i 0.01 -W 5 -M 'do' -s 1472 10.78.0.2
check "VLAN: TCP both ways" wire stream cca,10.78.0.1 ccb,10.78.0.2 bytes=4000000
ip -n cca link add link cc0.7 name cc0.7.8 type vlan id 8
ip -n ccb link add link cc1.7 name cc1.7.8 type vlan id 8
ip -n cca -b - <<-BATCH
	addr add 10.79.0.1/24 dev cc0.7.8
	link set cc0.7.8 up
BATCH
ip -n ccb -b - <<-BATCH
	addr add 10.79.0.2/24 dev cc1.7.8
	link set cc1.7.8 up
BATCH
check "VLAN: so are two tags" ip netns exec cca ping -q -n -c 3 -i 0.01 -W 5 -M 'do' -s 1472 10.79.0.2
# ------------------------------------------------------------- the smallest MTUs
# Last: the routes remember such a path for a while
mtu 576 cc0 cc1
sizes "pair, MTU 576: datagrams" $A4 $B4 from=0 to=20000 step=277
check "pair, MTU 576: TCP both ways" wire stream "cca,$A4" "ccb,$B4" bytes=1000000
mtu 68 cc0 cc1
sizes "pair, MTU 68: datagrams" $A4 $B4 from=0 to=1400 step=31
check "pair, MTU 68: TCP both ways" wire stream "cca,$A4" "ccb,$B4" bytes=20000
check_equal "pair: nothing was dropped" " " "$(drops cca cc0) $(drops ccb cc1)"
pair_delete

# -------------------------------------------------------------------------- loop
# Two macvlan devices on one looped device reach each other over its wire only
ip link add cc0 type ccnic
ip link set cc0 up
for space in cca ccb; do
	ip link add mv$space link cc0 type macvlan mode vepa
	ip link set mv$space netns $space
	ip -n $space link set mv$space up
done
addresses_add mvcca mvccb
pings "loop: IPv4 pings" $B4 0 18 214 215 1472 65507
sizes "loop: UDP datagrams" $A4 $B4 from=0 to=1500 step=7
sizes "loop: over IPv6" $A6 $B6 from=1 to=65507 step=3001
check "loop: TCP both ways" wire stream "cca,$A4" "ccb,$B4" bytes=4000000
check_at_least "loop: over the wire, not past it" 1000 "$(nstat "" cc0 rx_packets)"
check_equal "loop: nothing was dropped" "" "$(drops "" cc0)"
tap_done
