"""EvalSet cannot exist misaligned."""

from __future__ import annotations

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


def test_a_part_is_treated_as_the_whole():
    repeat = "one two three four five"
    items = [
        Item(str(i), (Reference(f"{repeat} {i}"), Reference("b")), {"A": f"{repeat} {i}", "B": "something else"})
        for i in range(6)
    ]
    data = EvalSet(items).skip_repeats()
    part = data.select(["1", "2"])
    assert part.treatment == "repeats skipped"
    assert part.skipped == data.skipped == {"A": dict.fromkeys("012345", 0)}
    assert EvalSet(items).select(["1"]).skipped == {}
