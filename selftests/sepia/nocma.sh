#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# machine: no-cma
# kernel: test
# long: test
#
# A kernel that could have CMA areas, but was given none.
exec ./reduced.sh
