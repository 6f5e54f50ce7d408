"""Items drawn for people: by disagreement, in one wave and in two, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from assay import EvalSet, Item, Judgment
from assay.comparison.assisted import compare_assisted
from assay.errors import InputError, UnknownName
from assay.raters.label_draw import draw_labels, write_draw


def make_set(items: int = 50, labelled=(), seed: int = 0) -> EvalSet:
    """Two judges who disagree about the second half of the items."""
    rng = np.random.default_rng(seed)
    entries = []
    for number in range(items):
        judgments = []
        for system in "AB":
            true = rng.normal(3, 1)
            for judge in ("x", "y"):
                score = true + rng.normal(0, 0.1 if number < items / 2 else 1.5)
                judgments.append(Judgment(system, judge, "m", score, kind="llm"))
            human = Judgment(system, "ann", "m", true + rng.normal(0, 0.3))
            if number in labelled:
                judgments.append(human)
        entries.append(Item(str(number), outputs={"A": "a", "B": "b"}, judgments=tuple(judgments)))
    return EvalSet(entries)


def test_disputed_items_are_drawn_more_often_and_none_never():
    draw = draw_labels(make_set(), "m", 20)
    p = np.array(draw.probabilities)
    assert p.sum() == pytest.approx(20)
    assert p[25:].mean() > 3 * p[:25].mean()
    assert p.min() >= 0.2 * 20 / 50
    assert len(draw.drawn) == draw.new == 20
    assert draw.efficiency < 1
    assert draw_labels(make_set(), "m", 20) == draw
    assert draw_labels(make_set(), "m", 20, seed=1).drawn != draw.drawn


def test_the_gain_follows_the_difference_wanted():
    draw = draw_labels(make_set(), "m", 20, by="gain", systems=("A", "B"))
    stack = np.stack([make_set().human("m", rater=r).values for r in "xy"])
    gap = stack[:, 0] - stack[:, 1]
    gap = gap - gap.mean(axis=1, keepdims=True)
    spread = gap.std(axis=0, ddof=1)
    drawn = {row.item: row.disagreement for row in draw.drawn}
    assert all(value == pytest.approx(spread[int(item)]) for item, value in drawn.items())
    with pytest.raises(InputError, match="name both"):
        draw_labels(make_set(), "m", 20, by="gain")
    with pytest.raises(UnknownName, match="unknown system 'C'"):
        draw_labels(make_set(), "m", 20, by="gain", systems=("A", "C"))


def test_what_was_drawn_is_written_and_used():
    draw = draw_labels(make_set(), "m", 20)
    chosen = {int(row.item) for row in draw.drawn}
    data = write_draw(make_set(labelled=chosen), draw)
    assert [item.extra["label_drawn"] for item in data.entries] == [n in chosen for n in range(50)]
    assert compare_assisted(data, "m", "x").design == "drawn"
    other = next(n for n in range(50) if n not in chosen)
    entries = [
        Item(i.id, outputs=i.outputs, judgments=(*i.judgments, Judgment("A", "ann", "m", 3.0)), extra=i.extra)
        if n == other
        else i
        for n, i in enumerate(data.entries)
    ]
    with pytest.raises(InputError, match=f"item '{other}' was labelled but not drawn"):
        compare_assisted(EvalSet(entries), "m", "x")


def test_a_second_wave_knows_the_first():
    first = draw_labels(make_set(), "m", 10)
    chosen = {int(row.item) for row in first.drawn}
    data = write_draw(make_set(labelled=chosen), first)
    second = draw_labels(data, "m", 10, seed=5)
    p, q = np.array(first.probabilities), np.array(second.probabilities)
    assert q == pytest.approx(1 - (1 - p) ** 2)  # the same judges, so the same probabilities, twice
    assert second.earlier == 10
    assert second.new == sum(int(row.item) not in chosen for row in second.drawn)
    both = write_draw(data, second)
    assert sum(item.extra["label_drawn"] for item in both.entries) == 10 + second.new


def test_labels_of_unknown_origin_are_refused():
    with pytest.raises(InputError, match="people judged 8 of 50 items already, and no one stated how"):
        draw_labels(make_set(labelled=range(8)), "m", 10)
    draw = draw_labels(make_set(labelled=range(8)), "m", 10, labelled="random", by="uniform")
    assert draw.probabilities == pytest.approx([1 - (1 - 8 / 50) * (1 - 0.2)] * 50)


def test_one_judge_cannot_disagree():
    items = [Item(i.id, outputs=i.outputs, judgments=i.judgments[:1]) for i in make_set().entries]
    with pytest.raises(InputError, match="two LLM judges of 'm' are needed"):
        draw_labels(EvalSet(items), "m", 10)
    assert len(draw_labels(EvalSet(items), "m", 10, by="uniform").drawn) == 10


def test_the_headline_says_what_to_do():
    headline = draw_labels(make_set(), "m", 20).view().headline
    assert headline.startswith(
        "People should judge 20 more items of 50 on m: drawn, more often where LLM judges disagree"
    )
