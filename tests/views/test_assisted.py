"""Rankings with a judge's help as they are shown."""

from __future__ import annotations

import numpy as np

from assay import EvalSet, Item, Judgment
from assay.comparison.assisted import compare_assisted


def judged(shift: float = -0.5) -> EvalSet:
    rng = np.random.default_rng(0)
    entries = []
    for number in range(100):
        judgments = []
        for system, quality in (("A", 2.0), ("B", 4.0)):
            true = quality + rng.normal(0, 0.6)
            judgments.append(Judgment(system, "gpt", "meaning", true + shift, kind="llm"))
            if number < 35:
                judgments.append(Judgment(system, "ann", "meaning", true + rng.normal(0, 0.3)))
        entries.append(Item(str(number), outputs={"A": "a", "B": "b"}, judgments=tuple(judgments)))
    return EvalSet(entries)


def test_the_headline_quotes_the_table():
    result = compare_assisted(judged(), "meaning", "gpt")
    view = result.view()
    best = result.systems[0]
    assert view.headline.startswith(f"B has the best meaning: {best.both:.2f} (95% CI {best.both_low:.2f} to")
    assert "significantly better than every other system, by people and gpt together" in view.headline
    assert view.tables[0].columns[3].cells[0] == f"{best.both:.3f}"
    assert f"gpt saved about {round(result.saved)} labels: people alone would need" in view.sentences[1]
    assert "By itself gpt is 0.5" in view.sentences[2]
    assert "too low on average" in view.sentences[2]
    assert view.tables[-1].title == "B minus the other systems, within items"


def test_a_judge_that_follows_nobody_saves_nothing():
    data = judged()
    items = [
        Item(
            i.id,
            outputs=i.outputs,
            judgments=tuple(j._replace(score=3.0 + n % 2) if j.rater == "gpt" else j for j in i.judgments),
        )
        for n, i in enumerate(data.entries)
    ]
    assert "saves no labels" in compare_assisted(EvalSet(items), "meaning", "gpt").view().sentences[1]


def test_one_system_has_nothing_to_be_better_than():
    alone = compare_assisted(judged(), "meaning", "gpt", systems=["A"]).view()
    assert "There is no other system to compare with." in alone.headline
    assert "significantly better" not in " ".join(alone.sentences)
