"""A study that came out as planned, one whose raters lean more, and one of single ratings."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.data.ratings import Ratings
from assay.planning.check import check_plan
from assay.planning.components import draw_ratings, read_study
from assay.planning.plan import plan_study
from assay.planning.plan_file import choose_design, make_plan_file

PLAN = plan_study(read_study("summeval-expert", "coherence"), difference=0.9, systems=4)
FILE = make_plan_file(PLAN, choose_design(PLAN, raters=6))


def collect(seed=0, drop=0, **changes):
    """Draw the study that was planned, with some components changed and some items lost."""
    parts = {**FILE.variances, **changes}
    rng = np.random.default_rng(seed)
    table = draw_ratings(rng, parts, (FILE.systems, FILE.items - drop, FILE.raters))
    for item in range(table.shape[1]):
        table[:, item, rng.permutation(FILE.raters)[FILE.per_output :]] = np.nan
    outputs = [(f"s{s}", str(i)) for s in range(table.shape[0]) for i in range(table.shape[1])]
    values = table.reshape(-1, FILE.raters).T
    systems, items = zip(*outputs, strict=True)
    return Ratings(values, tuple("abcdefghijklmnop"[: FILE.raters]), systems, items, "coherence")


def test_a_study_as_planned_holds():
    results = [check_plan(collect(seed), FILE) for seed in range(4)]
    assert np.mean([result.reached_power for result in results]) == pytest.approx(FILE.power, abs=0.12)
    assert all(row.holds for result in results for row in result.design)


def test_raters_who_lean_more_are_named():
    result = check_plan(collect(system_rater=2.0), FILE)
    assert not result.holds
    assert result.reached_power < FILE.power - 0.2
    assert "The assumptions did not hold" in result.view().headline
    assert "system x rater is" in result.view().headline


def test_fewer_items_are_named():
    result = check_plan(collect(drop=FILE.items // 2), FILE)
    items = next(row for row in result.design if row.name == "items")
    assert (items.planned, items.reached, items.holds) == (FILE.items, FILE.items - FILE.items // 2, False)
    assert result.components_power > result.reached_power


def test_single_ratings_have_system_x_item_in_the_rest():
    single = FILE.per_output == 1
    result = check_plan(collect(), FILE)
    rest = next(row for row in result.components if row.name == "rest")
    assert single
    assert rest.planned == pytest.approx(FILE.variances["rest"] + FILE.variances["system_item"])
    assert rest.holds


def test_its_table_shows_both():
    view = check_plan(collect(), FILE).view()
    assert [column.head for column in view.tables[0].columns][:3] == ["design", "planned", "reached"]
    assert view.tables[1].title == "Components"


def test_the_dimension_is_that_of_the_plan_unless_another_is_named():
    ratings = collect()
    items = [
        assay.Item(
            item,
            outputs=dict.fromkeys(dict.fromkeys(ratings.systems), "x"),
            judgments=tuple(
                assay.Judgment(s, rater, dimension, float(v if dimension == "coherence" else -v))
                for rater, row in zip(ratings.raters, ratings.values, strict=True)
                for s, i, v in zip(ratings.systems, ratings.items, row, strict=True)
                if i == item and v == v
                for dimension in ("fluency", "coherence")
            ),
        )
        for item in dict.fromkeys(ratings.items)
    ]
    data = assay.EvalSet(items)
    assert check_plan(data, FILE).dimension == "coherence"
    assert check_plan(data, FILE, "fluency").dimension == "fluency"
