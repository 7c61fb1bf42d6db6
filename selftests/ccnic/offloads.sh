#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# long: test
#
# Checked TCP and UDP with each offload switched off, and with all of them off.
. "$(dirname "$0")/ccnic.sh"

FEATURES=(sg tx tso gso gro tx-udp-segmentation)

# both FEATURE... on|off: at both ends
both() {
	local state=${*: -1} feature words=()
	for feature in "${@:1:$#-1}"; do
		words+=("$feature" "$state")
	done
	ip netns exec cca ethtool -K cc0 "${words[@]}" >/dev/null &&
		ip netns exec ccb ethtool -K cc1 "${words[@]}" >/dev/null
}

# shows FEATURE: on or off
shows() {
	local name=$1
	case $name in
	sg) name=scatter-gather ;;
	tx) name=tx-checksumming ;;
	tso) name=tcp-segmentation-offload ;;
	gso) name=generic-segmentation-offload ;;
	gro) name=generic-receive-offload ;;
	esac
	ip netns exec cca ethtool -k cc0 | awk -v name="$name:" '$1 == name { print $2 }'
}

tap_plan $((3 * ${#FEATURES[@]} + 10))

spaces_make
# A wait as long as it may be: nothing is lost when the emulated CPUs stall
load_module ccnic hold_us=1000000
pair_make
addresses_add cc0 cc1

on=''
for feature in "${FEATURES[@]}"; do
	on+=" $(shows "$feature")"
done
check_equal "all offloads are on at first" " on on on on on on" "$on"
before=$(estat cca cc0 'tx._packets')
check "TCP with all on" wire stream "cca,$A4" "ccb,$B4" bytes=4000000 way=there
check_at_most "... in packets that are longer than the MTU" $((4000000 / 1448 / 2)) \
	$(($(estat cca cc0 'tx._packets') - before))

for feature in "${FEATURES[@]}"; do
	both "$feature" off
	check_equal "$feature is switched off" off "$(shows "$feature")"
	check "without $feature: TCP both ways" wire stream "cca,$A4" "ccb,$B4" bytes=2000000
	check "without $feature: datagrams over IPv6" wire sizes "cca,$A6" "ccb,$B6" from=1 to=9000 step=211
	both "${FEATURES[@]}" on
done

both "${FEATURES[@]}" off
before=$(estat cca cc0 'tx._packets')
check "without any: TCP both ways" wire stream "cca,$A4" "ccb,$B4" bytes=2000000
check_at_least "... in packets no longer than the MTU" $((2000000 / 1448)) \
	$(($(estat cca cc0 'tx._packets') - before))
check "without any: TCP over IPv6" wire stream "cca,$A6" "ccb,$B6" bytes=1000000
check "without any: datagrams" wire sizes "cca,$A4" "ccb,$B4" from=0 to=9000 step=211

# One end without, the other with
ip netns exec cca ethtool -K cc0 sg on tx on tso on gso on gro on >/dev/null
check "one end without: TCP both ways" wire stream "cca,$A4" "ccb,$B4" bytes=2000000
both "${FEATURES[@]}" on

# While it flows
wire_start /dev/null stream "cca,$A4" "ccb,$B4" streams=2 seconds=600
for ((round = 0; round < 5; round++)); do
	both tso gro off
	both tso gro on
	both sg off
	both sg tso gso on
done
wire_stop
check_equal "switched to and fro under traffic" 0 $?
check_equal "nothing was dropped" " " "$(drops cca cc0) $(drops ccb cc1)"
tap_done
