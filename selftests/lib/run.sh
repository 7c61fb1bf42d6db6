#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs selftest programs one after the other, in the guest or on a real machine.
# Usage: selftests/lib/run.sh [PART/PROGRAM]...    (all of them by default)
#
# Around each program's own TAP it prints "#### begin PART/PROGRAM" and
# "#### end PART/PROGRAM STATUS", and between them "#### fault TEXT" for what the
# program left behind: a fault in the kernel log, an interface, a namespace, a
# module of ours.
set -u

top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1

# machine_state: what a program has to leave as it found it
machine_state() {
	ip -o link | awk -F': ' '{ print "interface " $2 }'
	ip netns list | awk '{ print "namespace " $1 }'
	awk '$1 == "ccnic" || $1 == "sepia" { print "module " $1 }' /proc/modules
}

# timeout_of PART PROGRAM: seconds, from the program's own header or the part's
# settings file
timeout_of() {
	local value
	value=$(head -n 30 "$1/$2" | sed -n 's/^# timeout: *//p')
	[ -n "$value" ] || value=$(sed -n 's/^timeout=//p' "$1/settings" 2>/dev/null)
	echo "${value:-45}"
}

# faults_after MARK
faults_after() {
	dmesg | tail -n "+$(($1 + 1))" | lib/faults | head -n 10
}

run_one() {
	local part=${1%/*} program=${1##*/} limit mark before after status=0 line
	limit=$(timeout_of "$part" "$program")
	mark=$(dmesg | wc -l)
	before=$(machine_state)
	echo "#### begin $1"
	echo "ccnic-vm: begin $1" >/dev/kmsg 2>/dev/null
	(cd "$part" && timeout -k 10 "$limit" "./$program" </dev/null 2>&1) || status=$?
	after=$(machine_state)
	faults_after "$mark" | while IFS= read -r line; do
		echo "#### fault kernel log: $line"
	done
	if [ "$before" != "$after" ]; then
		diff <(printf '%s\n' "$before") <(printf '%s\n' "$after") | sed -n 's/^> /#### fault left behind: /p; s/^< /#### fault removed: /p'
	fi
	echo "#### end $1 $status"
}

if [ $# = 0 ]; then
	# shellcheck disable=SC2046 # a list of names without spaces
	set -- $(make -s list)
fi
if [ -e /sys/kernel/debug/kmemleak ] && [ -z "${TAP_TIME_FACTOR:-}" ]; then
	export TAP_TIME_FACTOR=4
fi
for name; do
	run_one "$name"
done
