#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# long: test
#
# "ip link" on a device: create, change, move, refuse.
. "$(dirname "$0")/ccnic.sh"

# ports SPACE DEVICE: its queues as sysfs has them
ports() {
	ip netns exec "$1" bash -c "cd /sys/class/net/$2/queues && echo \$(ls -d tx-* | wc -l) \$(ls -d rx-* | wc -l)"
}

# refused DESCRIPTION PATTERN COMMAND...: and no device more than before
refused() {
	local before
	before=$(devices)
	check_fails "$@"
	check_equal "... and nothing is half created" "$before" "$(devices)"
}

tap_plan 63

spaces_make
load_module ccnic ring_lines=32

# ------------------------------------------------------------ create and delete
check "a device without a name gets one" ip -n cca link add type ccnic
check "... of its kind" exists cca ccnic0
check "... is deleted by it" ip -n cca link del ccnic0
check_equal "... and gone" 0 "$(devices)"
ip -n cca link add cc0 type ccnic
check_equal "a device of its own is a loop" loop "$(device cc0 wire)"
check_equal "... that leads to itself" "cc0:" "$(ip -n cca -o link show cc0 | awk '{ print $2 }')"
check_fails "a name is given once" "File exists" ip -n cca link add cc0 type ccnic
ip -n cca link add cc1 link cc0 type ccnic
check_equal "a second one cabled to it makes a pair" "pair pair" "$(device cc0 wire) $(device cc1 wire)"
check_equal "... each end shows the other" "cc0@cc1: cc1@cc0:" \
	"$(ip -n cca -o link show type ccnic | awk '{ printf "%s%s", sep, $2; sep = " " }')"
shown=$(ip -n cca -d link show cc0)
check "ip -d link names kind and queues" grep -qE "ccnic .*numtxqueues 2 numrxqueues 2" <<<"$shown"
check "... and the MTU's limits" grep -qE "minmtu 68 maxmtu 9000" <<<"$shown"

# ------------------------------------------------------------------ bad cables
ip -n cca link add plain0 type dummy 2>/dev/null || ip -n cca link add plain0 type veth peer name plain1
refused "no cable to a device of another type" "not of type ccnic" \
	ip -n cca link add cc9 link plain0 type ccnic
refused "no cable to a device that has one" "has a cable already" \
	ip -n cca link add cc9 link cc0 type ccnic
refused "no cable to a device that is not there" "no device to cable to" \
	ip -n cca link add cc9 link if4242 type ccnic
refused "no multicast address" "Not a unicast Ethernet address|Cannot assign requested address" \
	ip -n cca link add cc9 address 01:00:00:00:00:01 type ccnic
refused "no zero address" "Not a unicast Ethernet address|Cannot assign requested address" \
	ip -n cca link add cc9 address 00:00:00:00:00:00 type ccnic
refused "no MTU of 9001" "maximum" ip -n cca link add cc9 mtu 9001 type ccnic
refused "no 65 queues" "at most 64 queues" ip -n cca link add cc9 numtxqueues 65 numrxqueues 65 type ccnic
check "none of them stands" eval '! exists cca cc9'
check "the pair is unharmed" eval 'ip -n cca link set cc0 up && ip -n cca link set cc1 up && wait_until 5 has_carrier cca cc0'

# ---------------------------------------------------------------------- change
check_fails "an MTU of 67 is refused" "less than device minimum" ip -n cca link set cc0 mtu 67
check_fails "an MTU of 9001 is refused" "greater than device maximum" ip -n cca link set cc0 mtu 9001
check "68 and 9000 are not" eval 'ip -n cca link set cc0 mtu 68 && ip -n cca link set cc0 mtu 9000'
check_fails "a multicast address is refused" "Cannot assign requested address" \
	ip -n cca link set cc0 address 01:00:00:00:00:01
check "another address is not, though it is up" ip -n cca link set cc0 address 02:00:00:00:00:77
check_equal "... and is shown" 02:00:00:00:00:77 "$(ip -n cca -o link show cc0 | sed 's/.*link.ether \([^ ]*\).*/\1/')"
ip -n cca link set cc0 down
check "it is renamed" ip -n cca link set cc0 name cc7
check_equal "... in debugfs too" 02:00:00:00:00:77 "$(folder cc7 >/dev/null && ip -n cca -o link show cc7 | sed 's/.*link.ether \([^ ]*\).*/\1/')"
ip -n cca link set cc7 name cc0

# ------------------------------------------------------------------------ move
check "the second end moves" ip -n cca link set cc1 netns ccb
check "... and is up again" ip -n ccb link set cc1 up
ip -n cca link set cc0 mtu 1500 up
check "... with carrier" wait_until 5 has_carrier ccb cc1
addresses_add cc0 cc1
check "... and traffic" wire sizes "cca,$A4" "ccb,$B4" from=0 to=1400 step=100
check "the first end moves in beside it" ip -n cca link set cc0 netns ccb
ip -n ccb link set cc0 netns cca
ip -n cca link set cc0 up
addresses_add cc0 cc1
check "... and back, with carrier" wait_until 5 has_carrier cca cc0
check "... and traffic" wire sizes "cca,$A4" "ccb,$B4" from=0 to=1400 step=100
check "a namesake in the other namespace" ip -n ccb link add cc0 type ccnic
check_equal "... has a folder of its own in debugfs" 3 "$(devices)"
check "... comes up" eval 'ip -n ccb link set cc0 up && wait_until 5 has_carrier ccb cc0'
check "... cannot move to its namesake" eval '! ip -n ccb link set cc0 netns cca'
check "... is deleted" ip -n ccb link del cc0
check "... and not its namesake" exists cca cc0

# ------------------------------------------------- MTU changed under live traffic
stream=$(mktemp)
at_exit rm -f "$stream"
wire_start "$stream" stream "cca,$A4" "ccb,$B4" seconds=600 streams=2
failed=0
for mtu in 9000 1500 576 9000; do
	for end in "cca cc0" "ccb cc1"; do
		# shellcheck disable=SC2086 # two words
		set -- $end
		ip -n "$1" link set "$2" mtu $mtu || failed=$((failed + 1))
	done
	before=$(nstat ccb cc1 rx_packets)
	# shellcheck disable=SC2317 # called through wait_until
	grows() {
		[ "$(nstat ccb cc1 rx_packets)" -gt "$before" ]
	}
	wait_until 10 grows || failed=$((failed + 1))
done
check_equal "four MTUs under traffic, at both ends" 0 $failed
wire_stop
check_equal "... whose content is right" "0" "$?"
sed 's/^/# /' "$stream"

# ------------------------------------------------------ down and up under traffic
wire_start /dev/null blast cca,cc0 ccb,cc1 count=1000000000
failed=0
for ((round = 0; round < 16; round++)); do
	if [ $((round % 2)) = 0 ]; then set -- cca cc0; else set -- ccb cc1; fi
	ip -n "$1" link set "$2" down && ip -n "$1" link set "$2" up || failed=$((failed + 1))
	before=$(nstat ccb cc1 rx_packets)
	wait_until 20 grows || failed=$((failed + 1))
done
check_equal "16 times down and up under traffic" 0 $failed
wire_stop
check_equal "... which goes on" 0 $?
pair_delete
check_equal "both ends are deleted" 0 "$(devices)"

# ---------------------------------------------------------------------- queues
for queues in 1 2 4 64; do
	ip -n cca link add cc0 numtxqueues $queues numrxqueues $queues type ccnic
	ip -n cca link set cc0 up
	wait_until 10 has_carrier cca cc0
	check_equal "$queues queues" "$queues $queues $queues" "$(ports cca cc0) $(device cc0 queues)"
	ip -n cca link del cc0
done
ip -n cca link add cc0 numtxqueues 4 numrxqueues 2 type ccnic
ip -n cca link set cc0 up
check_equal "as many as both directions have" "2 2" "$(device cc0 queues) $(ports cca cc0 | awk '{ print $2 }')"
ip -n cca link del cc0

# Ends that differ: the longer one's queues share the shorter one's
ip -n cca link add cc0 numtxqueues 3 numrxqueues 3 type ccnic
ip -n cca link add cc1 link cc0 netns ccb numtxqueues 1 numrxqueues 1 type ccnic
ip -n cca link set cc0 up
ip -n ccb link set cc1 up
addresses_add cc0 cc1
wait_until 10 has_carrier cca cc0
check "three queues against one carry traffic" wire stream "cca,$A4" "ccb,$B4" streams=4 bytes=500000
pair_delete

# -------------------------------------------------------- namespaces that go away
ip netns add ccgone
ip -n cca link add cc0 type ccnic
ip -n cca link add cc1 link cc0 netns ccgone type ccnic
ip -n cca link set cc0 up
ip -n ccgone link set cc1 up
wait_until 10 has_carrier cca cc0
check "a namespace is deleted with an end in it" ip netns del ccgone
check "... the other end loses its carrier" wait_until 20 no_carrier cca cc0
check_equal "... and its cable" "1 cc0@NONE:" "$(devices) $(ip -n cca -o link show cc0 | awk '{ print $2 }')"
ip -n cca link del cc0

check_equal "no device is left" 0 "$(devices)"
tap_done
