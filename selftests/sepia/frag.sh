#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# machine: tiny-memory
# kernel: stock-6.1 stock-6.12
# run: long
#
# Memory is strewn with pages that cannot be moved: pools are put together from
# 2 MiB blocks.
. "$(dirname "$0")/sepia.sh"

tap_plan 8

mapfile -t cpus < <(online_cpus)
one=${cpus[-1]}

# Ordinary pages over nearly all of the memory, then one kept for about each 3 MiB.
# What the kernel can move, such as files of the initramfs, leaves larger ranges.
load_module sepia pool_mib=2 cpus=0
load_module sepia_selftest
client attach
client take "$one" $((($(mem_free_kb) - 40 * 1024) / 4))
check "nearly all of the memory is taken" client thin 800
kept=$(status held)
diag "$kept pages stay"
client detach
unload_module sepia

mark=$(kernel_log_lines)
check "loads" load_module sepia backend=contig pool_mib=12
log_since "$mark" | sed 's/^/# /'
check_at_least "most of it is found" $(($(summary wanted) * 2 / 3)) "$(summary total)"

client attach
for cpu in "${cpus[@]}"; do
	client take "$cpu" "$(core "$cpu" total)"
done
check_equal "what was found can be used" "$(summary total) 0" "$(summary coloured) $(summary fallback)"
runs=$(tail -n +$((kept + 1)) "$CLIENT/pages" | sort -n | awk '$1 != last + 1 { runs++ } { last = $1 } END { print runs }')
diag "$runs runs of contiguous pages"
check_at_least "from more runs than pools" $((${#cpus[@]} + 1)) "$runs"
check_equal "whole blocks only" 0 "$(tail -n +$((kept + 1)) "$CLIENT/pages" | awk '
	{ pages[int($1 / 512)]++ } END { for (block in pages) wrong += pages[block] != 512; print wrong + 0 }')"
check_equal "the colours come in turn all the same" 0 "$(tail -n +$((kept + 1)) "$CLIENT/pages" | awk '
	NR > 1 && $1 % 32 != (last + 1) % 32 { wrong++ } { last = $1 } END { print wrong + 0 }')"
client put "$one" 100000
check_equal "no page had two holders" 0 "$(status mismatches)"
tap_done
