"""Pyramid scores by the number of models: every choice, their mean, and two disjoint sets of models."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from topics import read_topics
from unit_tables import tables

import assay
from assay import meta
from assay.data.scores import Scores
from assay.errors import InputError
from assay.formats import ItemUnits
from assay.pyramid.annotated import read_pyramids, score_against_models, score_annotated
from assay.pyramid.content_units import UnitTable, tabulate_units
from assay.pyramid.models import count_models, mean_over_models, score_by_models, split_models
from assay.pyramid.score import score_pyramid

MODELS = [f"P{k}" for k in range(8)]


def simulate(items: int = 24, systems: int = 20, units: int = 40) -> tuple[UnitTable, Scores]:
    """Return units that systems of growing quality and people hold more often the more important they are.

    As at TAC 2008, four of eight people write for each item. The second value is the true quality.
    """
    rng = np.random.default_rng(3)
    quality = np.linspace(0.1, 0.5, systems)
    tables = []
    for k in range(items):
        importance = rng.random(units) ** 2
        marks = {f"S{s}": tuple(rng.random(units) < q * importance * 2) for s, q in enumerate(quality)}
        marks |= {MODELS[(k + 2 * m) % 8]: tuple(rng.random(units) < importance) for m in range(4)}
        tables.append(ItemUnits(str(k), tuple(map(str, range(units))), marks))
    table = UnitTable(tuple(tables))
    rows = [float(quality[int(name[1:])]) if name[0] == "S" else np.nan for name in table.columns]
    return table, Scores(np.repeat(np.array(rows)[:, None], items, axis=1), table.columns, table.names, "quality")


@settings(deadline=None, max_examples=30)
@given(tables())
def test_each_choice_is_the_score_against_these_references(table):
    for size in (1, 2, 3):
        values = score_by_models(table, ["A", "B", "C"], size)
        for got, names in zip(values, combinations("ABC", size), strict=True):
            np.testing.assert_array_equal(got, score_pyramid(table, names).modified.values)


@settings(deadline=None, max_examples=30)
@given(tables())
def test_the_mean_is_over_all_choices(table):
    parts = [score_pyramid(table, names).modified.row("sys") for names in combinations("ABC", 2)]
    there = [[v for v in cell if v == v] for cell in np.array(parts).T]
    wanted = [np.mean(cell) if cell else np.nan for cell in there]
    np.testing.assert_allclose(mean_over_models(table, ["A", "B", "C"], 2).row("sys"), wanted)


def test_all_models_are_the_score_itself():
    table, _ = simulate()
    mean = mean_over_models(table, MODELS, 4)
    np.testing.assert_allclose(mean.values, score_pyramid(table, MODELS).modified.values)
    assert mean.signature.endswith("models=4)")
    assert mean.people == tuple(MODELS)


def test_an_item_with_fewer_models_counts_each_choice_once():
    """Item 1 has three choices of two models, item 2 only one, which is repeated and not counted thrice."""
    one = ItemUnits("1", ("x", "y"), {"A": (1, 0), "B": (1, 1), "C": (0, 1), "sys": (1, 0)})
    two = ItemUnits("2", ("x", "y"), {"A": (1, 0), "B": (1, 1), "sys": (1, 0)})
    table = UnitTable((one, two))
    values = score_by_models(table, ["A", "B", "C"], 2)
    assert values.shape == (3, 4, 2)
    assert values[:, 3, 1].tolist() == [values[0, 3, 1]] * 3
    assert mean_over_models(table, ["A", "B", "C"], 2).row("sys")[1] == values[0, 3, 1]


def test_the_correlation_rises_with_the_number_of_models():
    """1,000 random combinations, one choice for each item, as the paper draws them."""
    table, quality = simulate()
    by_size = {size: score_by_models(table, MODELS, size) for size in (1, 2, 3, 4)}
    full = score_pyramid(table, MODELS).modified
    result = meta.reference_stability(by_size, full, quality, without=MODELS)
    means = [s.mean for s in result.sizes]
    assert means == sorted(means)
    assert means[0] < means[-1] == pytest.approx(result.actual)
    assert all(s.draws == 1000 for s in result.sizes)


def test_two_models_agree_better_with_two_others_than_one_with_one():
    table, _ = simulate()
    one, two = (split_models(table, MODELS, size, draws=200) for size in (1, 2))
    assert one.shape == two.shape == (200,)
    assert 0.8 < one.mean() < two.mean() < 1
    np.testing.assert_array_equal(one, split_models(table, MODELS, 1, draws=200))


def test_equal_models_agree_fully():
    marks = {"A": (1, 1, 0), "B": (1, 1, 0), "s": (1, 0, 0), "t": (1, 1, 0), "u": (0, 0, 1)}
    assert split_models(UnitTable((ItemUnits("1", tuple("xyz"), marks),)), ["A", "B"], 1, draws=5) == pytest.approx(1)


def test_too_few_models():
    table, _ = simulate(items=2)
    with pytest.raises(InputError, match="between 1 and 4, the references of item '0'; got 5"):
        score_by_models(table, MODELS, 5)
    with pytest.raises(InputError, match="two sets of 3 models need 6 references; item '0'"):
        split_models(table, MODELS, 3)


def test_each_number_of_models_of_a_set():
    """All 4 models give the scores themselves; one model is a mean over 4 choices; two sets of 2 are disjoint."""
    data = read_topics()
    pyramids = read_pyramids(data)
    result = count_models(tabulate_units(pyramids), list("ABCD"), draws=40)
    full = {row.system: row.modified for row in score_annotated(data).systems if not row.model}
    first, second, third, fourth = result.counts
    assert (result.topics, result.systems) == (3, 6)
    assert fourth.score == pytest.approx(sum(full.values()) / 6)
    assert (fourth.correlation, fourth.low, fourth.high) == pytest.approx((1.0, 1.0, 1.0))
    assert first.correlation < second.correlation < third.correlation < 1
    assert first.low < first.correlation < first.high
    assert -1 <= first.disjoint < second.disjoint < 1
    assert math.isnan(third.disjoint)
    one = [
        score_against_models(peer, pyramid, [model], size="truncate")
        for pyramid in pyramids
        for model in pyramid.models
        for peer in pyramid.peers
    ]
    assert first.score == pytest.approx(sum(one) / len(one))
    assert math.isnan(first.judged)


def test_judgments_are_correlated_with():
    data = read_topics()
    judged = [
        replace(item, judgments=tuple(assay.Judgment(s, "r", "quality", -float(s)) for s in item.outputs))
        for item in data
    ]
    human = assay.EvalSet(judged).human("quality")
    table = tabulate_units(read_pyramids(data))
    row = count_models(table, list("ABCD"), human=human, draws=10).counts[-1]
    means = mean_over_models(table, list("ABCD"), 4)
    scores = [np.mean(means.row(s)) for s in data.systems]
    assert row.judged == pytest.approx(np.corrcoef(scores, [-float(s) for s in data.systems])[0, 1])


def test_numbers_of_models_need_models_and_systems():
    table = tabulate_units(read_pyramids(read_topics()))
    with pytest.raises(InputError, match="every topic has at least two"):
        count_models(table, ["A"])
    few = UnitTable(tuple(ItemUnits(i.item, i.units, {n: i.present[n] for n in "ABCD12"}) for i in table.items))
    with pytest.raises(InputError, match="3 are needed, there are 2"):
        count_models(few, list("ABCD"))
