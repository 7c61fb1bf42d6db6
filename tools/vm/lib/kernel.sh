# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# One interface to every kernel the harness can boot, by name or by directory:
# kernel_use sets KERNEL_NAME, KERNEL_RELEASE, KERNEL_IMAGE, KERNEL_BUILD (what
# modules are built against) and KERNEL_MODULES (its own modules, may be absent).

# kernel_use NAME|DIR
kernel_use() {
	local dir
	case $1 in
	stock-*)
		dir=$(with_lock "$1" stock_kernel "$1") || exit
		;;
	test)
		dir=$(with_lock test test_kernel) || exit
		;;
	*/* | .*)
		kernel_use_tree "$1"
		return
		;;
	*)
		if [ -d "$1" ]; then
			kernel_use_tree "$1"
			return
		fi
		stock_meta "$1" >/dev/null || exit
		;;
	esac
	KERNEL_NAME=$1
	KERNEL_IMAGE=$dir/bzImage
	KERNEL_BUILD=$(readlink -f "$dir/build")
	KERNEL_RELEASE=$("$TOP/tools/build/modules" --release "$KERNEL_BUILD") || die "the kernel in $dir is not whole; remove that directory and try again"
	KERNEL_MODULES=$dir/modules
}

# kernel_use_tree DIR: a built tree that somebody else made
kernel_use_tree() {
	[ -d "$1" ] || die "no such directory: $1"
	KERNEL_BUILD=$(readlink -f "$1")
	KERNEL_NAME=tree-$(basename "$KERNEL_BUILD")
	KERNEL_IMAGE=$KERNEL_BUILD/arch/x86/boot/bzImage
	KERNEL_MODULES=$KERNEL_BUILD
	[ -e "$KERNEL_IMAGE" ] || die "$1 holds no arch/x86/boot/bzImage: is it a built kernel tree?"
	KERNEL_RELEASE=$("$TOP/tools/build/modules" --release "$KERNEL_BUILD") || die "$1 is no built kernel tree"
}

# kernel_option NAME: its value in the kernel's configuration, empty when unset
kernel_option() {
	sed -n "s/^CONFIG_$1=//p" "$KERNEL_BUILD/.config"
}
