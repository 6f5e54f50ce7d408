"""Leave out the texts of the worst authors: the bottom 10% of editors of Toutanova et al. (2016), 3.1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..data.ratings import Ratings
from ..data.result import Shown
from ._input import Judged, output_means, ratings_of
from .drop import how_many


@dataclass(frozen=True)
class DroppedAuthors(Shown):
    """Who is left out, worst first, with the mean quality of each; outputs and their mean before and after."""

    dimension: str
    authors: tuple[str, ...]
    qualities: tuple[float, ...]
    kept: int
    outputs_before: int
    outputs_after: int
    mean_before: float
    mean_after: float
    ratings: Ratings

    def sentence(self) -> str:
        """Answer in words."""
        return (
            f"Without the {len(self.authors)} worst of {len(self.authors) + self.kept} authors the mean of "
            f"{self.dimension} rises from {self.mean_before:.3f} ({self.outputs_before} outputs) to "
            f"{self.mean_after:.3f} ({self.outputs_after})."
        )


def drop_authors(
    data: Judged | Ratings,
    dimension: str | None = None,
    *,
    share: float | None = None,
    worst: int | None = None,
    author: Callable[[str], str] = str,
) -> DroppedAuthors:
    """Leave out every output of the worst authors; an author's quality is the mean of his outputs' means over raters.

    The author is the system; `author` turns a system's name into a person's where one wrote under two names. For the
    paper's quality (the average of meaning and grammar) give `combined(data, ["meaning", "grammar"])`. The share is
    rounded down. `ratings` of the result are those that are left, for the next question.

    >>> table = np.array([[1, 2, 3, 3], [1, 2, 3, 2.0]])
    >>> ratings = Ratings(table, ("ann", "bob"), ("A", "A#2", "B", "C"), ("1", "2", "1", "1"), "meaning")
    >>> result = drop_authors(ratings, worst=1, author=lambda name: name.partition("#")[0])
    >>> result.authors, result.qualities, result.outputs_after, result.mean_after
    (('A',), (1.5,), 2, 2.75)
    """
    ratings = ratings_of(data, dimension)
    means, names = output_means(ratings), [author(s) for s in ratings.systems]
    by_author: dict[str, list[float]] = {}
    for name, mean in zip(names, means.tolist(), strict=True):
        if mean == mean:
            by_author.setdefault(name, []).append(mean)
    quality = {name: sum(values) / len(values) for name, values in by_author.items()}
    out = sorted(quality, key=lambda name: quality[name])[: how_many(len(quality), worst, share, "authors")]
    keep = np.array([name not in out for name in names])
    left = _columns(ratings, keep)
    kept = output_means(left)
    return DroppedAuthors(
        ratings.dimension, tuple(out), tuple(quality[name] for name in out), len(quality) - len(out),
        int((~np.isnan(means)).sum()), int((~np.isnan(kept)).sum()), float(np.nanmean(means)), float(np.nanmean(kept)),
        left,
    )  # fmt: skip


def _columns(ratings: Ratings, keep: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Ratings:
    def of(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name, here in zip(names, keep, strict=True) if here) if names else ()

    values = ratings.values[:, keep]
    return Ratings(values, ratings.raters, of(ratings.systems), of(ratings.items), ratings.dimension, of(ratings.texts))
