"""verdict: which systems are best by people and by each metric, and which metric agrees best with people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ..data.result import Result
from .compare import Comparison


@dataclass(frozen=True)
class Opinion:
    """What people, or a metric, say: the systems of the best group, of so many that are ranked.

    `settled`: one system is significantly better than all others. `score` is that of the first system, with its
    interval; `highest` are the systems that have it.
    """

    kind: ClassVar[str] = "opinion"
    by: str
    by_people: bool
    ranked: tuple[str, ...]
    leaders: tuple[str, ...]
    settled: bool
    score: float
    low: float
    high: float
    confidence: float
    items: int
    highest: tuple[str, ...] = ()


@dataclass(frozen=True)
class ClosestMetric:
    """The metric that agrees best with people on a dimension, its correlation, and the metrics that may be as good.

    `significant`: the interval is above 0. `tied`: not significantly worse. `tested` is False where there are too few
    judged systems for a test between metrics.
    """

    kind: ClassVar[str] = "closest_metric"
    dimension: str
    metric: str
    correlation: float
    significant: bool
    level: str
    systems: int
    metrics: int
    tied: tuple[str, ...]
    tested: bool


@dataclass(frozen=True)
class Verdict(Result, question="verdict", kind="verdict"):
    """The answer of a whole evaluation: what people say by dimension, then each metric, the closest to people first."""

    systems: int
    items: int
    settled: bool  # one system is best: by people where they judged, else by every metric
    opinions: tuple[Opinion, ...]
    closest: tuple[ClosestMetric, ...]

    @property
    def people(self) -> tuple[Opinion, ...]:
        """What people say, by dimension."""
        return tuple(opinion for opinion in self.opinions if opinion.by_people)

    @property
    def metrics(self) -> tuple[Opinion, ...]:
        """What each metric says."""
        return tuple(opinion for opinion in self.opinions if not opinion.by_people)


def verdict(
    people: Sequence[Comparison],
    metrics: Sequence[Comparison],
    closest: Sequence[ClosestMetric] = (),
    *,
    systems: int,
    items: int,
) -> Verdict:
    """Sum up the comparisons of systems by people, one for each judged dimension, and by metrics.

    Comparisons by a scale whose direction nobody stated have no best system and are left out; so are, of a metric,
    systems that repeat references, which may be first for that reason.
    """
    opinions = [_opinion(c, by_people=True) for c in people if not c.undirected]
    opinions += [_opinion(c, by_people=False) for c in metrics if not c.undirected]
    known = tuple(opinion for opinion in opinions if opinion.ranked)
    deciding = [o for o in known if o.by_people][:1] or known
    settled = bool(deciding) and all(o.settled for o in deciding) and len({o.leaders for o in deciding}) == 1
    return Verdict(systems, items, settled, known, tuple(closest))


def _opinion(comparison: Comparison, *, by_people: bool) -> Opinion:
    ranking = [r for r in comparison.ranking if r.system not in comparison.leaked] or list(comparison.ranking)
    ranked = tuple(r.system for r in ranking if r.group)
    first = ranking[0]
    leaders = tuple(r.system for r in ranking if r.group and r.group == first.group)
    return Opinion(
        by=comparison.metric,
        by_people=by_people,
        ranked=ranked,
        leaders=leaders,
        settled=len(leaders) == 1 and len(ranked) > 1,
        score=first.score,
        low=first.low,
        high=first.high,
        confidence=comparison.confidence,
        items=first.n,
        highest=tuple(r.system for r in ranking if r.score == first.score),
    )
