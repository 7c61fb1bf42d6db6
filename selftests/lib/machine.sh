# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What selftests ask of the machine itself; sourced by each part's own file.

# node_of CPU
node_of() {
	local node
	for node in /sys/devices/system/cpu/cpu"$1"/node*; do
		[ ! -e "$node" ] || echo "${node##*node}"
	done
}

# online_cpus: one a line
online_cpus() {
	local first last
	tr , '\n' </sys/devices/system/cpu/online | while IFS=- read -r first last; do
		seq "$first" "${last:-$first}"
	done
}

# mem_free_kb: free memory of the machine, with what CPUs keep in their lists
mem_free_kb() {
	awk '
		FILENAME == "/proc/meminfo" { if ($1 == "MemFree:") free = $2; next }
		/^ +cpu:/ { listed = 1 }
		listed && $1 == "count:" { free += 4 * $2; listed = 0 }
		END { print free }' /proc/meminfo /proc/zoneinfo
}
