"""Scores, sets and results in notebooks and as data frames."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pytest

import assay
from assay import meta
from assay.data.result import Result, html_records
from assay.errors import InputError

HOSTILE = "<script>alert(1)</script>"


def scores(systems=("A", HOSTILE)) -> assay.Scores:
    return assay.Scores(np.array([[0.5, np.nan], [0.25, 0.75]]), systems, ("1", "2"), "rouge1")


def test_scores_as_frames():
    pandas, polars = scores().to_pandas(), scores().to_polars()
    assert (
        pandas.to_dict("list")
        == polars.to_dict(as_series=False)
        == {
            "system": ["A", HOSTILE, HOSTILE],
            "item": ["1", "1", "2"],
            "score": [0.5, 0.25, 0.75],
        }
    )


def test_a_set_as_frames(judged):
    frame = judged.to_pandas()
    assert len(frame) == sum(len(item.outputs) for item in judged)
    first = judged.entries[0]
    assert frame["references"][0] == [r.text for r in first.references]
    assert frame["meaning"][0] == judged.human("meaning").values[0, 0]
    assert judged.to_polars().shape == frame.shape


def test_results_as_frames(judged):
    made = assay.score(judged, "rouge1")
    found = assay.compare(made)
    assert found.to_pandas()["system"].tolist() == [r.system for r in found.ranking]
    one = assay.correlate(made, judged.human("meaning"), resamples=50)
    assert one.to_polars()["value"].to_list() == [one.value]
    decided = meta.decision_agreement(made, judged.human("meaning"), without=()).rows()[0]
    assert (decided["pairs_of"], decided["pairs"]) == ("systems", 10)
    assert "same_decision_low" in decided


@pytest.mark.parametrize("what", ["scores", "set", "result"])
def test_nothing_in_a_notebook_runs(what):
    shown = {  # type: ignore[attr-defined]
        "scores": scores(),
        "set": assay.EvalSet.from_texts({HOSTILE: [HOSTILE]}, [[HOSTILE]], [HOSTILE]),
        "result": assay.compare(scores(("A", HOSTILE)), resamples=10),
    }[what]._repr_html_()
    assert HOSTILE not in shown
    assert "&lt;script&gt;" in shown


def test_long_tables_are_cut_and_counted():
    shown = html_records([{"a": i} for i in range(45)])
    assert shown.count("<tr>") == 41
    assert "5 more rows" in shown


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_missing_library_is_named(library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(InputError, match=f"needs {library}: pip install {library}"):
        getattr(scores(), f"to_{library}")()


@dataclass(frozen=True)
class Part:
    value: float
    low: float
    high: float
    method: str = ""


@dataclass(frozen=True)
class Row:
    name: str


@dataclass(frozen=True)
class Answer(Result, question="answer", kind="answer", shared=("metric",)):
    metric: str
    alpha: Part
    icc: Part | None
    names: tuple[str, ...]
    counts: Mapping[int, int]
    groups: tuple[tuple[str, ...], ...]
    rows: tuple[Row, ...]
    n: int = 0
    table: str = field(default="", repr=False)


def test_every_record_of_a_kind_has_the_same_fields():
    """What is empty or None does not change them, so that a table of records has no holes."""
    part = Part(0.5, 0.25, 0.75)
    full = Answer("bleu", part, part, ("A",), {1: 2}, (("A",),), (Row("A"),), np.int64(3)).records()
    none = Answer("bleu", part, None, (), {}, (), ()).records()
    assert full[0].keys() == none[0].keys()
    alpha, icc = {"alpha": 0.5, "alpha_low": 0.25, "alpha_high": 0.75}, {"icc": None, "icc_low": None, "icc_high": None}
    assert none == [{"kind": "answer", "metric": "bleu", **alpha, **icc, "names": [], "counts": {}, "n": 0}]
    assert (full[0]["counts"], type(full[0]["n"])) == ({"1": 2}, int)
    assert full[1:] == [{"kind": "row", "metric": "bleu", "name": "A"}]
