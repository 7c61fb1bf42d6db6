#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# kernel: test
# run: long
# timeout: 3600
#
# stress.sh, 200 rounds.
ROUNDS=200 exec "$(dirname "$0")/stress.sh"
