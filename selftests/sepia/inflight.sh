#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Sepia unloads while pages are still held, as by sockets, for each back end.
. "$(dirname "$0")/sepia.sh"

PER_BACKEND=7
tap_plan $((3 * PER_BACKEND + 5))

cpu=$(online_cpus | tail -n 1)

# begin BACKEND LINGER: 500 pages held, by nobody that sepia knows
begin() {
	load_module sepia backend="$1" linger="$2" pool_mib=8 cpus="$cpu" &&
		load_module sepia_selftest && client attach &&
		[ "$(summary backend)" = "$1" ] &&
		client take "$cpu" 100 && client put "$cpu" 50 &&
		client take "$cpu" 450 && client detach
}

for backend in contig buddy cma; do
	if [ $backend = cma ] && ! has_cma; then
		for ((i = 0; i < PER_BACKEND; i++)); do
			skip "back end cma, pages in flight ($((i + 1)))" "this kernel has no CMA area"
		done
		continue
	fi
	before=$(mem_free_kb)
	check "$backend: 500 pages are held" begin $backend 0
	mark=$(kernel_log_lines)
	check "$backend: sepia unloads" unload_module sepia
	check "$backend: and says that they are" logged "$mark" 'sepia: 500 pages are still held'

	# Other pages, with stamps of their own: were one of ours free, it would be hit
	load_module sepia backend=buddy pool_mib=4
	client attach
	for other in $(online_cpus); do
		client take "$other" 1500
	done
	check "$backend: others take pages meanwhile" client check
	client detach
	unload_module sepia
	check_equal "$backend: nobody was given the ones held" 0 "$(status mismatches)"
	client put "$cpu" 100000
	check_equal "$backend: the last holder frees them" "0 0" "$(status held) $(status mismatches)"
	unload_module sepia_selftest
	lost=$((before - $(mem_free_kb)))
	diag "$backend: free memory fell by $lost kB"
	check_at_most "$backend: free memory is as before" 4096 "$lost"
done

if has_cma; then
	mark=$(kernel_log_lines)
	begin cma 60
	unload_module sepia &
	unloading=$!
	check "cma: unloading waits for the pages" wait_until 20 logged "$mark" '500 pages of a CMA area are still held, waiting up to 60 s'
	start=$SECONDS
	client put "$cpu" 500
	check "cma: it ends when they come back" wait $unloading
	check_equal "cma: long before its time is up" 1 $((SECONDS - start < 40))
	check "cma: nothing is lost then" eval "! logged $mark 'lost to the CMA area'"
	load_module sepia pool_mib=8 cpus="$cpu"
	check_equal "cma: the area serves again" cma "$(summary backend)"
else
	for ((i = 0; i < 5; i++)); do
		skip "back end cma waits ($((i + 1)))" "this kernel has no CMA area"
	done
fi
tap_done
