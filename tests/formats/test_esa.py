"""Error span annotation as WMT releases it."""

from __future__ import annotations

import json

import pytest

from assay import read
from assay.errors import FormatError, SkippedWarning, UnknownName
from assay.formats import format_of

pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.SkippedWarning")


def line(number: int, system: str, annotator: str, score: object, **changes: object) -> str:
    row = {"langs": "en-es", "line_id": number, "src": f"Text {number}.", "tgt": f"Texto {number} de {system}."}
    row |= {"doc_id": "d1", "domain": "news", "esa_spans": [{"start_i": 0, "end_i": 5, "severity": "minor"}]}
    row |= {"esa_score": score, "system": system, "annotator": annotator, "speech_info": None}
    return json.dumps({**row, **changes}) + "\n"


def test_scores_of_annotators(tmp_path):
    path = tmp_path / "esa.jsonl"
    lines = [line(n, s, a, 10 * n) for n in (1, 2) for s in ("A", "B") for a in ("ann", "ben")]
    path.write_text("".join([*lines, line(1, "A", "cy", "66")]))
    assert format_of(path) == "esa"
    with pytest.warns(SkippedWarning, match=r"error spans \(9\)"):
        data = read(path)
    assert (data.items, data.systems, data.dimensions) == (("1", "2"), ("A", "B"), ("esa",))
    assert (data["1"].cluster, data["1"].group, data["1"].sources) == ("d1", "news", ("Text 1.",))
    assert {j.rater: j.score for j in data["1"].judgments if j.system == "A"} == {"ann": 10.0, "ben": 10.0, "cy": 66.0}


def test_a_language_pair_is_chosen(tmp_path):
    path = tmp_path / "esa.jsonl"
    path.write_text(line(1, "A", "ann", 5) + line(1, "A", "ann", 7, langs="en-cs", tgt="Text."))
    with pytest.raises(FormatError, match=r"holds 2 language pairs; choose one as .*esa\(pair=en-cs\)"):
        read(path)
    assert read(path, format="esa(pair=en-cs)")["1"].judgments[0].score == 7.0
    with pytest.raises(UnknownName, match="language pair 'de-en'"):
        read(path, format="esa(pair=de-en)")


def test_missing_scores_and_names(tmp_path):
    path = tmp_path / "esa.jsonl"
    path.write_text(line(1, "A", "ann", None) + line(2, "A", "ann", 3))
    with pytest.warns(SkippedWarning, match=r"outputs without a score \(1\)"):
        assert [len(item.judgments) for item in read(path)] == [0, 1]
    path.write_text(line(1, "A", "", 3))
    with pytest.raises(FormatError, match=r"esa\.jsonl:1: annotator must be a name"):
        read(path)
