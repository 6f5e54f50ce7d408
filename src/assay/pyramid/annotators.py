"""Agreement of several annotators who marked the same content units in the same texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from ..data.ratings import Floats
from ..data.result import Result
from ..errors import InputError, ignore_undefined
from ..stats import cohen_kappa, krippendorff_alpha
from .content_units import UnitMarks, UnitTable
from .score import TextScores, score_texts

_MIN_ITEMS = 5  # items from which an interval is given: fewer say little about other items


@dataclass(frozen=True)
class AnnotatorKappa:
    """How far two annotators mark the same units in the same texts, beyond chance: Cohen's kappa."""

    kind: ClassVar[str] = "annotator_kappa"
    first: str
    second: str
    kappa: float
    observed: float
    n: int


@dataclass(frozen=True)
class AnnotatorScore:
    """A text's score by the marks of one annotator: F where a gold text is named, else coverage."""

    kind: ClassVar[str] = "annotator_score"
    annotator: str
    text: str
    score: float


@dataclass(frozen=True)
class AnnotatorAgreement(Result, question="pyramid", kind="annotator_agreement"):
    """Krippendorff's alpha (nominal) of all marks, kappa of every two annotators, and the scores by each.

    A mark is one unit in one text; `marks` counts those of at least two annotators, `same` is the share on which all of
    them agree. The interval is a bootstrap of items, because marks of one item are not independent; with fewer than 5
    items it is NaN.
    """

    annotators: tuple[str, ...]
    marks: int
    same: float
    alpha: float
    alpha_low: float
    alpha_high: float
    items: int
    gold: str | None
    measure: str
    pairs: tuple[AnnotatorKappa, ...]
    scores: tuple[AnnotatorScore, ...]
    confidence: float
    resamples: int
    seed: int


def annotator_agreement(
    table: UnitTable, *, gold: str | None = None, resamples: int = 1000, confidence: float = 0.95, seed: int = 0
) -> AnnotatorAgreement:
    """Compare the annotators of a table; fewer than two are an error. Units are the same if their texts are.

    >>> from assay.formats import ItemUnits
    >>> ann = ItemUnits("1", ("a", "b", "c"), {"sys": (True, True, False)}, "ann")
    >>> bob = ItemUnits("1", ("a", "b", "c"), {"sys": (True, False, False)}, "bob")
    >>> result = annotator_agreement(UnitTable((ann, bob)))
    >>> result.marks, round(result.same, 3), round(result.alpha, 3)
    (3, 0.667, 0.444)
    """
    names = table.annotators
    if len(names) < 2:
        raise InputError("agreement needs the marks of at least two annotators: a column (or field) annotator")
    marks, places = _marks(table)
    counted = (~np.isnan(marks)).sum(axis=1) > 1
    marks, places = marks[counted], places[counted]
    low, high = _interval(marks, places, resamples, confidence, seed)
    with ignore_undefined():
        alpha = krippendorff_alpha(marks, measure="nominal").value if len(marks) else float("nan")
        pairs = tuple(_kappa(marks, names, a, b) for a, b in combinations(range(len(names)), 2))
    return AnnotatorAgreement(
        annotators=names,
        marks=len(marks),
        same=float((np.nanmax(marks, axis=1) == np.nanmin(marks, axis=1)).mean()) if len(marks) else float("nan"),
        alpha=alpha,
        alpha_low=low,
        alpha_high=high,
        items=len(np.unique(places)),
        gold=gold,
        measure="F" if gold else "coverage",
        pairs=pairs,
        scores=tuple(_scores(table, gold)),
        confidence=confidence,
        resamples=resamples,
        seed=seed,
    )


def _marks(table: UnitTable) -> tuple[Floats, np.ndarray]:
    """Return every unit of every text x annotators, NaN where one did not look, and the place of its item."""
    column = {name: k for k, name in enumerate(table.annotators)}
    rows: dict[tuple[str, str, int, str], Floats] = {}
    for item in table.items:
        for unit, number, marks in _units(item):
            for text, mark in marks.items():
                row = rows.setdefault((item.item, unit, number, text), np.full(len(column), np.nan))
                row[column[item.annotator or ""]] = np.nan if mark is None else float(mark)
    items = {name: k for k, name in enumerate(dict.fromkeys(key[0] for key in rows))}
    return np.array(list(rows.values())).reshape(-1, len(column)), np.array([items[key[0]] for key in rows])


def _units(item: UnitMarks) -> list[tuple[str, int, dict[str, bool | None]]]:
    """Return each unit with its number among units of the same wording, and its marks by text."""
    counts: Counter[str] = Counter()
    units = []
    for k, unit in enumerate(item.units):
        units.append((unit, counts[unit], {text: marks[k] for text, marks in item.present.items()}))
        counts[unit] += 1
    return units


def _interval(marks: Floats, places: np.ndarray, resamples: int, confidence: float, seed: int) -> tuple[float, float]:
    """Draw items with replacement; alpha of two categories is 1 - (n - 1) o / (n0 n1), sums over marks."""
    items = len(np.unique(places))
    if items < _MIN_ITEMS or not resamples:
        return float("nan"), float("nan")
    count, ones = (~np.isnan(marks)).sum(axis=1), np.nansum(marks, axis=1)
    parts = np.stack([count - ones, ones, ones * (count - ones) / (count - 1)])
    _, place = np.unique(places, return_inverse=True)
    sums = np.stack([np.bincount(place, weights=part, minlength=items) for part in parts])
    draws = np.random.default_rng(seed).multinomial(items, np.full(items, 1 / items), size=resamples)
    zeros, ones, disagree = (draws @ sums.T).T
    with np.errstate(invalid="ignore", divide="ignore"):
        alphas = 1 - (zeros + ones - 1) * disagree / (zeros * ones)
    low, high = np.nanquantile(alphas, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def _kappa(marks: Floats, names: Sequence[str], a: int, b: int) -> AnnotatorKappa:
    kappa = cohen_kappa(marks[:, a], marks[:, b], categories=(0.0, 1.0))
    return AnnotatorKappa(names[a], names[b], kappa.value, kappa.observed, kappa.n)


def _scores(table: UnitTable, gold: str | None) -> list[AnnotatorScore]:
    rows = []
    for name in table.annotators:
        own = UnitTable(tuple(item for item in table.items if item.annotator == name))
        if gold is None or gold in own.columns:
            rows += [AnnotatorScore(name, row.text, _score(row)) for row in score_texts(own, gold=gold).texts]
    return rows


def _score(row: TextScores) -> float:
    return row.coverage if row.f is None else row.f
