"""Means, ratings and rankings made of judgments."""

from __future__ import annotations

import numpy as np
import pytest

from assay import EvalSet, Item, Judgment
from assay.data.scale import Scale
from assay.errors import InputError, UnknownName


def judged(*judgments: Judgment) -> EvalSet:
    return EvalSet([Item("1", outputs={"A": "x", "B": "y"}, judgments=judgments)])


def test_wmt_judgments_of_joined_systems_count_for_each():
    data = judged(Judgment("A+B", "r1", "adequacy", 0.5))
    assert data.human("adequacy").values.tolist() == [[0.5], [0.5]]


def test_human_is_the_mean_over_raters_and_a_rater_counts_once():
    data = judged(
        Judgment("A", "r1", "meaning", 1.0),
        Judgment("A", "r1", "meaning", 3.0, occasion=2),
        Judgment("A", "r2", "meaning", 5.0),
    )
    human = data.human("meaning")
    assert human.values[0, 0] == 3.5
    assert np.isnan(human.values[1, 0])
    assert data.human("meaning", rater="r2").values[0, 0] == 5.0
    with pytest.raises(UnknownName, match="unknown dimension 'meening'; did you mean 'meaning'"):
        data.human("meening")
    with pytest.raises(UnknownName, match="unknown rater 'r9'"):
        data.human("meaning", rater="r9")


def test_ratings_keep_raters_apart():
    data = judged(
        Judgment("A", "r1", "meaning", 1.0),
        Judgment("A", "r1", "meaning", 3.0, occasion=2),
        Judgment("B", "r2", "meaning", 5.0),
        Judgment("B", "r3", "grammar", 1.0),
    )
    ratings = data.ratings("meaning")
    assert (ratings.raters, ratings.systems, ratings.items, ratings.texts) == (
        ("r1", "r2"),
        ("A", "B"),
        ("1", "1"),
        ("x", "y"),
    )
    np.testing.assert_array_equal(ratings.values, [[2.0, np.nan], [np.nan, 5.0]])
    assert ratings.without("r1").raters == ("r2",)
    with pytest.raises(UnknownName, match="unknown dimension 'colour'"):
        data.ratings("colour")


def test_a_repeat_counts_once_in_the_mean():
    data = judged(
        Judgment("A", "r1", "meaning", 1.0),
        Judgment("A", "r1", "meaning", 2.0, occasion=2),
        Judgment("A", "r1", "meaning", 3.0, occasion=7),
        Judgment("A", "r2", "meaning", 5.0),
    )
    assert data.human("meaning").values[0, 0] == 3.5
    assert data.human("meaning", rater="r1").values[0, 0] == 2.0
    assert data.ratings("meaning").values.tolist() == [[2.0], [5.0]]


def draw_set(seed: int) -> EvalSet:
    """Return a set with several raters, occasions, joined systems and outputs that no one judged."""
    rng = np.random.default_rng(seed)
    items = []
    for i in range(12):
        plain = [(s, "r1", "d", 1) for s in "ABCD" if rng.random() < 0.9]
        keys = plain if i % 2 else [(s, r, d, o) for s in "ABCD" for r in ("r1", "r2") for d in "de" for o in (1, 2)]
        keep = [key for key in keys if i % 2 or rng.random() < 0.6]
        joined = [("A+B", "r3", "d", 1)] if rng.random() < 0.5 else []
        judgments = tuple(Judgment(s, r, d, round(rng.normal(), 2), o) for s, r, d, o in [*keep, *joined])
        items.append(Item(str(i), outputs={s: f"{s} {i}" for s in "ABCD"}, judgments=judgments))
    return EvalSet(items)


@pytest.mark.parametrize("seed", range(5))
def test_means_and_ratings_equal_a_plain_loop(seed: int) -> None:
    data = draw_set(seed)
    cells: dict[tuple[str, str], dict[str, list[float]]] = {}
    for item in data:
        for j in item.judgments:
            if j.dimension == "d":
                for system in j.system.split("+"):
                    cells.setdefault((item.id, system), {}).setdefault(j.rater, []).append(j.score)
    human, ratings = data.human("d"), data.ratings("d")
    assert list(zip(ratings.items, ratings.systems, strict=True)) == list(cells)
    assert ratings.texts == tuple(f"{system} {item}" for item, system in cells)
    expected = np.full(human.values.shape, np.nan)
    for column, ((item, system), by_rater) in enumerate(cells.items()):
        means = {rater: sum(scores) / len(scores) for rater, scores in by_rater.items()}
        expected[human.systems.index(system), human.items.index(item)] = sum(means.values()) / len(means)
        row = [means.get(rater, np.nan) for rater in ratings.raters]
        np.testing.assert_array_equal(ratings.values[:, column], row)
    np.testing.assert_array_equal(human.values, expected)


def test_a_score_of_minus_zero_is_zero() -> None:
    data = judged(Judgment("A", "r", "d", -0.0))
    assert not np.signbit(data.human("d").values).any()
    assert not np.signbit(data.ratings("d").values).any()


def test_who_counts_and_who_else_judged():
    data = judged(Judgment("A", "ann", "fluency", 4.0), Judgment("A", "gpt", "style", 2.0, kind="llm"))
    assert (data.raters, data.dimensions, data.judged_dimensions) == (("ann",), ("fluency",), ("fluency", "style"))
    assert data.judged.count_kinds() == {"unknown": 1, "llm": 1}
    with pytest.raises(InputError, match=r"no person judged 'style', only gpt \(llm\): count them with --kind llm"):
        data.human("style")
    machines = data.use_assessors("llm")
    assert (machines.raters, machines.dimensions) == (("gpt",), ("style",))
    assert machines.human("style").signature == "llm(style)"
    with pytest.raises(InputError, match=r"no llm judged 'fluency', only ann \(human\)"):
        machines.human("fluency")
    assert data.human("style", rater="gpt").signature == "llm(style, rater=gpt)"
    assert data.ratings("fluency", also=["gpt"]).raters == ("ann",)  # who did not judge it has no row


def test_rankings_are_best_lowest_whichever_end_was_stated():
    judgments = [Judgment("A", "ann", "order", 2.0), Judgment("B", "ann", "order", 5.0)]
    judgments += [j._replace(occasion=2, score=1.0) for j in judgments[:1]]
    data = judged(*judgments)
    low, high = (data.with_scales({"order": Scale(best=best)}).rankings("order") for best in ("low", "high"))
    np.testing.assert_array_equal(low.values, [[2.0, 5.0], [1.0, np.nan]])
    np.testing.assert_array_equal(high.values, [[-2.0, -5.0], [-1.0, np.nan]])
    assert (low.items, low.raters) == (("1", "1"), ("ann", "ann"))
    assert data.with_scales({"order": Scale(best="low")}).human("order").signature == "human(order, best=low)"
    with pytest.raises(InputError, match="a ranking by 'order' needs to know which end is best"):
        data.rankings("order")


@pytest.mark.parametrize("n", [1, 2, 3])
def test_pairs_are_two_systems_at_a_time(n):
    outputs = {"A": "x", "B": "y", "C": "z"}
    judgments = tuple(Judgment(s, "ann", "better", float(i)) for i, s in enumerate("ABC"[:n]))
    data = EvalSet([Item("1", outputs=outputs, judgments=judgments)])
    data = data.with_scales({"better": Scale(best="low", kind="pairs")})
    if n == 2:
        assert data.rankings("better").complete == 0
        return
    with pytest.raises(InputError, match=f"rater 'ann' judged {n} systems by 'better' on occasion 1.*compare pairs"):
        data.rankings("better")


def test_ratings_have_the_clusters_of_their_items():
    items = [
        Item(str(i), outputs={"A": "a"}, judgments=(Judgment("A", "ann", "d", 1.0),), cluster=c)
        for i, c in enumerate(["x", None, "x"])
    ]
    assert EvalSet(items).ratings("d").clusters == ("x", "item 1", "x")
    assert EvalSet(items).human("d").clusters == ("x", "item 1", "x")
    assert EvalSet([Item("1", outputs={"A": "a"}, judgments=items[0].judgments)]).ratings("d").clusters == ()
