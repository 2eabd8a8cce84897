# SPDX-License-Identifier: GPL-2.0-or-later
# Kernels for one instruction set share no function with other code.
#
#   Scripts/check kernels [release|debug]    debug fails, because debug builds share functions that
#                                            copy structures
#
# Row kernels are compiled for several instruction sets. A function that the compiler emits into all
# of them under one name is linked once, perhaps with instructions that the processor does not have.
# This check looks for such names: weak functions of the AVX2 and AVX-512 kernels that another
# object defines, too.

configuration=${1:-release}
need_packages binutils

build=$(swift build -c "$configuration" --show-bin-path)
[ "$(uname -m)" = x86_64 ] || { say "this machine has only one instruction set"; exit 0; }
[ -d "$build/RowKernelsAVX2.build" ] || stop "build first: swift build -c $configuration"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The weak functions (W) of a module. The compiler may emit them in other modules, too.
weak() { nm --defined-only "$build/$1.build/"*.o | awk '$2 == "W" { print $3 }' | sort -u; }
others() {
  find "$build" -name '*.o' ! -path "*/$1.build/*" -print0 | xargs -0 nm --defined-only 2>/dev/null |
    awk '$2 ~ /^[WT]$/ { print $3 }' | sort -u
}
for kernels in RowKernelsAVX2 RowKernelsAVX512; do
  comm -12 <(weak "$kernels") <(others "$kernels") >"$work/shared"
  if [ -s "$work/shared" ]; then
    swift demangle <"$work/shared" >&2
    stop "$kernels shares the functions above with other objects"
  fi
done
say "kernels ($configuration): no function of an instruction set is shared"
