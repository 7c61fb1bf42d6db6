# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What every part of the VM harness uses: messages, paths, the cache.

VM_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TOP=$(cd "$VM_DIR/../.." && pwd)
CACHE=${CCNIC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ccnic}

# Exit statuses of "vm run" that are not the guest command's own
readonly STATUS_EMULATOR=123 STATUS_TIMEOUT=124 STATUS_SPLAT=125 STATUS_HARNESS=126

say() {
	printf '%s\n' "$*" >&2
}

# die MESSAGE: one line on stderr, then the harness's own exit status
die() {
	say "vm: $*"
	exit "$STATUS_HARNESS"
}

# need COMMAND GROUP: a missing tool is named together with what installs it
need() {
	command -v "$1" >/dev/null ||
		die "$1 is not installed; run: tools/build/install-deps $2"
}

# with_lock NAME COMMAND...: one process at a time may fill a part of the cache
with_lock() {
	local name=$1 fd
	shift
	mkdir -p "$CACHE/locks"
	exec {fd}>"$CACHE/locks/$name"
	if ! flock -n "$fd"; then
		say "Waiting for another process that prepares $name ..."
		flock "$fd"
	fi
	"$@"
	exec {fd}>&-
}

# replace_link TARGET LINK: atomically, so that a reader never finds it gone
replace_link() {
	ln -sfn "$1" "$2.new.$$"
	mv -T "$2.new.$$" "$2"
}
