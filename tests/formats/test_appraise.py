"""Exports of Appraise, beside the outputs that were judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay import read
from assay.errors import AssayError, FormatError, SkippedWarning
from assay.formats import format_of
from assay.formats.appraise import Appraise

SAMPLES = Path(__file__).parent / "samples"
pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.SkippedWarning")
OUTPUTS = SAMPLES / "outputs.jsonl"


def scores(name: str) -> dict[tuple[str, str, str, int], float]:
    data = read(OUTPUTS, judgments=SAMPLES / "appraise" / name)
    return {(item.id, j.system, j.rater, j.occasion): j.score for item in data for j in item.judgments}


def test_direct_assessment():
    assert format_of(SAMPLES / "appraise/direct.csv") == "appraise"
    with pytest.warns(SkippedWarning, match=r"controls of type BAD \(1\); controls of type REF \(1\)"):
        judgments = scores("direct.csv")
    assert judgments == {
        ("1", "online-A", "deueng0101", 1): 78.0,
        ("1", "online-A", "deueng0101", 2): 80.0,  # CHK: the same output again
        ("1", "online-B", "deueng0101", 1): 55.0,
        ("2", "online-A+online-B", "deueng0102", 1): 91.0,
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("document.csv", {("1", "online-A"): 78.0, ("2", "online-A"): 66.0}),  # not the score of the whole document
        ("document-14.csv", {("1", "online-A"): 78.0, ("1", "online-B"): 60.0}),
        ("pairwise.csv", {("1", "online-A"): 78.0, ("1", "online-B"): 60.0}),
        ("media.csv", {("1", "online-A"): 78.0, ("1", "online-B"): 41.0}),
    ],
)
def test_every_variant_by_its_columns(name, expected):
    assert format_of(SAMPLES / "appraise" / name) == "appraise"
    assert {key[:2]: score for key, score in scores(name).items()} == expected


def test_thirteen_columns(tmp_path):
    rows = (SAMPLES / "appraise/pairwise.csv").read_text().splitlines()
    (tmp_path / "a.csv").write_text("".join(f"{row},3,1001\n" for row in rows))
    assert [row.score for row in Appraise().read_judgments(tmp_path / "a.csv")] == [78.0, 60.0]


def test_it_holds_no_outputs():
    with pytest.raises(FormatError, match=r"holds judgments \(appraise\) and no outputs; give it with the file"):
        read(SAMPLES / "appraise/direct.csv")


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        (",78,", ",2-Mar,", r"a\.csv:1: the score is '2-Mar', a date"),
        (",55,", ",good,", r"a\.csv:2: the score must be a number; got 'good'"),
        ("TGT,eng,deu,55", "NEW,eng,deu,55", r"a\.csv:2: the type is TGT, CHK, BAD, REF; got 'NEW'"),
        ("deueng0101,online-B", "online-B", r"a\.csv:2: 8 fields where the first row has 9"),
        ("TGT,eng,deu,55", "TGT,eng,fra,55", r"2 language pairs \(eng-deu, eng-fra\); keep the rows of one"),
        ("online-B,1", "online-Z,1", "names system 'online-Z', which has no output there"),
        ("online-B,1", "online-B,9", "1 of the 3 items that are judged are not in .*outputs.jsonl: '9'"),
    ],
)
def test_bad_exports(tmp_path, old, new, match):
    (tmp_path / "a.csv").write_text((SAMPLES / "appraise/direct.csv").read_text().replace(old, new, 1))
    with pytest.raises(AssayError, match=match):
        read(OUTPUTS, judgments=tmp_path / "a.csv")


def test_columns_of_no_variant(tmp_path):
    (tmp_path / "a.csv").write_text("u,s,1,TGT,eng,deu,78,1,2,3\n")
    with pytest.raises(FormatError, match="10 columns; exports of Appraise have 9, 11, 12, 13, 14, or a header"):
        list(Appraise().read_judgments(tmp_path / "a.csv"))


def test_a_chosen_pair(tmp_path):
    text = (SAMPLES / "appraise/direct.csv").read_text().replace("TGT,eng,deu,55", "TGT,eng,fra,55")
    (tmp_path / "a.csv").write_text(text)
    assert [row.score for row in Appraise(pair="eng-fra").read_judgments(tmp_path / "a.csv")] == [55.0]
