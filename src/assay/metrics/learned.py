"""Learned scorers: a metric that predicts human judgments from other metrics or from columns of outside scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np

from ..data.evalset import EvalSet
from ..data.scores import Floats, Scores
from ..errors import InputError
from ..matching.batch import Batch
from ..matching.unit import CountRequest
from . import Metric
from ._predictors import Fitted


@dataclass(frozen=True)
class Feature:
    """One input of a scorer: a metric by its signature, or (`outside`) a column of scores that somebody else made."""

    signature: str
    higher_is_better: bool = True
    outside: bool = False


@dataclass(frozen=True, eq=False)
class Learned(Metric):
    """A learned scorer: predicts human judgments from other scores.

    `record` tells how it was made; `metrics` stand in the order of `features`, None for an outside column, with
    scores that `with_scores` brings.
    """

    learned: ClassVar[bool] = True
    features: tuple[Feature, ...]
    fitted: Fitted
    metrics: tuple[Metric | None, ...]
    record: Mapping[str, Any]
    path: str = "learned"
    checksum: str = ""
    columns: Mapping[str, Scores] = field(default_factory=dict)
    _rows: WeakKeyDictionary[Batch, Floats] = field(init=False, repr=False, default_factory=WeakKeyDictionary)

    @property
    def title(self) -> str:
        """Where it is kept."""
        return self.path

    @property
    def needs(self) -> str:  # type: ignore[override]  # a scorer needs what its features need
        """What an item must have to be scored."""
        own = [m.needs for m in self.metrics if m is not None]
        return " and ".join(dict.fromkeys([*own, *(["outside scores"] if self.outside else [])]))

    @property
    def whole_set(self) -> bool:
        return any(m is not None and m.whole_set for m in self.metrics)

    def ready(self, chunks: Iterable[EvalSet]) -> Metric:
        """Return each feature ready for the set; `chunks` are read once for each that asks."""
        return replace(self, metrics=tuple(None if m is None else m.ready(chunks) for m in self.metrics))

    @property
    def outside(self) -> tuple[str, ...]:
        """The columns of scores it cannot compute by itself."""
        return tuple(f.signature for f in self.features if f.outside)

    def summary(self) -> str:
        if "model" not in self.record:
            return "a learned scorer"
        what = f"{self.record['model']} of {len(self.features)} features, fitted to {self.record['target']}"
        people = str(self.record["people"])
        return what if people in ("left out", "included") else f"{what} ({people})"

    def signature(self) -> str:
        """Return what to type to get the number again; the checksum tells it from another scorer in its place."""
        return f"{self.path}(checksum={self.checksum[:12]})" if self.checksum else self.path

    def with_scores(self, scores: Iterable[Scores]) -> Learned:
        """Return the scorer with the outside columns it needs, taken from these; a missing column is an error."""
        by_name = {s.name: s for s in scores}
        for name in self.outside:
            if name not in by_name:
                raise InputError(
                    f"{self.path} was trained with scores by {name!r}, which it cannot compute: "
                    "give a file of them for these outputs (--scores FILE)"
                )
        return replace(self, columns={name: by_name[name] for name in self.outside})

    def requests(self) -> Iterable[CountRequest]:
        return [r for m in self.metrics if m is not None for r in m.requests()]

    def notes(self, batch: Batch) -> Mapping[str, int]:
        notes = {note: n for m in self.metrics if m is not None for note, n in m.notes(batch).items()}
        outside = int(self.fitted.outside(self._features(batch)).sum())
        extrapolated = f"{self.title}: a feature lies outside its range in training, so that the score is extrapolated"
        return {**notes, extrapolated: outside} if outside else notes

    def values(self, batch: Batch) -> Floats:
        return self.fitted.predict(self._features(batch))

    def _features(self, batch: Batch) -> Floats:
        """Return a row of features per output, turned so that higher is better; made once per batch."""
        if batch not in self._rows:
            self._rows[batch] = self._make_features(batch)
        return self._rows[batch]

    def _make_features(self, batch: Batch) -> Floats:
        columns = [
            self._outside(f.signature, batch) if m is None else m.values(batch)
            for f, m in zip(self.features, self.metrics, strict=True)
        ]
        signs = np.array([1.0 if f.higher_is_better else -1.0 for f in self.features])
        rows: Floats = np.column_stack(columns) * signs
        return rows

    def _outside(self, name: str, batch: Batch) -> Floats:
        scores = (self if self.columns else self.with_scores(())).columns[name]
        row, column = ({n: i for i, n in enumerate(names)} for names in (scores.systems, scores.items))
        padded = np.pad(scores.values, ((0, 1), (0, 1)), constant_values=np.nan)
        at = [(row.get(system, -1), column.get(item, -1)) for item, system in batch.keys]
        values: Floats = padded[[r for r, _ in at], [c for _, c in at]]
        return values


def scorer(
    features: Sequence[Feature],
    fitted: Fitted,
    metrics: Sequence[Metric | None],
    record: Mapping[str, Any],
    *,
    path: str = "learned",
    checksum: str = "",
) -> Learned:
    """Build the metric from its parts."""
    return Learned(tuple(features), fitted, tuple(metrics), record, path, checksum)
