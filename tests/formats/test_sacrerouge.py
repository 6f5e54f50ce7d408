"""SacreROUGE's summaries and metrics."""

from __future__ import annotations

import json

import pytest

import assay
from assay.data.item import Reference
from assay.errors import AssayError
from assay.formats import format_of


def put(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def summary(system, text, *references, kind="peer"):
    return {
        "instance_id": "d1",
        "summarizer_id": system,
        "summarizer_type": kind,
        "summary": {"summarizer_id": system, "summarizer_type": kind, "text": text},
        "references": [{"summarizer_id": name, "text": text} for name, text in references],
    }


A, B = ("A", "a b c"), ("B", ["a d", "e"])


def test_summaries_of_systems_and_people(tmp_path):
    path = put(
        tmp_path / "summaries.jsonl",
        summary("1", ["a b.", "c d."], A, B),
        summary("2", "a", A, B),
        summary("A", "a b c", B, kind="reference"),
    )
    assert format_of(path) == "sacrerouge"
    data = assay.read(path)
    assert dict(data["d1"].outputs) == {"1": "a b.\nc d.", "2": "a", "A": "a b c"}
    assert data["d1"].references == (Reference("a b c", "A"), Reference("a d\ne", "B"))
    assert data.people == ("A",)


def test_metrics_are_judgments_beside_the_summaries(tmp_path):
    outputs = put(tmp_path / "summaries.jsonl", summary("1", "a b", A), summary("2", "a", A))
    values = {"overall_responsiveness": 3, "rouge-1": {"f1": 0.5}, "rouge-2_jk": 0.1, "num_scus": 2}
    line = {"instance_id": "d1", "summarizer_id": "1", "summarizer_type": "peer", "metrics": values}
    metrics = put(tmp_path / "metrics.jsonl", line)
    data = assay.read(outputs, judgments=metrics)
    assert [(j.system, j.dimension, j.score) for j in data["d1"].judgments] == [
        ("1", "overall_responsiveness", 3.0),
        ("1", "num_scus", 2.0),
    ]
    with pytest.raises(AssayError, match=r"metrics\.jsonl:1: no summary; it holds metrics: give it as --judgments"):
        assay.read(metrics)
    put(metrics, line | {"instance_id": "d9"})
    with pytest.raises(
        AssayError, match=r"1 of the 1 items that are judged are not in .*: 'd9'; the ids there are 'd1'"
    ):
        assay.read(outputs, judgments=metrics)
