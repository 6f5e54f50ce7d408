"""verdict: which systems are best by people and by each metric, and which metric agrees best with people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ..data.result import Result
from ..data.statement import Statement
from .compare import Comparison
from .rankings import RankingComparison


@dataclass(frozen=True)
class Opinion:
    """What people, or a metric, say of the ranked systems.

    `leaders` are the first and those that it is not significantly better than, `bands` the number of sets without a
    significant difference (1: there is none). `settled`: one system is significantly better than all others. `score` is
    that of the first system, with its interval; `highest` are the systems that have it.
    """

    kind: ClassVar[str] = "opinion"
    by: str
    judges: str  # human, llm, metric or mixed; empty for a metric
    ranked: tuple[str, ...]
    leaders: tuple[str, ...]
    bands: int
    settled: bool
    score: float
    low: float
    high: float
    confidence: float
    items: int
    highest: tuple[str, ...] = ()
    needs: str = ""  # how much it takes to say more, where there is too little


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
    sentinel: str = ""  # what cannot see quality and agrees as well


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
        return tuple(opinion for opinion in self.opinions if opinion.judges)

    @property
    def metrics(self) -> tuple[Opinion, ...]:
        """What each metric says."""
        return tuple(opinion for opinion in self.opinions if not opinion.judges)


def verdict(
    people: Sequence[Comparison | RankingComparison],
    metrics: Sequence[Comparison],
    closest: Sequence[ClosestMetric] = (),
    *,
    systems: int,
    items: int,
) -> Verdict:
    """Sum up the comparisons of systems by people, one for each judged dimension, and by metrics.

    Comparisons by a scale without a stated direction have no best system and are left out; so are, of a metric,
    systems that repeat references, which may be first for that reason.
    """
    opinions = [
        _ranking_opinion(c) if isinstance(c, RankingComparison) else _opinion(c, c.judges or "human")
        for c in people
        if isinstance(c, RankingComparison) or not c.undirected
    ]
    opinions += [_opinion(c, "") for c in metrics if not c.undirected]
    known = tuple(opinion for opinion in opinions if opinion.ranked)
    deciding = [o for o in known if o.judges][:1] or known
    settled = bool(deciding) and all(o.settled for o in deciding) and len({o.leaders for o in deciding}) == 1
    return Verdict(systems, items, settled, known, tuple(closest))


def _opinion(comparison: Comparison, judges: str) -> Opinion:
    leaked = set(comparison.leaked)
    ranking = [r for r in comparison.ranking if r.system not in leaked] or list(comparison.ranking)
    leaked &= {r.system for r in comparison.ranking} - {r.system for r in ranking}
    ranked = tuple(r.system for r in ranking if r.bands)
    first, leaders = ranking[0], comparison.leaders(leaked)
    statements = comparison.statements()
    return Opinion(
        by=comparison.metric,
        judges=judges,
        ranked=ranked,
        leaders=leaders,
        bands=len(comparison.bands),
        settled=len(leaders) == 1 and len(ranked) > 1 and _is_enough(statements),
        score=first.score,
        low=first.low,
        high=first.high,
        confidence=comparison.confidence,
        items=first.n,
        highest=tuple(r.system for r in ranking if r.score == first.score),
        needs=_lacks(statements),
    )


def _ranking_opinion(comparison: RankingComparison) -> Opinion:
    first, statements = comparison.ranking[0], comparison.statements()
    leaders = comparison.leaders()
    return Opinion(
        by=comparison.metric,
        judges=comparison.judges,
        ranked=tuple(r.system for r in comparison.ranking),
        leaders=leaders,
        bands=len(comparison.bands),
        settled=len(leaders) == 1 and _is_enough(statements),
        score=first.worth,
        low=first.low,
        high=first.high,
        confidence=comparison.confidence,
        items=comparison.items,
        highest=tuple(r.system for r in comparison.ranking if r.worth == first.worth),
        needs=_lacks(statements),
    )


def _is_enough(statements: Sequence[Statement]) -> bool:
    return bool(statements) and statements[0].enough


def _lacks(statements: Sequence[Statement]) -> str:
    """Say how much it takes: the first of what lacks."""
    lacks = dict(statements[0].needs) if statements else {}
    return "".join(f"{n} {name}" for name, n in list(lacks.items())[:1])
