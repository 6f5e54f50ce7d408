"""Leave out the texts of the worst editors: the bottom 10% of Toutanova et al. (2016), 3.1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from ..data.evalset import EvalSet
from ..data.item import Item, author_of
from ..data.ratings import Floats, Ratings
from ..data.result import Result
from ..stats.checks import Bools
from .drop import count_to_drop
from .input import HasRatings, combine_dimensions, get_ratings, output_means

NAN = float("nan")


@dataclass(frozen=True)
class EditorQuality:
    """An editor who was left out: the mean rating of their outputs, and how many there are."""

    kind: ClassVar[str] = "editor_quality"
    editor: str
    quality: float
    outputs: int


@dataclass(frozen=True)
class MeanChange:
    """The mean rating of all outputs on a dimension, and of those that remain."""

    kind: ClassVar[str] = "mean_change"
    dimension: str
    before: float
    after: float


@dataclass(frozen=True)
class WithoutEditors(Result, question="without_raters", kind="without_editors", shared=("dimension",)):
    """The editors left out, worst first; outputs and their mean rating before and after.

    Whoever is chosen by ratings looks worse in the same ratings, in part by chance. `rise_unseen` is the rise on the
    other half of the inputs when the editors are chosen by one half (mean of both ways); NaN where a half has too few
    editors. `changes` are by dimension where the quality is a mean of several.
    """

    dimension: str
    remaining: int
    outputs_before: int
    outputs_after: int
    mean_before: float
    mean_after: float
    rise_unseen: float
    left_out: tuple[EditorQuality, ...]
    changes: tuple[MeanChange, ...] = ()
    ratings: Ratings | None = field(default=None, repr=False)

    @property
    def editors(self) -> tuple[str, ...]:
        """The names of those left out, worst first."""
        return tuple(row.editor for row in self.left_out)


def drop_editors(
    data: HasRatings | Ratings,
    dimensions: str | Sequence[str] | None = None,
    *,
    share: float | None = None,
    worst: int | None = None,
    editor: Callable[[str], str] = author_of,
) -> WithoutEditors:
    """Leave out every output of the worst editors; an editor's quality is the mean over their outputs' mean ratings.

    The editor is the system; `editor` turns a system's name into a person's where one person wrote under two names (by
    default 62#2 is 62). An output's quality is the mean of all `dimensions`, as in the paper (meaning and grammar). The
    share is rounded down. `ratings` of the result are the remaining ratings.

    >>> table = np.array([[1, 2, 3, 3], [1, 2, 3, 2.0]])
    >>> ratings = Ratings(table, ("ann", "bob"), ("A", "A#2", "B", "C"), ("1", "2", "1", "1"), "meaning")
    >>> result = drop_editors(ratings, worst=1)
    >>> result.editors, result.left_out[0].quality, result.outputs_after, result.mean_after
    (('A',), 1.5, 2, 2.75)
    """
    names = [dimensions] if isinstance(dimensions, str) else dimensions
    if isinstance(data, Ratings):
        return _drop(get_ratings(data, names[0] if names else None), share, worst, editor)
    names = list(data.dimensions if names is None else names)
    if len(names) < 2:
        return _drop(get_ratings(data, names[0] if names else None), share, worst, editor)
    result = _drop(combine_dimensions(data, names), share, worst, editor)
    changes = (_mean_change(get_ratings(data, name), set(result.editors), editor) for name in names)
    return replace(result, changes=tuple(changes))


def without_editors(data: EvalSet, editors: Sequence[str], *, editor: Callable[[str], str] = author_of) -> EvalSet:
    """Return the set without the outputs, references and judgments of some editors, and without items left empty."""
    names = set(editors)

    def keep(item: Item) -> Item:
        return replace(
            item,
            outputs={name: text for name, text in item.outputs.items() if editor(name) not in names},
            references=tuple(r for r in item.references if r.id is None or editor(r.id) not in names),
            judgments=tuple(j for j in item.judgments if editor(j.system) not in names),
        )

    items = [item for item in map(keep, data) if item.outputs]
    return EvalSet(items, allow_missing=True, treatment=data.treatment)


def _drop(ratings: Ratings, share: float | None, worst: int | None, editor: Callable[[str], str]) -> WithoutEditors:
    means, names = output_means(ratings), np.array([editor(s) for s in ratings.systems], dtype=object)
    quality = _qualities(means, names)
    count = count_to_drop(len(quality), worst, share, "editors")
    dropped = _worst(quality, count, ratings.higher_is_better)
    remaining = ~np.isin(names, dropped)
    rated = ~np.isnan(means)
    return WithoutEditors(
        dimension=ratings.dimension,
        remaining=len(quality) - count,
        outputs_before=int(rated.sum()),
        outputs_after=int((rated & remaining).sum()),
        mean_before=float(means[rated].mean()),
        mean_after=float(means[rated & remaining].mean()),
        rise_unseen=_rise_unseen(means, names, ratings, count / len(quality)),
        left_out=tuple(EditorQuality(n, quality[n], int((rated & (names == n)).sum())) for n in dropped),
        ratings=_select_columns(ratings, remaining),
    )


def _qualities(means: Floats, names: np.ndarray) -> dict[str, float]:
    by_editor: dict[str, list[float]] = {}
    for name, mean in zip(names.tolist(), means.tolist(), strict=True):
        if mean == mean:
            by_editor.setdefault(name, []).append(mean)
    return {name: sum(values) / len(values) for name, values in by_editor.items()}


def _worst(quality: dict[str, float], count: int, higher_is_better: bool) -> list[str]:
    return sorted(quality, key=lambda name: quality[name] if higher_is_better else -quality[name])[:count]


def _rise_unseen(means: Floats, names: np.ndarray, ratings: Ratings, share: float) -> float:
    """Choose the editors by every second input, and measure the rise on the others; then the other way round."""
    place = {item: k for k, item in enumerate(dict.fromkeys(ratings.items))}
    odd = np.array([place[item] % 2 == 1 for item in ratings.items])
    rises = []
    for half in (odd, ~odd):
        quality = _qualities(means[half], names[half])
        count = int(share * len(quality) + 1e-9)
        rest = ~half & ~np.isnan(means)
        remaining = rest & ~np.isin(names, _worst(quality, count, ratings.higher_is_better))
        if not count or not remaining.any():
            return NAN
        rises.append(float(means[remaining].mean() - means[rest].mean()))
    return sum(rises) / 2


def _mean_change(ratings: Ratings, editors: set[str], editor: Callable[[str], str]) -> MeanChange:
    means = output_means(ratings)
    remaining = np.array([editor(system) not in editors for system in ratings.systems])
    return MeanChange(ratings.dimension, float(np.nanmean(means)), float(np.nanmean(means[remaining])))


def _select_columns(ratings: Ratings, keep: Bools) -> Ratings:
    def select(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name, here in zip(names, keep, strict=True) if here) if names else ()

    return Ratings(
        ratings.values[:, keep],
        ratings.raters,
        select(ratings.systems),
        select(ratings.items),
        ratings.dimension,
        select(ratings.texts),
        ratings.higher_is_better,
        ratings.kinds,
        select(ratings.clusters),
    )
