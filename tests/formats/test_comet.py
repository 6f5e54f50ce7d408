"""Output of comet-score, printed and as JSON: COMET is a metric, and its error spans are no judgments."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay import read
from assay.errors import NoOutputs, SkippedWarning
from assay.formats import format_of, read_scores

SAMPLES = Path(__file__).parent / "samples/comet"
VALUES = {"small": [0.8123, 0.441], "large": [0.9017, 0.6633]}


@pytest.mark.parametrize("name", ["printed.txt", "scores.json"])
@pytest.mark.filterwarnings("ignore::assay.errors.SkippedWarning")
def test_scores_by_segment(name):
    assert format_of(SAMPLES / name) == "comet"
    (scores,) = read_scores(SAMPLES / name)
    assert (scores.name, scores.items) == ("COMET", ("1", "2"))
    assert {system: scores.row(system).tolist() for system in scores.systems} == VALUES


def test_json_is_a_set_and_its_spans_are_no_judgments():
    with pytest.warns(SkippedWarning, match=r"error spans that COMET marked \(2\)"):
        data = read(SAMPLES / "scores.json")
    assert data.systems == ("small", "large")
    assert data["2"].outputs == {"small": "It rain.", "large": "It rains."}
    assert [reference.text for reference in data["2"].references] == ["It is raining."]
    assert data.assessors == (("COMET", "metric"),)
    assert data.dimensions == ()


def test_what_was_printed_has_no_outputs():
    with pytest.raises(NoOutputs, match="OUTPUTS --scores"):
        read(SAMPLES / "printed.txt")


def test_one_list_as_older_versions_write_it(tmp_path):
    (tmp_path / "run.json").write_text('[{"src": "a", "mt": "b", "ref": "c", "COMET": 0.5}]')
    assert read(tmp_path / "run.json").systems == ("run",)
    (tmp_path / "out.txt").write_text("Segment 0\tscore: 0.5000\tvariance: 0.0100\nSystem score: 0.5000\n")
    (scores,) = read_scores(tmp_path / "out.txt")
    assert (scores.systems, scores.values.tolist()) == (("out",), [[0.5]])
