"""Labelled outputs next to the others: tests that find what differs, and keep their level where nothing does."""

from __future__ import annotations

import numpy as np
import pytest

from assay import EvalSet, Item
from assay.comparison.label_design import check_labels

SYSTEMS = ("A", "B", "C")


def make_set(seed: int, items: int = 60) -> tuple[EvalSet, np.ndarray]:
    rng = np.random.default_rng(seed)
    entries = [
        Item(str(i), outputs={s: "word " * int(rng.integers(5, 40)) for s in SYSTEMS}, group="ab"[i % 2])
        for i in range(items)
    ]
    return EvalSet(entries), rng.normal(size=(3, items)) + rng.normal(size=items)


def check(data, labelled, scores):
    return {row.what: row for row in check_labels(data, SYSTEMS, labelled, scores, alpha=0.05, seed=0)}


def test_each_difference_is_found():
    data, scores = make_set(0)
    items = np.arange(60)
    assert check(data, np.tile(scores.mean(axis=0) > 0.5, (3, 1)), scores)["judge score"].differs
    words = np.array([[len(item.outputs[s].split()) for item in data.entries] for s in SYSTEMS])
    assert check(data, np.tile(words.mean(axis=0) > 24, (3, 1)), scores)["length in words"].differs
    assert check(data, np.tile(items % 2 == 0, (3, 1)), scores)["group"].differs
    one_system = np.zeros((3, 60), dtype=bool)
    one_system[0], one_system[1:, :3] = items < 40, True
    assert check(data, one_system, scores)["system"].differs


def test_a_system_that_people_never_judged_is_no_difference():
    data, scores = make_set(1)
    labelled = np.zeros((3, 60), dtype=bool)
    labelled[:2, :30] = True
    assert not check(data, labelled, scores)["system"].differs


def test_too_few_items_are_not_tested():
    data, scores = make_set(2)
    labelled = np.zeros((3, 60), dtype=bool)
    labelled[:, :2] = True
    assert np.isnan(check(data, labelled, scores)["judge score"].p)


@pytest.mark.slow
def test_chance_is_seldom_taken_for_a_difference():
    refused = 0
    for seed in range(300):
        data, scores = make_set(seed)
        drawn = np.random.default_rng(seed + 1000).random(60) < 0.4
        refused += any(row.differs for row in check(data, np.tile(drawn, (3, 1)), scores).values())
    assert refused / 300 < 0.08
