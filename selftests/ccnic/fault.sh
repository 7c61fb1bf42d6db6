#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# kernel: test
# long: test
#
# Memory is refused: to the allocations of "ip link add", "ip link set up" and a
# change of MTU in turn. Each failure is clean and the next try works. Of "add",
# whose allocations are mostly the kernel's own, every STEP-th is refused: 4, since
# each takes long on such a kernel.
. "$(dirname "$0")/ccnic.sh"

need_option FAILSLAB FAIL_PAGE_ALLOC FAULT_INJECTION_DEBUG_FS
[ -e /proc/self/fail-nth ] || skip_all "this kernel has no fail-nth"
SLAB=/sys/kernel/debug/failslab
PAGE=/sys/kernel/debug/fail_page_alloc
STEP=${STEP:-4}

# shellcheck disable=SC2317 # called at the end
faults_off() {
	echo Y >"$SLAB/ignore-gfp-wait"
	echo Y >"$PAGE/ignore-gfp-wait"
	echo 1 >"$PAGE/min-order"
}
at_exit faults_off
for dir in $SLAB $PAGE; do
	echo 0 >"$dir/verbose" # each fault would print a call trace
	echo 0 >"$dir/probability"
	echo N >"$dir/ignore-gfp-wait"
done
echo 0 >"$PAGE/min-order"

# swept DESCRIPTION MINIMUM nth-arguments...: that many failures at least
swept() {
	local description=$1 minimum=$2
	shift 2
	check "$description" "$HERE/nth" "$@"
	sed 's/^/# /' "$TAP_OUTPUT"
	check_at_least "... each of at least $minimum failures" "$minimum" \
		"$(awk '$1 == "failed" { print $2 }' "$TAP_OUTPUT")"
}

tap_plan 13

hurry
mark=$(kernel_log_lines)
load_module ccnic ring_lines=32 queues=1
swept "add: refused whole or done" 10 1 "$STEP" add cc0
check_equal "... and no device is left over" 0 "$(devices)"
ip link add cc0 type ccnic
swept "up: refused whole or done" 100 1 1 up cc0
ip link set cc0 up
swept "add with a cable: refused whole or done" 10 $((STEP / 2 + 1)) "$STEP" add cc1 cc0
check "... and the wire is whole" eval 'ip link add cc1 link cc0 type ccnic && ip link set cc1 up && wait_until 10 has_carrier "" cc0'
swept "MTU: refused whole or done" 0 1 1 mtu cc0
check "frames pass after all that" wire frames -,cc0 -,cc1 from=60 to=1514 step=50
check "the log speaks of memory and of no fault" kernel_quiet "$mark"
check "unloads" unload_module ccnic
tap_done
