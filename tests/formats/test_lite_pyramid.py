"""Light pyramids: tables of REALSumm, folders of Lite2-3Pyramid."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from assay import read, score
from assay.errors import AssayError
from assay.formats import format_of, read_units

SAMPLES = Path(__file__).parent / "samples"


def test_a_table():
    data = read(SAMPLES / "lite-pyramid/realsumm.csv")
    assert format_of(SAMPLES / "lite-pyramid/realsumm.csv") == "lite-pyramid"
    assert data.items == ("ev1",)
    assert data.systems == ("bart", "t5")
    assert data.human("litepyramid").values[:, 0].tolist() == [0.75, 0.5]
    assert data["ev1"].extra["statements"][0]["present"] == {"The mayor resigned.": True, "It was Monday.": False}


def test_a_folder():
    data = read(SAMPLES / "lite-pyramid/folder")
    assert format_of(SAMPLES / "lite-pyramid/folder") == "lite-pyramid"
    assert data.items == ("a", "b")
    assert data["a"].references[0].text == "The mayor resigned on Monday."
    assert data.human("litepyramid").values.tolist() == [[0.5, 0.0]]
    assert data["a"].extra == {"units": ["The mayor resigned.", "It was Monday."], "present": {"bart": [1, 0]}}
    assert score(data, "pyramid(modified=true)").values.tolist() == [[0.5, 0.0]]


def test_a_table_is_scored_and_shows_its_raters():
    data = read(SAMPLES / "lite-pyramid/realsumm.csv")
    assert score(data, "pyramid(modified=true)").values[:, 0].tolist() == [0.75, 0.5]
    units = read_units(SAMPLES / "lite-pyramid/realsumm.csv")
    assert [(each.item, each.annotator, each.present) for each in units] == [
        ("ev1", "W1", {"bart": (True, False), "t5": (False, True)}),
        ("ev1", "W2", {"bart": (True, True)}),
    ]
    [first, *_] = read_units(SAMPLES / "lite-pyramid/folder")
    assert (first.units, first.present) == (("The mayor resigned.", "It was Monday."), {"bart": (True, False)})


def test_a_table_of_units():
    data = read(SAMPLES / "lite-pyramid/units.csv")
    assert format_of(SAMPLES / "lite-pyramid/units.csv") == "lite-pyramid"
    assert data.items == ("ev1", "ev2")
    assert data["ev1"].extra == {
        "units": ["The mayor resigned.", "It was Monday."],
        "unit_ids": ["1", "2"],
        "present": {"s1": [1, 0], "s2": [0, 1]},
    }
    [first, *_] = read_units(SAMPLES / "lite-pyramid/units.csv")
    assert first.present == {"s1": (True, False), "s2": (False, True)}


def test_a_statement_that_comes_twice_is_two_units(tmp_path):
    table = (SAMPLES / "lite-pyramid/realsumm.csv").read_text().replace("It was Monday.", "The mayor resigned.")
    (tmp_path / "a.csv").write_text(table)
    [item] = read(tmp_path / "a.csv")
    assert item.extra["statements"][0]["present"] == {"The mayor resigned.": True, "The mayor resigned. (2)": False}


def test_a_bad_answer(tmp_path):
    (tmp_path / "a.csv").write_text((SAMPLES / "lite-pyramid/realsumm.csv").read_text().replace("p,n", "p,maybe"))
    with pytest.raises(AssayError, match=r"a\.csv:2: an answer is p or n; got 'maybe' to statement 2"):
        read(tmp_path / "a.csv")


@pytest.mark.parametrize(
    ("file", "content", "match"),
    [
        ("labels/bart.label", "1\n0\n", r"bart\.label:1: 1 labels for 2 units"),
        ("labels/bart.label", "1\tx\n0\n", r"bart\.label:1: a label is 0 or 1; got 'x'"),
        ("labels/bart.label", "1\t0\n", "differ in their number of lines"),
        ("labels/t5.label", "1\t0\n0\n", "labels of 't5' and no summaries of it"),
    ],
)
def test_bad_folders(tmp_path, file, content, match):
    shutil.copytree(SAMPLES / "lite-pyramid/folder", tmp_path / "a")
    (tmp_path / "a" / file).write_text(content)
    with pytest.raises(AssayError, match=match):
        read(tmp_path / "a")
