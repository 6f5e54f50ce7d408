"""Tables of scores by several metrics: a row per system, or a row per output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NotRequired, TypedDict

from ..data.result import Result
from ..metrics import Metric
from .collector import Collector
from .stream import ScoreBlock, full_signature

if TYPE_CHECKING:
    from ..data.scores import Floats


@dataclass(frozen=True)
class ScoredMetric:
    """A metric as it was typed, with its signature; `summary` is what a learned scorer says of itself."""

    name: str
    signature: str
    higher_is_better: bool
    summary: str = ""


@dataclass(frozen=True)
class SystemScore:
    """The score of one system by one metric (its signature), over n items."""

    kind: ClassVar[str] = "system_score"
    system: str
    metric: str
    score: float
    n: int


@dataclass(frozen=True)
class SystemScores(Result, question="scores", kind="system_scores"):
    """Every system's score by every metric; `leaked` are the systems that repeat references."""

    metrics: tuple[ScoredMetric, ...] = field(repr=False)
    scores: tuple[SystemScore, ...]
    leaked: tuple[str, ...] = field(default=(), repr=False)


class ItemScoreRecord(TypedDict):
    """The score of one output by one metric (its signature); `statistics` are what its corpus score is made of.

    `cluster` and `run` are those of the item, where it has them.
    """

    kind: Literal["item_score"]
    system: str
    metric: str
    score: float
    item: str
    statistics: NotRequired[list[float]]
    cluster: NotRequired[str]
    run: NotRequired[str]


@dataclass(frozen=True)
class ItemScores(Result, question="scores", kind="item_scores"):
    """The scores of single outputs: `values` has a row per metric; `total` counts outputs that are not listed too.

    `clusters` and `runs` are those of the items, or empty where no item has one. `statistics` are what the corpus score
    is made of: for each metric a row per output, or nothing.
    """

    metrics: tuple[ScoredMetric, ...]
    items: tuple[str, ...]
    systems: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    statistics: tuple[tuple[tuple[float, ...], ...], ...]
    total: int
    clusters: tuple[str | None, ...] = ()
    runs: tuple[str | None, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """List system, metric (its signature), score, item, and the statistics of a metric with a corpus score."""
        return [
            {
                "kind": "item_score",
                "system": self.systems[i],
                "metric": metric.signature,
                "score": score,
                "item": self.items[i],
                **({"statistics": list(rows[i])} if rows else {}),
                **({"cluster": self.clusters[i]} if self.clusters and self.clusters[i] is not None else {}),
                **({"run": self.runs[i]} if self.runs and self.runs[i] is not None else {}),
            }
            for metric, values, rows in zip(self.metrics, self.values, self.statistics, strict=True)
            for i, score in enumerate(values)
        ]


def tabulate_systems(collector: Collector, names: Sequence[str]) -> SystemScores:
    """Make the table of systems from what was collected; `names` are the metrics as typed."""
    metrics = describe_metrics(collector.metrics, names, collector.treatment)
    return SystemScores(
        metrics,
        tuple(
            SystemScore(system, metric.signature, float(score), int(n))
            for i, metric in enumerate(metrics)
            for system, score, n in zip(collector.systems, collector.means(i), collector.counts(i), strict=True)
        ),
        collector.leaked,
    )


def tabulate_items(
    blocks: Sequence[ScoreBlock], metrics: Sequence[ScoredMetric], total: int | None = None
) -> ItemScores:
    """Make the table of outputs from blocks of scores; `total` where there are more outputs than these."""
    places = [(b.items[i], b.systems[s]) for b in blocks for i, s in zip(b.item, b.system, strict=True)]
    values = tuple(tuple(v for b in blocks for v in b.values[i].tolist()) for i in range(len(metrics)))
    return ItemScores(
        tuple(metrics),
        tuple(item for item, _ in places),
        tuple(system for _, system in places),
        values,
        tuple(_join_statistics([b.statistics[i] for b in blocks]) for i in range(len(metrics))),
        len(places) if total is None else total,
        _join_labels(blocks, [b.clusters for b in blocks]),
        _join_labels(blocks, [b.runs for b in blocks]),
    )


def _join_labels(blocks: Sequence[ScoreBlock], labels: Sequence[Sequence[str | None] | None]) -> tuple[str | None, ...]:
    """Return the label of the item of each output; nothing where no item has one."""
    if all(own is None for own in labels):
        return ()
    return tuple(
        None if own is None else own[i] for block, own in zip(blocks, labels, strict=True) for i in block.item.tolist()
    )


def _join_statistics(parts: Sequence[Floats | None]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for rows in parts if rows is not None for row in rows.tolist())


def describe_metrics(metrics: Sequence[Metric], names: Sequence[str], treatment: str = "") -> tuple[ScoredMetric, ...]:
    """Return name, signature and direction of metrics; `treatment` is what was done to the texts before."""
    return tuple(
        ScoredMetric(name, full_signature(m, treatment), m.higher_is_better, _summary(m))
        for name, m in zip(names, metrics, strict=True)
    )


def _summary(metric: Metric) -> str:
    return metric.summary() if metric.learned else ""
