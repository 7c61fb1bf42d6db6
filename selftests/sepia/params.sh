#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# long: test
#
# Each wrong parameter is refused with one line that names the parameter, what
# it was given and what it takes; nothing stays behind. Right ones are obeyed.
. "$(dirname "$0")/sepia.sh"

last=$(online_cpus | tail -n 1)
none=$((last + 100))

WRONG=(
	"pool_mib=0|pool_mib=0: must be .* 2 to 1024"
	"pool_mib=1|pool_mib=1: must be an even number"
	"pool_mib=15|pool_mib=15: must be an even number"
	"pool_mib=1026|pool_mib=1026: must be .* 2 to 1024"
	"pool_mib=-2|pool_mib=-2: must be"
	"pool_mib=99999999999|pool_mib=99999999999: must be"
	"pool_mib=many|pool_mib=many: must be"
	"pool_mib=|pool_mib=: must be"
	"groups=0|groups=0: must be auto or a power of two from 1 to 512"
	"groups=3|groups=3: must be .* power of two"
	"groups=1024|groups=1024: must be .* 1 to 512"
	"groups=x|groups=x: must be"
	"backend=slab|backend=slab: must be auto, cma, contig or buddy"
	"backend=|backend=: must be"
	"linger=3601|linger=3601: must be .* 0 to 3600"
	"linger=-1|linger=-1: must be"
	"cpus=$none|cpus=$none: must be a list of CPUs that are online, out of 0"
	"cpus=0,$none|cpus=0,$none: must be"
	"cpus=zero|cpus=zero: must be"
	"cpus=|cpus=: must be"
)

# Kernels full of checkers are slow: there, the first case of each parameter
if [ "$TAP_TIME_FACTOR" -gt 1 ]; then
	mapfile -t WRONG < <(printf '%s\n' "${WRONG[@]}" | awk -F= '!seen[$1]++')
fi

# refused PARAMETER PATTERN: in one line of ours, and nothing stays
# shellcheck disable=SC2317 # called through check
refused() {
	local log line lines=0 found=1
	echo "params.sh: $1" >/dev/kmsg
	if load_module sepia "$1"; then
		echo "it was taken"
		return 1
	fi
	log=$(dmesg)
	log=${log##*params.sh: "$1"}
	while IFS= read -r line; do
		[[ $line = *sepia:* && $line != *taint* ]] || continue
		echo "$line"
		lines=$((lines + 1))
		[[ ! $line =~ sepia:\ $2 ]] || found=0
	done <<<"$log"
	[ "$found $lines" = "0 1" ] && ! module_loaded sepia && [ ! -e "$DEBUG/sepia" ]
}

tap_plan $((${#WRONG[@]} + 12))

for case in "${WRONG[@]}"; do
	check "${case%%|*} is refused in one line" refused "${case%%|*}" "${case#*|}"
done

check "pool_mib=2 cpus=0 groups=512 are taken" load_module sepia pool_mib=2 cpus=0 groups=512
check_equal "... and obeyed" "1 512 512 parameter" \
	"$(summary cores) $(summary total) $(summary groups) $(summary groups_origin)"
check "... and it unloads" unload_module sepia

check "groups=1 is taken" load_module sepia pool_mib=2 groups=1
check_equal "... and obeyed" "1 parameter" "$(summary groups) $(summary groups_origin)"
check "... and it unloads" unload_module sepia

for backend in contig buddy; do
	check "backend=$backend is taken" load_module sepia pool_mib=4 backend=$backend
	check_equal "... and obeyed" "$backend" "$(summary backend)"
	unload_module sepia
done

# 4 MiB could come from the page allocator without anybody noticing
mark=$(kernel_log_lines)
check "backend=cma pool_mib=4 loads, with nothing" load_module sepia pool_mib=4 backend=cma
check_equal "... and says so" "none 0 1" \
	"$(summary backend) $(summary total) $(log_since "$mark" | grep -c 'sepia: 0 of .* MiB reserved .* all allocations fall back')"
tap_done
