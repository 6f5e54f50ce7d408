"""Judgments that validate a metric: Fisher's intervals, reliability, and a simulation of the promise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.planning.components import read_study
from assay.planning.validation import pairs_for_width, plan_validation

COHERENCE = read_study("summeval-expert", "coherence")


def test_pairs_for_width_is_the_least_that_reaches_it():
    for r, width in ((0.5, 0.1), (0.0, 0.05), (0.9, 0.02)):
        n = pairs_for_width(r, width)
        halves = [
            np.ptp(np.tanh(np.arctanh(r) + np.array([-1, 1]) * 1.959964 / np.sqrt(m - 3))) / 2 for m in (n, n - 1)
        ]
        assert halves[0] <= width < halves[1]


def test_more_ratings_of_an_output_need_fewer_outputs():
    plan = plan_validation(COHERENCE, correlation=0.6)
    by_ratings = sorted(plan.designs, key=lambda design: design.per_output)
    outputs = [design.outputs for design in by_ratings]
    assert outputs == sorted(outputs, reverse=True)
    assert plan.designs[0].judgments == min(design.judgments for design in plan.designs)
    assert all(design.judgments == design.outputs * design.per_output for design in plan.designs)
    assert by_ratings[0].observed == pytest.approx(0.6 * np.sqrt(by_ratings[0].reliability))


def test_the_promise_holds_in_a_simulation():
    """Draw outputs, ratings and a metric: the corrected correlation lies within the width in 95 % of studies."""
    plan = plan_validation(COHERENCE, correlation=0.6, width=0.1)
    design = next(d for d in plan.designs if d.per_output == 2)
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(400, design.outputs))
    noise = np.sqrt((1 - design.reliability) / design.reliability)
    people = truth + noise * rng.normal(size=truth.shape)
    metric = 0.6 * truth + 0.8 * rng.normal(size=truth.shape)
    r = np.array([np.corrcoef(a, b)[0, 1] for a, b in zip(people, metric, strict=True)]) / np.sqrt(design.reliability)
    assert 0.91 <= (np.abs(r - 0.6) <= 0.1).mean() <= 0.985


def test_duplicates_of_self_consistency():
    """The variance of Fisher's z of an intraclass correlation of pairs is 1 / (n - 3/2)."""
    few, many = (plan_validation(COHERENCE, correlation=0.5, consistency=c).duplicates for c in (0.9, 0.5))
    assert few < many == pytest.approx(218, abs=2)


def test_the_view_quotes_the_first_row():
    view = plan_validation(COHERENCE, correlation=0.6).view()
    first = next(iter(view.tables[0].rows()))
    assert view.headline.startswith(f"{first[0]} judgments tell a correlation of 0.60 with coherence to within 0.10")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"correlation": 1.0}, "correlation must be at least 0 and below 1; got 1"),
        ({"correlation": 0.5, "consistency": -1}, "consistency must be at least 0"),
        ({"correlation": 0.5, "width": 0.0}, "width"),
    ],
)
def test_bad_requests(options, message):
    with pytest.raises(InputError, match=message):
        plan_validation(COHERENCE, **options)


def test_ratings_without_reliability():
    nothing = tuple(replace(row, variance=0.0) if row.name != "rest" else row for row in COHERENCE.components)
    with pytest.raises(InputError, match="no measurable reliability"):
        plan_validation(replace(COHERENCE, components=nothing), correlation=0.5)
