"""What is said of comparisons: every sentence quotes the table."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.comparison.compare import is_better
from assay.errors import AssayWarning


def scores(*means: float, n: int = 60, spread: float = 1.0) -> assay.Scores:
    rng = np.random.default_rng(1)
    values = rng.normal(scale=spread, size=(len(means), n)) + np.array(means)[:, None]
    return assay.Scores(values, tuple("ABCDEFGH"[: len(means)]), tuple(map(str, range(n))), "rouge2")


def test_a_clear_winner_is_named_with_its_closest_rival():
    headline = assay.compare(scores(0, 5, 10)).view().headline
    assert headline.startswith("C has the highest rouge2: ")
    assert "It is significantly better than the other 2 systems: the closest is B, " in headline


def test_no_winner_where_nothing_differs():
    assert "No significant differences among the 3 systems in rouge2." in assay.compare(scores(0, 0, 0)).view().headline


@pytest.mark.parametrize(
    ("means", "text"),
    [((0, 5), "B is significantly better than A in rouge2"), ((0, 0), "No significant difference between")],
)
def test_two_systems(means, text):
    assert text in is_better(scores(*means), "A", "B").view().headline


def test_against_a_baseline():
    headline = assay.compare(scores(0, 5, -5), baseline="A").view().headline
    assert headline == "By rouge2: B is significantly better than A; C is significantly worse than A."


def lower(made: assay.Scores) -> assay.Scores:
    return replace(made, name="ter", higher_is_better=False)


def test_the_lowest_score_wins_where_lower_is_better():
    headline = assay.compare(lower(scores(0, 5, 10))).view().headline
    assert headline.startswith("A has the lowest ter: ")
    assert "It is significantly better than the other 2 systems: the closest is B, " in headline
    assert "highest" not in headline


def test_two_systems_and_a_baseline_where_lower_is_better():
    assert "A is significantly better than B in ter" in is_better(lower(scores(0, 5)), "A", "B").view().headline
    headline = assay.compare(lower(scores(0, 5, -5)), baseline="A").view().headline
    assert headline == "By ter: C is significantly better than A; B is significantly worse than A."


@pytest.mark.parametrize(("turn", "word"), [(lambda s: s, "highest"), (lower, "lowest")])
def test_several_systems_at_the_top(turn, word):
    means = (5, 5.02, 0, 0.01) if word == "highest" else (0, 0.02, 5, 5.01)
    result = assay.compare(turn(scores(*means)))
    headline, best = result.view().headline, result.ranking[0].system
    assert headline.startswith(f"{best} has the {word} ")
    assert f"It is not significantly better than {'AB'.replace(best, '')}, " in headline


def test_equal_scores_are_no_difference_and_no_score_is_none():
    equal = assay.Scores(np.tile(np.arange(20.0), (3, 1)), ("A", "B", "C"), tuple(map(str, range(20))), "m")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        assert "No significant differences among the 3 systems in m." in assay.compare(equal).view().headline
    holes = scores(0, 5, 10)
    holes.values[2] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        view = assay.compare(holes).view()
    assert view.headline.startswith("B has the highest rouge2: ")
    assert view.tables[0].columns[1].cells[-1] == "–"


def test_one_system_has_a_score_and_nobody_to_be_compared_with():
    headline = assay.compare(scores(3)).view().headline
    assert headline.startswith("A has rouge2 ")
    assert headline.endswith("There is no other system to compare with.")


def test_the_note_says_what_was_drawn_at_random():
    """Two corpora swap items; of more systems, and of item scores, signs are flipped."""
    words = [
        "the",
        "cat",
        "sat",
        "on",
        "a",
        "mat",
        "and",
        "the",
        "dog",
        "ran",
        "to",
        "the",
        "old",
        "house",
        "by",
        "the",
        "sea",
    ]
    texts = {
        name: [" ".join(words[i % k : i % k + 8]) for i in range(30)] for name, k in (("a", 3), ("b", 5), ("c", 7))
    }
    data = assay.EvalSet.from_texts(texts, [" ".join(words[i % 4 : i % 4 + 8]) for i in range(30)])
    for metric, systems, draws in [
        ("bleu", "ab", "items swapped between the two"),
        ("bleu", "abc", "signs of items flipped"),
        ("rouge2", "ab", "signs of items flipped"),
    ]:
        result = assay.compare(assay.score(data, [metric])[metric].select(systems=list(systems)))
        assert f"; {draws}, 1,000 draws, seed 0" in " ".join(str(result).split())
