"""The core as a whole: its subjects and who calls them, its stub, and small parts that no room tests for itself."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import _core

ROOT = Path(__file__).parent.parent
CORE, SOURCE = ROOT / "src" / "core", ROOT / "src" / "assay"
SUBJECTS = ("read", "sums", "text", "match", "metrics", "align", "lm", "search", "compound", "parse", "encode")
# Subject of the core: the rooms that use what it binds, no more and no fewer.
CALLERS = {
    "read": {"data", "formats", "text"},
    "sums": {"scoring"},
    "text": {"formats", "text", "units", "matching", "metrics"},
    "match": {"matching"},
    "metrics": {"metrics"},
    "align": {"text", "systems"},
    "lm": {"text"},
    "search": {"systems"},
    "compound": {"text", "systems"},
    "parse": {"text"},
    "encode": {"text"},
}


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


def bound_names(subject: str) -> set[str]:
    """What a file of the binding defines in the module."""
    text = (CORE / "bind" / f"{subject}.cpp").read_text("utf-8")
    return set(re.findall(r'(?:\bm\.def\(|nb::class_<\w+>\(m,)\s*"(\w+)"', text))


def names_used(path: Path) -> Iterator[str]:
    """What a file takes from the core."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[-1] == "_core":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "_core":
            yield node.attr


def test_every_name_has_one_subject():
    by_subject = [bound_names(subject) for subject in SUBJECTS]
    public = {name for name in dir(_core) if not name.startswith("_")}
    assert set().union(*by_subject) == public
    assert sum(map(len, by_subject)) == len(public)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_who_calls_the_core(subject):
    names = bound_names(subject)
    rooms = {path.relative_to(SOURCE).parts[0] for path in SOURCE.rglob("*.py") if names & set(names_used(path))}
    assert rooms == CALLERS[subject]


def test_only_the_binding_knows_python():
    assert {path.name for path in CORE.iterdir()} == {*SUBJECTS, "bind"}
    for path in CORE.glob("*/*.[ch]pp"):
        text = path.read_text("utf-8")
        assert path.parent.name == "bind" or not re.search(r"nanobind|Python\.h|\bPy[A-Z_]", text), path
