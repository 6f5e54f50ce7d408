"""Charts are valid Vega-Lite and say what their tables say."""

from __future__ import annotations

import json

import numpy as np
import pytest

import assay
from assay import meta
from assay import raters as judges
from assay.data.chart import COLOURS, Chart
from assay.data.view import Column
from assay.errors import InputError

altair = pytest.importorskip("altair")


@pytest.fixture(scope="module")
def results(judged):
    scores = assay.score(judged, ["rouge1", "rouge2"])
    human = judged.human("meaning")
    one = scores["rouge1"]
    return {
        "scores": one,
        "compare": assay.compare(one),
        "correlate": assay.correlate(scores, human, resamples=50),
        "dominate": meta.dominate(scores, human),
        "decisions": meta.decision_agreements(scores, human),
        "noticeable": meta.noticeable_difference(one, human, share=0.5, fewest=2),
        "stability": meta.stabilities(scores, human, draws=20),
        "raters": assay.agreement(judged, "meaning", interval=False),
        "severity": judges.severity(judged, "meaning"),
    }


NAMES = ("scores", "compare", "correlate", "dominate", "decisions", "noticeable", "stability", "raters", "severity")


@pytest.mark.parametrize("name", NAMES)
def test_every_chart_is_valid_and_has_a_table(results, name):
    chart = assay.plot(results[name])
    chart.altair().to_dict()  # Altair checks it against the schema of Vega-Lite
    assert len(chart.columns) > 1
    assert len({len(c.cells) for c in chart.columns}) == 1
    assert chart.description
    json.dumps(chart.to_dict(), allow_nan=False)


def test_the_ranking_draws_what_the_comparison_says(results):
    found = results["compare"]
    rows = assay.plot(found).spec["data"]["values"]
    assert [(r["system"], r["score"], r["low"], r["high"]) for r in rows] == [
        (r.system, r.mean, r.low, r.high) for r in found.ranking
    ]


def test_notebooks_get_the_chart_and_others_the_table(results):
    bundle = assay.plot(results["compare"])._repr_mimebundle_()
    assert bundle["application/vnd.vegalite.v5+json"]["$schema"].endswith("v5.json")
    assert bundle["text/html"].startswith("<table>")
    assert not any(name in json.dumps(bundle) for name in COLOURS)


def test_save(results, tmp_path):
    chart = assay.plot(results["compare"])
    chart.save(tmp_path / "x.html")
    chart.save(tmp_path / "x.json")
    assert "vegaEmbed" in (tmp_path / "x.html").read_text("utf-8")
    assert json.loads((tmp_path / "x.json").read_text("utf-8")) == chart.to_dict()
    with pytest.raises(InputError, match=r"saved as \.svg, \.png, \.html or \.json; got 'x\.pdf'"):
        chart.save(tmp_path / "x.pdf")


def test_what_has_no_chart_is_said():
    with pytest.raises(InputError, match="there is no chart of int; plot takes Scores and results"):
        assay.plot(3)


def test_names_of_systems_that_look_like_colours_are_left_alone():
    scores = assay.Scores(np.array([[1.0, 2.0], [3.0, 4.0]]), ("$accent", "$ink"), ("1", "2"), "m")
    rows = assay.plot(scores).to_dict()["data"]["values"]
    assert {r["system"] for r in rows} == {"$accent", "$ink"}


def test_a_chart_prints_as_its_table():
    assert str(Chart({}, (Column("a", ["1"]),), "x")) == "a\n─\n1"
