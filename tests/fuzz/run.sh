#!/bin/sh
# Builds the core's fuzzer with AddressSanitizer and UBSan and runs it; then the readers against mutated files.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p build/fuzz
g++ -std=c++20 -O1 -g -Wall -fsanitize=address,undefined -fno-sanitize-recover=all \
  tests/fuzz/fuzz_core.cpp src/core/tokenize.cpp src/core/porter.cpp src/core/overlap.cpp src/core/lcs.cpp src/core/pool.cpp \
  src/core/edit.cpp src/core/chrf.cpp src/core/gtm.cpp src/core/meteor.cpp src/core/monoalign.cpp src/core/nist.cpp \
  src/core/align.cpp src/core/lattice.cpp \
  -o build/fuzz/core
build/fuzz/core "${1:-2000}"
