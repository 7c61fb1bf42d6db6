# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The test kernel: Debian's linux-source-6.12 with tinyconfig and
# test-kernel.config, built into the cache. What it was built from is its key.

# Objects that such a build compiles, for the progress line
readonly TEST_KERNEL_OBJECTS=2100

# test_kernel_key SOURCE: source version and what decides how it is built
test_kernel_key() {
	printf '%s-%s\n' "$(basename "$1")" \
		"$(grep -v '^#\( SPDX\|$\| [^C]\)' "$VM_DIR/test-kernel.config" | sha256sum | cut -c1-12)"
}

# test_kernel_configure TREE: fails when the fragment asks for what is not there
test_kernel_configure() {
	local tree=$1 line lost=
	make -s -C "$tree" tinyconfig >/dev/null || return
	cat "$VM_DIR/test-kernel.config" >>"$tree/.config"
	make -s -C "$tree" olddefconfig >/dev/null 2>&1 || return
	while IFS= read -r line; do
		grep -qxF "$line" "$tree/.config" || lost+=" $line"
	done < <(grep '^CONFIG_' "$VM_DIR/test-kernel.config")
	[ -z "$lost" ] || die "the kernel's configuration does not take:$lost"
}

# test_kernel_progress LOG: one line every few seconds until it is killed
test_kernel_progress() {
	local log=$1 start=$SECONDS count percent width=10
	[ ! -t 2 ] || width=2
	while sleep "$width"; do
		count=$(grep -cE '^  (CC|AS|LD|AR) ' "$log")
		percent=$((count * 100 / TEST_KERNEL_OBJECTS))
		[ "$percent" -lt 99 ] || percent=99
		if [ -t 2 ]; then
			printf '\r  test kernel: %d %% (%d objects), %d s ' "$percent" "$count" $((SECONDS - start)) >&2
		elif ((SECONDS / 60 != (SECONDS - width) / 60)); then
			say "  test kernel: $percent % ($count objects), $((SECONDS - start)) s"
		fi
	done
}

# test_kernel_compile TREE LOG
test_kernel_compile() {
	local tree=$1 log=$2 progress status=0
	: >"$log"
	test_kernel_progress "$log" &
	progress=$!
	nice -n 5 make -C "$tree" -j"$(nproc)" KBUILD_BUILD_USER=ccnic KBUILD_BUILD_HOST=ccnic \
		KBUILD_BUILD_TIMESTAMP=@0 bzImage modules >>"$log" 2>&1 </dev/null || status=$?
	kill "$progress" 2>/dev/null
	wait "$progress" 2>/dev/null
	[ ! -t 2 ] || say
	[ "$status" = 0 ] || { tail -n 20 "$log" >&2; die "the test kernel does not build; the whole log: $log"; }
}

# test_kernel_trim TREE: keep what boots and what modules are built against
test_kernel_trim() {
	local tree=$1
	find "$tree" \( -path "$tree/scripts" -o -path "$tree/tools/objtool" -o -path "$tree/include" -o -path "$tree/arch/x86/include" \) -prune -o \
		-type f \( -name '*.[coSas]' -o -name '*.cmd' -o -name '*.ko' -o -name '*.mod' -o -name 'vmlinux*' -o -name '*.dts*' -o -name '*.rst' -o -name '*.txt' -o -name '*.json' -o -name '*.yaml' \) -print0 |
		xargs -0 rm -f
	(cd "$tree" && rm -rf Documentation drivers sound samples rust net fs arch/[!x]* arch/xtensa tools/perf tools/testing)
	find "$tree" -xdev -depth -type d -empty -delete
}

# test_kernel_build SOURCE DIR: resumes what an earlier call left unfinished
test_kernel_build() {
	local source=$1 dir=$2 work tool start=$SECONDS
	[ ! -e "$dir/release" ] || return 0
	for tool in gcc make bc flex bison; do
		need "$tool" kernel
	done
	work=$(dirname "$dir")/.building.$(basename "$dir")
	mkdir -p "$work"
	if [ ! -e "$work/unpacked" ]; then
		say "Unpacking the kernel source ..."
		rm -rf "$work/build"
		mkdir -p "$work/build"
		tar -C "$work/build" -xf "$source/linux.tar.xz" --strip-components=1 ||
			die "the kernel source cannot be unpacked (disk full? it needs 3 GB)"
		test_kernel_configure "$work/build" || die "the test kernel cannot be configured"
		touch "$work/unpacked"
	fi
	say "Building the test kernel, once for this configuration (15 to 25 minutes on two cores); log: $work/build.log"
	test_kernel_compile "$work/build" "$work/build.log"
	make -s -C "$work/build" modules_install INSTALL_MOD_PATH="$work/root" >>"$work/build.log" 2>&1 ||
		die "the test kernel's modules cannot be installed; log: $work/build.log"
	local release
	release=$(cat "$work/build/include/config/kernel.release")
	cp "$work/build/arch/x86/boot/bzImage" "$work/bzImage"
	rm -f "$work/root/lib/modules/$release/"{build,source}
	ln -sfn "root/lib/modules/$release" "$work/modules"
	test_kernel_trim "$work/build"
	mv -T "$work" "$dir"
	echo "$release" >"$dir/release"
	say "The test kernel stands after $((SECONDS - start)) s."
}

# test_kernel: prints the kernel's directory, built if it is not
test_kernel() {
	local source dir
	source=$(with_lock source source_package) || exit
	dir=$CACHE/kernels/test/$(test_kernel_key "$source")
	mkdir -p "$CACHE/kernels/test"
	test_kernel_build "$source" "$dir"
	printf '%s\n' "$dir"
}
