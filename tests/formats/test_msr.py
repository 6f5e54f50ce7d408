"""The MSR compression data in its original form."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assay import formats
from assay.data.evalset import EvalSet, Item, Judgment, Reference
from assay.errors import FormatError

RATED = "6\tMost important meaning Flawless language\t14\tMuch meaning Disfluent or incomprehensible"
LINE = f"7_8\tLetters\tThe old cat sat. ||| Cat sat.\t62\t2\t{RATED} ||| A cat sat. \t62\t0 ||| Sat.\t0\t0\r\n"


def put(folder: Path, text: str) -> Path:
    path = folder / "valid.tsv"
    path.write_text(text, "utf-8-sig", newline="")
    return path


def test_one_line(tmp_path: Path) -> None:
    path = put(tmp_path, LINE)
    data = formats.read(path)
    (item,) = data
    assert (item.id, item.group, item.sources) == ("7_8", "Letters", ("The old cat sat.",))
    assert item.outputs == {"62": "Cat sat.", "62#2": "A cat sat. ", "0": "Sat."}
    assert item.references[1] == Reference("A cat sat. ", "62#2")
    assert item.judgments == (
        Judgment("62", "rater1", "meaning", 3.0),
        Judgment("62", "rater1", "grammar", 3.0),
        Judgment("62", "rater2", "meaning", 2.0),
        Judgment("62", "rater2", "grammar", 1.0),
    )
    assert data.people == ("62", "62#2", "0")
    formats.write(data, tmp_path / "out.tsv", format="msr")
    assert (tmp_path / "out.tsv").read_bytes() == path.read_bytes()


def test_the_published_file(data: Path, tmp_path: Path) -> None:
    """447 sources, 1,908 compressions, 6,122 ratings: the counts of the data's README."""
    path = data / "msr-compression" / "RawData" / "valid.tsv"
    if not path.exists():
        pytest.skip(f"no {path}")
    msr = formats.read(path)
    assert len(msr) == 447
    assert sum(len(item.outputs) for item in msr) == 1908
    assert sum(len(item.judgments) for item in msr) == 2 * 6122
    for dimension, mean in (("meaning", 2.768), ("grammar", 2.817)):
        assert np.nanmean(msr.human(dimension).values) == pytest.approx(mean, abs=5e-4)
    assert sum(len(chunk) for chunk in formats.stream(path, batch=100)) == 447
    formats.write(msr, tmp_path / "out.tsv", format="msr")
    assert (tmp_path / "out.tsv").read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1\tLetters ||| c\t1\t0", r"valid\.tsv:1: 2 fields before the first"),
        ("1\tL\ts ||| c\t1", r":1: a compression is not text, worker, number of ratings"),
        ("1\tL\ts ||| c\t1\tx", r":1: a compression is not text, worker"),
        ("1\tL\ts ||| c\t1\t1\t6", r":1: a compression is not text, worker"),
        (
            "1\tL\ts ||| c\t1\t1\t6\tMuch meaning Flawless language",
            r":1: rating '6' 'Much meaning .*' is none of the nine",
        ),
        ("1\tL\ts ||| c\t1#2\t0 ||| d\t1\t0 ||| e\t1\t0", r":1: two compressions of worker '1#2'"),
        ("", r"valid\.tsv: there are no items in it"),
    ],
)
def test_bad_lines(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=message):
        formats.read(put(tmp_path, line), format="msr")


def test_a_table_of_ours_is_not_taken_for_it(tmp_path: Path) -> None:
    assert formats.read(put(tmp_path, "item\tsystem\ttext\n1\tA\ta ||| b\n")).systems == ("A",)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (Item("1", outputs={"A": "a"}), "it needs one source"),
        (Item("1", outputs={"A": "a"}, sources=("s",)), "its outputs must be its references"),
        (Item("1", (Reference("a\tb", "A"),), {"A": "a\tb"}, ("s",)), "a text holds a tab"),
        (Item("1", (Reference("a\nb", "A"),), {"A": "a\nb"}, ("s",)), "a text holds a newline"),
        (
            Item("1", (Reference("a", "A"),), {"A": "a"}, ("s",), None, (Judgment("A", "r", "meaning", 3.0),)),
            "its judgments must be of meaning and grammar",
        ),
    ],
)
def test_what_it_cannot_hold(item: Item, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=f"item '1' cannot be written as MSR data: {message}"):
        formats.write(EvalSet([item]), tmp_path / "out.tsv", format="msr")
