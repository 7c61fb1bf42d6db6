# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The virtual machine: accelerator, processors, nodes, memory.

# A boot sector that leaves through QEMU's debug-exit port with status 7 once a
# virtual CPU really executes it: "mov al,3; mov dx,0xf4; out dx,al; hlt".
kvm_probe_sector() {
	printf '\xb0\x03\xba\xf4\x00\xee\xf4\xeb\xfd'
	head -c 501 /dev/zero
	printf '\x55\xaa'
}

# kvm_probe: does KVM really run a machine of the kind that is used here?
kvm_probe() {
	local image status=0
	[ -r /dev/kvm ] && [ -w /dev/kvm ] || return 1
	image=$(mktemp)
	kvm_probe_sector >"$image"
	timeout -k 1 20 qemu-system-x86_64 -accel kvm -cpu host -smp 4 -m 64 -nodefaults -display none -no-reboot \
		-device isa-debug-exit,iobase=0xf4,iosize=1 \
		-drive "file=$image,format=raw,if=floppy" </dev/null >/dev/null 2>&1 || status=$?
	rm -f "$image"
	[ "$status" = 7 ]
}

# accelerator: prints kvm or tcg; the probe's answer holds until the next boot
accelerator() {
	local answer
	answer=$CACHE/accelerator-$(cat /proc/sys/kernel/random/boot_id)
	if [ ! -s "$answer" ]; then
		rm -f "$CACHE"/accelerator-*
		if kvm_probe; then
			echo kvm >"$answer.$$"
		else
			echo tcg >"$answer.$$"
		fi
		mv "$answer.$$" "$answer"
	fi
	cat "$answer"
}

# The machines that have a name. Values that options gave stay.
# machine_topology NAME
machine_topology() {
	case $1 in
	two-node) ;;
	one-node) MACHINE_NODES=${MACHINE_NODES:-1} ;;
	one-cpu)
		MACHINE_CPUS=${MACHINE_CPUS:-1}
		MACHINE_NODES=${MACHINE_NODES:-1}
		;;
	cpuless-node) MACHINE_CPUS_ON=${MACHINE_CPUS_ON:-all-on-first} ;;
	no-cma) MACHINE_CMA= ;;
	tiny-memory)
		MACHINE_MEM=${MACHINE_MEM:-384}
		MACHINE_CMA=
		;;
	*) die "unknown machine '$1'; there are: two-node one-node one-cpu cpuless-node no-cma tiny-memory" ;;
	esac
	MACHINE_CPUS=${MACHINE_CPUS:-4}
	MACHINE_NODES=${MACHINE_NODES:-2}
	MACHINE_MEM=${MACHINE_MEM:-2048}
}

# is_count VALUE OPTION MIN MAX
is_count() {
	[[ $1 =~ ^[0-9]+$ ]] && [ "$1" -ge "$3" ] && [ "$1" -le "$4" ] ||
		die "$2 wants a number from $3 to $4, not '$1'"
}

# machine_check: what cannot be built is refused here, by name
machine_check() {
	is_count "$MACHINE_CPUS" --cpus 1 16
	is_count "$MACHINE_NODES" --nodes 1 8
	is_count "$MACHINE_MEM" --mem 256 65536
	[ -n "$MACHINE_CPUS_ON" ] || [ $((MACHINE_CPUS % MACHINE_NODES)) = 0 ] ||
		die "--cpus $MACHINE_CPUS cannot be spread evenly over --nodes $MACHINE_NODES"
}

# machine_args: fills the array QEMU_ARGS
machine_args() {
	local accel node sockets per_node=$((MACHINE_CPUS / MACHINE_NODES)) memory=$((MACHINE_MEM / MACHINE_NODES)) peer
	accel=$(accelerator) || exit
	sockets=$MACHINE_NODES
	[ -z "$MACHINE_CPUS_ON" ] || sockets=1
	QEMU_ARGS=(-nodefaults -no-user-config -display none -no-reboot
		-m "$((memory * MACHINE_NODES))"
		-smp "$MACHINE_CPUS,sockets=$sockets,cores=$((MACHINE_CPUS / sockets)),threads=1")
	case $accel in
	kvm) QEMU_ARGS+=(-machine pc -accel kvm -cpu host) ;;
	# rep movsb is slow under emulation, and so are five levels of page tables
	tcg) QEMU_ARGS+=(-machine pc -accel 'tcg,thread=multi' -cpu 'max,-erms,-fsrm,-la57') ;;
	esac
	for ((node = 0; node < MACHINE_NODES; node++)); do
		QEMU_ARGS+=(-object "memory-backend-ram,id=m$node,size=${memory}M")
		if [ -n "$MACHINE_CPUS_ON" ] && [ "$node" = 0 ]; then
			QEMU_ARGS+=(-numa "node,nodeid=0,cpus=0-$((MACHINE_CPUS - 1)),memdev=m0")
		elif [ -n "$MACHINE_CPUS_ON" ]; then
			QEMU_ARGS+=(-numa "node,nodeid=$node,memdev=m$node")
		else
			QEMU_ARGS+=(-numa "node,nodeid=$node,cpus=$((node * per_node))-$((node * per_node + per_node - 1)),memdev=m$node")
		fi
		for ((peer = 0; peer < node; peer++)); do
			QEMU_ARGS+=(-numa "dist,src=$peer,dst=$node,val=21")
		done
	done
}

# machine_kernel_args: what the kernel is told about this machine
machine_kernel_args() {
	local args='panic=-1 oops=panic mitigations=off nokaslr nmi_watchdog=0 no_timer_check random.trust_cpu=on audit=0' node areas=
	# The emulator keeps each translation by its virtual address too: programs
	# loaded at random ones are translated anew each time, and a page of code
	# that was started thousands of times takes minutes to be overwritten
	[ "$(accelerator)" = kvm ] || args+=' tsc=reliable norandmaps'
	if [ -n "$MACHINE_CMA" ] && [ "$(kernel_option DMA_NUMA_CMA)$(kernel_option DMA_PERNUMA_CMA)" != '' ]; then
		for ((node = 0; node < MACHINE_NODES; node++)); do
			areas+=,$node:$MACHINE_CMA
		done
		args+=" numa_cma=${areas#,}"
	fi
	printf '%s\n' "$args"
}
