#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# kernel: test
#
# Memory is refused while packets are received: what is lost is counted, and all
# heals when there is memory again.
. "$(dirname "$0")/ccnic.sh"

need_option FAILSLAB FAIL_PAGE_ALLOC FAULT_INJECTION_DEBUG_FS FAULT_INJECTION_STACKTRACE_FILTER
SLAB=/sys/kernel/debug/failslab
PAGE=/sys/kernel/debug/fail_page_alloc

# Only the driver's own allocations for reception are refused, nobody else's.
# ranges SYMBOL...: first address and the one behind it, of each
ranges() {
	sort /proc/kallsyms | awk -v names="$*" '
		BEGIN { split(names, list, " "); for (i in list) want[list[i]] = 1 }
		open && $1 != start { print open, "0x" start, "0x" $1; open = "" }
		$3 in want && $2 ~ /[tT]/ { open = $3; start = $1 }'
}
RANGES=''

# only_in SYMBOL [BUT-NOT-IN]: sets the filter of both kinds of faults
only_in() {
	local dir name from to
	[ -n "$RANGES" ] || RANGES=$(ranges ccnic_pages_refill ccnic_rx_poll napi_gro_receive)
	while read -r name from to; do
		for dir in "$SLAB" "$PAGE"; do
			if [ "$name" = "$1" ]; then
				echo "$from" >"$dir/require-start"
				echo "$to" >"$dir/require-end"
			elif [ "$name" = "${2:-}" ]; then
				echo "$from" >"$dir/reject-start"
				echo "$to" >"$dir/reject-end"
			fi
		done
	done <<<"$RANGES"
	grep -q "^$1 " <<<"$RANGES"
}

faults() {
	echo "$2" >"$1/probability"
}
# shellcheck disable=SC2317 # called at the end
faults_off() {
	local dir file
	for dir in "$SLAB" "$PAGE"; do
		faults "$dir" 0
		for file in require-start reject-start reject-end; do
			echo 0 >"$dir/$file"
		done
		echo 0xffffffffffffffff >"$dir/require-end"
	done
	echo 1 >"$PAGE/min-order"
}
at_exit faults_off
for dir in $SLAB $PAGE; do
	echo 0 >"$dir/verbose"
	echo -1 >"$dir/times"
	echo 1 >"$dir/interval"
	echo 32 >"$dir/stacktrace-depth"
	echo Y >"$dir/ignore-gfp-wait" # refuse those only that cannot wait
done
echo 0 >"$PAGE/min-order"

# balance: packets sent by cc0 that neither arrived at cc1 nor were counted
balance() {
	echo $(($(nstat cca cc0 tx_packets) - $(nstat ccb cc1 rx_packets) - \
		$(estat ccb cc1 'nic._drop_no_buffer') - $(estat ccb cc1 'rx_drop_.*')))
}
# shellcheck disable=SC2317 # called through wait_until
balanced() {
	[ "$(balance)" = 0 ]
}

# accounted DESCRIPTION
accounted() {
	check "$1" wait_until 30 balanced || diag "$(balance) are missing; cc0: $(drops cca cc0) cc1: $(drops ccb cc1)"
}

tap_plan 17

spaces_make_quiet
load_module ccnic ring_lines=32
pair_make
mark=$(kernel_log_lines)

check "frames arrive" wire frames cca,cc0 ccb,cc1 from=60 to=1514 step=50
check_equal "... and are counted at both ends" 0 "$(balance)"

check "faults can be limited to the refill" only_in ccnic_pages_refill
faults "$PAGE" 100
wire blast cca,cc0 ccb,cc1 count=600 size=1514 >/dev/null
accounted "with no page to be had, every frame is accounted for"
faults "$PAGE" 0
diag "received $(nstat ccb cc1 rx_packets), no buffer $(estat ccb cc1 'nic._drop_no_buffer'), no memory $(estat ccb cc1 rx_drop_memory)"
check_at_least "... some were lost for want of a buffer" 1 "$(estat ccb cc1 'nic._drop_no_buffer')"
check_equal "... which are missed packets" "$(estat ccb cc1 'nic._drop_no_buffer')" "$(nstat ccb cc1 rx_missed_errors)"
check_at_least "... and refills failed" 1 "$(estat ccb cc1 'rx._refill_failures')"
check "it heals" wait_until 10 wire frames cca,cc0 ccb,cc1 from=60 to=1514 step=50 count=4 timeout_ms=500

check "faults can be limited to reception" only_in ccnic_rx_poll napi_gro_receive
faults "$SLAB" 100
wire blast cca,cc0 ccb,cc1 count=500 size=100 >/dev/null
wire blast cca,cc0 ccb,cc1 count=500 size=1514 >/dev/null
accounted "with no skb to be had, every frame is accounted for"
faults "$SLAB" 0
check_at_least "... some were lost for want of memory" 1 "$(estat ccb cc1 rx_drop_memory)"
check "it heals" wait_until 10 wire frames cca,cc0 ccb,cc1 from=60 to=1514 step=50 count=4 timeout_ms=500

ip -n cca addr add $A4/24 dev cc0
ip -n ccb addr add $B4/24 dev cc1
ip netns exec cca ping -q -n -c 1 -W 5 $B4 >/dev/null
faults "$SLAB" 5
check "TCP survives when every 20th skb is refused" \
	wire stream "cca,$A4" "ccb,$B4" bytes=1000000
faults "$SLAB" 0
only_in ccnic_pages_refill
faults "$PAGE" 30
check "... and when every third page is" wire stream "cca,$A4" "ccb,$B4" bytes=1000000
faults "$PAGE" 0
accounted "every packet of it is accounted for"
check_equal "nothing was reset or made no sense" "0 0" "$(estat ccb cc1 resets) $(estat ccb cc1 rx_drop_bad)"
check "no fault in the kernel log" kernel_quiet "$mark"
tap_done
