# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What ccnic's selftests share; sourced by each. The usual scene is a pair: cc0 in
# namespace cca, cc1 in ccb.

. "$(dirname "${BASH_SOURCE[0]}")/../lib/tap.sh"
. "$TAP_LIB/machine.sh"

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
DEBUG=/sys/kernel/debug/ccnic
A4=10.77.0.1 B4=10.77.0.2
A6=fd77::1 B6=fd77::2

[ "$(id -u)" = 0 ] || skip_all "needs root"
grep -q ' /sys/kernel/debug debugfs ' /proc/mounts || skip_all "debugfs is not mounted"

# wire COMMAND FROM TO [NAME=VALUE]...: see wire --help
wire() {
	"$HERE/wire" "$@"
}

# wire_start FILE COMMAND ...: in the background; output in FILE, process in $traffic
wire_start() {
	local output=$1
	shift
	"$HERE/wire" "$@" >"$output" 2>&1 &
	traffic=$!
	at_exit kill -9 $traffic
}

# wire_stop: ends it and has its status
wire_stop() {
	kill "$traffic"
	wait "$traffic"
}

# ------------------------------------------------------------------- the scene

# unload_all: whatever was left loaded, with its devices
unload_all() {
	module_loaded ccnic && rmmod ccnic
	module_loaded sepia && rmmod sepia
	return 0
}

# spaces_make: the two namespaces
spaces_make() {
	local space
	for space in cca ccb; do
		ip netns add $space
		at_exit ip netns del $space
		ip -n $space link set lo up
	done
}

# spaces_make_quiet: the same, and devices in them send nothing of their own accord
spaces_make_quiet() {
	local space
	spaces_make
	for space in cca ccb; do
		ip netns exec $space sysctl -qw net.ipv6.conf.default.disable_ipv6=1
	done
}

# pair_make: cc0 and cc1, cabled, in their namespaces, up
pair_make() {
	ip link add cc0 netns cca type ccnic || return
	ip -n cca link add cc1 link cc0 netns ccb type ccnic || return
	ip -n cca link set cc0 up || return
	ip -n ccb link set cc1 up || return
	wait_until 10 has_carrier cca cc0
}

# addresses_add DEV_A DEV_B: to a device in each namespace
addresses_add() {
	ip -n cca -b - <<-BATCH
		addr replace $A4/24 dev $1
		addr replace $A6/64 dev $1 nodad
	BATCH
	ip -n ccb -b - <<-BATCH
		addr replace $B4/24 dev $2
		addr replace $B6/64 dev $2 nodad
	BATCH
}

# hurry: the kernel waits less long for its readers, until the end
hurry() {
	local file=/sys/kernel/rcu_expedited
	at_exit eval "echo $(cat $file) >$file"
	echo 1 >$file
}

# pair_delete
pair_delete() {
	ip -n cca link del cc0 && ip -n ccb link del cc1
}

# ----------------------------------------------------------------- what is there

# flags SPACE DEVICE: as "ip" shows them, "" for our own namespace; such as BROADCAST,MULTICAST,UP,LOWER_UP
flags() {
	local line
	line=$(ip ${1:+-n "$1"} -o link show "$2" 2>/dev/null)
	line=${line#*<}
	printf '%s\n' "${line%%>*}"
}

# has_carrier SPACE DEVICE
has_carrier() {
	[[ ",$(flags "$1" "$2")," = *,LOWER_UP,* ]]
}

# no_carrier SPACE DEVICE: it is there, and up or not has none
no_carrier() {
	local flags
	flags=$(flags "$1" "$2")
	[[ -n $flags && ",$flags," != *,LOWER_UP,* ]]
}

# exists SPACE DEVICE
exists() {
	ip -n "$1" link show "$2" >/dev/null 2>&1
}

# within SPACE COMMAND...: in a namespace; "" is our own
within() {
	if [ -n "$1" ]; then
		ip netns exec "$@"
	else
		"${@:2}"
	fi
}

# nstat SPACE DEVICE NAME...: standard statistics, on one line
nstat() {
	local space=$1 device=$2 values
	shift 2
	values=$(within "$space" bash -c "cd /sys/class/net/$device/statistics && cat $*")
	echo "${values//$'\n'/ }"
}

# estat SPACE DEVICE PATTERN: sum of those counters of ethtool -S that match
estat() {
	within "$1" ethtool -S "$2" | awk -v pattern="^$3:\$" '$1 ~ pattern { sum += $2; any = 1 } END { print any ? sum : "none" }'
}

# drops SPACE DEVICE: names and values of all drop counters that are not 0
drops() {
	within "$1" ethtool -S "$2" | awk '$1 ~ /drop|resets/ && $2 != 0 { printf "%s%s ", $1, $2 }'
}

# folder DEVICE: its folder in debugfs (two devices in two namespaces may share a name)
folder() {
	local file
	for file in "$DEBUG"/*/device; do
		if [ "$(awk '$1 == "name" { print $2 }' "$file")" = "$1" ]; then
			dirname "$file"
			return
		fi
	done
	return 1
}

# device DEVICE KEY: a line of its debugfs file "device"
device() {
	awk -v key="$2" '$1 == key { print $2 }' "$(folder "$1")/device"
}

# devices: how many the module knows
devices() {
	local folders
	folders=("$DEBUG"/*/)
	[ -e "${folders[0]}" ] || folders=()
	echo ${#folders[@]}
}

# queue_cpu DEVICE QUEUE
queue_cpu() {
	awk -v ring="rx$2" '$1 == ring { print $2 }' "$(folder "$1")/rings"
}

# nic_threads: process ids of the NIC threads
nic_threads() {
	grep -ls '^ccnic-nic/' /proc/[0-9]*/comm | tr -dc '0-9\n'
}

# no_nic_thread
no_nic_thread() {
	[ -z "$(nic_threads)" ]
}

# cpus_of PID: CPUs it may run on
cpus_of() {
	sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "/proc/$1/status"
}

# cpu_set CPU 0|1: offline or online
cpu_set() {
	echo "$2" >"/sys/devices/system/cpu/cpu$1/online"
}

# net_rx CPU: network receive softirqs it has run
net_rx() {
	awk -v cpu="CPU$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == cpu) column = i + 1 }
		$1 == "NET_RX:" { print $column }' /proc/softirqs
}

# hotplug_states: of ccnic, as the kernel lists them
hotplug_states() {
	grep -c ccnic /sys/devices/system/cpu/hotplug/states
}

# gone: nothing of the module is left
gone() {
	[ ! -e /sys/module/ccnic ] && [ ! -e $DEBUG ] && [ "$(hotplug_states)" = 0 ] && no_nic_thread
}

# ------------------------------------------------------------------ what was said

# log_since MARK: what the kernel logged of ccnic and its devices
log_since() {
	dmesg | tail -n "+$(($1 + 1))" | grep -E '(ccnic|cc[0-9]+|NIC)\b.*: '
}

# logged MARK PATTERN
logged() {
	log_since "$1" | grep -qE -- "$2"
}

# has_option NAME: unknown counts as not there
has_option() {
	zcat /proc/config.gz 2>/dev/null | grep -qE "^CONFIG_$1=[ym]"
}

unload_all
at_exit unload_all
