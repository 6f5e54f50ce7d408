"""Which items have labels of people, and may they stand for the others? The design as stated, drawn or tested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..data.evalset import EvalSet
from ..data.ratings import Floats
from ..errors import InputError
from ..stats import generator, holm

PROBABILITY = "label_probability"  # key of an item: with which probability it was drawn for labelling
DRAWN = "label_drawn"  # and whether it was
PERMUTATIONS = 2000
MIN_ITEMS = 3  # items of either kind


@dataclass(frozen=True)
class LabelCheck:
    """One property of labelled outputs next to that of the others, and the test that they differ."""

    kind: ClassVar[str] = "label_check"
    what: str
    labelled: float
    others: float
    p: float
    adjusted: float
    differs: bool


def read_probabilities(data: EvalSet, labelled: NDArray[np.bool_]) -> Floats | None:
    """Return the probabilities with which items were drawn for labelling, or None where no one drew them.

    Where some items have one, a labelled item without one is an error: an estimate that ignores how items were chosen
    is biased.
    """
    values = np.array([_probability(item.extra.get(PROBABILITY), item.place) for item in data.entries])
    if np.isnan(values).all():
        return None
    undrawn = np.nonzero(labelled & np.array([item.extra.get(DRAWN) is False for item in data.entries]))[0]
    if len(undrawn):
        raise InputError(
            f"{data.entries[undrawn[0]].place} was labelled but not drawn, as {len(undrawn)} items were: leave these "
            "labels out, for an estimate would count them as drawn"
        )
    missing = np.nonzero(labelled & np.isnan(values))[0]
    if len(missing):
        raise InputError(
            f"{data.entries[missing[0]].place} was labelled but has no {PROBABILITY}, as other items have: "
            f"{len(missing)} labelled item(s) lack it; keep what `assay judge draw` wrote, or leave their labels out"
        )
    return values


def _probability(value: Any, place: str) -> float:
    if value is None:
        return float("nan")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        raise InputError(f"{place}: {PROBABILITY} must be above 0 and at most 1; got {value!r}")
    return float(value)


def check_labels(
    data: EvalSet, systems: Sequence[str], labelled: NDArray[np.bool_], scores: Floats, *, alpha: float, seed: int
) -> tuple[LabelCheck, ...]:
    """Compare labelled with other outputs (systems x items) by judge score, length, system and group.

    Scores and lengths are centred by system and compared with standard errors clustered by item; the shares of
    systems and groups by chi squared, with the labels of items permuted. Holm over all tests.
    """
    judged = np.asarray(labelled.any(axis=1))  # systems that people never judged cannot be compared
    labelled, scores = labelled[judged], scores[judged]
    systems = [s for s, j in zip(systems, judged, strict=True) if j]
    lengths = np.array([[len(item.outputs.get(s, "").split()) for item in data.entries] for s in systems], dtype=float)
    present = ~np.isnan(scores)
    tests = [("judge score", *_compare_means(scores, labelled, present))]
    tests.append(("length in words", *_compare_means(lengths, labelled, present)))
    rng = generator(seed)
    tests.append(("system", *_compare_systems(labelled, present, rng)))
    groups = [item.group for item in data.entries]
    if len(set(groups)) > 1:
        tests.append(("group", *_compare_groups(groups, np.asarray(labelled.any(axis=0)), rng)))
    adjusted = holm([test[3] for test in tests], alpha=alpha)
    return tuple(
        LabelCheck(*test, float(p), bool(differs))
        for test, p, differs in zip(tests, adjusted.pvalues, adjusted.rejected, strict=True)
    )


def _compare_means(
    values: Floats, labelled: NDArray[np.bool_], present: NDArray[np.bool_]
) -> tuple[float, float, float]:
    """Return both means and the p-value of their difference, centred by system, clustered by item."""
    from scipy.special import stdtr

    ours, rest = labelled & present, ~labelled & present
    if ours.any(axis=0).sum() < MIN_ITEMS or rest.any(axis=0).sum() < MIN_ITEMS:
        return _mean(values[ours]), _mean(values[rest]), float("nan")
    known = np.where(present, values, 0.0)
    centred = np.where(present, known - (known.sum(axis=1) / present.sum(axis=1))[:, None], 0.0)
    means = [(centred * part).sum() / part.sum() for part in (ours, rest)]
    residual = np.where(
        ours, (centred - means[0]) / ours.sum(), np.where(rest, -(centred - means[1]) / rest.sum(), 0.0)
    )
    by_item = residual.sum(axis=0)
    n = int(present.any(axis=0).sum())
    error = np.sqrt((by_item**2).sum() * n / (n - 1))
    p = 1.0 if error == 0 else float(2 * stdtr(n - 1, -abs(means[0] - means[1]) / error))
    return _mean(values[ours]), _mean(values[rest]), p


def _compare_systems(
    labelled: NDArray[np.bool_], present: NDArray[np.bool_], rng: np.random.Generator
) -> tuple[float, float, float]:
    """Return the largest and smallest share of labelled outputs of a system, and the p-value that shares differ."""
    shares = (labelled & present).sum(axis=1) / np.maximum(present.sum(axis=1), 1)
    own = float(((labelled.sum(axis=1) - labelled.sum(axis=1).mean()) ** 2).sum())
    if own == 0:
        return float(shares.max()), float(shares.min()), 1.0
    count = 0
    for _ in range(PERMUTATIONS):  # within an item, any system might have been labelled
        drawn = rng.permuted(labelled, axis=0).sum(axis=1)
        count += ((drawn - drawn.mean()) ** 2).sum() >= own - 1e-9
    return float(shares.max()), float(shares.min()), (1 + count) / (PERMUTATIONS + 1)


def _compare_groups(
    groups: list[str | None], items: NDArray[np.bool_], rng: np.random.Generator
) -> tuple[float, float, float]:
    """Return the largest and smallest share of labelled items of a group, and the p-value that shares differ."""
    _, place = np.unique([str(group) for group in groups], return_inverse=True)
    sizes = np.bincount(place)
    own = _chi_squared(items, place, sizes)
    count = sum(_chi_squared(rng.permutation(items), place, sizes) >= own - 1e-9 for _ in range(PERMUTATIONS))
    shares = np.bincount(place, items) / sizes
    return float(shares.max()), float(shares.min()), (1 + count) / (PERMUTATIONS + 1)


def _chi_squared(items: NDArray[np.bool_], place: NDArray[np.int64], sizes: NDArray[np.int64]) -> float:
    expected = sizes * items.mean()
    return float((((np.bincount(place, items) - expected) ** 2) / np.maximum(expected, 1e-12)).sum())


def _mean(values: Floats) -> float:
    return float(values.mean()) if values.size else float("nan")
