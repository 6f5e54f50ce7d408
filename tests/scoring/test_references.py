"""Scores against some of the references."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.errors import InputError
from assay.scoring import reference_subsets, reference_tables, score_own_references

DATA = assay.EvalSet.from_texts({"A": ["a b", "c d"], "B": ["a x", "c d"]}, [["a b", "a c", "b"], ["c d", "c", "d e"]])


def test_subsets_are_scores_against_the_chosen_references():
    table = reference_subsets(DATA, "rouge1", 3)
    assert table.shape == (1, 2, 2)
    assert np.allclose(table[0], assay.score(DATA, "rouge1").values)
    with pytest.raises(InputError, match="size must be between 1 and 3"):
        reference_subsets(DATA, "rouge1", 4)


def test_a_table_for_every_number_of_references():
    tables = reference_tables(DATA, "rouge1")
    assert {size: table.shape for size, table in tables.items()} == {1: (3, 2, 2), 2: (3, 2, 2), 3: (1, 2, 2)}
    assert reference_tables(DATA, "rate") is None
    assert reference_tables(DATA, "scores of another program") is None
    assert reference_tables(assay.EvalSet.from_texts(["a"], ["a"]), "rouge1") is None


def test_copies_have_no_score_against_the_other_references():
    whole, others = score_own_references(DATA, "rouge1", [("2", "B")])
    assert np.isnan(others.values).tolist() == [[False, False], [False, True]]
    assert np.allclose(whole.values, assay.score(DATA, "rouge1(own=keep)").values)
    assert score_own_references(DATA, "scores of another program") is None


def test_a_copy_of_the_only_reference_has_no_other_to_meet():
    text = "one two three four"
    items = [
        assay.Item(
            str(i), tuple(map(assay.Reference, [f"{text} {i}", "e f"][: 1 + (i > 0)])), {"A": f"{text} {i}", "B": "e"}
        )
        for i in range(6)
    ]
    data = assay.EvalSet(items)
    assert data.leaked == ("A",)
    _, others = score_own_references(data, "rouge1", [("0", "A"), ("1", "A")])
    assert np.isnan(others.values[0]).tolist() == [True, *[False] * 5]
    assert others.values[0, 1] == 0.0
