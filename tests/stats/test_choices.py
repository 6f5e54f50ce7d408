"""Rankings and tables of pairs as sequences of choices, by hand."""

from __future__ import annotations

import numpy as np

from assay.stats._choices import ranking_choices, table_choices

NAN = np.nan


def list_choices(choices):
    """The choices as (from, taken, weight, item)."""
    return [
        (np.flatnonzero(choices.sets[s]).tolist(), np.flatnonzero(w).tolist(), weight, item)
        for s, w, weight, item in zip(
            choices.of_set, choices.winners, choices.weight.tolist(), choices.of_item.tolist(), strict=True
        )
    ]


def test_a_ranking_is_the_best_of_all_then_the_best_of_the_rest():
    choices = ranking_choices(np.array([[2.0, 1.0, 3.0]]), np.array([7]))
    assert list_choices(choices) == [([0, 1, 2], [1], 1.0, 0), ([0, 2], [0], 1.0, 0)]
    assert (choices.n, choices.items, choices.systems, choices.orders) == (1, 1, 3, [1])


def test_ties_are_taken_together_and_also_where_they_come_last():
    choices = ranking_choices(np.array([[1.0, 2.0, 2.0]]), np.array([0]))
    assert list_choices(choices) == [([0, 1, 2], [0], 1.0, 0), ([1, 2], [1, 2], 1.0, 0)]
    assert choices.orders == [1, 2]


def test_what_is_not_ranked_takes_no_part_and_one_system_is_no_ranking():
    ranks = np.array([[1.0, NAN, 2.0], [NAN, 1.0, NAN]])
    choices = ranking_choices(ranks, np.array([3, 4]))
    assert list_choices(choices) == [([0, 2], [0], 1.0, 0)]
    assert (choices.n, choices.items) == (1, 1)
    empty = ranking_choices(ranks[1:], np.array([4]))
    assert (empty.n, empty.items, empty.systems, len(empty.winners)) == (0, 0, 3, 0)


def test_tables_of_pairs_give_choices_from_two():
    wins, ties = np.zeros((2, 3, 3)), np.zeros((2, 3, 3))
    wins[0, 0, 1], wins[0, 1, 0], wins[1, 2, 1], wins[0, 2, 2] = 3, 1, 2, 9  # a win against oneself is none
    ties[1] = [[0, 4, 0], [4, 0, 0], [0, 0, 0]]
    choices = table_choices(wins, ties)
    assert list_choices(choices) == [
        ([0, 1], [0], 3.0, 0),
        ([0, 1], [1], 1.0, 0),
        ([1, 2], [2], 2.0, 1),
        ([0, 1], [0, 1], 4.0, 1),
    ]
    assert choices.n == 10


def test_groups_by_chains_of_wins_and_by_being_ranked_together():
    choices = ranking_choices(np.array([[1.0, 2.0, NAN], [2.0, 1.0, NAN], [NAN, 1.0, 2.0]]), np.array([0, 1, 2]))
    every = np.ones(3)
    assert choices.groups(every, strict=False) == [[0, 1, 2]]
    assert choices.groups(every, strict=True) == [[0, 1], [2]]  # 2 never wins
    assert choices.groups(np.array([1.0, 1.0, 0.0]), strict=False) == [[0, 1], [2]]
    assert choices.groups(np.array([1.0, 0.0, 1.0]), strict=True) == [[0], [1], [2]]
