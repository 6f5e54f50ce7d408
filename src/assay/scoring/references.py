"""Score against some of the references: choices of n, or all but the output's own."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from math import comb

import numpy as np

from ..data.evalset import EvalSet
from ..data.scores import Floats, Scores
from ..errors import AssayError, InputError, UndefinedWarning
from ..metrics import Metric, metric
from .score import score

_FEW = 6  # references up to which every number of them is tried
_MAX_CHOICES = 12  # of n references, for a table


def reference_subsets(data: EvalSet, name: str | Metric, size: int, *, most: int = 64, seed: int = 0) -> Floats:
    """Score against `size` of each item's references: choice x system x item, every choice or `most` at random.

    What a study of the number of references draws from: one choice per item, at random, is one set-up.

    >>> data = EvalSet.from_texts(["a b"], [["a b", "a", "c"]])
    >>> reference_subsets(data, "rouge1(measure=recall)", 2).ravel().tolist()
    [1.0, 0.6666666666666666, 0.5]
    """
    rng = np.random.default_rng(seed)
    fewest = min(len(item.references) for item in data)
    if not 1 <= size <= fewest:
        raise InputError(f"size must be between 1 and {fewest}, the fewest references an item has; got {size}")
    choices = [_choices(len(item.references), size, most, rng) for item in data]
    tables = []
    for c in range(max(map(len, choices))):
        items = [
            replace(item, references=tuple(item.references[k] for k in own[c % len(own)]))
            for item, own in zip(data, choices, strict=True)
        ]
        tables.append(score(EvalSet(items, allow_missing=True, people=data.people), metric(name)).values)
    return np.stack(tables)


def _choices(n: int, size: int, most: int, rng: np.random.Generator) -> list[tuple[int, ...]]:
    if comb(n, size) <= most:
        return list(combinations(range(n), size))
    return [tuple(sorted(rng.choice(n, size, replace=False).tolist())) for _ in range(most)]


def reference_tables(data: EvalSet, name: str, *, seed: int = 0) -> dict[int, Floats] | None:
    """Return, by number of references, a metric's scores against choices of n of them.

    None where that cannot be computed: for scores of another program, for a metric that uses no references, and where
    an item has fewer than two.

    >>> data = EvalSet.from_texts(["a b"], [["a b", "a"]])
    >>> {n: table.shape for n, table in reference_tables(data, "rouge1").items()}, reference_tables(data, "rate")
    ({1: (2, 1, 1), 2: (1, 1, 1)}, None)
    """
    built = _build(name)
    fewest = min((len(item.references) for item in data), default=0)
    if built is None or built.needs != "references" or fewest < 2:
        return None
    sizes = range(1, fewest + 1) if fewest <= _FEW else sorted({1, 2, 3, 4, *range(8, fewest, 4), fewest})
    with warnings.catch_warnings():  # a person with their own text as the one reference drawn has no score
        warnings.simplefilter("ignore", UndefinedWarning)
        return {size: reference_subsets(data, built, size, most=_MAX_CHOICES, seed=seed) for size in sizes}


def score_own_references(
    data: EvalSet, name: str, copies: Iterable[tuple[str, str]] = ()
) -> tuple[Scores, Scores] | None:
    """Score outputs against all references, and against all but their own.

    `copies` are (item, system) of outputs that repeat a reference: where the set knows the authors (people, and
    systems that repeat half of their references) and there is another reference, they are scored against the others;
    elsewhere they have no score (NaN) in the second. None for scores of another program and for a metric
    that does not use references.

    >>> data = EvalSet.from_texts({"A": ["a b"]}, [["a b", "a c"]])
    >>> [s.values.tolist() for s in score_own_references(data, "rouge1", [("1", "A")])]
    [[[0.75]], [[nan]]]
    """
    built = _build(name)
    if built is None or not hasattr(built, "own"):
        return None
    whole = score(data, replace(built, own="keep"))  # type: ignore[call-arg]
    others = score(data.skip_repeats(), replace(built, own="skip"))  # type: ignore[call-arg]
    values = others.values.copy()
    for item, system in copies:
        scored = item in data.repeats.get(system, ()) and len(data[item].references) > 1
        if system not in data.people and not scored:
            values[others.systems.index(system), others.items.index(item)] = np.nan
    return whole, replace(others, values=values)


def _build(name: str) -> Metric | None:
    try:
        return metric(name)
    except AssayError:
        return None  # the scores of another program cannot be computed again
