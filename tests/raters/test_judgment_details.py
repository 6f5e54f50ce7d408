"""What files keep next to judgments: seconds, cost, panels, failures."""

from __future__ import annotations

import math

import pytest

from assay import EvalSet, Item, Judgment
from assay.raters._judgment_details import find_panels, list_details, sum_costs

JUDGMENTS = (Judgment("A", "gpt", "meaning", 4.0, kind="llm"), Judgment("A", "mean", "meaning", 3.0, kind="llm"))


def make_item(*rows, failures=None) -> Item:
    extra = {"judgments": list(rows)} | ({} if failures is None else {"failures": failures})
    return Item("1", outputs={"A": "a"}, judgments=JUDGMENTS, extra=extra)


@pytest.mark.parametrize(
    ("seconds", "mean"),
    [(2, 2.0), (0.5, 0.5), (0, 0.0), (True, math.nan), ("2", math.nan), (None, math.nan), (math.nan, math.nan)],
)
def test_only_a_number_is_a_time_or_a_cost(seconds, mean):
    costs = sum_costs(EvalSet([make_item({"seconds": seconds, "cost": seconds}, {"seconds": 1})]), "meaning")
    own = costs.get("gpt")
    assert (own is None) == math.isnan(mean)
    assert own is None or (own.seconds, own.cost) == (mean, mean)


def test_times_are_means_and_costs_are_sums():
    items = [make_item({"seconds": s, "cost": 0.5}, {"panel": True}, failures=f) for s, f in ((1, []), (4, None))]
    items[1] = Item("2", outputs={"A": "a"}, judgments=JUDGMENTS, extra=items[1].extra)
    data = EvalSet(items)
    [(name, costs)] = sum_costs(data, "meaning").items()
    assert (name, costs.seconds, costs.cost, costs.failures) == ("gpt", 2.5, 1.0, 0)
    assert sum_costs(data, "fluency") == {}
    assert find_panels(data) == {"mean"}


def test_failures_of_the_dimension_are_counted():
    failures = [{"rater": "gpt", "dimension": d} for d in ("meaning", "meaning", "fluency")]
    costs = sum_costs(EvalSet([make_item({}, {}, failures=[*failures, "no row"])]), "meaning")
    assert costs["gpt"].failures == 2
    assert math.isnan(costs["gpt"].seconds)
    assert math.isnan(costs["gpt"].cost)


def test_rows_that_do_not_fit_the_judgments_are_left_alone():
    assert list(list_details(make_item({"cost": 1}))) == []
    assert [row for _, row in list_details(make_item({"cost": 1}, "text"))] == [{"cost": 1}]
