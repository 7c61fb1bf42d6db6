#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# long: test
#
# Create, up, traffic, down, delete, rmmod; again and again, and nothing is lost.
# ROUNDS: 20 on a kernel that can look for leaks (stress_long.sh: 200), 40 where
# only the free memory can be compared.
. "$(dirname "$0")/ccnic.sh"

LEAKS=/sys/kernel/debug/kmemleak
if [ -e $LEAKS ]; then
	ROUNDS=${ROUNDS:-20}
else
	ROUNDS=${ROUNDS:-40}
fi

# How far the pair gets in a round; each ends in another state
pair_round() {
	ip -b - <<-BATCH || return
		link add cc0 netns cca type ccnic
	BATCH
	ip -n cca -b - <<-BATCH || return
		link add cc1 link cc0 netns ccb type ccnic
		addr add $A4/24 dev cc0
		link set cc0 up
	BATCH
	ip -n ccb -b - <<-BATCH || return
		addr add $B4/24 dev cc1
		link set cc1 up
	BATCH
	wire sizes "cca,$A4" "ccb,$B4" from=100 to=1400 step=130 >/dev/null || return
	case $(($1 % 4)) in
	0) ip -n cca link set cc0 down && ip -n ccb link set cc1 down && pair_delete ;;
	1) pair_delete ;;
	2) ip -n ccb link del cc1 ;; # rmmod deletes the other
	3) ;;                        # ... or both
	esac
}

loop_round() {
	ip -b - <<-BATCH || return
		link add cc0 type ccnic
		link set cc0 up
	BATCH
	wire frames -,cc0 -,cc0 from=60 to=1514 step=145 >/dev/null || return
	ip -b - <<-BATCH
		link set cc0 down
		link del cc0
	BATCH
}

# rounds FROM TO
rounds() {
	local round
	for ((round = $1; round < $2; round++)); do
		[ $((round % 20)) != 19 ] || diag "round $((round + 1)) of $2" >&2
		load_module ccnic ring_lines=$((32 << round % 4)) || break
		if [ $((round % 3)) = 2 ]; then loop_round || break; else pair_round "$round" || break; fi
		unload_module ccnic || break
	done
	echo "$round"
}

tap_plan 4

hurry
spaces_make
load_module sepia
mark=$(kernel_log_lines)
rounds 0 5 >/dev/null # what is allocated once and kept, the kernel's own caches too
before=$(mem_free_kb)
check_equal "$ROUNDS rounds" "$ROUNDS" "$(rounds 0 "$ROUNDS")"
check "no fault in the kernel log" kernel_quiet "$mark"
# shellcheck disable=SC2317 # called through wait_until
none_held() {
	grep -qx 'held 0' /sys/kernel/debug/sepia/summary
}
check "Sepia has all its pages back" wait_until 10 none_held
lost=$((before - $(mem_free_kb)))
diag "free memory fell by $lost kB"
# One region that is lost in each round would be more than 100 MB
check_at_most "the memory is still there" 16384 "$lost"
tap_done
