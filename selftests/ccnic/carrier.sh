#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# long: test
# shellcheck disable=SC2317 # functions are called through check
#
# Carrier is there when both ends of the wire are up, in whatever order things
# happen; a remaining end takes a new cable.
. "$(dirname "$0")/ccnic.sh"

# end NUMBER: sets space and name
end() {
	if [ "$1" = 0 ]; then
		space=cca name=cc0
	else
		space=ccb name=cc1
	fi
}

# act WORD: up0 up1 down0 down1 del0 del1
act() {
	local space name
	end "${1: -1}"
	case $1 in
	up*) ip -n "$space" link set "$name" up ;;
	down*) ip -n "$space" link set "$name" down ;;
	del*) ip -n "$space" link del "$name" ;;
	esac
}

# expect UP0 UP1: each of 1 (has carrier), 0 (has none), - (is not there)
expect() {
	local space name number want=("$1" "$2")
	for number in 0 1; do
		end "$number"
		case ${want[number]} in
		1) wait_until 5 has_carrier "$space" "$name" || return ;;
		0) wait_until 5 no_carrier "$space" "$name" || return ;;
		-) ! exists "$space" "$name" || return ;;
		esac
	done
}

# walk STEP...: each step is WORD=UP0UP1, what is expected after it
walk() {
	local step
	ip -n cca link add cc0 type ccnic || return
	ip -n cca link add cc1 link cc0 netns ccb type ccnic || return
	for step; do
		act "${step%=*}" && expect "${step: -2:1}" "${step: -1}" || {
			echo "after $step: cc0 $(flags cca cc0), cc1 $(flags ccb cc1)"
			return 1
		}
	done
	exists cca cc0 && ip -n cca link del cc0
	exists ccb cc1 && ip -n ccb link del cc1
	[ "$(devices)" = 0 ]
}

tap_plan 16

hurry
spaces_make
load_module ccnic ring_lines=32

check "first up, second up, first down, second down" walk up0=00 up1=11 down0=00 down1=00
check "second up, first up, second down, first down" walk up1=00 up0=11 down1=00 down0=00
check "down and up again, either end" walk up0=00 up1=11 down0=00 up0=11 down1=00 up1=11
check "first deleted while both are up" walk up0=00 up1=11 del0=-0
check "second deleted while both are up" walk up0=00 up1=11 del1=0-
check "first deleted while the other is up" walk up1=00 del0=-0 down1=-0 up1=-0
check "second deleted while the other is up" walk up0=00 del1=0- down0=0- up0=0-
check "first deleted, then up" walk del0=-0 up1=-0
check "both down, deleted in turn" walk up0=00 up1=11 down1=00 down0=00 del1=0- del0=--

# A lone device loops
ip -n cca link add cc0 type ccnic
check "a loop has none while down" no_carrier cca cc0
act up0
check "... and has it when up" wait_until 5 has_carrier cca cc0
ip -n cca link add cc1 link cc0 netns ccb type ccnic
check "a cable ends the loop: none until the other end is up" wait_until 5 no_carrier cca cc0
act up1
check "... and then both have it" expect 1 1

# What remains is cabled anew
act del0
check "the remaining end has none" wait_until 5 no_carrier ccb cc1
ip -n ccb link add cc2 link cc1 type ccnic
ip -n ccb link set cc2 netns cca
ip -n cca link set cc2 name cc0
act up0
check "a new device cabled to it gives it back" expect 1 1
addresses_add cc0 cc1
check "... and carries traffic" wire sizes "cca,$A4" "ccb,$B4" from=0 to=1400 step=100
tap_done
