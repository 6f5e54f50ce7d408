"""EvalSet cannot exist misaligned."""

from __future__ import annotations

import numpy as np
import pytest

from assay import EvalSet, Item, Judgment, Reference
from assay.errors import AlignmentError, InputError, UnknownName


def judged(*judgments: Judgment) -> EvalSet:
    return EvalSet([Item("1", outputs={"A": "x", "B": "y"}, judgments=judgments)])


def test_systems_items_people_in_order():
    data = EvalSet(
        [
            Item("b", (Reference("t", "ann"),), {"B": "x", "ann": "t"}),
            Item("a", (Reference("u", "bob"),), {"B": "x", "A": "y", "bob": "u"}),
        ],
        allow_missing=True,
    )
    assert data.items == ("b", "a")
    assert data.systems == ("B", "ann", "A", "bob")
    assert data.people == ("ann", "bob")


def test_people_may_be_missing_but_systems_not():
    items = [
        Item("1", (Reference("t", "ann"),), {"A": "x", "ann": "t"}),
        Item("2", (Reference("t", "bob"),), {"A": "x"}),
    ]
    assert EvalSet(items).people == ("ann",)
    with pytest.raises(AlignmentError, match="item '2' has no output of system 'B' \\(1 of 2 items lack it\\)"):
        EvalSet([Item("1", outputs={"A": "x", "B": "y"}), Item("2", outputs={"A": "x"})])
    assert EvalSet([Item("1", outputs={"A": "x"}), Item("2", outputs={})], allow_missing=True).systems == ("A",)


def test_duplicate_ids_name_both_places():
    with pytest.raises(AlignmentError, match=r"f.jsonl:2: item '1' was already used \(f.jsonl:1\)"):
        EvalSet([Item("1", where="f.jsonl:1"), Item("1", where="f.jsonl:2")])


def test_an_empty_set_is_refused():
    with pytest.raises(InputError, match="at least one item"):
        EvalSet([])


def test_judgment_of_an_unknown_system():
    with pytest.raises(AlignmentError, match="judgment names system 'C'"):
        judged(Judgment("C", "r1", "meaning", 1.0))


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


def test_lists_of_different_length():
    with pytest.raises(AlignmentError, match="system 'B' has 1 outputs but 'A' has 2"):
        EvalSet.from_texts({"A": ["x", "y"], "B": ["x"]}, ["r", "s"])
    with pytest.raises(AlignmentError, match="references for 1 items but outputs for 2"):
        EvalSet.from_texts(["x", "y"], ["r"])
    with pytest.raises(AlignmentError, match="3 sources for 2 outputs"):
        EvalSet.from_texts(["x", "y"], ["r", "s"], ["1", "2", "3"])


def test_transposed_references_are_recognised():
    with pytest.raises(AlignmentError, match=r"look like 2 lists of 3 references.*list\(zip\(\*references\)\)"):
        EvalSet.from_texts(["x", "y", "z"], [["a", "b", "c"], ["d", "e", "f"]])


def test_equality_and_lookup():
    data = EvalSet.from_texts(["x"], ["r"])
    assert data == EvalSet.from_texts(["x"], ["r"])
    assert data != EvalSet.from_texts(["x"], ["s"])
    with pytest.raises(UnknownName, match="unknown item '2'"):
        data["2"]
    assert repr(data) == "EvalSet(1 items, 1 systems)"


def test_a_second_judgment_must_say_so():
    again = Judgment("A", "r1", "meaning", 3.0)
    with pytest.raises(AlignmentError, match=r"item '1': rater 'r1' judged system 'A' twice for 'meaning'.*occasion"):
        judged(Judgment("A", "r1", "meaning", 1.0), again)
    with pytest.raises(AlignmentError, match="judged system 'A' twice"):
        judged(Judgment("A+B", "r1", "meaning", 1.0), again)
    with pytest.raises(AlignmentError, match="judged system 'A' twice"):
        judged(again._replace(occasion=2), again._replace(occasion=2, score=1.0))
    for wrong in (0, -1, 1.5, True, "2"):
        with pytest.raises(InputError, match="occasion of a judgment of system 'A' must be a whole number from 1 on"):
            judged(again._replace(occasion=wrong))
    judged(again, again._replace(rater="r2"), again._replace(dimension="grammar"), again._replace(system="B"))


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
    """Return a set with several raters, occasions, joined systems and outputs that nobody judged."""
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
