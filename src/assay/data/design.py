"""Design: which systems, clusters, items, runs and raters are behind some scores, and how far systems share items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .facets import repeated_item
from .ratings import Ratings
from .scores import Scores


@dataclass(frozen=True)
class Design:
    """How many of each there are, of those with a score.

    `items` counts inputs, and `runs` the most repeats that one of them has (1: none is repeated), so that 30 questions
    in 10 epochs are 30 items in 10 runs. `clusters` are what was drawn: items that belong together, with their runs.
    `pairing` is complete where every system has a score for every item and run, none where no two systems share one;
    `common` is the fewest items and runs that two systems share. `raters` is 0 where no one's ratings are known.
    """

    systems: int
    clusters: int
    items: int
    runs: int
    raters: int
    pairing: str  # complete, partial or none
    common: int

    def describe(self) -> str:
        """Describe it in a line.

        >>> Design(5, 12, 30, 10, 0, "complete", 300).describe()
        '5 systems x 30 items x 10 runs in 12 clusters; every system has a score for every item and run'
        >>> Design(2, 9, 9, 1, 3, "partial", 4).describe()
        '2 systems x 9 items, 3 raters; they have 4 items in common'
        """
        facets = [_count(self.systems, "system"), _count(self.items, "item")]
        facets += [_count(self.runs, "run")] if self.runs > 1 else []
        clusters = f" in {_count(self.clusters, 'cluster')}" if self.clusters != self.items else ""
        raters = f", {_count(self.raters, 'rater')}" if self.raters else ""
        return f"{' x '.join(facets)}{clusters}{raters}{self._describe_pairing()}"

    def _describe_pairing(self) -> str:
        if self.systems < 2:
            return ""
        cell = "item and run" if self.runs > 1 else "item"
        if self.pairing == "complete":
            return f"; every system has a score for every {cell}"
        if self.pairing == "none":
            return f"; no two systems have an {cell} in common"
        if self.systems == 2:
            return f"; they have {_count(self.common, 'item')} in common"
        if not self.common:
            return "; some two systems have no item in common"
        return f"; two systems have {_count(self.common, 'item')} or more in common"


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'s' * (n != 1)}"


def find_design(scores: Scores, ratings: Ratings | None = None) -> Design:
    """Find the design behind scores; ratings are those they are means of, by default what the scores know of them.

    >>> nan = float("nan")
    >>> find_design(Scores(np.array([[1.0, 2, nan], [nan, 2, 3]]), ("A", "B"), ("1", "2", "3"), "m")).describe()
    '2 systems x 3 items; they have 1 item in common'
    """
    present = ~np.isnan(scores.values)
    systems, columns = present.any(axis=1), np.flatnonzero(present.any(axis=0)).tolist()
    runs = scores.runs or (None,) * len(scores.items)
    inputs: dict[str, int] = {}
    for k in columns:
        name = repeated_item(scores.items[k], runs[k])
        inputs[name] = inputs.get(name, 0) + 1
    clusters = len({scores.clusters[k] for k in columns}) if scores.clusters is not None else len(inputs)
    shared = _shared_items(present[systems])
    if ratings is None and scores.ratings is not None:
        ratings = scores.ratings().select(scores.systems, scores.items)
    return Design(
        systems=int(systems.sum()),
        clusters=clusters,
        items=len(inputs),
        runs=max(inputs.values(), default=0),
        raters=0 if ratings is None else len(ratings.raters),
        pairing="complete" if present[systems][:, columns].all() else "partial" if shared.any() else "none",
        common=int(shared.min()) if shared.size else len(columns),
    )


def _shared_items(present: np.ndarray) -> np.ndarray:
    """Count the items that each pair of systems shares."""
    counts = present.astype(np.float64) @ present.T
    return np.asarray(counts[np.triu_indices(len(counts), 1)], dtype=np.int64)
