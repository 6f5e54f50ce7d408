"""Leave out the texts of the worst authors: the bottom 10% of editors of Toutanova et al. (2016), 3.1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..data.ratings import Ratings
from ..data.result import Result
from ._input import HasRatings, get_ratings, output_means
from .drop import count_to_drop


@dataclass(frozen=True)
class WithoutAuthors(Result, question="without_raters", kind="without_authors", shared=("dimension",)):
    """The authors left out, worst first, with the mean quality of each; outputs and their mean before and after."""

    dimension: str
    authors: tuple[str, ...]
    qualities: tuple[float, ...]
    remaining: int
    outputs_before: int
    outputs_after: int
    mean_before: float
    mean_after: float
    ratings: Ratings = field(repr=False)


def drop_authors(
    data: HasRatings | Ratings,
    dimension: str | None = None,
    *,
    share: float | None = None,
    worst: int | None = None,
    author: Callable[[str], str] = str,
) -> WithoutAuthors:
    """Leave out every output of the worst authors; an author's quality is the mean over their outputs' mean ratings.

    The author is the system; `author` turns a system's name into a person's where one person wrote under two names. For
    the paper's quality (the average of meaning and grammar) use `combine_dimensions(data, ["meaning", "grammar"])`. The
    share is rounded down. `ratings` of the result are the remaining ratings.

    >>> table = np.array([[1, 2, 3, 3], [1, 2, 3, 2.0]])
    >>> ratings = Ratings(table, ("ann", "bob"), ("A", "A#2", "B", "C"), ("1", "2", "1", "1"), "meaning")
    >>> result = drop_authors(ratings, worst=1, author=lambda name: name.partition("#")[0])
    >>> result.authors, result.qualities, result.outputs_after, result.mean_after
    (('A',), (1.5,), 2, 2.75)
    """
    ratings = get_ratings(data, dimension)
    means, names = output_means(ratings), [author(s) for s in ratings.systems]
    by_author: dict[str, list[float]] = {}
    for name, mean in zip(names, means.tolist(), strict=True):
        if mean == mean:
            by_author.setdefault(name, []).append(mean)
    quality = {name: sum(values) / len(values) for name, values in by_author.items()}
    worst_first = sorted(quality, key=lambda name: quality[name])
    dropped = worst_first[: count_to_drop(len(quality), worst, share, "authors")]
    remaining = _select_columns(ratings, np.array([name not in dropped for name in names]))
    remaining_means = output_means(remaining)
    return WithoutAuthors(
        dimension=ratings.dimension,
        authors=tuple(dropped),
        qualities=tuple(quality[name] for name in dropped),
        remaining=len(quality) - len(dropped),
        outputs_before=int((~np.isnan(means)).sum()),
        outputs_after=int((~np.isnan(remaining_means)).sum()),
        mean_before=float(np.nanmean(means)),
        mean_after=float(np.nanmean(remaining_means)),
        ratings=remaining,
    )


def _select_columns(ratings: Ratings, keep: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Ratings:
    def select(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name, here in zip(names, keep, strict=True) if here) if names else ()

    values = ratings.values[:, keep]
    return Ratings(
        values, ratings.raters, select(ratings.systems), select(ratings.items), ratings.dimension, select(ratings.texts)
    )
