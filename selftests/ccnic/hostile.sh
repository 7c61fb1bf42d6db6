#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC2317 # functions are called through check
#
# Each side is shown what a peer that has gone wild would write into the region.
# A descriptor that names what is not the peer's is refused and counted; a signal
# that makes no sense is loss of step: the device is reset, and traffic goes on.
. "$(dirname "$0")/ccnic.sh"

# region DEVICE COMMAND...: see region --help
region() {
	"$HERE/region" "$(folder "$1")/region" "${@:2}"
}

# there_unheard COUNT: frames that nobody awaits, long enough to be kept
there_unheard() {
	wire blast cca,cc0 ccb,cc1 count="$1" size=1000
}
back_unheard() {
	wire blast ccb,cc1 cca,cc0 count=1 size=1000
}

flows() {
	wire frames cca,cc0 ccb,cc1 from=60 to=1514 step=97
}

resets() {
	estat cca cc0 resets
}

# reset_since COUNT
reset_since() {
	[ "$(resets)" -gt "$1" ] && has_carrier cca cc0 && has_carrier ccb cc1
}

# loses_step DESCRIPTION WHAT-MAKES-IT-BE-SEEN COMMAND...: cc0 is reset, once
loses_step() {
	local description=$1 look=$2 before
	shift 2
	before=$(resets)
	check "$description" region cc0 "$@"
	$look >/dev/null
	check "... is seen, and the device reset" wait_until 10 reset_since "$before"
	check "... and traffic goes on" flows
	check_equal "... after one reset" $((before + 1)) "$(resets)"
}

# refused DESCRIPTION tx|rx DESC...: counted at its reader, and all goes on
refused() {
	local description=$1 ring=$2 counter=nic0_drop_bad before resets
	shift 2
	[ "$ring" = tx ] || counter=rx_drop_bad
	before=$(estat cca cc0 $counter)
	resets=$(resets)
	region cc0 desc "$ring" 0 "$@"
	if [ "$ring" = rx ]; then
		there_unheard 1 >/dev/null # its completion has the host look at its RX ring
	fi
	check "$description: refused" wait_until 5 more_than "$before" $counter
	if [ "$ring" = rx ]; then back_unheard; else there_unheard 1; fi >/dev/null
	check "... and traffic goes on" flows
	check_equal "... counted once, without a reset" "$((before + 1)) $resets" \
		"$(estat cca cc0 $counter) $(resets)"
}

# more_than COUNT COUNTER
more_than() {
	[ "$(estat cca cc0 "$2")" -gt "$1" ]
}

# use_small_buffers: until the host needs more of them
use_small_buffers() {
	local i before
	before=$(resets)
	for ((i = 0; i < 40 && $(resets) == before; i++)); do
		wire frames cca,cc0 ccb,cc1 from=200 to=250 step=1 || break
	done >/dev/null 2>&1
}

BUFFER=1 PAGE=2 INLINE=3
NOBODYS=$((0x80000000))

tap_plan $((6 * 4 + 9 * 3 + 4))

hurry
spaces_make_quiet
mark=$(kernel_log_lines)
load_module ccnic queues=1 ring_lines=32
SPIN=/sys/module/ccnic/parameters/spin_us
echo 60000000 >$SPIN # the NIC looks all the time
pair_make
check "frames pass" flows

refused "TX: a small buffer that the NIC has itself" tx 0 0 60 $BUFFER
refused "TX: a small buffer that there is not" tx 0x7fffffff 0 60 $BUFFER
refused "TX: memory that nobody mapped" tx $((NOBODYS + 5)) 0 60 $PAGE
refused "TX: a mapping of another queue" tx $((NOBODYS + 4096)) 0 60 $PAGE
refused "TX: more bytes than a cell has" tx 0 0 129 $INLINE
refused "TX: a packet of no bytes" tx 0 0 0 $INLINE
refused "RX: a small buffer that the host has not lent" rx 0x7fffffff 0 60 $BUFFER
refused "RX: a page that there is not" rx 0xffffffff 0 600 $PAGE
refused "RX: more bytes than a cell has" rx 0 0 129 $INLINE

loses_step "TX: a signal of another line" true signal tx 0 0x12340002
loses_step "TX: a signal of nonsense" true signal tx 0 0xffffffff
loses_step "RX: a signal of another line" "there_unheard 1" signal rx 0 0x12340002
check "small buffers are in use" wire frames cca,cc0 ccb,cc1 from=200 to=250
loses_step "supply: a batch that is none" use_small_buffers batch supply 0 0x12345678
loses_step "offer: a batch that is none" back_unheard batch offer 0 0x12345678
echo 0 >$SPIN
check "the NIC sleeps" flows
expect_fault "NETDEV WATCHDOG: .*transmit queue 0 timed out|WARNING: .*dev_watchdog|Call Trace"
loses_step "a NIC that does not wake" "there_unheard 40" awake

check "the log speaks of the resets and of no fault" kernel_quiet "$mark"
tap_done
