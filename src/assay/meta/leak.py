"""Is an output its own reference? Find such outputs by their text, and measure what they do to a correlation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import ClassVar

from ..data.leaks import MIN_SHARE, NEAR, RepeatFinder
from ..data.result import Result
from ..data.scores import Scores
from ..errors import InputError
from ._correlation import Correlation, correlate_metric
from .correlate import LeakEffect


@dataclass(frozen=True)
class Leak:
    """An output that is among its own references: which one (from 0), and their word overlap (1 = same text)."""

    kind: ClassVar[str] = "leak"
    item: str
    system: str
    reference: int
    overlap: float


@dataclass(frozen=True)
class Leaks(Result, question="leak", kind="leaks"):
    """The outputs that are their own references, and what they do to the correlation of metrics with people.

    `by_system` counts the outputs of each system, `near` is the word overlap from which two texts count as the same.
    """

    outputs: int
    by_system: Mapping[str, int]
    near: float
    effects: tuple[LeakEffect, ...]
    leaks: tuple[Leak, ...]

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems with at least half of their outputs among their references; others meet one by chance."""
        counts = Counter(leak.system for leak in self.leaks)
        return tuple(s for s, n in self.by_system.items() if counts[s] >= MIN_SHARE * n)

    @property
    def value(self) -> float:
        """The share of outputs that are among their own references."""
        return len(self.leaks) / self.outputs if self.outputs else nan

    @property
    def n(self) -> int:
        """How many outputs were checked."""
        return self.outputs


def find_leaks(texts: Iterable[tuple[str, str, str, Sequence[str]]], *, near: float = NEAR) -> Leaks:
    """Find outputs that are one of their references, from rows of (item, system, output, references).

    The same text is the same after lower-casing and folding white space; nearly the same has a word overlap above
    `near`: 2 * words in common / words of both, each word counted as often as it stands. Empty outputs never match.

    >>> rows = [("1", "A", "The cat  sat.", ["A dog ran.", "the cat sat."]), ("1", "B", "a cat", ["A dog ran."])]
    >>> find_leaks(rows).leaks
    (Leak(item='1', system='A', reference=1, overlap=1.0),)
    """
    if not 0 < near <= 1:
        raise InputError(f"near must be above 0 and at most 1, got {near}")
    leaks, by_system = [], Counter[str]()
    finder = RepeatFinder(near)
    for item, system, output, references in texts:
        by_system[system] += 1
        repeat = finder.find(output, references)
        if repeat is not None:
            leaks.append(Leak(item, system, *repeat))
    return Leaks(by_system.total(), dict(by_system), near, (), tuple(leaks))


def measure_leak(
    leaked: Collection[str],
    whole: Scores,
    others: Scores,
    human: Scores,
    *,
    level: str = "item",
    method: str = "pearson",
    systems: Collection[str] | None = None,
) -> LeakEffect:
    """Measure what the systems that repeat references do to the correlation of a metric with people.

    `whole` scores each output against all references, `others` against those that are not its own text.
    """

    def correlation(scores: Scores, without: Collection[str] = ()) -> Correlation:
        names = None if systems is None else [s for s in scores.systems if s in systems]
        return correlate_metric(
            scores, human, level=level, method=method, interval=None, systems=names, without=without
        )

    remaining = [s for s in whole.systems if s not in leaked and (systems is None or s in systems)]
    alone = correlation(others, leaked) if leaked and len(remaining) >= 3 else None
    all_references = correlation(whole)
    return LeakEffect(
        metric=whole.name,
        signature=whole.signature or whole.name,
        human=human.name,
        level=all_references.level,
        method=method,
        all_references=all_references.value,
        other_references=correlation(others).value,
        without_systems=nan if alone is None else alone.value,
        systems_left=len(remaining),
    )
