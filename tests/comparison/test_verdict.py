"""The answer of a whole evaluation: who leads by people and by each metric."""

from __future__ import annotations

import numpy as np

from assay import Scores, compare
from assay.comparison.verdict import ClosestMetric, verdict


def scores(*means: float, name: str = "m", systems: str = "ABCDEF", n: int = 40, **more) -> Scores:
    values = np.array(means)[:, None] + 0.05 * np.random.default_rng(0).normal(size=(len(means), n))
    return Scores(values, tuple(systems[: len(means)]), tuple(map(str, range(n))), name, **more)


def sum_up(people=(), metrics=()):
    return verdict([compare(s) for s in people], [compare(s) for s in metrics], systems=3, items=40)


def test_people_come_first():
    result = sum_up([scores(0, 1, 2, name="meaning")], [scores(2, 1, 0)])
    assert [(o.by, o.judges, o.leaders) for o in result.opinions] == [
        ("meaning", "human", ("C",)),
        ("m", "", ("A",)),
    ]
    assert result.settled


def test_equal_systems_are_not_settled():
    result = sum_up([], [scores(1, 1, 0)])
    assert not result.settled
    assert set(result.opinions[0].leaders) == {"A", "B"}


def test_metrics_that_disagree_are_not_settled():
    assert not sum_up([], [scores(0, 1, 2), scores(2, 1, 0, name="other")]).settled
    assert sum_up([], [scores(0, 1, 2), scores(0, 1, 2, name="other")]).settled


def test_a_scale_without_a_direction_has_no_leader():
    result = sum_up([scores(0, 1, 2, name="rank", undirected=True)], [scores(0, 1, 2)])
    assert [o.by for o in result.opinions] == ["m"]


def test_records_hold_the_answer_row_by_row():
    closest = ClosestMetric("meaning", "m", 0.9, True, "system", 8, 2, (), True)
    people = compare(scores(0, 1, name="meaning"))
    result = verdict([people], [compare(scores(0, 1))], [closest], systems=2, items=40)
    assert [r["kind"] for r in result.records()] == ["verdict", "opinion", "opinion", "closest_metric"]
    assert result.records()[1]["leaders"] == ["B"]


def test_a_system_that_repeats_references_does_not_lead_a_metric():
    result = sum_up([], [scores(0, 1, 2, leaked=("C",))])
    assert result.opinions[0].leaders == ("B",)
    assert result.opinions[0].ranked == ("B", "A")
    assert result.settled
