"""The fuzzers reach everything, and a short run of each; `make fuzz` runs them longer and under sanitizers."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from assay import _core

HERE = Path(__file__).parent
CORE = HERE.parents[1] / "src" / "core"
sys.path.insert(0, str(HERE))
import fuzz_binding  # noqa: E402

FUZZER = (HERE / "fuzz_core.cpp").read_text("utf-8")
# Free functions that a header offers.
OFFERED = re.compile(
    r"^(?!constexpr|inline|template|using|typedef|[ /#}])[\w:<>&*, ]+?\b(\w+)\([^;{]*?\);", re.M | re.S
)
# Of these the fuzzer needs no call of its own: another one makes it.
WITHIN = {"bag_size"}
# Files whose functions are declared in the header of another.
HEADERS = {"tokenize": "tokens", "guesser": "splitter", "longest": "splitter"}


def functions(header: Path) -> list[str]:
    return [name for name in OFFERED.findall(header.read_text("utf-8")) if name not in WITHIN]


@pytest.mark.parametrize("kernel", sorted(CORE.glob("*/*.cpp")), ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_every_kernel_is_fuzzed(kernel):
    """run.sh compiles all kernels; each one's functions are called by the fuzzer, or by Python if it is the binding.

    The parser and the encoder need their weights, which Python reads: they are reached through the binding as well.
    """
    if kernel.parent.name in ("bind", "parse") or kernel.stem == "network":
        assert fuzz_binding.missing(_core) == []
        return
    header = kernel.parent / f"{HEADERS.get(kernel.stem, kernel.stem)}.hpp"
    assert f'#include "{header.relative_to(CORE)}"' in FUZZER
    body = FUZZER[FUZZER.index("namespace {") :]
    for name in functions(header):
        assert re.search(rf"\b{name}\b", body), f"the fuzzer never calls {name}() of {header.name}"


def test_the_list_of_functions_is_not_empty():
    found = {name for header in CORE.glob("*/*.hpp") for name in functions(header)}
    assert {"soft_overlap", "divergence", "ngrams", "best_subtree", "best_words", "closest_length", "remap"} <= found


def test_run_compiles_every_kernel():
    script = (HERE / "run.sh").read_text("utf-8")
    assert "kernels=$(ls src/core/*/*.cpp | grep -v '/bind/')" in script
    for driver in ("fuzz_core.cpp", "fuzz_threads.cpp", "fuzz_readers.py", "fuzz_binding.py"):
        assert driver in script


@pytest.mark.parametrize("driver", ["fuzz_binding.py", "fuzz_readers.py"])
def test_a_short_run(driver):
    command = [sys.executable, HERE / driver, "10"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]


def ints(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


class Two:
    """Two sets of texts that do not belong together, though each is right by itself."""

    def __init__(self) -> None:
        self.small, self.large = _core.Vocab(), _core.Vocab()
        self.few = _core.tokenize(["a b"], "unicode", self.small)
        self.many = _core.tokenize([" ".join(f"w{i}" for i in range(500))], "unicode", self.large)
        self.one = _core.Layout(ints(0, 1), ints(0, 1), ints(-1))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda t: t.many.words(t.small, 0), "another vocabulary"),
        (lambda t: _map(t.large, t.large).mapped_by(t), "another vocabulary"),
        (lambda t: _core.bags(ints(), ints(0), -1), "out of range"),
        (lambda t: _core.bags(ints(), ints(0), 2**40), "out of range"),
        (lambda t: _core.Layout(ints(0, 4), ints(0, 2**62), ints(-1, -1, -1, -1)), "too many"),
        (lambda t: _core.pool(_counts(t), _pairs(), 2, 1, 1.0, -1, 1.0), "do not fit"),
        (lambda t: _core.closest_length(_counts(t), _pairs(), False), "do not fit"),
        (lambda t: _core.first_match(_counts(t), _pairs()), "do not fit"),
        (lambda t: _core.overlap(t.few, t.few, t.one, [[1, 0, 0, 0]], [], _lattices(t)), "do not fit"),
        (lambda t: _core.overlap(t.many, t.many, t.one, [[2, 1, 63, 0]], [], _lattices(t)), "at most 62"),
        (lambda t: _core.align(t.few, t.few, 1, 2**31 - 1, 0.2, 0.2, 0.0, 9, 0), "out of range"),
        (lambda t: _core.phrase_pairs(t.few, t.few, _links(t), 2**62, True), "1 to 1000"),
        (lambda t: _core.monoalign(_mono(), _mono(), [float("nan")] * 21), "finite"),
        (lambda t: _grams().best_words(*_search(), 0, 2**63 - 1), "too long"),
    ],
    ids=[
        "words",
        "mapped",
        "negative size",
        "huge size",
        "layout",
        "pool",
        "closest",
        "first",
        "lattice",
        "gap",
        "iterations",
        "phrases",
        "weights",
        "most",
    ],
)
def test_what_does_not_fit_is_refused(call, message):
    """Each of these read or wrote memory that was not its own, overflowed, or asked for more than there is."""
    with pytest.raises(ValueError, match=message):
        call(Two())


class _map:
    def __init__(self, vocab, over) -> None:
        self.map = _core.WordMap()
        self.map.extend_porter(vocab)

    def mapped_by(self, t: Two) -> object:
        return t.few.mapped(self.map, t.small)


def _counts(t: Two):
    return _core.overlap(t.few, t.few, t.one, [[1, 0, 0, 0]], [])[0]


def _pairs():
    """As many outputs as the counts have, and many more pairs."""
    return _core.Layout(ints(0, 1), ints(0, 100_000), ints(-1))


def _lattices(t: Two):
    words = [f"w{i}" for i in range(500)]
    words[400] = "other"
    variant = _core.tokenize([" ".join(words)], "unicode", t.large)
    before = _core.tokenize([" ".join(words[:400])], "unicode", t.large)
    after = _core.tokenize([" ".join(words[401:])], "unicode", t.large)
    return _core.Lattices(t.many, variant, before, after, ints(0))


def _links(t: Two):
    return _core.align(t.few, t.few, 1, 1, 0.2, 0.2, 0.0, 9, 0).links


def _mono():
    return _core.MonoText([("cat", "cat", "", [1], 0)], [])


def _grams():
    counter = _core.NGramCounter()
    counter.add("a b c\na b\n")
    return counter.finish(2, 1, [0, 0])[0]


def _search():
    return np.array([0, 1], np.uint32), np.ones(2), 0.3, np.array([1, 1], np.uint32)


def test_right_calls_do_not_raise():
    """So that the fuzzer begins with arguments that get somewhere."""
    world = fuzz_binding.World(_core, random.Random(1))
    for function, arguments in fuzz_binding.calls(_core, world).values():
        function(*arguments)
