# SPDX-License-Identifier: GPL-2.0
#
# The way in. "make help" lists what there is.

MAKEFLAGS += --no-print-directory

KDIR ?= /lib/modules/$(shell uname -r)/build
VM := tools/vm/vm
DEPS := tools/build/install-deps

.PHONY: all modules tools deps demo bench check check-long vm lint format clean help

all: modules tools

modules:
	@tools/build/modules "$(KDIR)" $(if $(W),W=$(W)) $(if $(C),C=$(C)) $(if $(V),V=$(V))

tools:
	@cmake -S tools -B build/tools -DCMAKE_BUILD_TYPE=Release $(CMAKE_ARGS)
	@cmake --build build/tools --parallel $(if $(TARGET),--target $(TARGET))

demo:
	@$(DEPS) build vm
	@$(MAKE) --no-print-directory tools TARGET=ccnic-demo
	@tools/demo/run

bench:
	@$(DEPS) build bench
	@$(MAKE) --no-print-directory tools
	@build/tools/bin/ccnic-bench $(BENCH_ARGS)

check:
	@$(DEPS)
	@tools/build/check

check-long:
	@$(DEPS)
	@tools/build/check --long

vm:
	@$(DEPS) build vm
	@$(VM) shell

lint:
	@$(DEPS) build lint
	@tools/build/lint

clean:
	rm -rf build

help:
	@echo 'make modules [KDIR=DIR] [W=1]  ccnic.ko and sepia.ko, in build/modules/RELEASE/'
	@echo 'make tools                     the programs in build/tools/bin/'
	@echo 'make                           both'
	@echo 'make demo                      iperf3 over ccnic and over veth in a VM, with a table at the end'
	@echo 'make bench [BENCH_ARGS=...]    the protocol on two CPUs against other designs, three minutes;'
	@echo '                               BENCH_ARGS=--full for all of it, --help for what else there is'
	@echo 'make check                     every test; ends with "N passed, N failed, N skipped"'
	@echo 'make check-long                the same with long runs'
	@echo 'make vm                        a shell in a VM with the modules at hand'
	@echo 'make lint                      sparse, checkpatch, clang-format, shellcheck'
	@echo 'make clean                     removes build/ (kernels stay in the cache, see tools/vm/vm --help)'
	@echo
	@echo 'KERNEL_TREE=DIR                demo, check and vm use that built kernel tree'
	@echo 'All but modules and tools install what they need (Debian 12, as root).'
