"""Scores: shape, selection, means."""

from __future__ import annotations

import numpy as np
import pytest

from assay import Scores
from assay.errors import InputError, UnknownName

S = Scores(np.array([[1.0, 2.0], [3.0, np.nan]]), ("A", "B"), ("1", "2"), name="m", corpus=np.array([9.0, 8.0]))


def test_shape_is_checked():
    with pytest.raises(InputError, match=r"must be systems x items, \(1, 2\); got \(2, 2\)"):
        Scores(np.zeros((2, 2)), ("A",), ("1", "2"), name="m")
    with pytest.raises(InputError, match="one corpus score per system"):
        Scores(np.zeros((1, 1)), ("A",), ("1",), name="m", corpus=np.zeros(2))


def test_select_keeps_corpus_scores_only_with_all_items():
    assert S.select(["B"]).means().tolist() == [8.0]
    chosen = S.select(["B", "A"], ["2"])
    assert chosen.corpus is None
    assert chosen.values.tolist()[1] == [2.0]
    assert np.isnan(chosen.means()[0])


def test_unknown_names():
    with pytest.raises(UnknownName, match="unknown system 'C'"):
        S.row("C")
    with pytest.raises(UnknownName, match="unknown item '3'"):
        S.select(items=["3"])


def test_row_and_counts():
    assert S.row("A").tolist() == [1.0, 2.0]
    assert S.counts().tolist() == [2, 1]
    assert repr(S) == "Scores('m', 2 systems x 2 items)"


def test_a_system_or_item_twice():
    with pytest.raises(InputError, match="scores 'm' have system 'A' twice: ids must be unique"):
        Scores(np.zeros((2, 1)), ("A", "A"), ("1",), name="m")
    with pytest.raises(InputError, match="scores 'm' have item '1' twice"):
        Scores(np.zeros((1, 3)), ("A",), ("1", "2", "1"), name="m")
    with pytest.raises(InputError, match="twice"):
        S.select(["A", "A"])
