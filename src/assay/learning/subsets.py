"""CLASSY's scheme: fit every set of features to one year, choose by the next, fit again to that (Owczarzak 2012, 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..data.scores import Floats
from ..errors import InputError
from ..metrics import Fitted
from .cross_validation import fit
from .examples import Examples
from .models import Model

EXHAUSTIVE = 12  # features, which have 4,095 sets; beyond that the search is greedy
Criterion = Callable[[Floats, Examples], float]


@dataclass(frozen=True, eq=False)
class Selection:
    """The features and model that predict the second set best when fitted to the first; `fitted` is to the second."""

    features: tuple[int, ...]
    names: tuple[str, ...]
    model: str
    value: float
    tried: int
    greedy: bool
    fitted: Fitted


def select_features(
    fit_rows: Examples,
    select_rows: Examples,
    models: Sequence[Model],
    criterion: Criterion,
    *,
    normalize: str = "none",
    exhaustive: int = EXHAUSTIVE,
) -> Selection:
    """Fit each set of features by each model to the first examples, keep the best on the second, and refit to these.

    criterion(predictions, examples) says how good predictions are, higher is better. All sets of up to `exhaustive`
    features are tried. With more, forward steps add the feature that helps most as long as one does, for each model.
    Of equally good choices the one with fewer features wins, then the one tried first.
    """
    if fit_rows.features != select_rows.features:
        raise InputError("the two sets must have the same features in the same order")
    if not models:
        raise InputError("no model was given to choose from")
    count = len(fit_rows.features)

    def value(model: Model, subset: tuple[int, ...]) -> float:
        fitted = fit(fit_rows.columns(subset), model, normalize=normalize)
        return criterion(fitted.predict(select_rows.columns(subset).x), select_rows)

    search = _all_sets if count <= exhaustive else _forward
    best: tuple[float, tuple[int, ...], Model] | None = None
    tried = 0
    for model in models:
        for subset, reached in search(count, lambda s, m=model: value(m, s)):  # type: ignore[misc]
            tried += 1
            if not np.isnan(reached) and (best is None or reached > best[0] + 1e-12):
                best = (reached, subset, model)
    if best is None:
        raise InputError("no set of features predicts the second set: every correlation is undefined")
    best_value, subset, model = best
    again = fit(select_rows.columns(subset), model, normalize=normalize)
    names = tuple(fit_rows.features[i] for i in subset)
    return Selection(subset, names, model.signature(), best_value, tried, count > exhaustive, again)


Tried = Iterable[tuple[tuple[int, ...], float]]


def _all_sets(count: int, value: Callable[[tuple[int, ...]], float]) -> Tried:
    """Try every set of features, small ones first, so that a larger one must be better."""
    for size in range(1, count + 1):
        for subset in combinations(range(count), size):
            yield subset, value(subset)


def _forward(count: int, value: Callable[[tuple[int, ...]], float]) -> Iterator[tuple[tuple[int, ...], float]]:
    """Add one feature at a time, the one that helps most, until none does."""
    subset: tuple[int, ...] = ()
    reached = -np.inf
    while len(subset) < count:
        tried = [tuple(sorted((*subset, i))) for i in range(count) if i not in subset]
        values = [(value(s), s) for s in tried]
        yield from ((s, v) for v, s in values)
        defined = [(v, s) for v, s in values if not np.isnan(v)]
        if not defined or max(v for v, _ in defined) <= reached + 1e-12:
            return
        reached, subset = max(defined, key=lambda vs: vs[0])
