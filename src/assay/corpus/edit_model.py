"""Estimate what each operation does to a score when length, input, editor and the other operations stay the same.

Operations come together: whoever reorders words usually substitutes some, too. So the difference between outputs with
and without one operation contains the effects of the others, of how much was cut, and of who wrote it. A linear mixed
model separates them: fixed effects of length and of every operation, random intercepts of inputs and editors.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..data.item import author_of
from ..data.scores import Scores
from ..errors import UndefinedWarning
from ..stats.mixed_model import MixedModel, mixed_model
from .edit_operations import Edit

MIN_OUTPUTS = 5  # outputs with an operation, and without it, from which its effect is estimated
RANDOM_EDITORS = 6  # from this number of editors on, their intercepts are random; the variance of fewer is hardly known
MAX_INPUTS = 1000  # time grows with the cube of the number of inputs: of more, a random sample enters the fit
LENGTH_STEP = 0.1  # the effect of length is that of so much more of the source's words
NAN = float("nan")
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ModelEffect:
    """What an operation adds to a score, all else equal, with its interval and p-value; NaN where it is not known."""

    value: float = NAN
    low: float = NAN
    high: float = NAN
    p: float = NAN


UNKNOWN = ModelEffect()


@dataclass(frozen=True)
class EditModel:
    """The model of one dimension: what entered it, the effect of length, and how far inputs and editors differ.

    `length` is the effect of a text that is longer by a tenth of its source's words. `editor_effects` is random, fixed
    (fewer than 6 editors) or none. The deviations are standard deviations of the intercepts, and of the residuals.
    """

    kind: ClassVar[str] = "edit_model"
    dimension: str
    outputs: int
    inputs: int
    all_inputs: int
    editors: int
    editor_effects: str
    length: ModelEffect
    input_deviation: float
    editor_deviation: float
    residual_deviation: float
    confidence: float


def fit_edit_model(
    edits: Sequence[Edit], scores: Scores, operations: Sequence[str], *, confidence: float = 0.95, seed: int = 0
) -> tuple[EditModel | None, dict[str, ModelEffect]]:
    """Fit one score on length and operations; None if no input has two outputs and no editor either.

    `fewer sentences` is what merging and dropping sentences do, so it is never in one model with them: it has a second
    model, without the two. An operation that fewer than 5 outputs use, or all but 5, has no effect.
    """
    rows = _rows(edits, scores, seed)
    parts = [name for name in operations if name != "fewer sentences"]
    model = _fit(rows, parts, confidence)
    if model is None:
        return None, {}
    effects = {name: model.effect(name) for name in parts}
    if "fewer sentences" in operations:
        whole = [name for name in operations if name not in ("merge", "sentence deletion")]
        second = _fit(rows, whole, confidence)
        effects["fewer sentences"] = second.effect("fewer sentences") if second else UNKNOWN
    return model.summary(scores.name), effects


@dataclass(frozen=True)
class _Rows:
    """The scored outputs that enter the fit."""

    edits: tuple[Edit, ...]
    scores: Floats
    all_inputs: int


@dataclass(frozen=True)
class _Fit:
    rows: _Rows
    model: MixedModel
    editors: str
    confidence: float

    def effect(self, name: str) -> ModelEffect:
        if name not in self.model.names:
            return UNKNOWN
        k = self.model.names.index(name)
        value, error = float(self.model.effects[k]), float(self.model.errors[k])
        half = NormalDist().inv_cdf((1 + self.confidence) / 2) * error
        return ModelEffect(value, value - half, value + half, float(self.model.pvalues[k]))

    def summary(self, dimension: str) -> EditModel:
        def deviation(factor: str) -> float:
            return float(np.sqrt(self.model.variances[factor])) if factor in self.model.variances else NAN

        return EditModel(
            dimension=dimension,
            outputs=self.model.rows,
            inputs=len({edit.item for edit in self.rows.edits}),
            all_inputs=self.rows.all_inputs,
            editors=len({author_of(edit.system) for edit in self.rows.edits}),
            editor_effects=self.editors,
            length=self.effect("length"),
            input_deviation=deviation("input"),
            editor_deviation=deviation("editor"),
            residual_deviation=float(np.sqrt(self.model.residual)),
            confidence=self.confidence,
        )


def _rows(edits: Sequence[Edit], scores: Scores, seed: int) -> _Rows:
    row, column = ({name: i for i, name in enumerate(names)} for names in (scores.systems, scores.items))
    known = [edit for edit in edits if edit.system in row and edit.item in column and edit.linked + edit.deleted]
    values = [float(scores.values[row[edit.system], column[edit.item]]) for edit in known]
    items = list(dict.fromkeys(edit.item for edit, value in zip(known, values, strict=True) if value == value))
    sample = set(items)
    if len(items) > MAX_INPUTS:
        draws = np.random.default_rng(seed).choice(len(items), MAX_INPUTS, replace=False)
        sample = {items[k] for k in draws}
    places = [k for k, edit in enumerate(known) if edit.item in sample and values[k] == values[k]]
    return _Rows(tuple(known[k] for k in places), np.array([values[k] for k in places]), len(items))


def _fit(rows: _Rows, operations: Sequence[str], confidence: float) -> _Fit | None:
    labels = {
        "input": [edit.item for edit in rows.edits],
        "editor": [author_of(edit.system) for edit in rows.edits],
    }
    editors = _editor_effects(labels["editor"])
    groups = _factors(labels if editors == "random" else {"input": labels["input"]})
    if not groups:
        return None
    if "editor" not in groups and editors == "random":
        editors = "none"
    columns = _columns(rows.edits, operations, labels["editor"] if editors == "fixed" else [])
    names, design = _independent(columns)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)  # an undefined model is NaN, and the view says so
        model = mixed_model(rows.scores, design, groups, names=names)
    return _Fit(rows, model, editors, confidence)


def _editor_effects(editors: Sequence[str]) -> str:
    count = len(set(editors))
    return "none" if count < 2 else "fixed" if count < RANDOM_EDITORS else "random"


def _factors(labels: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """Return the factors with a variance that can be estimated: with several levels, some of them of several rows."""
    factors: dict[str, Sequence[str]] = {}
    partitions: set[tuple[int, ...]] = set()
    for factor, values in labels.items():
        first = {value: k for k, value in reversed(list(enumerate(values)))}
        partition = tuple(first[value] for value in values)
        if 1 < len(first) < len(values) and partition not in partitions:
            factors[factor] = values
            partitions.add(partition)
    return factors


def _columns(edits: Sequence[Edit], operations: Sequence[str], editors: Sequence[str]) -> dict[str, Floats]:
    length = [edit.words / (edit.linked + edit.deleted) / LENGTH_STEP for edit in edits]
    columns = {
        "intercept": np.ones(len(edits)),
        "length": np.array(length),
        "several sentences": np.array([edit.source_sentences > 1 for edit in edits], dtype=np.float64),
    }
    columns |= {
        f"editor {name}": np.array([e == name for e in editors], dtype=float) for name in dict.fromkeys(editors)
    }
    for name in operations:
        used = np.array([name in edit.operations for edit in edits], dtype=np.float64)
        if MIN_OUTPUTS <= used.sum() <= len(used) - MIN_OUTPUTS:
            columns[name] = used
    return columns


def _independent(columns: Mapping[str, Floats]) -> tuple[list[str], Floats]:
    """Leave out each column that is a combination of those before it, as a last editor's or a constant one."""
    names: list[str] = []
    design = np.empty((len(columns["intercept"]), 0))
    for name, column in columns.items():
        wider = np.column_stack([design, column])
        if np.linalg.matrix_rank(wider) > len(names):
            names.append(name)
            design = wider
    return names, design
