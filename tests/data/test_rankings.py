"""Rankings: selections keep what can be compared."""

from __future__ import annotations

import numpy as np
import pytest

from assay.data.rankings import Rankings
from assay.errors import InputError

NAN = np.nan
TABLE = Rankings(
    np.array([[1, 2, NAN, NAN], [NAN, 1, 2, NAN], [1, NAN, NAN, NAN]]), tuple("ABCD"), tuple("112"), ("r",) * 3, "rank"
)


def test_a_selection_leaves_out_rankings_of_one_system_and_systems_without_rankings():
    whole = TABLE.select(TABLE.systems)
    assert (whole.systems, whole.items) == (("A", "B", "C"), ("1", "1"))
    assert TABLE.select(["A", "B"]).values.tolist() == [[1, 2]]


def test_rankings_of_some_items():
    assert TABLE.of_items(["2"]).values.shape == (1, 4)


def test_shapes_must_agree():
    with pytest.raises(InputError, match="rankings x systems"):
        Rankings(np.ones((2, 2)), ("A", "B"), ("1",), ("r",), "rank")
