"""Measure what each operation does to a score: raw, paired over the same sources, and all else equal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..data.evalset import EvalSet
from ..data.result import Result
from ..data.scores import Scores
from ..stats.multiple_testing import holm
from ..stats.wilcoxon import signed_ranks
from ..text.sentences import split_sentences
from .edit_model import NAN, UNKNOWN, EditModel, ModelEffect, fit_edit_model
from .edit_operations import OPERATIONS
from .edits import Edits

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class EditEffect:
    """Scores of outputs with and without an operation (Toutanova et al. 2016, Table 5).

    `present` and `absent` are means over the sources that have outputs of both kinds (first the mean of the outputs of
    each source); `p` is Wilcoxon's signed-rank test of the same pairs. `all_present` and `all_absent` are means over
    all outputs, whatever their source. `effect` is the difference with the same length, input, editor and other
    operations, from a mixed model (see `edit_model`); `effect_p` its p-value, `effect_holm`
    the same adjusted for all rows of the table. NaN where there are none.
    """

    kind: ClassVar[str] = "edit_effect"
    operation: str
    dimension: str
    present: float
    absent: float
    sources: int
    p: float
    all_present: float
    all_absent: float
    outputs_present: int
    outputs_absent: int
    effect: ModelEffect = UNKNOWN
    effect_p: float = NAN
    effect_holm: float = NAN

    @property
    def difference(self) -> float:
        """Present minus absent, over the same sources."""
        return self.present - self.absent


@dataclass(frozen=True)
class EditEffects(Result, question="edits", kind="edit_effects"):
    """The effect of each operation on each dimension, and the model of each dimension."""

    effects: tuple[EditEffect, ...]
    models: tuple[EditModel, ...] = ()

    def of(self, operation: str, dimension: str | None = None) -> EditEffect:
        """Return the effect of one operation, on the first dimension if none is named."""
        return next(e for e in self.effects if e.operation == operation and dimension in (None, e.dimension))


@dataclass(frozen=True)
class JointScore:
    """Mean scores of two sentences shortened together or one by one, paired over paragraphs."""

    kind: ClassVar[str] = "joint_score"
    dimension: str
    joint: float
    separate: float
    paragraphs: int
    p: float


@dataclass(frozen=True)
class JointComparison(Result, question="edits", kind="joint_comparison"):
    """Two sentences shortened together or one by one (Toutanova et al. 2016, Table 6), by dimension."""

    dimensions: tuple[JointScore, ...]


def edit_effects(
    edits: Edits, scores: Sequence[Scores], operations: Sequence[str] = OPERATIONS, *, confidence: float = 0.95
) -> EditEffects:
    """Measure the effect of each operation on each score; operations on sentences only among sources of several.

    >>> from assay.corpus.edits import edits
    >>> from assay.data.evalset import Item, Judgment
    >>> outputs = {"A": "The cat slept.", "B": "The feline slept."}
    >>> judgments = (Judgment("A", "ann", "meaning", 2.0), Judgment("B", "ann", "meaning", 3.0))
    >>> data = EvalSet([Item("1", outputs=outputs, sources=("The old cat slept.",), judgments=judgments)])
    >>> effect = edit_effects(edits(data), [data.human("meaning")]).of("substitute")
    >>> effect.present, effect.absent, effect.sources
    (3.0, 2.0, 1)
    """
    raw = [_effect(edits, each, name) for each in scores for name in operations]
    fits = [fit_edit_model(edits.outputs, each, operations, confidence=confidence) for each in scores]
    effects = [by_name.get(name, UNKNOWN) for _, by_name in fits for name in operations]
    adjusted = holm([effect.p for effect in effects]).pvalues.tolist() if effects else []
    rows = (
        replace(row, effect=effect, effect_p=effect.p, effect_holm=p)
        for row, effect, p in zip(raw, effects, adjusted, strict=True)
    )
    return EditEffects(tuple(rows), tuple(model for model, _ in fits if model is not None))


def _effect(edits: Edits, scores: Scores, operation: str) -> EditEffect:
    row, column = ({name: i for i, name in enumerate(names)} for names in (scores.systems, scores.items))
    groups: dict[str, tuple[list[float], list[float]]] = {}
    for edit in edits.outputs:
        if operation not in OPERATIONS[:3] and edit.source_sentences < 2:
            continue
        if edit.system not in row or edit.item not in column:
            continue
        value = float(scores.values[row[edit.system], column[edit.item]])
        if value == value:
            groups.setdefault(edit.item, ([], []))[operation not in edit.operations].append(value)
    both = np.array([(np.mean(a), np.mean(b)) for a, b in groups.values() if a and b]).reshape(-1, 2)
    present, absent = ([v for pair in groups.values() for v in pair[side]] for side in (0, 1))
    return EditEffect(
        operation=operation,
        dimension=scores.name,
        present=_mean(both[:, 0]),
        absent=_mean(both[:, 1]),
        sources=len(both),
        p=_wilcoxon(both),
        all_present=_mean(present),
        all_absent=_mean(absent),
        outputs_present=len(present),
        outputs_absent=len(absent),
    )


def compare_joint(data: EvalSet, dimensions: Sequence[str] | None = None) -> JointComparison:
    """Compare paragraphs of two sentences with their sentences as items of their own: the mean scores of the outputs.

    Sources are compared by letters and digits only. No such paragraph: NaN and 0 paragraphs.
    """
    places = {_letters("\n".join(item.sources)): k for k, item in enumerate(data) if item.sources}
    trios = []
    for k, item in enumerate(data):
        parts = [places.get(_letters(part)) for part in split_sentences("\n".join(item.sources))]
        if len(parts) == 2 and None not in parts:
            trios.append((k, parts))
    names = data.dimensions if dimensions is None else dimensions
    return JointComparison(tuple(_joint_score(data.human(name), trios) for name in names))


def _joint_score(scores: Scores, trios: Sequence[tuple[int, list[int | None]]]) -> JointScore:
    scored = (~np.isnan(scores.values)).sum(axis=0)
    means = np.divide(np.nansum(scores.values, axis=0), scored, out=np.full(len(scored), np.nan), where=scored > 0)
    rows = [(means[k], (means[a] + means[b]) / 2) for k, (a, b) in trios]
    both = np.array([row for row in rows if not np.isnan(row).any()]).reshape(-1, 2)
    return JointScore(scores.name, _mean(both[:, 0]), _mean(both[:, 1]), len(both), _wilcoxon(both))


def _wilcoxon(both: Floats) -> float:
    return float(signed_ranks((both[:, 0] - both[:, 1])[None])[1][0]) if len(both) else float("nan")


def _mean(values: Sequence[float] | Floats) -> float:
    return float(np.mean(values)) if len(values) else float("nan")


def _letters(text: str) -> str:
    return re.sub(r"\W+", "", text.lower())
