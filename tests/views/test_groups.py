"""A row for each group of items and one for all, whatever the question."""

from __future__ import annotations

import numpy as np

from assay import agreement, compare
from assay.comparison import compare_rankings
from assay.data.grouped import GroupedResults, GroupResult
from assay.data.rankings import Rankings
from assay.data.scores import Scores
from assay.meta import correlate
from assay.raters import agreement_table, ranking_agreement

RNG = np.random.default_rng(0)
SCORES = Scores(RNG.normal(size=(4, 40)) + np.arange(4)[:, None], tuple("ABCD"), tuple(map(str, range(40))), "rouge2")
HALVES = {"news": SCORES.items[:20], "web": SCORES.items[20:]}


def by_group(answer, *, fail=False):
    parts = [GroupResult(name, len(ids), answer(ids)) for name, ids in HALVES.items()]
    parts += [GroupResult("few", 1, None, "one item is too few")] if fail else []
    return GroupedResults(answer(SCORES.items), 40, tuple(parts)).view()


def heads(view):
    return {column.head: list(column.cells) for column in view.tables[0].columns}


def test_comparisons():
    view = by_group(lambda ids: compare(SCORES.select(items=ids), resamples=50), fail=True)
    assert view.headline.startswith("All items: D has the highest rouge2")
    assert view.sentences[1] == "D has the best score in both groups."
    assert heads(view)["group"] == ["news", "web", "few", "all items"]
    assert heads(view)["items"] == ["20", "20", "1", "40"]
    assert heads(view)["first"] == ["D", "D", "–", "D"]
    assert "No answer for few: one item is too few" in view.notes


def test_correlations_have_a_column_per_metric():
    human = Scores(SCORES.values + RNG.normal(size=SCORES.values.shape), SCORES.systems, SCORES.items, "meaning")

    def answer(ids):
        return correlate({"rouge2": SCORES.select(items=ids)}, human.select(items=ids), level="item", resamples=50)

    view = by_group(answer)
    assert heads(view)["rouge2"][-1] == f"{answer(SCORES.items)['rouge2'].value:.3f}"


def test_rankings_and_their_agreement():
    ranks = (-SCORES.values.T).argsort(axis=1).argsort(axis=1) + 1.0
    rankings = Rankings(ranks, SCORES.systems, SCORES.items, ("ann",) * 40, "rank")
    view = by_group(lambda ids: compare_rankings(rankings.of_items(ids), resamples=50))
    assert heads(view)["first"] == ["D", "D", "D"]
    assert heads(by_group(lambda ids: ranking_agreement(rankings.of_items(ids))))["rankings"] == ["20", "20", "40"]


def test_with_a_baseline_the_best_of_the_others_is_compared_with_it():
    view = by_group(lambda ids: compare(SCORES.select(items=ids), "B", resamples=50))
    assert (heads(view)["first"], heads(view)["second"]) == (["D", "D", "D"], ["B", "B", "B"])
    assert all(cell.endswith("*") for cell in heads(view)["p"])


def test_agreement_has_a_row_per_group_and_dimension(judged):
    halves = GroupedResults(
        agreement_table(judged, interval=False),
        len(judged),
        (GroupResult("all", len(judged), agreement_table(judged, interval=False)),),
    )
    alpha = agreement(judged, judged.dimensions[0], interval=False).alpha.value
    assert heads(halves.view())["alpha"][0] == f"{alpha:.3f}"


def test_without_a_direction_nothing_is_called_best():
    rank = Scores(SCORES.values, SCORES.systems, SCORES.items, "rank", undirected=True)
    view = by_group(lambda ids: compare(rank.select(items=ids), resamples=50))
    assert view.headline.startswith("All items: Is a low or a high rank better?")
    assert len(view.sentences) == 1
