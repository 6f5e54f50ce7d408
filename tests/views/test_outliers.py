"""Outliers as they are read."""

from __future__ import annotations

from dataclasses import replace

from assay.meta._correlation import OutlierSystem
from assay.meta.outliers import OutlierEffect, Outliers

RESULT = Outliers(
    human="quality",
    method="pearson",
    systems=(OutlierSystem("L", -3.0, -21.3),),
    effects=(OutlierEffect("rouge2", 0.91, 0.86), OutlierEffect("blind", 0.97, 0.12)),
    n=12,
    threshold=2.5,
    left_out=(),
    signatures={"rouge2": "rouge2", "blind": "blind"},
)


def test_the_headline_names_the_outlier_and_the_largest_change():
    assert RESULT.view().headline == (
        "L is an outlier by quality (1 of 12 systems). Without it, blind correlates at r = 0.120 instead of 0.970."
    )
    assert RESULT.view().tables[0].rows()[1] == ("blind", "0.970", "0.120", "-0.850")


def test_no_outliers_and_too_few_systems():
    assert replace(RESULT, systems=()).view().headline == "No outliers among the 12 systems by quality."
    assert replace(RESULT, systems=(), n=9).view().headline.startswith("Too few systems (9)")
