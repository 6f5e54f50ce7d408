"""Readers fed with rubbish: whatever the bytes are, only Assay's own errors come out."""

from __future__ import annotations

import gzip
import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay import formats
from assay.data.evalset import EvalSet, Item, Judgment, Reference
from assay.errors import AssayError
from assay.formats import ScoreRecord, ScoreWriter, read_scores

slow = settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
ITEM = Item(
    "1", (Reference("r", "P"), Reference("é")), {"A": "a", "P": "r"}, ("s",), "g", (Judgment("A", "r", "d", 1.0),)
)
RATED = b"1\tL\ts ||| c\t6\t1\t6\tMost important meaning Flawless language ||| d\t7\t0\r\n"
NAMES = ["x.jsonl", "x.json.gz", "x.csv", "x.tsv", "x.parquet", "x.txt", "msr.tsv"]


@cache
def good(name: str) -> bytes:
    """A right file of this name."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        if name == "msr.tsv":
            return RATED * 2
        if name == "x.txt":
            return "one\ntwo é\r\n".encode()
        flat = Item("1", (Reference("r"), Reference("é")), {"A": 'a "b"\n', "P": "r"}, ("s",), "g")
        formats.write(EvalSet([ITEM if "json" in name else flat]), path)
        return path.read_bytes()


def only_our_errors(name: str, content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        format = "msr" if name == "msr.tsv" else None
        for work in (
            lambda: formats.read(path, format=format),
            lambda: list(formats.stream(path, format=format, batch=1, allow_missing=True)),
            lambda: read_scores(path),
        ):
            try:
                work()
            except AssayError as error:
                assert "\n" not in str(error)  # noqa: PT017


@slow
@given(content=st.binary(max_size=200))
@pytest.mark.parametrize("name", NAMES)
def test_random_bytes(name: str, content: bytes) -> None:
    only_our_errors(name, content)


@slow
@pytest.mark.filterwarnings("ignore::assay.errors.SkippedWarning")
@given(data=st.data())
@pytest.mark.parametrize("name", NAMES)
def test_right_files_with_wrong_places(name: str, data: st.DataObject) -> None:
    content = bytearray(good(name))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content)))
        upto = at + data.draw(st.integers(0, 8))
        content[at:upto] = data.draw(
            st.sampled_from([b"", b"\0", b'"', b"\n", b",", b"[", b"\xff", b"9"]) | st.binary(max_size=6)
        )
    only_our_errors(name, bytes(content))


@slow
@given(cut=st.integers(0, 120), content=st.binary(max_size=30))
def test_broken_gzip(cut: int, content: bytes) -> None:
    packed = gzip.compress(b'{"id": "a", "outputs": {"A": "some text"}}\n' * 3)
    only_our_errors("x.jsonl", packed[:cut] + content)


@slow
@pytest.mark.filterwarnings(
    "ignore::assay.errors.SkippedWarning"
)  # a damaged header makes it a table of another program
@given(data=st.data())
@pytest.mark.parametrize("name", ["s.jsonl", "s.csv", "s.parquet"])
def test_files_of_scores(name: str, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        with ScoreWriter(Path(folder, name), per_item=True) as out:
            out.add([ScoreRecord("A", "m", 0.5, 1, "1"), ScoreRecord("B", "m", 0.25, 1, "1")])
        content = bytearray(Path(folder, name).read_bytes())
    at = data.draw(st.integers(0, len(content)))
    content[at : at + data.draw(st.integers(0, 5))] = data.draw(st.binary(max_size=6))
    only_our_errors(name, bytes(content))
