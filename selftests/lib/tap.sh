# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# TAP version 13 for shell selftests. Use:
#
#	. "$(dirname "$0")/../lib/tap.sh"
#	tap_plan 2
#	load_module sepia
#	check "the pools stand" test -e /sys/kernel/debug/sepia/summary
#	check_fails "nonsense is refused" "nic_cpu" load_module ccnic nic_cpu=999
#	tap_done
#
# A program exits with 0 when all passed, 1 when something failed, 4 when all was
# skipped. What was registered with at_exit is undone in reverse order however it
# ends. A header line "# machine: NAME..." names the machines it runs on (default
# two-node), "# kernel: NAME..." the kernels (default all: stock-6.1 stock-6.12
# test), "# run: long" leaves it to "make check-long", "# timeout: S" is its time
# limit in seconds, where the one in its folder's settings does not suit it.

TAP_LIB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TAP_PLAN=0 TAP_COUNT=0 TAP_FAILED=0 TAP_SKIPPED=0
TAP_AT_EXIT=()
TAP_OUTPUT=$(mktemp)
# Awaited conditions get this many times longer on kernels full of checkers
TAP_TIME_FACTOR=${TAP_TIME_FACTOR:-1}

# tap_plan COUNT: comes first
tap_plan() {
	TAP_PLAN=$1
	echo "TAP version 13"
	echo "1..$1"
}

# diag TEXT...: each line of it as a comment
diag() {
	printf '%s\n' "$*" | sed 's/^/# /'
}

# pass DESCRIPTION
pass() {
	TAP_COUNT=$((TAP_COUNT + 1))
	echo "ok $TAP_COUNT - $1"
}

# fail DESCRIPTION [REASON]
fail() {
	TAP_COUNT=$((TAP_COUNT + 1))
	TAP_FAILED=$((TAP_FAILED + 1))
	echo "not ok $TAP_COUNT - $1"
	[ -z "${2:-}" ] || diag "$2"
}

# skip DESCRIPTION REASON
skip() {
	TAP_COUNT=$((TAP_COUNT + 1))
	TAP_SKIPPED=$((TAP_SKIPPED + 1))
	echo "ok $TAP_COUNT - $1 # SKIP $2"
}

# skip_all REASON: instead of tap_plan
skip_all() {
	echo "TAP version 13"
	echo "1..0 # SKIP $1"
	TAP_PLAN=0
	exit 4
}

# check DESCRIPTION COMMAND...: passes when it succeeds; shows its output if not
check() {
	local description=$1 status=0
	shift
	"$@" >"$TAP_OUTPUT" 2>&1 || status=$?
	if [ "$status" = 0 ]; then
		pass "$description"
	else
		fail "$description" "status $status: $*"
		sed 's/^/# /' "$TAP_OUTPUT" | tail -n 30
	fi
	return "$status"
}

# check_fails DESCRIPTION PATTERN COMMAND...: passes when it fails and what it
# prints, or what the kernel logs meanwhile, matches the extended expression
check_fails() {
	local description=$1 pattern=$2 mark
	shift 2
	mark=$(kernel_log_lines)
	if "$@" >"$TAP_OUTPUT" 2>&1; then
		fail "$description" "succeeded: $*"
		return 1
	fi
	dmesg | tail -n "+$((mark + 1))" >>"$TAP_OUTPUT"
	if grep -qE -- "$pattern" "$TAP_OUTPUT"; then
		pass "$description"
	else
		fail "$description" "failed, but without a message like \"$pattern\": $*"
		sed 's/^/# /' "$TAP_OUTPUT" | tail -n 30
		return 1
	fi
}

# check_equal DESCRIPTION WANTED FOUND
check_equal() {
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1" "wanted: $2"
		diag "found:  $3"
		return 1
	fi
}

# check_at_most DESCRIPTION MAXIMUM FOUND: whole numbers
check_at_most() {
	if [[ $3 =~ ^-?[0-9]+$ ]] && [ "$3" -le "$2" ]; then
		pass "$1"
	else
		fail "$1" "wanted at most: $2"
		diag "found:          $3"
		return 1
	fi
}

# check_at_least DESCRIPTION MINIMUM FOUND: whole numbers
check_at_least() {
	if [[ $3 =~ ^-?[0-9]+$ ]] && [ "$3" -ge "$2" ]; then
		pass "$1"
	else
		fail "$1" "wanted at least: $2"
		diag "found:           $3"
		return 1
	fi
}

# bail REASON: nothing that follows would make sense
bail() {
	echo "Bail out! $1"
	TAP_FAILED=$((TAP_FAILED + 1))
	exit 1
}

# at_exit COMMAND...: run when the program ends, last registered first
at_exit() {
	TAP_AT_EXIT+=("$(printf '%q ' "$@")")
}

tap_finish() {
	local status=$? last
	trap - EXIT
	for ((last = ${#TAP_AT_EXIT[@]} - 1; last >= 0; last--)); do
		eval "${TAP_AT_EXIT[last]}" >/dev/null 2>&1
	done
	rm -f "$TAP_OUTPUT"
	if [ "$TAP_COUNT" != "$TAP_PLAN" ]; then
		diag "planned $TAP_PLAN tests but ran $TAP_COUNT"
		[ "$status" = 4 ] || status=1
	fi
	[ "$TAP_FAILED" = 0 ] || status=1
	exit "$status"
}
trap tap_finish EXIT
trap 'exit 1' INT TERM

# tap_done: comes last
tap_done() {
	if [ "$TAP_FAILED" != 0 ]; then
		exit 1
	elif [ "$TAP_SKIPPED" -gt 0 ] && [ "$TAP_SKIPPED" = "$TAP_COUNT" ]; then
		exit 4
	fi
	exit 0
}

# wait_until SECONDS COMMAND...: polls until it succeeds; fails when time is up
wait_until() {
	local end
	end=$((SECONDS + $1 * TAP_TIME_FACTOR))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -le "$end" ] || return 1
		sleep 0.1
	done
}

# load_module NAME [PARAMETER]...: the one under test, else the installed one
load_module() {
	local name=$1 file=${CCNIC_MODULES:-/ccnic/modules}/$1.ko
	shift
	if [ -e "$file" ]; then
		insmod "$file" "$@"
	else
		modprobe "$name" "$@"
	fi
}

# unload_module NAME
unload_module() {
	rmmod "$1"
}

# module_loaded NAME
module_loaded() {
	[ -e "/sys/module/$1/initstate" ]
}

# kernel_log_lines: length of the kernel log, to compare with later
kernel_log_lines() {
	dmesg | wc -l
}

# kernel_faults MARK: lines after the mark that tell of a fault
kernel_faults() {
	dmesg | tail -n "+$(($1 + 1))" | "$TAP_LIB/faults"
}

# expect_fault PATTERN: a fault of the kernel's that this program causes on purpose
expect_fault() {
	echo "ccnic-vm: expects $1" >/dev/kmsg
}

# kernel_quiet MARK: true when there are none
kernel_quiet() {
	! kernel_faults "$1"
}

# need_option NAME...: skips all when the kernel was built without one of them;
# where the configuration cannot be read the test runs
need_option() {
	local option config
	config=$(zcat /proc/config.gz 2>/dev/null) || return 0
	[ -n "$config" ] || return 0
	for option; do
		grep -qE "^CONFIG_$option=[ym]" <<<"$config" || skip_all "this kernel has no CONFIG_$option"
	done
}

# netns_add NAME: deleted at exit
netns_add() {
	ip netns add "$1" || return
	at_exit ip netns del "$1"
	ip -n "$1" link set lo up
}
