#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Loading, what is shown then, unloading, and nothing lost over many rounds.
. "$(dirname "$0")/sepia.sh"

ROUNDS=${ROUNDS:-$((12 / TAP_TIME_FACTOR))}

tap_plan 14

mark=$(kernel_log_lines)
cpus=$(online_cpus | wc -l)

check "loads" load_module sepia
check "says in one line what it has" \
	test "$(log_since "$mark" | grep -cE 'MiB reserved for .* cores?, back end .*, .* page groups \(.*\)')" = 1
if has_cma; then
	want=cma
else
	want=contig
fi
check_equal "the back end is the first one that can serve" $want "$(summary backend)"
check_equal "32 groups, by default" "32 default" "$(summary groups) $(summary groups_origin)"
check_equal "each core that is online has a pool" "$cpus" "$(summary cores)"
check_equal "of 16 MiB" "$((cpus * 4096))" "$(summary total)"
check_equal "all of it free" "$(summary total) 0 0" "$(summary free) $(summary in_use) $(summary held)"
check_equal "nothing counted yet" "0 0 0" "$(summary coloured) $(summary fallback) $(summary failed)"

wrong=0
for cpu in $(online_cpus); do
	[ "$(core "$cpu" node)" = "$(node_of "$cpu")" ] || wrong=$((wrong + 1))
done
check_equal "each pool is on its core's node" 0 $wrong
check_fails "is not loaded twice" "File exists" load_module sepia

check "unloads" unload_module sepia
check "takes its files along" test ! -e "$DEBUG/sepia"

before=$(mem_free_kb)
failed=0
for ((round = 0; round < ROUNDS; round++)); do
	load_module sepia pool_mib=$((2 + round % 8 * 2)) && unload_module sepia || failed=$((failed + 1))
done
check_equal "$ROUNDS rounds of loading and unloading" 0 $failed

# One pool lost in each round would be far more; caches of the kernel's own move
sync
lost=$((before - $(mem_free_kb)))
diag "free memory fell by $lost kB"
check_at_most "give back what they took" 4096 "$lost"
tap_done
