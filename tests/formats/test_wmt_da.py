"""Direct assessments of WMT, as COMET is trained on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay import EvalSet, Item, Judgment, read, write
from assay.errors import FormatError
from assay.formats import format_of

SAMPLES = Path(__file__).parent / "samples"
pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.SkippedWarning")
SAMPLE = SAMPLES / "wmt-da/da.csv"


def test_a_row_is_an_item():
    data = read(SAMPLE)
    assert format_of(SAMPLE) == "wmt-da"
    assert (data.items, data.systems) == (("1", "2", "3"), ("da",))
    assert data["3"].outputs == {"da": 'Die "Brücke", zu'}
    assert data["3"].group == "en-de"
    assert data.human("da-z").values.tolist() == [[0.25, 0.75, -0.5]]
    assert data.human("da").values.tolist() == [[78.5, 91.0, 40.0]]
    assert data["1"].extra == {"wmt": {"da": {"annotators": "2", "domain": "news"}}}


def test_named_systems_share_an_item(tmp_path):
    rows = SAMPLE.read_text().splitlines()
    names = ["system", "A", "B", "A"]
    (tmp_path / "a.csv").write_text("\n".join(f"{row},{name}" for row, name in zip(rows, names, strict=True)))
    data = read(tmp_path / "a.csv", allow_missing=True)
    assert data.items == ("1", "2")
    assert data["1"].outputs.keys() == {"A", "B"}


def test_round_trip(tmp_path):
    data = read(SAMPLE)
    write(data, tmp_path / "da.csv", format="wmt-da")
    assert format_of(tmp_path / "da.csv") == "wmt-da"
    assert read(tmp_path / "da.csv") == data


@pytest.mark.parametrize(("score", "match"), [("2-Mar", "a date"), ("high", "must be a number"), ("inf", "finite")])
def test_a_score_that_is_none(tmp_path, score, match):
    (tmp_path / "a.csv").write_text(SAMPLE.read_text().replace("0.25", score))
    with pytest.raises(FormatError, match=rf"a\.csv:2: column 'score'.*{match}"):
        read(tmp_path / "a.csv")


def test_single_raters_have_no_place(tmp_path):
    data = EvalSet([Item("1", outputs={"A": "a"}, judgments=(Judgment("A", "ann", "da", 1.0),))])
    with pytest.raises(FormatError, match="judgments by single raters"):
        write(data, tmp_path / "a.csv", format="wmt-da")
