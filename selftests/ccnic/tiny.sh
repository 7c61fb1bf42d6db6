#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# machine: tiny-memory
# long: test
#
# Too little memory: refused with one line that says so, nothing kept; less of it
# works.
. "$(dirname "$0")/ccnic.sh"

tap_plan 10

spaces_make
load_module ccnic ring_lines=4096 queues=8
ip -n cca link add cc0 type ccnic
before=$(mem_free_kb)
mark=$(kernel_log_lines)
check_fails "more than there is is refused" "Cannot allocate memory" ip -n cca link set cc0 up
check "... and the log says how much it was" logged "$mark" "cc0: no memory for a region of [0-9]+ KiB"
check_equal "... in one line" 1 "$(log_since "$mark" | wc -l)"
check "... nobody was killed for it, no other fault" kernel_quiet "$mark"
lost=$((before - $(mem_free_kb)))
diag "free before: $before kB, less after: $lost kB"
check_at_most "... and nothing is kept" 8192 "$lost"
check "the device is down" no_carrier cca cc0
check "unloads" unload_module ccnic

load_module ccnic ring_lines=64 queues=2
check "shorter rings fit" pair_make
addresses_add cc0 cc1
check "pings are answered" ip netns exec cca ping -q -n -c 10 -i 0.01 -W 5 -s 1400 $B4
check "TCP flows both ways" wire stream "cca,$A4" "ccb,$B4" bytes=1000000
tap_done
