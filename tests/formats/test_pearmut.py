"""Annotations made with Pearmut."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay import read
from assay.errors import AssayError, SkippedWarning
from assay.formats import format_of

SAMPLES = Path(__file__).parent / "samples"
pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.SkippedWarning")
SAMPLE = SAMPLES / "pearmut/annotations.jsonl"


def test_annotations():
    assert format_of(SAMPLE) == "pearmut"
    with pytest.warns(SkippedWarning, match=r"checks of attention \(1\)"):
        data = read(SAMPLE)
    assert data.items == ("weather_0", "weather_1")
    assert data.raters == ("ann", "bob")
    assert data.dimensions == ("score", "fluency")
    assert data.human("score").values.tolist()[0] == [65.0, 84.0]
    assert [(j.rater, j.score) for j in data["weather_1"].judgments if j.system == "online-B"] == []  # null, a check
    assert data["weather_0"].extra["error_spans"][0]["rater"] == "ann"


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda p: p["annotation"].pop(), ":1: 2 segments and 1 annotations"),
        (lambda p: p["item"][0].update(tgt={"online-A": 3}), ":1: the output of 'online-A' must be a text"),
        (
            lambda p: p["annotation"][0]["online-A"].update(score="2-Mar"),
            ":1: the score of 'online-A' is '2-Mar', a date",
        ),
        (lambda p: p["item"][0]["tgt"].pop("online-A"), "a judgment names system 'online-A', which has no output"),
        (lambda p: p.pop("user_id"), "user_id must be a name; got null"),
    ],
)
def test_bad_pages(tmp_path, change, match):
    page = json.loads(SAMPLE.read_text().splitlines()[0])
    change(page)
    (tmp_path / "a.jsonl").write_text(json.dumps(page))
    with pytest.raises(AssayError, match=match):
        read(tmp_path / "a.jsonl", format="pearmut")
