# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The guest's file system: a base (programs, kernel modules), cached by what it
# is made of, and on top of it what one run adds. Both are plain cpio archives;
# the kernel unpacks them one after the other.

# list_of FILE: its lines without comments
list_of() {
	sed 's/#.*//; s/[[:space:]]*$//; /^$/d' "$1"
}

# find_program NAME
find_program() {
	PATH=$PATH:/usr/sbin:/sbin type -P "$1"
}

# base_programs: paths of the programs that the guest gets
base_programs() {
	local name path
	while IFS= read -r name; do
		if path=$(find_program "${name#\?}"); then
			printf '%s\n' "$path"
		elif [ "${name#\?}" = "$name" ]; then
			die "$name is not installed; run: tools/build/install-deps vm"
		fi
	done < <(list_of "$VM_DIR/guest/programs")
}

# copy_libraries ROOT PROGRAM...: shared libraries, to the place they have here
copy_libraries() {
	local root=$1 library
	shift
	while IFS= read -r library; do
		[ ! -e "$root$library" ] || continue
		mkdir -p "$root$(dirname "$library")"
		cp -L "$library" "$root$library"
	done < <(ldd "$@" 2>/dev/null | sed -n 's/.*=> \(\/[^ ]*\) (.*/\1/p; s/^[[:space:]]*\(\/[^ ]*\) (.*/\1/p' | sort -u)
}

# module_paths DIR NAME...: files of these modules and of all they depend on
module_paths() {
	local dir=$1 name path depends
	shift
	local -A known=() seen=()
	while IFS= read -r path; do
		name=$(basename "$path")
		name=${name%%.ko*}
		known[${name//-/_}]=$path
	done < <(find "$dir/" -name '*.ko' -o -name '*.ko.xz' -o -name '*.ko.zst')
	local queue=("$@")
	while [ ${#queue[@]} -gt 0 ]; do
		name=${queue[0]//-/_}
		queue=("${queue[@]:1}")
		path=${known[$name]:-}
		[ -n "$path" ] && [ -z "${seen[$name]:-}" ] || continue
		seen[$name]=1
		printf '%s\n' "$path"
		depends=$(modinfo -F depends "$path")
		# shellcheck disable=SC2206 # a list of module names
		queue+=(${depends//,/ })
	done
}

# base_modules ROOT: the booted kernel's own modules
base_modules() {
	local target=$1/lib/modules/$KERNEL_RELEASE path wanted
	mkdir -p "$target/kernel"
	mapfile -t wanted < <(list_of "$VM_DIR/guest/modules")
	while IFS= read -r path; do
		case $path in
		*.xz) xz -dc "$path" >"$target/kernel/$(basename "${path%.xz}")" ;;
		*.zst) zstd -qdc "$path" >"$target/kernel/$(basename "${path%.zst}")" ;;
		*) cp "$path" "$target/kernel/" ;;
		esac || die "cannot unpack the module $path"
	done < <(module_paths "$KERNEL_MODULES" "${wanted[@]}")
	local list
	for list in modules.builtin modules.builtin.modinfo; do
		[ ! -e "$KERNEL_MODULES/$list" ] || cp "$KERNEL_MODULES/$list" "$target/"
	done
	touch "$target/modules.order"
	[ -e "$target/modules.builtin" ] || touch "$target/modules.builtin"
	depmod -b "$1" "$KERNEL_RELEASE" || die "depmod failed for $KERNEL_RELEASE"
}

# base_tree ROOT
base_tree() {
	local root=$1 busybox applet program programs
	mkdir -p "$root"/{bin,dev,etc,lib,lib64,proc,root,run,sys,tmp,out,var,ccnic}
	ln -s bin "$root/sbin"
	mkdir -p "$root/usr"
	ln -s ../bin "$root/usr/bin"
	ln -s ../bin "$root/usr/sbin"
	ln -s ../lib "$root/usr/lib"
	ln -s ../run "$root/var/run"
	echo 'root:x:0:0:root:/root:/bin/bash' >"$root/etc/passwd"
	echo 'root:x:0:' >"$root/etc/group"
	printf '127.0.0.1 localhost\n::1 localhost\n' >"$root/etc/hosts"
	ln -s /proc/mounts "$root/etc/mtab"
	busybox=$(find_program busybox) || die "busybox is not installed; run: tools/build/install-deps vm"
	cp "$busybox" "$root/bin/busybox"
	for applet in $("$busybox" --list); do
		[ "$applet" = busybox ] || ln -s busybox "$root/bin/$applet"
	done
	mapfile -t programs < <(base_programs)
	for program in "${programs[@]}"; do
		rm -f "$root/bin/$(basename "$program")"
		cp -L "$program" "$root/bin/"
	done
	for applet in insmod rmmod lsmod modprobe modinfo depmod; do
		ln -sf kmod "$root/bin/$applet"
	done
	copy_libraries "$root" "${programs[@]}"
	cp "$VM_DIR/guest/init" "$root/init"
	base_modules "$root"
}

# pack ROOT FILE: a cpio archive, everything owned by root, times left out
pack() {
	(cd "$1" && find . -print0 | LC_ALL=C sort -z | cpio -0 -o -H newc -R 0:0 --reproducible --quiet) >"$2" ||
		die "cannot pack the guest's file system into $2 (disk full?)"
}

# base_key: what the base is made of, in one word
base_key() {
	{
		printf '%s\n' "$KERNEL_BUILD" "$KERNEL_RELEASE"
		base_programs | xargs stat -L -c '%n %s %Y' "$KERNEL_IMAGE" "$(find_program busybox)"
		[ "$KERNEL_MODULES" != "$KERNEL_BUILD" ] || stat -c %Y "$KERNEL_BUILD/Module.symvers"
		cat "$VM_DIR"/guest/{init,programs,modules} "$VM_DIR/lib/initramfs.sh"
	} | sha256sum | cut -c1-16
}

# base_make FILE
base_make() {
	[ ! -e "$1" ] || return 0
	local work=$1.new.$$
	say "Packing programs and modules for the guest ($KERNEL_NAME, once) ..."
	base_tree "$work.root"
	pack "$work.root" "$work"
	rm -rf "$work.root"
	mv "$work" "$1"
	# Old ones go: no more than a dozen stay
	find "$(dirname "$1")" -name '*.cpio' -printf '%A@ %p\n' | sort -rn | sed -n '13,$s/^[^ ]* //p' | xargs -r rm -f
}

# initramfs_base: prints the path of the base archive, made if need be
initramfs_base() {
	local file tool
	for tool in cpio xz kmod modinfo depmod; do
		find_program "$tool" >/dev/null || die "$tool is not installed; run: tools/build/install-deps vm"
	done
	mkdir -p "$CACHE/initramfs"
	file=$CACHE/initramfs/$(base_key).cpio || exit
	with_lock initramfs base_make "$file"
	touch -a "$file"
	printf '%s\n' "$file"
}
