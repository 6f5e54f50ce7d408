"""Excel workbooks: sheets, numbers that are texts, dates that were scores."""

from __future__ import annotations

import datetime
from pathlib import Path

import openpyxl
import pytest

import assay
from assay.cli.main import main
from assay.errors import AssayError, SkippedWarning
from assay.formats import read_judged


def put(path: Path, **sheets: list[list[object]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


ROWS = [
    ["Segment ID", "Ground Truth", "Model Output", "Fluency"],
    [1, "the cat sat", "a cat sat", 4],
    [2, "forty-two", 42, 3.5],
    [None, None, None, None],
]


def test_a_sheet_is_a_table(tmp_path):
    data = assay.read(put(tmp_path / "bart.xlsx", Sheet=ROWS))
    assert (data.items, data.systems, data.dimensions) == (("1", "2"), ("bart",), ("Fluency",))
    assert data["2"].outputs == {"bart": "42"}
    assert [j.score for item in data for j in item.judgments] == [4.0, 3.5]


def test_the_first_sheet_that_holds_something_is_read_and_named(tmp_path):
    path = put(tmp_path / "x.xlsx", Empty=[], Runs=ROWS, Notes=[["who", "when"], ["Ann", "today"]])
    stream = assay.stream(path)
    assert stream.read().items == ("1", "2")
    assert stream.recognized.startswith("sheet 'Runs' of 2: output = Model Output")
    with pytest.raises(AssayError, match="no column of outputs; the columns are 'who', 'when'"):
        assay.read(path, sheet="Notes")
    with pytest.raises(AssayError, match="unknown sheet 'Run'; did you mean 'Runs'"):
        assay.read(path, sheet="Run")


HEADS: list[object] = ["id", "output", "reference", "fluency", "comment"]


def rated(*scores: int, note: str = "") -> list[list[object]]:
    return [HEADS, *([n, f"text {n} of it", f"words {n} here", score, note] for n, score in enumerate(scores, 1))]


def test_a_sheet_for_each_rater(tmp_path):
    path = put(tmp_path / "bart.xlsx", Ann=rated(4, 2, 5), Ben=rated(3, 1, 5, note="hm"), Cy=rated(5, 5, 1))
    stream = assay.stream(path)
    data = stream.read()
    assert stream.recognized.startswith("a rater for each of 3 sheets: output = output")
    assert (data.raters, data.systems) == (("Ann", "Ben", "Cy"), ("bart",))
    assert {j.rater: j.score for j in data["2"].judgments} == {"Ann": 2.0, "Ben": 1.0, "Cy": 5.0}
    assert main(["agree", str(path), "--resamples", "0", "--quiet"]) == 0


def test_sheets_of_ratings_alone(tmp_path):
    sheets = {
        name: [["item", "system", "fluency"], [1, "A", a], [2, "A", b]] for name, a, b in (("Ann", 1, 2), ("Ben", 2, 2))
    }
    path = put(tmp_path / "ratings.xlsx", **sheets)
    data = read_judged(path)
    assert data.raters == ("Ann", "Ben")
    assert [j.score for item in data for j in item.judgments] == [1.0, 2.0, 2.0, 2.0]


def test_a_sheet_for_each_system(tmp_path):
    other = [[*row[:1], f"another {row[0]}", *row[2:]] if row[0] != "id" else row for row in rated(1, 2, 3)]
    data = assay.read(put(tmp_path / "x.xlsx", bart=rated(4, 2, 5), t5=other))
    assert data.systems == ("bart", "t5")
    assert data["1"].outputs == {"bart": "text 1 of it", "t5": "another 1"}


def test_hidden_sheets_are_named_and_not_read(tmp_path):
    path = put(tmp_path / "x.xlsx", Old=rated(1, 1, 1), Ann=rated(4, 2, 5))
    book = openpyxl.load_workbook(path)
    book["Old"].sheet_state = "hidden"
    book.save(path)
    with pytest.warns(SkippedWarning, match="hidden sheets are not read: Old"):
        assert [j.score for item in assay.read(path) for j in item.judgments] == [4.0, 2.0, 5.0]
    assert [j.score for item in assay.read(path, sheet="Old") for j in item.judgments] == [1.0, 1.0, 1.0]


def test_formulas_without_values_are_named(tmp_path):
    rows = rated(4, 2, 5)
    rows[2][3] = "=1+1"
    with pytest.warns(SkippedWarning, match="1 formulas were saved without values, and are read as empty: Ann!D3;"):
        data = assay.read(put(tmp_path / "x.xlsx", Ann=rows))
    assert [j.score for item in data for j in item.judgments] == [4.0, 5.0]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [*ROWS[:2], [3, "r", "o", datetime.datetime(2026, 5, 4)]],
            "row 3: 'Fluency' should be a number; it is the date",
        ),
        ([[*ROWS[0], "fluency"], [1, "r", "o", 1, 2]], r"two columns are called 'Fluency'"),
        ([["id", "output", "output"], [1, "a", "b"]], "two columns are called 'output'"),
        ([ROWS[0]], "no items"),
    ],
)
def test_bad_sheets(rows, message, tmp_path, capsys):
    path = put(tmp_path / "x.xlsx", Sheet=rows)
    with pytest.raises(AssayError, match=message):
        assay.read(path)
    assert main(["score", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_bad_workbooks(tmp_path):
    whole = put(tmp_path / "whole.xlsx", Sheet=ROWS).read_bytes()
    for name, content in {"cut": whole[: len(whole) // 2], "text": b"id,output\n", "empty": b""}.items():
        path = tmp_path / f"{name}.xlsx"
        path.write_bytes(content)
        with pytest.raises(AssayError, match=r"not a readable Excel workbook"):
            assay.read(path)
    with pytest.raises(AssayError, match="there is no such file"):
        assay.read(tmp_path / "none.xlsx")
    with pytest.raises(AssayError, match=r"read, not written; write \.csv"):
        assay.write(assay.EvalSet.from_texts(["a"]), tmp_path / "out.xlsx")
    assert not (tmp_path / "out.xlsx").exists()


def test_judgments_in_a_workbook(tmp_path):
    rows = [["item", "annotator", "adequacy"], [1, "Ann", 3], [2, "Ann", 5]]
    path = put(tmp_path / "judged.xlsx", Sheet=rows)
    data = assay.read({"output": ["a", "b"]} | {"reference": ["c", "d"]}, judgments=path)
    assert data.human("adequacy").values.tolist() == [[3.0, 5.0]]
