"""When correlations within items mean something."""

from __future__ import annotations

import numpy as np
from made import scores

from assay.meta._item_level import choose_levels, find_item_problem, find_problem
from assay.meta.minimums import ITEM_SYSTEMS, MIN_COMPARED_PAIRS, MIN_JUDGED_ITEMS

RNG = np.random.default_rng(2)


def test_items_need_enough_systems_and_there_must_be_enough_items():
    human = RNG.normal(size=(ITEM_SYSTEMS, 200))
    assert find_item_problem(human, human) == ""
    assert find_item_problem(human[:-1], human[:-1]).endswith("or more judged systems; there are 0")
    some = human.copy()
    some[0, MIN_JUDGED_ITEMS - 1 :] = np.nan
    assert find_item_problem(some, human).endswith(f"; there are {MIN_JUDGED_ITEMS - 1}")
    assert find_item_problem(human, some) == find_item_problem(some, human)  # what the metric lacks is not compared
    some[0, MIN_JUDGED_ITEMS - 1] = 0.0
    assert "judged systems" not in find_item_problem(some, human)


def test_pairs_that_people_did_not_tell_apart_do_not_count():
    systems = 6
    items = -(-MIN_COMPARED_PAIRS // (systems - 1)) + MIN_JUDGED_ITEMS
    human = np.ones((systems, items))
    assert find_item_problem(human, human).endswith("there are 0")
    human[0] = 2.0  # one output of each item differs from the others
    assert find_item_problem(human, human) == ""
    few = human.copy()
    few[0, (MIN_COMPARED_PAIRS - 1) // (systems - 1) :] = 1.0
    pairs = (MIN_COMPARED_PAIRS - 1) // (systems - 1) * (systems - 1)
    assert find_item_problem(few, few).endswith(f"; there are {pairs}")


def test_the_first_metric_with_a_problem_is_named():
    human = scores(RNG.normal(size=(6, 60)), "human")
    good, bad = scores(human.values, "good"), scores(np.where(np.arange(60) < 3, human.values, np.nan), "bad")
    assert find_problem(human, [good], systems=None, without=None) == ""
    assert find_problem(human, [good, bad], systems=None, without=None).endswith("there are 3")


def test_systems_answer_where_items_cannot():
    assert choose_levels(["item", "system"], "") == (["item", "system"], "")
    assert choose_levels(["item", "pooled", "system"], "too few") == (["system", "pooled"], "too few")
    assert choose_levels(["system"], "too few") == (["system"], "")
