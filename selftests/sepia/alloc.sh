#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What a driver sees: order, node, fall-back, healing, pages that come back from
# other CPUs, and all CPUs at once.
. "$(dirname "$0")/sepia.sh"

tap_plan 29

mapfile -t cpus < <(online_cpus)
one=${cpus[-1]}
other=${cpus[0]}

check "loads" load_module sepia pool_mib=4 groups=32
check "its client loads" load_module sepia_selftest
check "the client becomes a user" client attach
check_equal "who is shown" sepia_selftest "$(awk 'NR == 2 { print $1 }' "$DEBUG/sepia/users")"
check_fails "sepia does not unload under a user" "in use" unload_module sepia

# Stride-1: colours in turn, ascending addresses in each
check "takes 200 pages on CPU $one" client take "$one" 200
check_equal "the colours come in turn" "200 0" "$(awk '
	NR > 1 && $1 % 32 != (last + 1) % 32 { wrong++ }
	{ last = $1 % 32 } END { print NR, wrong + 0 }' "$CLIENT/pages")"
check_equal "and each ascends" 0 "$(awk '
	{ group = $1 % 32; if (group in last && $1 <= last[group]) wrong++; last[group] = $1 }
	END { print wrong + 0 }' "$CLIENT/pages")"
check_equal "all on the CPU's node" "$(node_of "$one")" "$(awk '{ print $2 }' "$CLIENT/pages" | sort -u)"
check_equal "counted as held, on that core alone" "200 200 200" \
	"$(core "$one" in_use) $(core "$one" held) $(summary held)"

# Empty: ordinary pages
check "takes 1000 more than the pool has" client take "$one" 1000
check_equal "what was not there came from the page allocator" "1024 176 0" \
	"$(core "$one" coloured) $(core "$one" fallback) $(core "$one" failed)"
check_equal "the user's counters say the same" "1024 176 0" \
	"$(status coloured) $(status fallback) $(status failed)"
check_equal "no page was given twice" 1200 "$(awk '{ print $1 }' "$CLIENT/pages" | sort -u | wc -l)"
check_equal "ordinary pages are on the node too" "$(node_of "$one")" "$(awk '{ print $2 }' "$CLIENT/pages" | sort -u)"

# Back from another CPU: nobody tells the pool, it finds out
check "all go back on CPU $other" client put "$other" 1200
check_equal "they are back but not yet noticed" "0 1024 0" \
	"$(core "$one" free) $(core "$one" in_use) $(core "$one" held)"
check "takes as many as the pool has" client take "$one" 1024
check_equal "the pool has healed: all coloured" "2048 176" "$(core "$one" coloured) $(core "$one" fallback)"
client put "$one" 1024

# Where the pool is not protected it is not touched
if has_option PROVE_LOCKING || has_option DEBUG_VM; then
	skip "with bottom halves on, and in an interrupt, pages are ordinary" "this kernel warns of such calls, as it should"
elif [ "$one" = "$other" ]; then
	skip "with bottom halves on, and in an interrupt, pages are ordinary" "there is one CPU only"
else
	before=$(($(summary coloured) - $(summary fallback)))
	taskset $((1 << other)) bash -c "echo stray $one >$CLIENT/control"
	check_equal "with bottom halves on, and in an interrupt, pages are ordinary" "2 -2" \
		"$(summary wrong_context) $(($(summary coloured) - $(summary fallback) - before))"
fi

# All CPUs at once, each page going back on another one
before=$(($(summary coloured) + $(summary fallback) + $(summary failed)))
check "all CPUs take and give back for a while" client stress 3000
after=$(($(summary coloured) + $(summary fallback) + $(summary failed)))
diag "$((after - before)) pages, $(summary holes) holes, $(summary skipped) groups skipped, $(summary fallback) ordinary pages"
check_at_least "many pages" $((40000 / TAP_TIME_FACTOR)) $((after - before))
check_equal "no page had two holders" 0 "$(status mismatches)"
check_equal "the counters add up" "$(($(status taken) + $(status missing) + $(summary wrong_context)))" "$after"
check_equal "all pages came back" 0 "$(summary held)"

check "the client leaves" client detach
unload_module sepia_selftest
check "sepia unloads" unload_module sepia

# A core without a pool
load_module sepia pool_mib=2 cpus="$other"
load_module sepia_selftest
client attach
if [ "$one" = "$other" ]; then
	skip "a core without a pool gets ordinary pages, counted" "there is one CPU only"
else
	client take "$one" 10
	check_equal "a core without a pool gets ordinary pages, counted" "0 10" \
		"$(core "$one" coloured) $(core "$one" fallback)"
fi
client take "$other" 10
check_equal "and the other one coloured ones" "10 0" "$(core "$other" coloured) $(core "$other" fallback)"
tap_done
