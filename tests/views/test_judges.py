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
    assert headline.startswith(
        "On meaning, it cannot be said what this one can be used for: gpt (the test needs 3 human"
    )


@pytest.mark.parametrize("form", ["to_markdown", "to_latex"])
def test_every_form_can_be_drawn(form):
    assert "gpt" in getattr(judge_table(judged(12), resamples=20), form)()


def test_a_judge_that_passes_without_looking_is_not_recommended():
    rng = np.random.default_rng(2)
    entries = []
    for number in range(60):
        rating = 1.0 if number % 12 == 0 else 5.0
        judgments = [Judgment(s, r, "meaning", rating) for s in "AB" for r in ("ann", "bob", "cy")]
        judgments += [Judgment(s, "gpt", "meaning", float(5 - (rng.random() < 0.02)), kind="llm") for s in "AB"]
        entries.append(Item(str(number), outputs={"A": "a", "B": "b"}, judgments=tuple(judgments)))
    result = judge_table(EvalSet(entries), resamples=20)
    assert result.assessors[-1].verdict == "can replace a human"
    assert result.view().headline.startswith(
        "Do not replace a rater of meaning by gpt: it passes the alt-test (wins 3 of 3"
    )
