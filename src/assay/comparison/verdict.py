"""verdict: which system is better by a metric, and whether people agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any

from ..data.result import Result
from .compare import Comparison
from .pair import PairComparison

_FEWEST_PAIRS = 20  # judged pairs of systems this far apart, below which their agreement says nothing


@dataclass(frozen=True)
class JudgedPairs:
    """Pairs of systems that a metric puts at least `difference` apart, and how many of them people order alike."""

    difference: float
    pairs: int
    alike: int


@dataclass(frozen=True)
class Verdict(Result, question="verdict", kind="verdict"):
    """The answer of a whole evaluation.

    `leaders` are the systems of the best group; the answer is `settled` if there is one. `people` says what people
    think of that: agree, shared (it is among the best), undecided, disagree, judged (the answer is theirs), likely
    (other pairs as far apart were judged: `alike` of them as the metric does), few (too few were), none (no judgments).
    `preferred` is people's best group.
    """

    metric: str
    systems: tuple[str, ...]
    leaders: tuple[str, ...]
    settled: bool
    people: str
    preferred: tuple[str, ...]
    dimension: str
    judged_pairs: int
    alike: float
    comparison: Comparison
    pair: PairComparison | None
    human: Comparison | None

    def records(self) -> list[dict[str, Any]]:
        """List the answer alone; the comparisons have records of their own."""
        return super().records()[:1]


def verdict(
    comparison: Comparison,
    human: Comparison | None = None,
    *,
    judged: Sequence[JudgedPairs] = (),
    by_people: bool = False,
) -> Verdict:
    """Sum up a comparison, and that of the same systems by people where there is one.

    `judged` says how often people agree with the metric on pairs of systems by their difference; it is used where
    people did not judge the two best systems. `by_people`: the comparison itself is by human judgments.
    """
    systems = tuple(r.system for r in comparison.ranking if r.group)
    leaders, pair = _leaders(comparison, systems)
    settled = len(leaders) == 1 and len(systems) > 1
    people, far = _opinion(comparison, pair, settled, human, judged, by_people)
    return Verdict(
        metric=comparison.metric,
        systems=systems,
        leaders=leaders,
        settled=settled,
        people=people,
        preferred=human.groups[0] if human is not None and human.groups else (),
        dimension=human.metric if human is not None else "",
        judged_pairs=far.pairs,
        alike=far.alike / far.pairs if far.pairs else nan,
        comparison=comparison,
        pair=pair,
        human=human,
    )


def _leaders(comparison: Comparison, systems: Sequence[str]) -> tuple[tuple[str, ...], PairComparison | None]:
    """Return the systems that may be the best, and the pair of systems that the answer is about."""
    if len(systems) < 2:
        return tuple(systems), None
    if len(systems) == 2:
        pair = comparison.against[0]
        return ((pair.better,) if pair.significant else tuple(systems)), pair
    first = comparison.groups[0]
    if len(first) == 1:
        return first, comparison.neighbours[0]
    best = set(systems[:2])
    return first, next((p for p in comparison.neighbours if {p.better, p.worse} == best), comparison.neighbours[0])


_NO_PAIRS = JudgedPairs(nan, 0, 0)


def _opinion(
    comparison: Comparison,
    pair: PairComparison | None,
    settled: bool,
    human: Comparison | None,
    judged: Sequence[JudgedPairs],
    by_people: bool,
) -> tuple[str, JudgedPairs]:
    """Return what people think of the answer, and the judged pairs that it rests on if these are others."""
    if by_people:
        return "judged", _NO_PAIRS
    if human is None or pair is None:
        return ("none" if settled else ""), _NO_PAIRS
    ranked = {r.system for r in human.ranking if r.group}
    if pair.better not in ranked or pair.worse not in ranked:
        return _likely_opinion(pair, settled, judged)
    if not settled:
        return "", _NO_PAIRS
    if len(comparison.ranking) == 2:
        theirs = human.against[0]
        if not theirs.significant:
            return "undecided", _NO_PAIRS
        return ("agree" if theirs.better == pair.better else "disagree"), _NO_PAIRS
    best = human.groups[0]
    if pair.better not in best:
        return "disagree", _NO_PAIRS
    return ("agree" if len(best) == 1 else "shared"), _NO_PAIRS


def _likely_opinion(pair: PairComparison, settled: bool, judged: Sequence[JudgedPairs]) -> tuple[str, JudgedPairs]:
    """Judge by other pairs of systems that the metric puts at least as far apart."""
    if not settled or not judged:
        return "", _NO_PAIRS
    far = [b for b in judged if b.difference >= abs(pair.difference)] or list(judged[-1:])
    pairs = JudgedPairs(abs(pair.difference), sum(b.pairs for b in far), sum(b.alike for b in far))
    return ("few" if pairs.pairs < _FEWEST_PAIRS or isnan(pair.difference) else "likely"), pairs
