"""Collector: means, counts and corpus scores of systems, added up block by block."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import EmptyTextWarning, FallbackWarning, PoolingWarning, UndefinedWarning
from ..metrics import Metric
from .exact_sums import ExactSums
from .stream import ScoreBlock

if TYPE_CHECKING:
    from ..data.scores import Floats

_LOWERED_BY_VARIANTS = ("sum", "mean", "prob")  # poolings by which a reference that matches less lowers the score
_COUNTED = ("items", "empty_outputs", "paraphrased")


class Collector:
    """Per system and metric: sum, count and summed statistics, whatever the number of items."""

    def __init__(self, metrics: Sequence[Metric], systems: Iterable[str] = ()) -> None:
        self.metrics = metrics
        self.systems: dict[str, int] = {name: i for i, name in enumerate(systems)}
        self.items = self.empty_outputs = 0
        self.treatment = ""
        self.paraphrased = 0
        self.leaked: tuple[str, ...] = ()
        self.undefined = [0] * len(metrics)
        self._unread: dict[str, int] = {}
        self._notes: dict[str, int] = {}
        self._sums = [ExactSums(len(self.systems)) for _ in metrics]
        self._counts = np.zeros((len(metrics), len(self.systems)), dtype=np.int64)
        self._statistics: list[_StatisticSums | None] = [None] * len(metrics)

    def follow(self, blocks: Iterable[ScoreBlock]) -> Iterator[ScoreBlock]:
        """Yield the blocks again and add them up."""
        for block in blocks:
            self._add(block)
            yield block

    def means(self, index: int) -> Floats:
        """Return one score per system, in the order of `systems`."""
        corpus = self.corpus(index)
        if corpus is not None:
            return corpus
        return self._sums[index].means(self._counts[index])

    def counts(self, index: int) -> NDArray[np.int64]:
        """Return how many items each system has a score for."""
        counts: NDArray[np.int64] = self._counts[index]
        return counts

    def corpus(self, index: int) -> Floats | None:
        """Return the corpus score of each system, or None if the metric has none."""
        sums = self._statistics[index]
        if sums is None:
            return None
        scores = self.metrics[index].corpus(sums.totals(len(self.systems)))
        return np.where(self._counts[index] > 0, scores, np.nan)

    def warn(self) -> None:
        """Warn about undefined scores and unreadable texts, once for the whole run."""
        for m, undefined in zip(self.metrics, self.undefined, strict=True):
            if undefined:
                reason = m.undefined or f"their items have no {m.needs}"
                warnings.warn(
                    f"{m.title}: {undefined} outputs have no score (NaN), as {reason}",
                    UndefinedWarning,
                    stacklevel=3,
                )
        for tokenizer, n in self._unread.items():
            warnings.warn(
                f"{n} texts came out empty under tokenizer {tokenizer!r}, which is not made for their script; "
                "tokenizer=unicode reads any script",
                EmptyTextWarning,
                stacklevel=3,
            )
        for note, n in self._notes.items():
            warnings.warn(f"{note} ({n} outputs)", FallbackWarning, stacklevel=3)
        for m in self.metrics if self.paraphrased else ():
            pooling = getattr(m, "refs", "")
            if pooling in _LOWERED_BY_VARIANTS:
                warnings.warn(
                    f"{m.title} pools references by {pooling}, and paraphrased references then lower the score, "
                    f"because an output matches few of them: use {m.title}(refs=max) ({self.paraphrased} outputs)",
                    PoolingWarning,
                    stacklevel=3,
                )

    def to_record(self) -> dict[str, Any]:
        """Return all that was collected as plain values that lose nothing, to be merged elsewhere."""
        return {
            "systems": list(self.systems),
            "sums": [sums.to_text() for sums in self._sums],
            "counts": self._counts.tolist(),
            "statistics": [None if s is None else [c.to_text() for c in s.columns] for s in self._statistics],
            "unread": self._unread,
            "notes": self._notes,
            "undefined": self.undefined,
            **{name: getattr(self, name) for name in _COUNTED},
            "treatment": self.treatment,
            "leaked": list(self.leaked),
        }

    def merge(self, record: Mapping[str, Any]) -> None:
        """Add what another collected, by the same metrics, from its record."""
        for name in record["systems"]:
            self.systems.setdefault(name, len(self.systems))
        rows = [self.systems[name] for name in record["systems"]]
        self._grow(len(self.systems))
        for i, texts in enumerate(record["sums"]):
            self._sums[i].merge(ExactSums.from_text(texts), rows)
            self._counts[i, rows] += np.array(record["counts"][i], dtype=np.int64)
            self.undefined[i] += record["undefined"][i]
            if record["statistics"][i] is not None:
                columns = [ExactSums.from_text(column) for column in record["statistics"][i]]
                self._statistic_sums(i).merge(columns, rows, len(self.systems))
        for name in _COUNTED:
            setattr(self, name, getattr(self, name) + record[name])
        self._note(record["treatment"], record["leaked"], record["unread"].items(), record["notes"].items())

    def _note(
        self, treatment: str, leaked: Iterable[str], unread: Iterable[tuple[str, int]], notes: Iterable[tuple[str, int]]
    ) -> None:
        self.treatment = self.treatment or treatment
        self.leaked = tuple(dict.fromkeys((*self.leaked, *leaked)))
        for tokenizer, n in unread:
            self._unread[tokenizer] = self._unread.get(tokenizer, 0) + n
        for note, n in notes:
            self._notes[note] = self._notes.get(note, 0) + n

    def _add(self, block: ScoreBlock) -> None:
        for name in block.systems:
            self.systems.setdefault(name, len(self.systems))
        rows = np.array([self.systems[name] for name in block.systems], dtype=np.int64)[block.system]
        width = len(self.systems)
        self.items += len(block.items)
        self.empty_outputs += block.empty_outputs
        self.paraphrased += block.paraphrased
        self._note(block.treatment, block.leaked, block.unread, block.notes)
        self._grow(width)
        counts = np.bincount(rows, minlength=width)
        undefined = np.isnan(block.values)
        for i, some in enumerate(np.any(undefined, axis=1)):
            values, statistics = block.values[i], block.statistics[i]
            if not some:  # as nearly always
                self._add_metric(i, rows, values, counts, statistics)
                continue
            defined = ~undefined[i]
            self.undefined[i] += int(undefined[i].sum())
            own_counts = np.bincount(rows[defined], minlength=width)
            own_statistics = None if statistics is None else statistics[defined]
            self._add_metric(i, rows[defined], values[defined], own_counts, own_statistics)

    def _add_metric(
        self, index: int, rows: NDArray[np.int64], values: Floats, counts: NDArray[np.int64], statistics: Floats | None
    ) -> None:
        self._sums[index].add(rows, values)
        self._counts[index] += counts
        if statistics is not None:
            self._statistic_sums(index).add(rows, statistics, len(self.systems))

    def _grow(self, systems: int) -> None:
        """Make room for this many systems."""
        if systems > self._counts.shape[1]:
            self._counts = np.pad(self._counts, ((0, 0), (0, systems - self._counts.shape[1])))
            for sums in self._sums:
                sums.grow(systems)

    def _statistic_sums(self, index: int) -> _StatisticSums:
        sums = self._statistics[index]
        if sums is None:
            sums = self._statistics[index] = _StatisticSums()
        return sums


class _StatisticSums:
    """Summed statistics of each system; a metric may have more columns where items have more references."""

    def __init__(self, columns: Iterable[ExactSums] = ()) -> None:
        self.columns = list(columns)

    def add(self, system: NDArray[np.int64], rows: Floats, systems: int) -> None:
        self.columns += [ExactSums() for _ in range(rows.shape[1] - len(self.columns))]
        for sums, column in zip(self.columns, rows.T, strict=False):
            sums.grow(systems)
            sums.add(system, column)

    def merge(self, columns: Sequence[ExactSums], rows: Sequence[int], systems: int) -> None:
        self.columns += [ExactSums() for _ in range(len(columns) - len(self.columns))]
        for sums, other in zip(self.columns, columns, strict=False):
            sums.grow(systems)
            sums.merge(other, rows[: len(other)])

    def totals(self, systems: int) -> Floats:
        for sums in self.columns:
            sums.grow(systems)
        return np.stack([sums.totals() for sums in self.columns], axis=1)
