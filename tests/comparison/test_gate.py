"""Gates: a system fails if it is significantly worse than the baseline, or not significantly better."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.comparison import compare
from assay.comparison.gate import add_margin, check_gate
from assay.data.scores import Scores
from assay.errors import InputError

ITEMS = tuple(map(str, range(60)))


def scores(lead: float, *, higher_is_better: bool = True) -> Scores:
    """`new` is ahead of `old` by so much, in the direction of the metric."""
    rng = np.random.default_rng(1)
    old = rng.normal(size=60)
    sign = 1 if higher_is_better else -1
    new = old + sign * (lead + 0.1 * rng.normal(size=60))
    return Scores(np.stack([old, new]), ("old", "new"), ITEMS, "m", higher_is_better=higher_is_better)


def fails(given: Scores, fail_if: str, margin: float = 0.0) -> bool:
    shifted = compare(add_margin(given, "old", margin if fail_if == "worse" else -margin), "old") if margin else None
    return check_gate(compare(given, "old"), fail_if, margin=margin, shifted=shifted).failed


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize(
    ("lead", "fail_if", "margin", "failed"),
    [
        (-0.5, "worse", 0, True),
        (0.0, "worse", 0, False),
        (0.5, "worse", 0, False),
        (-0.5, "worse", 0.3, True),
        (-0.5, "worse", 0.7, False),
        (-0.5, "not-better", 0, True),
        (0.0, "not-better", 0, True),
        (0.5, "not-better", 0, False),
        (0.5, "not-better", 0.3, False),
        (0.5, "not-better", 0.7, True),
    ],
)
def test_conditions_in_both_directions(lead, fail_if, margin, failed, higher):
    assert fails(scores(lead, higher_is_better=higher), fail_if, margin) is failed


def test_a_margin_is_added_to_corpus_scores_of_every_resample():
    texts = {"old": ["the cat sat on the mat"] * 9 + ["a dog"], "new": ["the cat sat on a mat"] * 10}
    bleu = assay.score(assay.EvalSet.from_texts(texts, [["the cat sat on the mat today"]] * 10), "bleu")
    moved = add_margin(bleu, "old", 2.5)
    assert bleu.corpus is not None
    assert moved.corpus is not None
    assert moved.statistics is not None
    assert (moved.corpus - bleu.corpus).tolist() == pytest.approx([0, 2.5])
    assert moved.statistics.scores().tolist() == pytest.approx(moved.corpus.tolist())
    part = moved.statistics.select([0, 1], [0, 1, 9]).scores() - bleu.statistics.select([0, 1], [0, 1, 9]).scores()
    assert part.tolist() == pytest.approx([0, 2.5])
    assert fails(bleu, "worse", 2.5) is (compare(moved, "old").against[0].worse == "new")


def test_equal_outputs_pass_and_are_not_better():
    same = Scores(np.ones((2, 60)), ("old", "new"), ITEMS, "m")
    assert not fails(same, "worse")
    assert fails(same, "not-better")


def test_what_cannot_be_decided_is_an_error():
    empty = np.stack([np.ones(60), np.full(60, np.nan)])
    with pytest.raises(InputError, match="new or old has no m, so they cannot be compared"):
        fails(Scores(empty, ("old", "new"), ITEMS, "m"), "worse")
    with pytest.raises(InputError, match="a gate needs a baseline"):
        check_gate(compare(scores(0.5)), "worse")
    with pytest.raises(InputError, match="fail_if must be one of worse, not-better; got 'bad'"):
        check_gate(compare(scores(0.5), "old"), "bad")
    undirected = Scores(scores(0).values, ("old", "new"), ITEMS, "errors", undirected=True)
    with pytest.raises(InputError, match="say which end of errors is better"):
        fails(undirected, "worse")


def test_systems_on_different_items_are_held_to_the_baseline_too():
    apart = np.full((2, 60), np.nan)
    apart[0, :30], apart[1, 30:] = scores(0).values[0, :30] + 2, scores(0).values[0, 30:]
    assert fails(Scores(apart, ("old", "new"), ITEMS, "m"), "worse")
    assert not fails(Scores(apart[::-1], ("old", "new"), ITEMS, "m"), "worse")


@pytest.mark.slow
def test_equal_systems_fail_as_often_as_the_level_says():
    """Two-sided at 5%, so a system that is as good fails in 2.5% of builds; 400 trials, within four deviations."""
    rng = np.random.default_rng(0)
    trials = [Scores(rng.normal(size=(2, 60)), ("old", "new"), ITEMS, "m") for _ in range(400)]
    assert 0 < np.mean([fails(trial, "worse") for trial in trials]) < 0.025 + 4 * np.sqrt(0.025 * 0.975 / 400)
