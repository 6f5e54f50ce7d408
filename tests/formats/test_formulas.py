"""No cell of an exported table is a formula, and every text comes back as it was."""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import formats
from assay.cli.main import main
from assay.data.evalset import EvalSet, Item, Judgment, Reference
from assay.errors import UnknownName
from assay.formats import ScoreRecord, ScoreWriter, read_scores
from assay.formats._io.csv_rows import escape, unescape

DANGER = tuple("=+-@\t\r")
PLAIN = ("-5", "+7.25", "-0")
texts = st.text(st.sampled_from("'=+-@\t\r a5.|"), max_size=6)
names = texts.filter(bool)


@given(texts)
def test_escape_is_undone_and_leaves_no_formula(text: str) -> None:
    assert unescape(escape(text)) == text
    assert not escape(text).startswith(DANGER) or escape(text).lstrip("+-").replace(".", "", 1).isdecimal()


def cells(path: Path) -> list[str]:
    with open(path, encoding="utf-8", newline="") as file:
        return [cell for row in csv.reader(file, delimiter="\t" if path.suffix == ".tsv" else ",") for cell in row]


@pytest.mark.parametrize(("name", "format"), [("x.csv", None), ("x.tsv", None), ("x", "csv")])
@settings(deadline=None, max_examples=60)
@given(st.lists(names, min_size=1, max_size=3, unique=True), st.lists(texts, min_size=2, max_size=2), names)
def test_sets_come_back(name: str, format: str | None, ids: list[str], both: list[str], system: str) -> None:
    judged = (Judgment(system, "=rater", "@d", -2.0),) if format else ()
    data = EvalSet(Item(i, (Reference(both[0]),), {system: both[1]}, judgments=judged) for i in ids)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        formats.write(data, path, format=format)
        assert formats.read(path) == data
        for file in [path] if path.is_file() else path.iterdir():
            numbers = ("-2.0", *PLAIN)
            risky = [c for c in cells(file) if c.startswith(DANGER) and c not in numbers]
            assert all(c.lstrip("+-").replace(".", "", 1).isdecimal() for c in risky)


def test_numbers_are_untouched_and_names_come_back(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    with ScoreWriter(path, per_item=True) as out:
        out.add([ScoreRecord("=cmd|' /C calc'!A0", "m", -0.5, None, "-1"), ScoreRecord("'=x", "m", 1.0, None, "-1")])
    assert path.read_text() == "system,item,metric,score,n\n'=cmd|' /C calc'!A0,-1,m,-0.5,\n''=x,-1,m,1.0,\n"
    (scores,) = read_scores(path)
    assert (scores.systems, scores.items) == (("=cmd|' /C calc'!A0", "'=x"), ("-1",))
    np.testing.assert_array_equal(scores.values, [[-0.5], [1.0]])


def test_it_can_be_turned_off(tmp_path: Path) -> None:
    data = EvalSet.from_texts({"=A": ["'=1", "=1"]})
    formats.write(data, tmp_path / "x.csv", escape_formulas=False)
    assert (tmp_path / "x.csv").read_text() == "item,system,text\n1,=A,'=1\n2,=A,=1\n"
    assert formats.read(tmp_path / "x.csv", escape_formulas=False) == data
    with pytest.raises(UnknownName, match="unknown option of format jsonl 'escape_formulas'"):
        formats.write(data, tmp_path / "x.jsonl", escape_formulas=False)


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    formats.write(EvalSet.from_texts({"=A": ["x"]}, ["x"]), tmp_path / "set.jsonl")
    out = tmp_path / "s.csv"
    given = ["score", str(tmp_path / "set.jsonl"), "-m", "rouge1", "--out", str(out)]
    assert main(given) == 0
    assert out.read_text().splitlines()[1].startswith("'=A,")
    assert main([*given, "--no-escape-formulas"]) == 0
    assert out.read_text().splitlines()[1].startswith("=A,")
    capsys.readouterr()
