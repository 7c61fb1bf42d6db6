#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# machine: tiny-memory
# long: test
#
# More is asked for than there is: sepia takes a part and says so, the machine
# stays usable, and allocations go on with ordinary pages.
. "$(dirname "$0")/sepia.sh"

tap_plan 9

mapfile -t cpus < <(online_cpus)
one=${cpus[-1]}
wanted=$((${#cpus[@]} * 1024))
before=$(mem_free_kb)

mark=$(kernel_log_lines)
check "loads although $wanted MiB are not there" load_module sepia pool_mib=1024
check_equal "one line tells how much there is" 1 \
	"$(log_since "$mark" | grep -cE "sepia: [0-9]+ of $wanted MiB reserved for ${#cpus[@]} cores?")"
check "it names the cores that have less" logged "$mark" "short: cpu ${cpus[0]}: [0-9]+ of 1024 MiB"
check "and the limit" logged "$mark" "sepia: node [0-9]+: [0-9]+ MiB wanted, at most half of its [0-9]+ MiB of free memory is taken"
log_since "$mark" | sed 's/^/# /'
check_at_least "at least half of the free memory is left" $((before / 2 - 8192)) "$(mem_free_kb)"
check_at_least "something was reserved all the same" 512 "$(summary total)"

load_module sepia_selftest
client attach
pages=$(core "$one" total)
pages=$((pages < 60000 ? pages : 60000))
client take "$one" $pages
check_equal "all that was reserved is used" "$pages 0" "$(core "$one" coloured) $(core "$one" fallback)"
client put "$one" $pages
client detach
unload_module sepia_selftest
check "unloads" unload_module sepia

lost=$((before - $(mem_free_kb)))
diag "free memory fell by $lost kB"
check_at_most "gives all of it back" 8192 "$lost"
tap_done
