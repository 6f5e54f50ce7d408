#!/bin/sh
# Builds the core's fuzzer with AddressSanitizer and UBSan and runs it, and what threads share under ThreadSanitizer; then
# the readers against mutated files, and the
# binding against wrong arguments, under the sanitizers too where its build and their library are at hand.
set -eu
cd "$(dirname "$0")/../.."
rounds="${1:-2000}"
python=.venv/bin/python
PATH="$PWD/.venv/bin:$PATH"
mkdir -p build/fuzz
kernels=$(ls src/core/*/*.cpp | grep -v '/bind/')
# One object a kernel, so that a second run compiles only what changed.
for file in $kernels tests/fuzz/fuzz_core.cpp; do
  object="build/fuzz/$(echo "${file%.cpp}" | tr / _).o"  # two folders may have a file of the same name
  if [ ! -e "$object" ] || [ -n "$(find "$file" src/core/*/*.hpp -newer "$object")" ]; then
    g++ -std=c++20 -Isrc/core -O1 -g -Wall -fsanitize=address,undefined -fno-sanitize-recover=all -c "$file" -o "$object"
  fi
done
g++ -fsanitize=address,undefined build/fuzz/*.o -o build/fuzz/core
build/fuzz/core "$rounds"
g++ -std=c++20 -Isrc/core -O1 -g -Wall -fsanitize=thread tests/fuzz/fuzz_threads.cpp src/core/text/tokenize.cpp \
  src/core/text/porter.cpp -o build/fuzz/threads
build/fuzz/threads "$((rounds / 100 + 1))"

$python tests/fuzz/fuzz_readers.py "$((rounds / 10))"  # of each of some thirty files
$python tests/fuzz/fuzz_binding.py "$rounds"

asan=$(g++ -print-file-name=libasan.so)
if $python -c "import nanobind" 2>/dev/null && command -v cmake >/dev/null && [ -e "$asan" ]; then
  cmake -S . -B build/asan -DASSAY_SANITIZE=ON -DPython_EXECUTABLE="$PWD/$python" \
    -Dnanobind_DIR="$($python -m nanobind --cmake_dir)" >build/asan.log
  cmake --build build/asan >>build/asan.log
  # Python itself leaks at its end, and stops at no allocation that is too large: it raises MemoryError. libstdc++ comes
  # first too, or the sanitizer does not find what throws exceptions.
  LD_PRELOAD="$asan $(g++ -print-file-name=libstdc++.so)" ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
    UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 $python tests/fuzz/fuzz_binding.py "$rounds" --core build/asan
else
  echo "the binding was not run under the sanitizers: they need cmake, nanobind and libasan"
fi
