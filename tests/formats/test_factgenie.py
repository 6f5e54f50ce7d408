"""Annotations made with factgenie, by people and LLMs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay import read
from assay.errors import AssayError, SkippedWarning
from assay.formats import format_of

SAMPLES = Path(__file__).parent / "samples"
pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.SkippedWarning")
SAMPLE = SAMPLES / "factgenie"


@pytest.mark.parametrize("name", ["", "files/campaign.jsonl"])
def test_a_campaign(name):
    assert format_of(SAMPLE / name) == "factgenie"
    with pytest.warns(SkippedWarning, match="options that are not numbers"):
        data = read(SAMPLE / name)
    assert data.items == ("0",)
    assert data.systems == ("t5", "bart")
    assert data.assessors == (("ann", "human"), ("gpt-4o", "llm"))
    assert data.human("annotations").values[:, 0].tolist() == [1.0, 0.0]  # not the LLM's two
    assert data.human("fluency").values[:, 0].tolist() == [4.0, 3.0]


def test_several_datasets_are_kept_apart(tmp_path):
    lines = (SAMPLE / "files/campaign.jsonl").read_text().splitlines()
    other = {**json.loads(lines[0]), "dataset": "sport"}
    (tmp_path / "a.jsonl").write_text("\n".join([*lines, json.dumps(other)]))
    assert read(tmp_path / "a.jsonl", allow_missing=True).items == ("weather/test/0", "sport/test/0")


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda r: r.pop("output"), "a.jsonl:1: output must be a text; got null"),
        (lambda r: r.update(sliders=[{"label": "x", "value": "much"}]), "a.jsonl:1: sliders must be a number"),
        (lambda r: r.update(annotations={}), None),
        (lambda r: r.update(annotations={"a": 1}), "annotations must be a JSON array; got an object"),
    ],
)
def test_bad_records(tmp_path, change, match):
    record = json.loads((SAMPLE / "files/campaign.jsonl").read_text().splitlines()[0])
    change(record)
    (tmp_path / "a.jsonl").write_text(json.dumps(record))
    if match is None:
        assert read(tmp_path / "a.jsonl", format="factgenie").human("annotations").values.tolist() == [[0.0]]
        return
    with pytest.raises(AssayError, match=match):
        read(tmp_path / "a.jsonl", format="factgenie")
