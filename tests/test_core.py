"""Small parts of the core that no room tests for itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from assay import _core

ROOT = Path(__file__).parent.parent


@given(st.lists(st.text(max_size=3)))
def test_seen_as_a_set(strings):
    seen, known = _core.Seen(), set()
    for s in strings:
        if any("\ud800" <= c <= "\udfff" for c in s):
            continue
        assert seen.add(s) == (s not in known)
        known.add(s)


def test_seen_grows():
    seen = _core.Seen()
    ids = [chr(c) for c in range(32, 1000)] + [str(i) for i in range(10, 50_000)]
    assert all(seen.add(i) for i in ids)
    assert not any(seen.add(i) for i in ids)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=40)))
def test_words_and_back(words):
    vocab = _core.Vocab()
    ids = [vocab.intern(w) for w in words]
    assert [vocab.words()[i] for i in ids] == words
    assert len(vocab) == len(set(words))


def test_the_stub_is_made_from_the_binary(tmp_path):
    out = tmp_path / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "assay._core", "-o", str(out)]
    subprocess.run(command, check=True)
    stub = ROOT / "src" / "assay" / "_core.pyi"
    assert out.read_text() == stub.read_text(), "run `make stub`"
