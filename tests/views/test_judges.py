"""Assessors as they are shown."""

from __future__ import annotations

import numpy as np
import pytest

from assay import EvalSet, Item, Judgment
from assay.raters import judge_table


def judged(items: int) -> EvalSet:
    rng = np.random.default_rng(1)
    entries = []
    for number in range(items):
        judgments = []
        for system, quality in zip("ABCD", (1.5, 2.5, 3.5, 4.5), strict=True):
            for rater in ("ann", "bob", "cy", "gpt"):
                score = float(np.clip(round(quality + rng.normal(0, 0.7)), 1, 5))
                judgments.append(Judgment(system, rater, "meaning", score, kind="llm" if rater == "gpt" else None))
        entries.append(Item(str(number), outputs=dict.fromkeys("ABCD", "a b"), judgments=tuple(judgments)))
    return EvalSet(entries)


def test_the_headline_quotes_the_table():
    result = judge_table(judged(40), resamples=50)
    row = result.assessors[-1]
    view = result.view()
    assert view.headline == (
        "On meaning, this one can replace a human rater: gpt (wins 2 of 3, "
        f"advantage {view.tables[0].columns[5].cells[0]})."
    )
    assert view.tables[0].columns[5].cells[0] == f"{row.advantage:.3f}"
    assert [table.title for table in view.tables] == [
        "What each judge can be used for",
        "Agreement with people",
        "Bias",
        "Alt-test against each person",
    ]
    assert len(view.charts) == 1


def test_too_few_items_are_the_reason_in_the_headline():
    headline = judge_table(judged(12), resamples=50).view().headline
    assert headline.startswith("On meaning, it is undecided what this one can be used for: gpt (orders 100% of 6 pairs")
    assert headline.endswith("; at least 18 more items needed).")


@pytest.mark.parametrize("form", ["to_markdown", "to_latex"])
def test_every_form_can_be_drawn(form):
    assert "gpt" in getattr(judge_table(judged(12), resamples=20), form)()


@pytest.mark.parametrize(("noise", "verdict"), [(0.02, "undecided"), (None, "cannot be used")])
def test_a_judge_is_not_better_than_one_that_looks_at_nothing(noise, verdict):
    """Nearly all texts get 5: a constant passes the alt-test. One judge copies people with slips, one looks away."""
    rng = np.random.default_rng(2)
    entries = []
    for number in range(60):
        rating = 1.0 if number % 12 == 0 else 5.0
        own = 5.0 if noise is None else rating
        judgments = [Judgment(s, r, "meaning", rating) for s in "AB" for r in ("ann", "bob", "cy")]
        judgments += [
            Judgment(s, "gpt", "meaning", own - float(rng.random() < (noise or 0.02)), kind="llm") for s in "AB"
        ]
        entries.append(Item(str(number), outputs={"A": "a", "B": "b"}, judgments=tuple(judgments)))
    result = judge_table(EvalSet(entries), resamples=50)
    assert result.blind.constant_passes
    assert result.assessors[-1].verdict == verdict
    sentences = result.view().sentences
    if noise is None:
        assert sentences[0].startswith(
            "On meaning, this one is not shown to follow people, and cannot be used: gpt (r = "
        )
    else:
        assert "wins 3 of 3" in sentences[0]
        assert "but so would a judge that always answers 5; people separate no pair of systems;" in sentences[0]
    assert sentences[-1].startswith("A judge that always answers 5 passes the alt-test on meaning: passing it says")


def test_a_person_at_chance_is_named():
    rng = np.random.default_rng(3)
    entries = []
    for number in range(60):
        quality = rng.normal(3, 1, 2)
        raters = {r: quality + rng.normal(0, 0.3, 2) for r in ("ann", "bob", "gpt")} | {"lazy": rng.normal(3, 1, 2)}
        judgments = [
            Judgment(s, r, "meaning", float(v), kind="llm" if r == "gpt" else None)
            for r, scores in raters.items()
            for s, v in zip("AB", scores, strict=True)
        ]
        entries.append(Item(str(number), outputs={"A": "a", "B": "b"}, judgments=tuple(judgments)))
    result = judge_table(EvalSet(entries), resamples=100)
    sentences = " ".join(result.view().sentences)
    assert "Of the people, lazy (r = " in sentences
    assert "is not shown to follow the others on meaning." in sentences
    assert [s.subjects for s in result.statements() if s.claim == "at chance"] == [("lazy",)]
