#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# machine: one-cpu one-node cpuless-node tiny-memory
# long: test
#
# Smaller or odd machines: sepia works in a way that it states.
. "$(dirname "$0")/sepia.sh"

tap_plan 9

mapfile -t cpus < <(online_cpus)

mark=$(kernel_log_lines)
check "loads" load_module sepia
log_since "$mark" | sed 's/^/# /'
check_equal "says what it has for ${#cpus[@]} cores" 1 \
	"$(log_since "$mark" | grep -cE "sepia: .*MiB reserved for ${#cpus[@]} cores?")"
check_equal "each core is in the table" "${#cpus[@]}" "$(awk 'NR > 1' "$DEBUG/sepia/cores" | wc -l)"
if [ "$(summary total)" = "$(summary wanted)" ]; then
	pass "nothing is missing"
else
	check "what is missing is said" logged "$mark" "short: cpu [0-9]+: [0-9]+ of 16 MiB"
fi
has_cma || [ "$(summary backend)" != cma ]
check_equal "no CMA without an area" 0 $?

check "a client loads" load_module sepia_selftest
client attach
taken=0
for cpu in "${cpus[@]}"; do
	client take "$cpu" 5000
	taken=$((taken + 5000))
done
check_equal "each core allocates, past its pool's end" "$taken 0" \
	"$(($(summary coloured) + $(summary fallback))) $(summary failed)"
check_equal "what was reserved is used first" "$(summary total)" "$(summary coloured)"
client put "${cpus[0]}" $taken
client stress 500
check_equal "no page had two holders" 0 "$(status mismatches)"
tap_done
