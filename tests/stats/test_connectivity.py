"""Which systems comparisons connect."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

from assay.errors import InputError
from assay.stats._connectivity import check_connected, check_names, connected_groups, format_groups


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("strong", [False, True])
def test_groups_are_the_components_of_the_graph(seed, strong):
    rng = np.random.default_rng(seed)
    links = np.triu(rng.random((9, 9)) < 0.2, 1) * rng.integers(1, 4, (9, 9))
    links = links if seed % 2 else links + (rng.random((9, 9)) < 0.1)
    _, labels = connected_components(links > 0, directed=True, connection="strong" if strong else "weak")
    expected = {frozenset(np.flatnonzero(labels == label).tolist()) for label in set(labels.tolist())}
    assert {frozenset(group) for group in connected_groups(links, strong=strong)} == expected


def test_a_long_chain_is_one_group():
    links = np.diag(np.ones(40), 1)
    assert connected_groups(links) == [list(range(41))]
    assert len(connected_groups(links, strong=True)) == 41


def test_groups_are_named_in_the_error():
    check_connected([[0, 1]], ["A", "B"])
    with pytest.raises(InputError, match=r"different groups were never ranked together: A, C \| B"):
        check_connected([[0, 2], [1]], ["A", "B", "C"])
    assert format_groups([], []) == ""


def test_one_name_per_system():
    assert check_names(None, 3) == ["0", "1", "2"]
    assert check_names(["A", "B"], 2) == ["A", "B"]
    with pytest.raises(InputError, match="got 1 for 2 systems"):
        check_names(["A"], 2)
