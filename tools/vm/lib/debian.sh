# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Kernel packages of Debian, unpacked into the cache and not installed.
#
# $CACHE/kernels/NAME/VERSION/   one unpacked kernel:
#   root/                        the packages' files
#   release bzImage build modules
# $CACHE/kernels/NAME/current    the version in use

# deb_depends PACKAGE PATTERN: names of its dependencies that match
deb_depends() {
	LC_ALL=C apt-cache depends "$1" 2>/dev/null |
		awk -v pattern="$2" '/Depends: / && $NF ~ pattern { print $NF }' | sort -u
}

# deb_version PACKAGE: its candidate version, empty when there is none
deb_version() {
	LC_ALL=C apt-cache policy "$1" 2>/dev/null | awk '/Candidate: [^(]/ { print $2 }'
}

# deb_refresh PACKAGE: package lists are fetched when they do not know it
deb_refresh() {
	command -v apt-get >/dev/null || die "no apt-get here: kernel packages come from Debian 12; give a built kernel tree instead (KERNEL_TREE=DIR)"
	[ -z "$(deb_version "$1")" ] || return 0
	[ "$(id -u)" = 0 ] || die "package $1 is not known here; as root, run: apt-get update"
	say "Fetching package lists ..."
	apt-get -qq update >&2 || die "apt-get update failed"
	[ -n "$(deb_version "$1")" ] ||
		die "no package $1 in this machine's package sources; Debian 12 with its main, updates and security suites has it"
}

# deb_unpack DIR PACKAGE...: download and unpack under DIR
deb_unpack() {
	local dir=$1 tries log=$1.download.log
	shift
	need xz kernel
	mkdir -p "$dir.debs"
	for tries in 1 2 3; do
		say "Downloading $* ..."
		if (cd "$dir.debs" && apt-get -o APT::Sandbox::User=root download "$@") >"$log" 2>&1; then
			break
		fi
		[ "$tries" -lt 3 ] || { cat "$log" >&2; die "the download failed; run apt-get update and try again"; }
	done
	mkdir -p "$dir"
	local deb
	for deb in "$dir.debs"/*.deb; do
		dpkg -x "$deb" "$dir" || die "cannot unpack $(basename "$deb")"
	done
	rm -rf "$dir.debs" "$log"
}

# stock_meta NAME: the packages that depend on the newest build of that kernel
stock_meta() {
	case $1 in
	stock-6.1) echo linux-image-amd64 linux-headers-amd64 ;;
	stock-6.12) echo linux-image-6.12-amd64 linux-headers-6.12-amd64 ;;
	*) die "unknown kernel '$1'; there are: stock-6.1 stock-6.12 test, or a directory with a built kernel tree" ;;
	esac
}

# stock_fix_links ROOT RELEASE: what points to /usr/src points into ROOT
stock_fix_links() {
	local root=$1 release=$2 headers=$1/usr/src/linux-headers-$2 file
	ln -sfn "../../../usr/src/linux-headers-$release" "$root/lib/modules/$release/build"
	rm -f "$root/lib/modules/$release/source"
	while IFS= read -r file; do
		sed -i "s|/usr/src/linux-|$root/usr/src/linux-|g; s|/usr/lib/linux-|$root/usr/lib/linux-|g" "$file"
	done < <(grep -lsE '/usr/(src|lib)/linux-' "$headers/Makefile" "$headers/.kernelvariables")
	local link
	for link in scripts tools; do
		[ -e "$headers/$link/." ] || die "$headers/$link leads nowhere: Debian's header packages have changed"
	done
}

# stock_fetch NAME VERSION IMAGE HEADERS: one version of a stock kernel
stock_fetch() {
	local name=$1 version=$2 image=$3 headers=$4
	local dir=$CACHE/kernels/$name/$version release=${3#linux-image-}
	[ ! -e "$dir/release" ] || return 0
	local work=$CACHE/kernels/$name/.new.$version
	rm -rf "$work" "$work".* "$dir"
	mkdir -p "$work"
	# shellcheck disable=SC2046 # a list of package names
	deb_unpack "$work/root" "$image" "$headers" \
		$(deb_depends "$headers" '^linux-(headers-.*-common|kbuild-)')
	[ -e "$work/root/boot/vmlinuz-$release" ] || die "$image holds no boot/vmlinuz-$release"
	rm -rf "$work/root/usr/share" "$work/root/lib/modules/$release/kernel/"{sound,drivers/{gpu,media,iio,staging,infiniband}}
	ln -s "root/boot/vmlinuz-$release" "$work/bzImage"
	ln -s "root/usr/src/linux-headers-$release" "$work/build"
	ln -s "root/lib/modules/$release" "$work/modules"
	mv -T "$work" "$dir"
	stock_fix_links "$dir/root" "$release"
	echo "$release" >"$dir/release"
}

# stock_kernel NAME: prints the kernel's directory, made ready if it is not
stock_kernel() {
	local name=$1 metas current=$CACHE/kernels/$1/current image headers version
	metas=$(stock_meta "$name") || exit
	if [ -n "${VM_UPDATE:-}" ] || [ ! -e "$current/release" ]; then
		deb_refresh "${metas#* }"
		image=$(deb_depends "${metas% *}" '^linux-image-[0-9]')
		headers=$(deb_depends "${metas#* }" '^linux-headers-[0-9]')
		version=$(deb_version "$image")
		[ -n "$image" ] && [ -n "$headers" ] && [ -n "$version" ] ||
			die "the packages $metas name no kernel; run apt-get update and try again"
		mkdir -p "$CACHE/kernels/$name"
		stock_fetch "$name" "$version" "$image" "$headers"
		replace_link "$version" "$current"
	fi
	readlink -f "$current"
}

# source_package: prints the directory of the unpacked kernel source package
source_package() {
	local current=$CACHE/kernels/source-6.12/current package=linux-source-6.12 version
	if [ -n "${VM_UPDATE:-}" ] || [ ! -e "$current/scripts/checkpatch.pl" ]; then
		deb_refresh "$package"
		version=$(deb_version "$package")
		local dir=$CACHE/kernels/source-6.12/$version
		if [ ! -e "$dir/scripts/checkpatch.pl" ]; then
			local work=$CACHE/kernels/source-6.12/.new.$version
			rm -rf "$work" "$work".* "$dir"
			mkdir -p "$work"
			deb_unpack "$work/root" "$package"
			mv "$work/root/usr/src/$package.tar.xz" "$work/linux.tar.xz"
			rm -rf "$work/root"
			tar -C "$work" -xf "$work/linux.tar.xz" --strip-components=1 --wildcards \
				'*/scripts/checkpatch.pl' '*/scripts/spelling.txt' \
				'*/scripts/const_structs.checkpatch' ||
				die "the kernel source package cannot be unpacked (disk full?)"
			mv -T "$work" "$dir"
		fi
		replace_link "$version" "$current"
	fi
	readlink -f "$current"
}
