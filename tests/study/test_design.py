"""Assignments: balance, the Latin square, repeats, and places that are freed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.errors import InputError
from assay.study.design import Places, assign, make_plan
from assay.study.protocols import PROTOCOLS
from assay.study.settings import StudyDesign


def make_set(items: int, systems: int, groups: int = 1) -> assay.EvalSet:
    names = [f"S{n}" for n in range(systems)]
    return assay.EvalSet(
        [
            assay.Item(
                f"i{n}", outputs={s: f"{s} of {n}" for s in names}, sources=(f"source {n}",), group=f"g{n % groups}"
            )
            for n in range(items)
        ]
    )


def plan_of(data, protocol="rate", **design):
    return make_plan(data, PROTOCOLS.build(protocol), StudyDesign(**design))


def units_of(assignment, occasion=1):
    return [(t.item, t.systems) for t in assignment.tasks if t.occasion == occasion]


sizes = st.tuples(st.integers(1, 14), st.integers(1, 6), st.integers(1, 3))


@settings(max_examples=80)
@given(
    sizes, st.integers(1, 12), st.lists(st.sampled_from(["join", "leave", "finish"]), max_size=60), st.integers(0, 99)
)
def test_a_latin_square_holds_whoever_comes_and_goes(size, raters, happenings, seed):
    """No rater sees two outputs of one source; systems per list and group differ by at most one; places are kept."""
    items, systems, groups = size
    plan = plan_of(make_set(items, systems, groups), assignment="latin-square", raters=raters, seed=seed)
    active: dict[int, object] = {}
    complete: list = []
    number = 0

    def join():
        nonlocal number
        places = Places()
        for assignment in (*active.values(), *complete):
            places.add(assignment)
        number += 1
        return assign(plan, places, number)

    for what in happenings:
        if what == "join" and (assignment := join()) is not None:
            check_square(assignment, plan, groups)
            active[number] = assignment
        elif active and what == "leave":
            active.pop(min(active))
        elif active and what == "finish":
            complete.append(active.pop(max(active)))
    complete += active.values()
    active.clear()
    while (assignment := join()) is not None:  # everybody who is still needed comes and stays
        complete.append(assignment)
    per_list = Counter(a.list_number for a in complete)
    assert len(complete) == raters
    assert max(per_list[n] for n in range(plan.lists)) - min(per_list[n] for n in range(plan.lists)) <= 1
    ratings = Counter(unit for a in complete for unit in units_of(a))
    counts = [ratings[u.item, u.systems] for u in plan.units]
    assert max(counts) - min(counts) <= 1


def check_square(assignment, plan, groups):
    seen = units_of(assignment)
    assert len({item for item, _ in seen}) == len(seen) == len(plan.square)
    for group in (None, *range(groups)):
        part = Counter(s[0] for i, s in seen if group is None or int(i[1:]) % groups == group)
        counts = [part[f"S{n}"] for n in range(plan.columns)]
        assert max(counts) - min(counts) <= 1


@settings(max_examples=60)
@given(sizes, st.integers(1, 4), st.integers(1, 9), st.integers(0, 99))
def test_random_assignments_give_each_output_its_raters(size, per_output, raters, seed):
    items, systems, _ = size
    raters = max(raters, per_output)
    plan = plan_of(make_set(items, systems), assignment="random", per_output=per_output, raters=raters, seed=seed)
    places, seen = Places(), Counter()
    for rater in range(1, raters + 1):
        assignment = assign(plan, places, rater)
        if assignment is None:
            break
        places.add(assignment)
        assert len(set(units_of(assignment))) == len(assignment.tasks) <= plan.per_rater
        seen.update(units_of(assignment))
    assert {seen[u.item, u.systems] for u in plan.units} == {per_output}
    assert assign(plan, places, raters + 1) is None


def test_random_assignments_may_show_one_output_per_source():
    plan = plan_of(make_set(6, 4), assignment="random", per_output=2, per_rater=5, one_per_source=True)
    places = Places()
    for rater in range(1, 12):
        if (assignment := assign(plan, places, rater)) is not None:
            places.add(assignment)
            items = [task.item for task in assignment.tasks]
            assert len(set(items)) == len(items)


def test_some_outputs_overlap_where_the_others_have_one_rater():
    plan = plan_of(make_set(10, 2), assignment="random", per_output=1, overlap=0.25)
    assert sorted(plan.quotas) == [1] * 15 + [2] * 5


@settings(max_examples=60)
@given(st.integers(1, 30), st.floats(0, 1), st.integers(1, 12), st.integers(0, 99))
def test_repeats_keep_their_distance_and_come_once(items, share, distance, seed):
    plan = plan_of(make_set(items, 1), repeats=share, distance=distance, seed=seed)
    assignment = assign(plan, Places(), 1)
    assert assignment is not None
    position = {(t.item, t.occasion): n for n, t in enumerate(assignment.tasks)}
    assert len(position) == len(assignment.tasks)
    again = [item for item, occasion in position if occasion == 2]
    assert len(again) == min(round(share * items), max(0, items - distance + 1))
    assert all(position[item, 2] - position[item, 1] >= distance for item in again)


def test_pairs_are_shown_in_both_orders_equally_often():
    plan = plan_of(make_set(5, 3), "compare")
    places, orders = Places(), Counter()
    for rater in range(1, 9):
        assignment = assign(plan, places, rater)
        places.add(assignment)
        orders.update(units_of(assignment))
    for item, (first, second) in list(orders):
        assert orders[item, (first, second)] == orders[item, (second, first)] == 4


def test_everybody_has_another_order_that_is_the_same_when_asked_again():
    plan = plan_of(make_set(12, 2))
    one, two = assign(plan, Places(), 1), assign(plan, Places(), 2)
    assert units_of(one) != units_of(two)
    assert sorted(units_of(one)) == sorted(units_of(two))
    assert assign(plan, Places(), 1) == one


def test_identical_outputs_are_separate_or_judged_once():
    same = assay.Item("1", outputs={"A": "x", "B": "x", "C": "y"}, sources=("s",))
    data = assay.EvalSet([same])
    assert [u.systems for u in plan_of(data).units] == [("A",), ("B",), ("C",)]
    assert [u.systems for u in plan_of(data, merge_identical=True).units] == [("A+B",), ("C",)]
    assert [u.systems for u in plan_of(data, "compare", merge_identical=True).units] == [("A+B", "C")]
    assert [u.systems for u in plan_of(data, "rank", merge_identical=True).units] == [("A+B", "C")]


def test_checks_are_mixed_in_and_practice_comes_first():
    data = make_set(8, 1)
    known = assay.EvalSet([assay.Item("k", outputs={"A": "a"}, sources=("s",))])
    design = StudyDesign(checks=1)
    plan = make_plan(data, PROTOCOLS.build("rate"), design, qualification=known, checks=known)
    tasks = assign(plan, Places(), 3).tasks
    assert tasks[0].role == "qualification"
    assert Counter(t.role for t in tasks) == {"qualification": 1, "check": 1, "main": 8}
    assert tasks[1].role == "main"


def test_a_set_without_outputs_is_refused():
    data = assay.EvalSet([assay.Item("1", sources=("s",))])
    with pytest.raises(InputError, match="has no outputs"):
        plan_of(data)


def test_units_with_the_largest_quota_are_drawn_first_and_none_beyond_it():
    plan = plan_of(make_set(10, 2), assignment="random", per_output=1, per_rater=5, overlap=0.25)
    extra = {(u.item, u.systems) for u, quota in zip(plan.units, plan.quotas, strict=True) if quota == 2}
    places, seen = Places(), Counter()
    first = assign(plan, places, 1)
    assert set(units_of(first)) == extra
    for rater in range(1, 9):
        assignment = assign(plan, places, rater)
        if assignment is not None:
            places.add(assignment)
            seen.update(units_of(assignment))
    assert seen == {(u.item, u.systems): quota for u, quota in zip(plan.units, plan.quotas, strict=True)}


def test_what_one_rater_gets():
    data = make_set(10, 2)
    assert plan_of(data, assignment="random", per_output=2, raters=3, overlap=0.25).per_rater == 15  # 45 / 3
    assert plan_of(data, assignment="random", per_output=2, raters=7).per_rater == 6  # 40 / 7, rounded up
    assert plan_of(data, assignment="random", per_output=2, per_rater=4).per_rater == 4
    assert plan_of(data, assignment="random", per_output=2).per_rater == 20


def test_lists_of_a_latin_square_take_equal_shares_of_the_raters():
    plan = plan_of(make_set(6, 3), assignment="latin-square", raters=7)
    assert [plan.capacity(number) for number in range(plan.lists)] == [3, 2, 2]
    assert [plan.capacity(number, extra=1) for number in range(plan.lists)] == [3, 3, 2]
    assert plan_of(make_set(6, 3), assignment="latin-square").capacity(0) is None


def test_units_come_by_group_and_in_the_order_of_the_set_within_one():
    plan = plan_of(make_set(6, 2, groups=3))
    assert list(dict.fromkeys(unit.item for unit in plan.units)) == ["i0", "i3", "i1", "i4", "i2", "i5"]
    assert [unit.systems for unit in plan.units[:2]] == [("S0",), ("S1",)]
