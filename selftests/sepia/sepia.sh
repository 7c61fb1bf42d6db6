# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What Sepia's selftests share; sourced by each.

. "$(dirname "${BASH_SOURCE[0]}")/../lib/tap.sh"
. "$TAP_LIB/machine.sh"

DEBUG=/sys/kernel/debug
CLIENT="$DEBUG/sepia_selftest"

[ "$(id -u)" = 0 ] || skip_all "needs root"
grep -q " $DEBUG debugfs " /proc/mounts || skip_all "debugfs is not mounted"

# summary KEY: a figure of sepia
summary() {
	awk -v key="$1" '$1 == key { print $2 }' "$DEBUG/sepia/summary"
}

# core CPU COLUMN: a figure of one core, by the table's heading
core() {
	awk -v cpu="$1" -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$1 == cpu { print $column[name] }' "$DEBUG/sepia/cores"
}

# status KEY: a figure of the client
status() {
	awk -v key="$1" '$1 == key { print $2 }' "$CLIENT/status"
}

# client COMMAND...: one command to the client
client() {
	echo "$*" >"$CLIENT/control"
}

# log_since MARK: what sepia has logged since
log_since() {
	dmesg | tail -n "+$(($1 + 1))" | grep -E 'sepia(_selftest)?: '
}

# logged MARK PATTERN
logged() {
	log_since "$1" | grep -qE -- "$2"
}

# has_cma: does this kernel have areas that sepia could take from?
has_cma() {
	[ "$(awk '$1 == "CmaTotal:" { print $2 }' /proc/meminfo)" -gt 0 ] 2>/dev/null
}

# has_option NAME: unknown counts as not there
has_option() {
	zcat /proc/config.gz 2>/dev/null | grep -qE "^CONFIG_$1=[ym]"
}

# unload_all: whatever a test left loaded
unload_all() {
	module_loaded sepia_selftest && rmmod sepia_selftest
	module_loaded sepia && rmmod sepia
	return 0
}

unload_all
at_exit unload_all
