# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# One run: what it adds to the guest, the boot, and what is brought back.

# stage_project ROOT: modules, programs and selftests of this project
stage_project() {
	local root=$1/ccnic module program programs=() tests=$TOP/build/selftests
	mkdir -p "$root"/{bin,modules,selftests,run}
	while IFS= read -r module; do
		cp "$module" "$root/modules/"
	done < <(find "$TOP/build/modules/$KERNEL_RELEASE/" -name '*.ko' 2>/dev/null)
	if [ -d "$TOP/selftests" ]; then
		make -s -C "$TOP/selftests" BUILD="$tests" >&2 || die "the selftests do not build"
		mkdir -p "$tests"
		cp -r "$TOP/selftests/." "$root/selftests/"
		cp -r "$tests/." "$root/selftests/" 2>/dev/null
		mapfile -t programs < <(find "$tests/" -type f -perm -u+x)
	fi
	for program in "$TOP"/build/tools/bin/*; do
		[ -f "$program" ] && [ -x "$program" ] || continue
		cp "$program" "$root/bin/"
		programs+=("$program")
	done
	[ ${#programs[@]} = 0 ] || copy_libraries "$1" "${programs[@]}"
}

# stage_files ROOT HOST:GUEST...: programs among them bring their libraries
stage_files() {
	local root=$1 pair from to
	shift
	for pair; do
		from=${pair%:*}
		to=${pair##*:}
		[ -e "$from" ] || die "--file $pair: there is no $from"
		[[ $to = /* ]] || die "--file $pair: the place in the guest must be an absolute path"
		mkdir -p "$root$(dirname "$to")"
		cp -rL "$from" "$root$to"
		[ ! -f "$from" ] || [ ! -x "$from" ] || copy_libraries "$root" "$from"
	done
}

# stage_command ROOT COMMAND...: what the guest's first process will do
stage_command() {
	local run=$1/ccnic/run
	shift
	mkdir -p "$run"
	{
		echo "GUEST_TIMEOUT=$RUN_TIMEOUT"
		echo "GUEST_SHELL=$RUN_SHELL"
	} >"$run/settings"
	printf '%q ' "$@" >"$run/command"
	[ $# = 1 ] && printf '%s\n' "$1" >"$run/command"
	cat >"$run/bashrc" <<-'RC'
		PS1='ccnic \w# '
		alias ll='ls -l'
	RC
	cat >"$run/welcome" <<-WELCOME

		Linux $KERNEL_RELEASE, $MACHINE_CPUS CPUs, $MACHINE_NODES nodes. Modules are in /ccnic/modules, programs in /ccnic/bin, tests in
		/ccnic/selftests. For a start:
		  insmod /ccnic/modules/sepia.ko; insmod /ccnic/modules/ccnic.ko; ip link add cc0 type ccnic
		"exit" or Ctrl-A X ends the machine.

	WELCOME
}

# build_modules: for the kernel that is about to boot
build_modules() {
	local log=$TOP/build/vm/modules-$KERNEL_RELEASE.log
	mkdir -p "$TOP/build/vm"
	if ! "$TOP/tools/build/modules" "$KERNEL_BUILD" W=1 >"$log" 2>&1; then
		cat "$log" >&2
		die "the modules do not build for $KERNEL_RELEASE (above; also $log)"
	fi
}

# splats LOG: lines of a console log that tell of a fault in the kernel
splats() {
	"$TOP/selftests/lib/faults" <"$1"
}

# emulator_fault LOG: did a CPU trip over a breakpoint that is not there any more?
# The kernel patches its code through a passing int3. QEMU before 8.1, emulating
# several CPUs at once, can keep a translation of that moment, above all on a busy
# host. It shows: the byte before the trap's address is no int3 (cc).
emulator_fault() {
	[ "$(accelerator)" = tcg ] && grep -q 'Oops: int3' "$1" &&
		! grep -m 1 'Code: ' "$1" | grep -qE ' cc <'
}

# result_files RESULT OUT: unpacks what came back; fails when it was cut short
result_files() {
	local line size
	IFS= read -r line <"$1"
	size=${line##* }
	[ "$(($(stat -c %s "$1") - ${#line} - 1))" -ge "$size" ] || return
	mkdir -p "$2"
	tail -c +$((${#line} + 2)) "$1" | head -c "$size" | tar -C "$2" -xzf - --no-same-owner
}

# run_verdict STATUS LOG RESULT: says what went wrong and sets the exit status
run_verdict() {
	local qemu=$1 log=$2 result=$3 line status
	IFS= read -r line <"$result" || line=
	status=$(awk '{ print $2 }' <<<"$line")
	if [ "$qemu" = 124 ] || [ "$status" = timeout ]; then
		say "vm: time limit of $RUN_TIMEOUT s reached; console log: $log"
		splats "$log" | head -n 5 >&2
		return "$STATUS_TIMEOUT"
	fi
	if emulator_fault "$log"; then
		say "vm: QEMU's emulation kept a stale breakpoint (not a fault of the kernel); run it again; console log: $log"
		return "$STATUS_EMULATOR"
	fi
	if splats "$log" >/dev/null; then
		say "vm: the kernel reported a fault; console log: $log"
		splats "$log" | head -n 20 >&2
		return "$STATUS_SPLAT"
	fi
	if [ -z "$status" ]; then
		tail -n 15 "$log" >&2
		say "vm: the guest died without a result (QEMU's status $qemu); console log: $log"
		return "$STATUS_HARNESS"
	fi
	if [ -n "$RUN_OUT" ] && ! result_files "$result" "$RUN_OUT"; then
		say "vm: the files in /out did not come back whole; console log: $log"
		return "$STATUS_HARNESS"
	fi
	return "$status"
}

RUN_DIR='' RUN_QEMU=''
run_cleanup() {
	[ -n "$RUN_DIR" ] || return 0
	if [ -n "$RUN_QEMU" ] && kill "$RUN_QEMU" 2>/dev/null; then
		wait "$RUN_QEMU"
	fi
	[ ! -e "$RUN_DIR/console" ] || mv "$RUN_DIR/console" "$(run_log)"
	rm -rf "$RUN_DIR"
}

# run_prepare COMMAND...: fills RUN_DIR and QEMU_ARGS
run_prepare() {
	local base
	need qemu-system-x86_64 vm
	mkdir -p "$TOP/build/vm" "$CACHE"
	RUN_DIR=$(mktemp -d "$TOP/build/vm/run.XXXXXX")
	trap run_cleanup EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	[ -n "$RUN_NO_BUILD" ] || build_modules
	base=$(initramfs_base) || exit
	mkdir "$RUN_DIR/root"
	stage_project "$RUN_DIR/root"
	stage_files "$RUN_DIR/root" "${RUN_FILES[@]}"
	stage_command "$RUN_DIR/root" "$@"
	pack "$RUN_DIR/root" "$RUN_DIR/added"
	cat "$base" "$RUN_DIR/added" >"$RUN_DIR/initrd"
	rm -rf "$RUN_DIR/root" "$RUN_DIR/added"
	machine_args
	QEMU_ARGS+=(-kernel "$KERNEL_IMAGE" -initrd "$RUN_DIR/initrd")
}

# run_log: path of the console log, named after kernel and label
run_log() {
	printf '%s/build/vm/%s%s.log\n' "$TOP" "$KERNEL_NAME" "${RUN_LABEL:+-$RUN_LABEL}"
}

# run_command COMMAND...: boots, runs, brings back; its status is the command's.
# Where the emulator failed before the command said anything, once more.
run_command() {
	local status tries
	run_prepare "$@"
	for tries in 1 2 3; do
		status=0
		run_boot || status=$?
		if [ "$status" != "$STATUS_EMULATOR" ] || [ -s "$RUN_DIR/output" ] || [ "$tries" = 3 ]; then
			break
		fi
	done
	return "$status"
}

# run_boot: what run_prepare has made ready
run_boot() {
	local log reader qemu=0 status=0 args
	log=$(run_log)
	args="console=ttyS0 loglevel=7 $(machine_kernel_args) $RUN_APPEND"
	[ -n "$RUN_QUIET" ] || say "Booting Linux $KERNEL_RELEASE ($(accelerator), $MACHINE_CPUS CPUs, $MACHINE_NODES nodes, $MACHINE_MEM MiB) ..."
	: >"$RUN_DIR/output"
	: >"$RUN_DIR/result"
	# In the background, so that a signal ends it and not the other way round
	timeout -k 5 $((RUN_TIMEOUT + 120)) qemu-system-x86_64 "${QEMU_ARGS[@]}" -append "$args" \
		-chardev "file,id=console,path=$RUN_DIR/console" -serial chardev:console \
		-chardev "file,id=output,path=$RUN_DIR/output" -serial chardev:output \
		-chardev "file,id=result,path=$RUN_DIR/result" -serial chardev:result \
		</dev/null >"$RUN_DIR/qemu.log" 2>&1 &
	RUN_QEMU=$!
	# It ends after QEMU has, when it has read the rest
	tail -c +1 -f --pid="$RUN_QEMU" -s 0.2 "$RUN_DIR/output" &
	reader=$!
	wait "$RUN_QEMU" || qemu=$?
	RUN_QEMU=''
	wait "$reader"
	mv "$RUN_DIR/console" "$log"
	[ "$qemu" = 0 ] || cat "$RUN_DIR/qemu.log" >&2
	run_verdict "$qemu" "$log" "$RUN_DIR/result" || status=$?
	return "$status"
}

# run_shell: an interactive guest on this terminal
run_shell() {
	RUN_SHELL=1
	run_prepare true
	qemu-system-x86_64 "${QEMU_ARGS[@]}" -append "console=ttyS0 loglevel=5 quiet $(machine_kernel_args) $RUN_APPEND" \
		-chardev "stdio,id=console,mux=on,signal=off,logfile=$RUN_DIR/console" -serial chardev:console -mon chardev=console
}
