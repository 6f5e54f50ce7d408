"""Fit a model to examples, and test it on topics, or on systems, that are left out of the fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..data.scores import Floats, Scores
from ..errors import InputError, UnknownName
from ..metrics import Fitted
from .examples import MIN_TOPICS, Examples, Integers, center_by_topic
from .models import Model

NORMALIZATIONS = ("mean", "none")
MIN_SYSTEMS = 3


def fit(rows: Examples, model: Model, *, normalize: str = "mean") -> Fitted:
    """Fit a model to examples.

    Features are scaled to mean 0 and deviation 1 over these rows (a constant one becomes 0). normalize=mean moves the
    targets so that every topic has the same mean (Peyrard et al. 2017, 4.2): topics differ in difficulty, and a metric
    is asked to order the summaries of one. normalize=none takes them as they are.
    """
    if normalize not in NORMALIZATIONS:
        raise UnknownName("normalization", normalize, NORMALIZATIONS, hint=f"(there are {', '.join(NORMALIZATIONS)})")
    shift = rows.y.mean(axis=0)
    y = center_by_topic(rows.y, rows.topic) if normalize == "mean" else rows.y - shift
    scale = y.std(axis=0)
    if not scale[0] > 0:
        raise InputError(f"the judgments of {rows.target!r} are constant: there is nothing to learn from them")
    center, spread = rows.x.mean(axis=0), rows.x.std(axis=0)
    constant = spread <= 1e-12 * np.maximum(1.0, np.abs(center))
    spread = np.where(constant, 1.0, spread)
    center = np.where(constant, rows.x[0], center)
    predictor = model.fit((rows.x - center) / spread, y / np.where(scale > 0, scale, 1.0), _renumber(rows.topic))
    limits = rows.x.min(axis=0), rows.x.max(axis=0)
    return Fitted(center, spread, predictor, float(shift[0]), float(scale[0]), *limits)


def _renumber(topic: Integers) -> Integers:
    """Return topics as 0, 1, 2 without the gap that a left-out one leaves."""
    return np.unique(topic, return_inverse=True)[1].astype(np.int64)


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """What a model says of each topic (or system) when it was fitted to others; `scores` are systems x items."""

    scores: Scores
    folds: int
    model: str
    normalize: str


def cross_validate(
    rows: Examples,
    model: Model,
    *,
    normalize: str = "mean",
    without: Callable[[str], Examples] | None = None,
    follow: Callable[[Sequence[int]], Iterable[int]] = iter,
) -> CrossValidation:
    """Leave one topic out, fit to the others, predict it; each topic once.

    Scaling and normalization see the other topics alone. `without(topic)` gives the same rows with features that never
    saw the topic's texts: for metrics that read the whole set before they score (idf). `follow`
    passes the topics on, for a progress bar.
    """
    present = [int(t) for t in np.unique(rows.topic)]
    if len(present) < MIN_TOPICS:
        raise InputError(f"cross-validation leaves out one topic at a time: {len(present)} are too few")
    predicted = np.full(len(rows), np.nan)
    for topic in follow(present):
        unseen = rows if without is None else without(rows.topics[topic])
        if len(unseen) != len(rows):
            raise InputError(f"without topic {rows.topics[topic]!r} a feature has other missing scores than with it")
        left_out = unseen.topic == topic
        predicted[left_out] = fit(unseen.rows(~left_out), model, normalize=normalize).predict(unseen.x[left_out])
    return _cross_validation(rows, predicted, len(present), model, normalize)


def cross_validate_systems(rows: Examples, model: Model, *, normalize: str = "mean", most: int = 10) -> CrossValidation:
    """Leave systems out, fit to the others, predict them; each system once, in at most `most` groups.

    The systems that a scorer will meet are not those it was fitted to, while its topics may well be.
    """
    present = np.unique(rows.cell[0])
    if len(present) < MIN_SYSTEMS:
        raise InputError(f"cross-validation leaves systems out: {len(present)} are too few")
    folds = min(most, len(present))
    group = np.searchsorted(present, rows.cell[0]) % folds
    predicted = np.full(len(rows), np.nan)
    for k in range(folds):
        left_out = group == k
        predicted[left_out] = fit(rows.rows(~left_out), model, normalize=normalize).predict(rows.x[left_out])
    return _cross_validation(rows, predicted, folds, model, normalize)


def _cross_validation(rows: Examples, predicted: Floats, folds: int, model: Model, normalize: str) -> CrossValidation:
    name = f"learned({model.signature()})"
    scores = Scores(rows.table(predicted), rows.systems, rows.items, name=model.name, signature=name)
    return CrossValidation(scores, folds, model.signature(), normalize)
