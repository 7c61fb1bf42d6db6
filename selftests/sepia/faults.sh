#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# kernel: test
# long: test
#
# Memory is refused to sepia at any place, while loading and while allocating.
. "$(dirname "$0")/sepia.sh"

need_option FAILSLAB FAIL_PAGE_ALLOC FAULT_INJECTION_DEBUG_FS FAULT_INJECTION_STACKTRACE_FILTER
SLAB="$DEBUG/failslab"
PAGE="$DEBUG/fail_page_alloc"
ROUNDS=${ROUNDS:-8}

# shellcheck disable=SC2317 # called at the end
faults_off() {
	echo 0 >"$SLAB/probability"
	echo 0 >"$PAGE/probability"
}
at_exit faults_off
for dir in $SLAB $PAGE; do
	echo 0 >"$dir/verbose" # each fault would print a call trace
	echo -1 >"$dir/times"
	echo 1 >"$dir/interval"
	# Of modules only: what x86 keeps for their text
	echo 0xffffffffa0000000 >"$dir/require-start"
	echo 0xffffffffff000000 >"$dir/require-end"
	echo N >"$dir/ignore-gfp-wait"
done

tap_plan 8

# Refused at random while sepia loads
loaded=0 refused=0 odd=0 short=0
for ((round = 0; round < ROUNDS; round++)); do
	echo $((2 + round * 5 % 24)) >"$SLAB/probability"
	if load_module sepia pool_mib=2 2>/dev/null; then
		echo 0 >"$SLAB/probability"
		loaded=$((loaded + 1))
		# Its debugfs files may have been refused as well
		read -r wanted total free < <(awk '
			{ value[$1] = $2 }
			END { print value["wanted"] + 0, value["total"] + 0, value["free"] + 0 }
			' "$DEBUG/sepia/summary" 2>/dev/null || echo 1 0 0)
		[ "$total" = "$wanted" ] || short=$((short + 1))
		[ "$total" = "$free" ] || odd=$((odd + 1))
		unload_module sepia || odd=$((odd + 1))
	else
		echo 0 >"$SLAB/probability"
		refused=$((refused + 1))
		module_loaded sepia && odd=$((odd + 1))
	fi
done
diag "$ROUNDS times: $loaded loaded ($short with less than wanted), $refused refused"
check_equal "loaded or refused, never half" 0 $odd
check_at_least "some were hit" 1 $((short + refused))

check "loads whole without faults" load_module sepia pool_mib=2
check_equal "nothing was lost" "$(summary wanted)" "$(summary total)"

# No ordinary page to fall back to
load_module sepia_selftest
client attach
cpu=$(online_cpus | tail -n 1)
client take "$cpu" 512
echo 0 >"$PAGE/min-order"
echo N >"$PAGE/ignore-gfp-highmem"
echo 100 >"$PAGE/probability"
client take "$cpu" 50
echo 0 >"$PAGE/probability"
check_equal "an allocation that gets nothing is counted" "50 50" "$(core "$cpu" failed) $(status missing)"
client put "$cpu" 24
echo 100 >"$PAGE/probability"
# A batch of 16 that meets a failure has swept one step at least: 512 / 8 of them
client take "$cpu" $((16 * 512 / 8))
echo 0 >"$PAGE/probability"
check_equal "the pool heals under such pressure" $((512 + 24)) "$(core "$cpu" coloured)"
check_equal "the counters add up" "$(($(status taken) + $(status missing)))" \
	"$(($(summary coloured) + $(summary fallback) + $(summary failed)))"
client put "$cpu" 100000
check_equal "no page had two holders" 0 "$(status mismatches)"
tap_done
