#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# kernel: test
#
# The KUnit suites, one line for each of their cases. OPS and SEED change the
# comparison with the reference model.
. "$(dirname "$0")/sepia.sh"

need_option KUNIT

mark=$(kernel_log_lines)
load_module sepia_kunit ops="${OPS:-100000}" seed="${SEED:-1}" || bail "sepia_kunit.ko does not load"
results=$(dmesg | tail -n "+$((mark + 1))" | sed 's/^\[[^]]*\] //' |
	grep -E '^ +(not )?ok [0-9]+ [a-z]')
rmmod sepia_kunit

tap_plan 15
while read -r line; do
	name=${line#*ok }
	name=${name#* }
	name=${name#- }
	if [[ $line = ok* ]]; then
		pass "$name"
	else
		fail "$name" "see the kernel log"
	fi
done <<<"$results"
check_equal "all cases ran" 14 "$(wc -l <<<"$results")"
tap_done
