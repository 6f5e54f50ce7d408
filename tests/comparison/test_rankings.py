"""Comparing systems by rankings: against mean ratings on real data, small cases by hand, and the level of the tests."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau

from assay import read, stats
from assay.comparison.rankings import compare_rankings
from assay.data.rankings import Rankings
from assay.errors import InputError, UnknownName
from assay.raters import ranking_agreement

NAN = np.nan


def make(table, items=None, systems="ABCDEFGH", raters=None):
    table = np.asarray(table, dtype=float)
    items = tuple(map(str, range(len(table)))) if items is None else tuple(map(str, items))
    return Rankings(table, tuple(systems[: table.shape[1]]), items, raters or ("ann",) * len(table), "rank")


def draw(rng, worths, items, raters=3, topic=0.0):
    """Rankings by Gumbel noise around log worths; `topic` is noise that all raters of an item share."""
    shared = rng.normal(size=(items, 1, len(worths))) * topic
    utility = np.log(worths) + shared + rng.gumbel(size=(items, raters, len(worths)))
    ranks = (-utility).argsort(axis=2).argsort(axis=2) + 1.0
    return make(ranks.reshape(items * raters, -1), np.repeat(np.arange(items), raters))


def test_worths_are_those_of_plackett_luce():
    rankings = draw(np.random.default_rng(1), [4, 2, 1], 30)
    fit = stats.plackett_luce(rankings.values, items=rankings.items)
    result = compare_rankings(rankings)
    assert [r.system for r in result.ranking] == ["A", "B", "C"]
    np.testing.assert_allclose([r.worth for r in result.ranking], fit.worth)
    np.testing.assert_allclose([r.low for r in result.ranking], fit.low)
    first = result.pair("A", "B")
    assert first.preference == pytest.approx(fit.worth[0] / (fit.worth[0] + fit.worth[1]))
    assert first.low < first.preference < first.high
    assert result.model == "Plackett-Luce"


def test_pairs_are_bradley_terry_with_davidsons_ties():
    table = (
        [[1, 2, NAN]] * 5 + [[2, 1, NAN]] * 2 + [[1, 1, NAN]] * 3 + [[NAN, 1, 2]] * 6 + [[NAN, 2, 1]] + [[1, NAN, 2]]
    )
    wins, ties = np.zeros((3, 3)), np.zeros((3, 3))
    wins[0, 1], wins[1, 0], wins[1, 2], wins[2, 1], wins[0, 2] = 5, 2, 6, 1, 1
    ties[0, 1] = ties[1, 0] = 3
    result = compare_rankings(make(table))
    assert result.model == "Bradley-Terry"
    np.testing.assert_allclose([r.worth for r in result.ranking], stats.bradley_terry(wins, ties).worth, atol=1e-6)
    assert (result.tied, result.partial) == (3, 18)


def test_an_unbeaten_system_is_finite_and_three_items_decide_nothing():
    result = compare_rankings(make([[1, 2, 3]] * 3))
    assert result.ranking[0].worth < 1
    assert min(p.pvalue for p in result.pairs) == 0.25
    assert result.bands == (("A", "B", "C"),)
    assert compare_rankings(make([[1, 2, 3]] * 20)).bands == (("A",), ("B",), ("C",))


def test_items_are_resampled_not_rankings():
    """Thirty copies of the same ten rankings are not three hundred."""
    few = draw(np.random.default_rng(3), [2, 1], 10, raters=1)
    many = make(np.repeat(few.values, 30, axis=0), np.repeat(np.arange(10), 30))
    p = compare_rankings(many).pairs[0].pvalue
    assert p == pytest.approx(compare_rankings(few, prior=0.5 / 30).pairs[0].pvalue, abs=0.02)
    assert p > 10 * compare_rankings(make(many.values)).pairs[0].pvalue


def test_systems_never_ranked_together_are_refused_by_name():
    with pytest.raises(InputError, match=r"never ranked together: A, B \| C, D"):
        compare_rankings(make([[1, 2, NAN, NAN], [NAN, NAN, 1, 2]]))


def test_who_was_never_ranked_is_named():
    result = compare_rankings(make([[1, 2, NAN], [2, 1, NAN], [1, 2, NAN]]))
    assert result.unranked == ("C",)
    with pytest.raises(InputError, match="no rater ranked two of the systems"):
        compare_rankings(make([[1, NAN], [NAN, 1]]))


def test_a_baseline_is_tested_against_all_others():
    rankings = draw(np.random.default_rng(5), [8, 3, 1], 40)
    result = compare_rankings(rankings, "B")
    assert result.baseline
    assert {p.significant for p in result.pairs if "B" in (p.better, p.worse)} == {True}
    with pytest.raises(UnknownName):
        compare_rankings(rankings, "Z")


def test_headline_quotes_the_table():
    view = compare_rankings(draw(np.random.default_rng(5), [8, 3, 1], 40)).view()
    assert view.headline.startswith("People rank A first by rank, significantly above the other 2 systems: A is put")
    share = dict(zip((c.head for c in view.tables[0].columns), view.tables[0].columns, strict=True))["above next"].cells
    assert f"above B {share[0]} of the time" in view.headline
    assert any("0.5 wins and 0.5 losses" in note for note in view.notes)


@pytest.mark.parametrize(("name", "dimension"), [("summeval", "relevance"), ("simplicity-da", None)])
def test_ranks_made_from_ratings_order_systems_as_mean_ratings_do(name, dimension, shared_file):
    data = read(shared_file(f"{name}.jsonl.gz"), allow_missing=True)
    human = data.human(dimension or data.dimensions[0])
    keep = [i for i, s in enumerate(human.systems) if s not in human.people]
    values = -human.values[keep].T
    rankings = Rankings(
        values, tuple(human.systems[i] for i in keep), human.items, ("mean",) * len(human.items), "rank"
    )
    result = compare_rankings(rankings, resamples=50)
    means = dict(zip(human.systems, human.means(), strict=True))
    tau = kendalltau([r.worth for r in result.ranking], [means[r.system] for r in result.ranking]).statistic
    assert tau >= 0.85  # .883 and .867
    assert result.ranking[0].system == rankings.systems[int(np.nanargmax(human.means()[keep]))]


@pytest.mark.slow
@pytest.mark.parametrize(("items", "raters", "topic"), [(50, 1, 0.0), (40, 3, 1.0), (20, 3, 1.0)])
def test_equal_systems_are_rarely_called_different(items, raters, topic):
    """4,000 runs of two among four equal systems: at most 6.5 % at a level of 5 %."""
    rng, runs, rejected = np.random.default_rng(items), 4000, 0
    for _ in range(runs):
        result = compare_rankings(draw(rng, np.ones(4), items, raters, topic), "A", resamples=200)
        rejected += result.pair("A", "B").pvalue < 0.05
    print(f"{items} items, {raters} raters, topic {topic}: {rejected / runs:.3f}")
    assert rejected / runs <= 0.065


@pytest.mark.slow
def test_ranks_of_experts_give_the_order_of_their_mean_ratings(shared):
    """The figures of docs/defaults.md, sections 2 and 3: ranks made of SummEval's experts' relevance ratings."""
    data = shared("summeval.jsonl.gz")
    experts = [r for r in data.raters if r.startswith("expert")]
    tables = [data.human("relevance", rater=r).values.T for r in experts]
    ranks = np.concatenate([(table[:, None, :] > table[:, :, None]).sum(axis=2) + 1.0 for table in tables])
    raters = tuple(np.repeat(experts, len(data.items)))
    rankings = Rankings(ranks, data.systems, data.items * len(experts), raters, "rank")
    result = compare_rankings(rankings, resamples=0)
    means = dict(zip(data.systems, np.mean(tables, axis=(0, 1)), strict=True))
    tau = kendalltau([r.worth for r in result.ranking], [means[r.system] for r in result.ranking]).statistic
    assert (round(tau, 3), result.tied) == (0.967, 300)
    assert [r.system for r in result.ranking][:3] == ["M23", "M22", "M17"]
    assert result.ranking[-1].system == data.systems[int(ranks.mean(axis=0).argmax())] == "M11"
    assert round(ranks.mean(axis=0).max(), 2) == 8.97
    tau = ranking_agreement(rankings).tau
    assert [round(v, 3) for v in (tau.value, tau.low, tau.high)] == [0.363, 0.33, 0.398]
