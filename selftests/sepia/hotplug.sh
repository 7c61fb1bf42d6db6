#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# long: test
#
# A core that goes offline keeps its pool and uses it when it is back.
. "$(dirname "$0")/sepia.sh"

cpu=$(online_cpus | tail -n 1)
switch=/sys/devices/system/cpu/cpu$cpu/online
if [ "$cpu" = 0 ] || [ ! -w "$switch" ]; then
	skip_all "there is no CPU that can go offline"
fi

tap_plan 10
at_exit eval "echo 1 >$switch"

load_module sepia pool_mib=4
load_module sepia_selftest
client attach
check "pages are taken on CPU $cpu" client take "$cpu" 100
check "CPU $cpu goes offline" eval "echo 0 >$switch"
check_equal "its pool stays" "1024 924 100" "$(core "$cpu" total) $(core "$cpu" free) $(core "$cpu" held)"
check_fails "nothing is taken there" "" client take "$cpu" 1
check "its pages go back on another CPU" client put 0 100
check "the others work on" client stress 500
check "CPU $cpu comes back" eval "echo 1 >$switch"
client take "$cpu" 1024
check_equal "and uses its pool" "0" "$(core "$cpu" fallback)"
client detach
unload_module sepia_selftest
unload_module sepia

echo 0 >"$switch"
check_fails "cpus= refuses a CPU that is offline" "sepia: cpus=$cpu: must be a list of CPUs that are online" load_module sepia cpus="$cpu"
load_module sepia pool_mib=4
check_equal "by default it gets no pool then" "" "$(core "$cpu" total)"
unload_module sepia
tap_done
