"""Measure whether a rater judges the same text the same way twice (Owczarzak et al. 2012, section 2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np

from ..data.copies import SystemCopy
from ..data.evalset import EvalSet
from ..data.ratings import Ratings
from ..data.result import Result
from ..errors import InputError, ignore_undefined
from ..stats import Alpha, krippendorff_alpha
from ..stats.checks import warn_undefined
from .input import HasRatings, get_ratings


class RepeatedRating(NamedTuple):
    """Two ratings of one text by one rater, and what its item was drawn with."""

    scores: tuple[float, float]
    unit: str


Repeats = Mapping[str, list[RepeatedRating]]


@dataclass(frozen=True)
class RaterConsistency:
    """One rater on pairs of identical outputs: alpha over the pairs, and the share with the same rating."""

    kind: ClassVar[str] = "rater_consistency"
    rater: str
    pairs: int
    same: float
    alpha: Alpha


@dataclass(frozen=True)
class Consistency(Result, question="raters", kind="consistency", shared=("dimension",)):
    """Self-consistency of each rater, best first (those without an alpha last), and over the pairs of all.

    `copies` are systems with the same texts as another: their outputs are not counted as the same text judged again, as
    such rows are often copied with their ratings. `with_copies` is alpha if they are (NaN where there are none).
    """

    dimension: str
    alpha: Alpha
    pairs: int
    same: float
    raters: tuple[RaterConsistency, ...]
    measure: str
    confidence: float
    copies: tuple[SystemCopy, ...] = ()
    with_copies: float = float("nan")

    def of(self, rater: str) -> RaterConsistency | None:
        """Return the consistency of one rater, or None if they judged no text twice."""
        return next((r for r in self.raters if r.rater == rater), None)


def consistency(
    data: HasRatings | Ratings,
    dimension: str | None = None,
    *,
    measure: str = "interval",
    interval: bool = True,
    confidence: float = 0.95,
) -> Consistency:
    """Compute each rater's alpha over all pairs of identical outputs of an item that they judged.

    Texts are identical if they differ only in white space. An EvalSet is read judgment by judgment, so a second
    judgment of the same output is a pair too, and one judgment of two equal outputs ("A+B") is not; Ratings hold one
    number per output, so they have neither. No pair, or pairs without spread (0/0): NaN with an UndefinedWarning.

    >>> texts = ("a b", "a  b", "c", "a b", "a b")
    >>> table = np.array([[1.0, 2.0, 3.0, 3.0, 3.0]])
    >>> ratings = Ratings(table, ("ann",), tuple("ABCAB"), ("1", "1", "1", "2", "2"), "meaning", texts)
    >>> result = consistency(ratings, interval=False)
    >>> result.pairs, result.same, round(result.alpha.value, 3)
    (2, 0.5, 0.727)
    """
    copies = data.copies if isinstance(data, EvalSet) else ()
    repeats = _find_repeats(data, dimension, {copy.system for copy in copies})
    name = get_ratings(data, dimension).dimension

    def alpha(pairs: list[RepeatedRating]) -> Alpha:
        table = np.array([pair.scores for pair in pairs], dtype=np.float64).reshape(-1, 2)
        units = [pair.unit for pair in pairs]
        with ignore_undefined():
            return krippendorff_alpha(table, measure=measure, interval=interval, units=units, confidence=confidence)

    rows = [RaterConsistency(r, len(pairs), _same_share(pairs), alpha(pairs)) for r, pairs in repeats.items()]
    rows.sort(key=lambda r: (np.isnan(r.alpha.value), -r.alpha.value))
    every = [pair for pairs in repeats.values() for pair in pairs]
    again = [pair for pairs in _find_repeats(data, dimension).values() for pair in pairs] if copies else []
    result = Consistency(
        dimension=name,
        alpha=alpha(every),
        pairs=len(every),
        same=_same_share(every),
        raters=tuple(rows),
        measure=measure,
        confidence=confidence,
        copies=copies,
        with_copies=alpha(again).value if again else float("nan"),
    )
    _warn(result)
    return result


def _warn(result: Consistency) -> None:
    if not result.pairs:
        warn_undefined(f"self-consistency on {result.dimension!r}: no rater judged two identical texts of one item")
        return
    flat = [r.rater for r in result.raters if np.isnan(r.alpha.value)]
    if flat:
        warn_undefined(
            f"self-consistency on {result.dimension!r} of {len(flat)} rater(s) ({', '.join(flat[:5])}): all ratings "
            "of texts judged twice are equal"
        )


def _same_share(pairs: list[RepeatedRating]) -> float:
    return sum(pair.scores[0] == pair.scores[1] for pair in pairs) / len(pairs) if pairs else float("nan")


def _find_repeats(data: HasRatings | Ratings, dimension: str | None, apart: Collection[str] = ()) -> Repeats:
    """Find each rater's pairs of ratings of one text; a text judged three times makes three pairs.

    The outputs of the systems `apart` are not looked at.
    """
    ratings = get_ratings(data, dimension)
    judged = _by_output(ratings) if isinstance(data, Ratings) else _by_judgment(cast(Any, data), ratings, apart)
    groups: dict[tuple[str, str, str], list[float]] = {}
    for rater, item, text, score in judged:
        groups.setdefault((rater, item, " ".join(text.split())), []).append(score)
    pairs: dict[str, list[RepeatedRating]] = {}
    unit = dict(zip(ratings.items, ratings.units, strict=True))
    for (rater, item, _), scores in groups.items():
        if len(scores) > 1:
            pairs.setdefault(rater, []).extend(RepeatedRating(two, unit[item]) for two in combinations(scores, 2))
    return pairs


def _by_output(ratings: Ratings) -> Iterator[tuple[str, str, str, float]]:
    if not ratings.texts:
        raise InputError(f"ratings of {ratings.dimension!r} have no texts; identical outputs cannot be found")
    for rater, row in zip(ratings.raters, ratings.values.tolist(), strict=True):
        for item, text, score in zip(ratings.items, ratings.texts, row, strict=True):
            if score == score:
                yield rater, item, text, score


def _by_judgment(
    items: Iterable[Any], ratings: Ratings, apart: Collection[str]
) -> Iterator[tuple[str, str, str, float]]:
    counted = frozenset(ratings.raters)
    for item in items:
        for j in item.judgments:
            if j.dimension == ratings.dimension and j.rater in counted:
                system = next((s for s in item.judged_systems(j) if s not in apart), None)
                if system is not None:
                    yield j.rater, item.id, item.outputs[system], j.score
