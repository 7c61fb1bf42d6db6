#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# kernel: test
# run: long
#
# The KUnit suites with a longer comparison with the model, on numbers of its own.
export OPS=${OPS:-1000000} SEED=${SEED:-$RANDOM}
echo "# OPS=$OPS SEED=$SEED"
exec ./kunit.sh
