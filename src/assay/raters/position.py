"""Does a judge of pairs prefer the text that comes first? Pairs shown in both orders tell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan
from typing import ClassVar

from ..data.evalset import EvalSet
from ..data.minimums import MINIMUMS
from ..data.result import Result
from ..data.statement import Claim, Statement
from ..errors import InputError
from ..stats import Interval, position_effect
from ._judgment_details import list_details


@dataclass(frozen=True)
class JudgePosition:
    """One judge: pairs seen in both orders, how often the same system won, and the preference for the first place.

    `effect`: how much more often than half the first text is preferred (a tie is half). `stable`: share of pairs with
    the same answer when the same order was asked again. `agreement`: share of pairs on which the judge, over both
    orders, prefers the system that most people prefer.
    """

    kind: ClassVar[str] = "position"
    judge: str
    judge_kind: str
    pairs: int
    consistent: float
    ties: float
    effect: Interval
    repeated: int
    stable: float
    compared: int
    agreement: float


@dataclass(frozen=True)
class PositionTable(Result, question="position", kind="position_table", shared=("dimension",)):
    """Judges of pairs on one dimension."""

    dimension: str
    judges: tuple[JudgePosition, ...]
    confidence: float

    def statements(self) -> tuple[Statement, ...]:
        """Say of each judge which place it prefers; of people only where no other judge was asked."""
        machines = [row for row in self.judges if row.judge_kind != "human"]
        return tuple(self._state(row) for row in machines or self.judges[:1])

    def _state(self, row: JudgePosition) -> Statement:
        claims: tuple[Claim, Claim, Claim] = ("prefers first", "prefers second", "no preference")
        return Statement(
            claims[0] if row.effect.low > 0 else claims[1] if row.effect.high < 0 else claims[2],
            (row.judge,),
            quantity=self.dimension,
            estimand="share of pairs won by the first text, over half",
            estimate=row.effect.value,
            low=row.effect.low,
            high=row.effect.high,
            confidence=self.confidence,
            counts={"pairs": 0 if isnan(row.effect.low) else row.pairs, "items": row.effect.n},
            judges=row.judge_kind,
        ).hold_to(MINIMUMS["position"])


@dataclass(frozen=True)
class _Preference:
    """One answer: the item, the systems in the order shown, and 1 where the first won, .5 for a tie, 0 for a loss."""

    item: str
    first: str
    second: str
    won: float


def position_table(data: EvalSet, dimension: str, *, confidence: float = 0.95) -> PositionTable:
    """Measure the effect of position on every judge of pairs of a dimension (scale kind `pairs`).

    The order of a pair stands next to its judgments as `order`: [first, second]. Only pairs in both orders count, so
    that quality cannot make the first one win; intervals are clustered by item.
    """
    answers: dict[str, list[_Preference]] = defaultdict(list)
    kinds = dict(data.assessors)
    for rater, preference in _read_preferences(data, dimension):
        answers[rater].append(preference)
    if not answers:
        raise InputError(
            f"no pair judged on {dimension!r} states its order: position needs `order` next to the judgments, as "
            "`assay judge run` writes it"
        )
    people = _prefer_by_majority([a for r, own in answers.items() if kinds[r] == "human" for a in own])
    rows = [_measure(rater, kinds[rater], own, people, confidence) for rater, own in answers.items()]
    return PositionTable(dimension, tuple(rows), confidence)


def _read_preferences(data: EvalSet, dimension: str) -> Iterator[tuple[str, _Preference]]:
    lower = data.scales[dimension].lower_is_better if dimension in data.scales else True
    for item in data:
        pairs: dict[tuple[str, int], dict[str, float]] = defaultdict(dict)
        orders: dict[tuple[str, int], list[str]] = {}
        for judgment, row in list_details(item):
            order = row.get("order")
            if judgment.dimension == dimension and isinstance(order, list) and len(order) == 2:
                pairs[judgment.rater, judgment.occasion][judgment.system] = judgment.score
                orders[judgment.rater, judgment.occasion] = [str(name) for name in order]
        for (rater, occasion), scores in pairs.items():
            first, second = orders[rater, occasion]
            if first in scores and second in scores:
                gap = scores[second] - scores[first] if lower else scores[first] - scores[second]
                yield rater, _Preference(item.id, first, second, 0.5 if gap == 0 else float(gap > 0))


def _measure(
    rater: str, kind: str, answers: list[_Preference], people: dict[tuple[str, frozenset[str]], str], confidence: float
) -> JudgePosition:
    by_order: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for a in answers:
        by_order[a.item, a.first, a.second].append(a.won)
    both = [
        (k, by_order[k], by_order[k[0], k[2], k[1]]) for k in by_order if k[1] < k[2] and (k[0], k[2], k[1]) in by_order
    ]
    won = [(key[0], value) for key, one, other in both for value in (_mean(one), _mean(other))]
    same = [one[0] == 1 - other[0] for _, one, other in both]
    again = [values[0] == value for values in by_order.values() for value in values[1:]]
    agreed = [
        choice == people[key[0], frozenset(key[1:])]
        for key, one, other in both
        if (key[0], frozenset(key[1:])) in people
        for choice in [_winner(key, _mean(one) + 1 - _mean(other))]
    ]
    return JudgePosition(
        judge=rater,
        judge_kind=kind,
        pairs=len(both),
        consistent=_mean(same),
        ties=_mean([a.won == 0.5 for a in answers]),
        effect=position_effect([value for _, value in won], [item for item, _ in won], confidence=confidence)
        if won
        else Interval(float("nan"), float("nan"), float("nan"), confidence, "position", 0),
        repeated=len(again),
        stable=_mean(again),
        compared=len(agreed),
        agreement=_mean(agreed),
    )


def _winner(key: tuple[str, str, str], points: float) -> str:
    """Return the system that has more than half of two points, or nothing for a tie."""
    return key[1] if points > 1 else key[2] if points < 1 else ""


def _prefer_by_majority(answers: list[_Preference]) -> dict[tuple[str, frozenset[str]], str]:
    """Return which system most people prefer of each pair; pairs without a majority are left out."""
    points: dict[tuple[str, frozenset[str]], dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for a in answers:
        tally = points[a.item, frozenset((a.first, a.second))]
        tally[a.first] += a.won
        tally[a.second] += 1 - a.won
    return {key: max(tally, key=tally.__getitem__) for key, tally in points.items() if len(set(tally.values())) > 1}


def _mean(values: list[float] | list[bool]) -> float:
    return sum(values) / len(values) if values else float("nan")
