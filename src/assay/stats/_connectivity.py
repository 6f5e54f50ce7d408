"""Find systems that comparisons do not connect: their order is unknown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError


def connected_groups(links: NDArray[Any], *, strong: bool = False) -> list[list[int]]:
    """Split systems into groups without a link (links[i, k] > 0) between them; strong: without links both ways.

    >>> links = np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]])
    >>> connected_groups(links), connected_groups(links, strong=True)
    ([[0, 1], [2]], [[0], [1], [2]])
    """
    near = links > 0 if strong else (links > 0) | (links > 0).T
    reach = near | np.eye(len(links), dtype=bool)
    for _ in range(len(links).bit_length()):  # chains twice as long each time
        reach = reach @ reach
    first = np.argmax(reach & reach.T, axis=1)
    return [np.nonzero(first == group)[0].tolist() for group in np.unique(first)]


def check_names(names: Sequence[str] | None, count: int) -> list[str]:
    """Return one name per system; by default its number, from 0."""
    labels = [str(name) for name in (range(count) if names is None else names)]
    if len(labels) != count:
        raise InputError(f"names must hold one name per system, got {len(labels)} for {count} systems")
    return labels


def check_connected(groups: list[list[int]], names: Sequence[str]) -> None:
    """Raise if there is more than one group of systems, with their names."""
    if len(groups) > 1:
        raise InputError(f"systems of different groups were never ranked together: {format_groups(groups, names)}")


def format_groups(groups: list[list[int]], names: Sequence[str]) -> str:
    """Write groups of systems by name.

    >>> format_groups([[0, 2], [1]], ["A", "B", "C"])
    'A, C | B'
    """
    return " | ".join(", ".join(names[i] for i in group) for group in groups)
