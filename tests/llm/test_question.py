"""Questions: every output once, pairs in both orders, units one by one, repeats apart."""

from __future__ import annotations

from collections import Counter

import pytest

from assay import EvalSet, Item
from assay.errors import AlignmentError, InputError
from assay.llm.config import PointScale
from assay.llm.question import AskedUnit, Question, check_assignment, draw_sample, list_questions, list_units
from assay.llm.rubric import Rubric


def items(n: int = 3) -> EvalSet:
    outputs = {"A": "a", "B": "b", "C": "c"}
    return EvalSet([Item(str(i), outputs=outputs, extra={"units": ["u", "v"]}) for i in range(n)])


def rubric(kind: str) -> Rubric:
    return Rubric("d", kind, "", PointScale(), "")


def test_outputs():
    assert len(list_units(items(), "rating", both_orders=True)) == 9


def test_pairs_come_in_both_orders():
    units = list_units(items(1), "pairs", both_orders=True)
    assert len(units) == 6
    assert {u.systems for u in units} == {(a, b) for a in "ABC" for b in "ABC" if a != b}


def test_one_order_is_drawn_at_random():
    units = list_units(items(200), "pairs", both_orders=False)
    assert len(units) == 600
    first = Counter(u.systems for u in units)
    assert 70 < first["A", "B"] < 130
    assert first["A", "B"] + first["B", "A"] == 200


def test_no_pairs():
    with pytest.raises(InputError, match="there is no pair to compare"):
        list_units(EvalSet([Item("1", outputs={"A": "a"})]), "pairs", both_orders=True)


def test_questions():
    data = items(1)
    units = list_units(data, "rating", both_orders=True)
    questions = list(list_questions(0, data, rubric("rating"), units, 2))
    assert [q.repeat for q in questions] == [1, 1, 1, 2, 2, 2]
    by_unit = list(list_questions(1, data, rubric("units"), units[:1], 1))
    assert by_unit == [Question(1, "0", ("A",), "d", 0), Question(1, "0", ("A",), "d", 1)]


def test_a_sample_is_the_same_for_all_dimensions():
    units = list_units(items(), "rating", both_orders=True)
    sample = draw_sample({"x": units, "y": units}, 4, 1)
    assert sample["x"] == sample["y"]
    assert len(sample["x"]) == 4
    assert [u for u in units if u in sample["x"]] == sample["x"]
    assert draw_sample({"x": units}, 100, 1)["x"] == units


def test_the_set_must_be_that_of_the_study():
    data, study = items(1), EvalSet([Item("0", outputs={"A": "other", "B": "b", "C": "c"})])
    assert check_assignment(data, data, [AskedUnit("0", ("A+B",))], "study") == [AskedUnit("0", ("A+B",))]
    with pytest.raises(AlignmentError, match="people saw another output of system 'A' for item '0' than the set has"):
        check_assignment(data, study, [AskedUnit("0", ("A",))], "study")
    with pytest.raises(AlignmentError, match="its item '9' is not in the set"):
        check_assignment(data, study, [AskedUnit("9", ("A",))], "study")
