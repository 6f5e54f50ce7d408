"""One table of everybody who judged, people, LLM judges, panels of them and metrics, under the same statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ..data.evalset import EvalSet
from ..data.minimums import MINIMUMS
from ..data.ratings import Floats, Ratings
from ..data.result import Result
from ..data.scores import Scores
from ..data.statement import Claim, Statement
from ..errors import InputError, ignore_undefined
from ..stats import Alpha, Interval, bootstrap, krippendorff_alpha, pearson
from ..stats.rating_bias import LengthSlope, length_slope, level_bias, self_preference, spread_ratio
from ..stats.system_order import OrderedShare, ordered_share
from ._judgment_details import find_panels, sum_costs
from .alt_test import AltTest, Blind, test_blind
from .consistency import RaterConsistency, consistency
from .judge_verdict import NOTHING, RANK, REPLACE, UNKNOWN, Limits, decide, run_alt_tests

VERDICTS = (REPLACE, RANK, NOTHING, UNKNOWN)
_CLAIMS: dict[str, Claim] = {
    REPLACE: "can replace",
    RANK: "can rank",
    NOTHING: "cannot be used",
    UNKNOWN: "undecided",
}
PANELS = ("mean", "median")  # of all LLM judges
LEVELS = {"segment": "pooled", "item": "item", "system": "system"}


@dataclass(frozen=True)
class LeftOut:
    """How far an assessor agrees with the people other than one (Pearson's r with their mean), and how far that one."""

    kind: ClassVar[str] = "left_out"
    assessor: str
    rater: str
    agreement: float
    ceiling: float


@dataclass(frozen=True)
class AssessedAssessor:
    """One assessor next to people; for a person, next to the other people.

    `agreement`: mean over people left out of r with the mean of the others. `alpha`: Krippendorff's alpha of people
    with the assessor (without, for a person). `segment`, `item`, `system`: r with the mean of people. `level`: points
    above people. `spread`: standard deviation over that of one person. `length`: points for a text e times as long and
    as good, and `length_uncorrected` without the correction for noisy people.
    """

    kind: ClassVar[str] = "assessor"
    assessor: str
    assessor_kind: str
    outputs: int
    verdict: str | None
    reason: str
    wins: int | None
    people: int | None
    winning_rate: float
    winning_rate_outputs: float
    advantage: float
    ordered: OrderedShare | None
    agreement: float
    alpha: float
    segment: Interval
    item: Interval
    system: Interval
    same_twice: float
    self_alpha: float
    twice: int
    level: Interval | None
    spread: Interval | None
    scale_used: float
    length: Interval | None
    length_uncorrected: Interval | None
    own_family: Interval | None
    seconds: float = float("nan")
    cost: float = float("nan")
    failures: int | None = None
    items: int = 0  # that it and people judged
    at_chance: bool = False  # on items enough: r with people (over outputs) is undefined, or its interval includes 0


@dataclass(frozen=True)
class JudgeTable(Result, question="judges", kind="judge_table", shared=("dimension",)):
    """All assessors of a dimension; `ceiling` is the mean agreement of a person with the others, `alpha` of people.

    `blind`: whether judges who look at nothing pass the alt-test; where one does, passing says nothing. None where
    there is no test.
    """

    dimension: str
    people: tuple[str, ...]
    items: int
    systems: int
    outputs: int
    ceiling: float
    alpha: Alpha
    limits: Limits
    blind: Blind | None
    assessors: tuple[AssessedAssessor, ...]
    left_out: tuple[LeftOut, ...]
    tests: tuple[AltTest, ...]
    resamples: int
    confidence: float
    seed: int

    def statements(self) -> tuple[Statement, ...]:
        """Say of each judge what it can be used for, then which people answer at chance."""
        judges = [self._state(row) for verdict in VERDICTS for row in self.assessors if row.verdict == verdict]
        return (*judges, *(self._state_chance(row) for row in self.assessors if row.verdict is None and row.at_chance))

    def _state(self, row: AssessedAssessor) -> Statement:
        if row.at_chance:
            return self._state_chance(row)
        pairs = row.ordered.pairs if row.ordered else 0
        counts = {"items": row.items, "raters": len(self.people), "pairs": pairs}
        needs = {}
        if row.verdict == UNKNOWN:
            least = {**(MINIMUMS["alt-test"].counts if row.assessor_kind != "metric" else {})}
            needs = {name: n for name, n in least.items() if counts[name] < n}
            needs |= {"pairs": self.limits.order_pairs} if pairs < self.limits.order_pairs else {}
        by_test = row.verdict == REPLACE
        order = row.ordered
        return Statement(
            _CLAIMS[str(row.verdict)],
            (row.assessor,),
            self.people,
            self.dimension,
            estimand="winning rate" if by_test else "share of pairs in people's order",
            estimate=row.winning_rate if by_test else order.value if order else float("nan"),
            low=float("nan") if by_test or order is None else order.low,
            high=float("nan") if by_test or order is None else order.high,
            confidence=self.confidence,
            sides="lower" if by_test else "two",
            test="alt-test" if by_test else "",
            counts=counts,
            needs=needs,
            judges=row.assessor_kind,
        )

    def _state_chance(self, row: AssessedAssessor) -> Statement:
        return Statement(
            "at chance",
            (row.assessor,),
            tuple(name for name in self.people if name != row.assessor),
            self.dimension,
            level="segment",
            estimand="correlation (pearson)",
            estimate=row.segment.value,
            low=row.segment.low,
            high=row.segment.high,
            confidence=self.confidence,
            counts={"items": row.items, "outputs": row.outputs, "raters": len(self.people)},
            judges=row.assessor_kind,
        )


def judge_table(
    data: EvalSet,
    dimension: str | None = None,
    *,
    metrics: Sequence[Scores] = (),
    families: Mapping[str, str] | None = None,
    limits: Limits | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> JudgeTable:
    """Compare every assessor of a dimension with people.

    Assessors are the people, LLMs and metrics who judged it, the mean and the median of all LLMs where there are two or
    more, and `metrics` that were scored. `families` say to which family judges and systems belong. Systems that are
    people (references among the outputs) are left out.
    """
    builder = _Builder(
        data, _find_dimension(data, dimension), families or {}, limits or Limits(), resamples, confidence, seed
    )
    return builder.build(metrics)


def _find_dimension(data: EvalSet, dimension: str | None) -> str:
    if dimension is None and len(data.dimensions) > 1:
        raise InputError(f"several dimensions were judged; choose one of {', '.join(data.dimensions)}")
    if dimension is None and not data.dimensions:
        raise InputError("this set has no judgments by people")
    name = data.dimensions[0] if dimension is None else dimension
    data.check_dimension(name)
    return name


class _Builder:
    """Holds the ratings of one dimension, systems x items, and compares one assessor at a time."""

    def __init__(
        self,
        data: EvalSet,
        dimension: str,
        families: Mapping[str, str],
        limits: Limits,
        resamples: int,
        confidence: float,
        seed: int,
    ) -> None:
        self._data, self._dimension, self._families, self._limits = data, dimension, families, limits
        self._options = {"resamples": resamples, "confidence": confidence, "seed": seed}
        self._resamples, self._confidence, self._seed = resamples, confidence, seed
        self._systems = tuple(s for s in data.systems if s not in set(data.people)) or data.systems
        self._higher = not data.scale(dimension).lower_is_better
        names = [name for name in data.raters if self._has_judged(name)]
        self._people = {name: self._ratings_of(name) for name in names}
        self._stack = np.stack(list(self._people.values()))
        self._mean = _mean_over(self._stack)
        self._lengths = np.array(
            [[len(data[item].outputs.get(s, "").split()) for item in data.items] for s in self._systems], dtype=float
        )
        panels = find_panels(data)
        self._kinds = {name: "panel" if name in panels else kind for name, kind in data.assessors}
        self._costs = sum_costs(data, dimension)

    def build(self, metrics: Sequence[Scores]) -> JudgeTable:
        """Compare all assessors: people first, then LLMs, panels and metrics."""
        machines = {name: self._ratings_of(name) for name, kind in self._kinds.items() if self._is_machine(name, kind)}
        llms = {name: values for name, values in machines.items() if self._kinds[name] == "llm"}
        stated = {name: values for name, values in machines.items() if self._kinds[name] == "panel"}
        panels = {} if stated else _panels(llms)
        self._self = self._consistencies()
        self._table = self._rating_table({**llms, **stated, **panels})
        with ignore_undefined():
            alpha = self._alpha(self._stack, interval=True)
            left_out = [*self._leave_people_out()]
            self._ceiling = {row.rater: row.ceiling for row in left_out}
            self._blind = self._test_blind()
            rows = [self._compare_person(name) for name in self._people]
            tests: list[AltTest] = []
            for name, values in machines.items():
                rows.append(self._compare(name, self._kinds[name], values, tests))
                left_out += self._left_out(name, values)
            for name, values in panels.items():
                rows.append(self._compare(name, "panel", values, tests))
                left_out += self._left_out(name, values)
            rows += [self._compare(scores.name, "metric", self._align(scores), tests) for scores in metrics]
        judged = ~np.isnan(self._mean)
        return JudgeTable(
            dimension=self._dimension,
            people=tuple(self._people),
            items=int(judged.any(axis=0).sum()),
            systems=int(judged.any(axis=1).sum()),
            outputs=int(judged.sum()),
            ceiling=_mean_of([row.ceiling for row in left_out if row.assessor == row.rater]),
            alpha=alpha,
            limits=self._limits,
            blind=self._blind,
            assessors=tuple(rows),
            left_out=tuple(left_out),
            tests=tuple(tests),
            resamples=self._resamples,
            confidence=self._confidence,
            seed=self._seed,
        )

    def _has_judged(self, rater: str) -> bool:
        return any(j.rater == rater and j.dimension == self._dimension for item in self._data for j in item.judgments)

    def _is_machine(self, name: str, kind: str) -> bool:
        return name not in self._people and kind != "human" and self._has_judged(name)

    def _ratings_of(self, rater: str) -> Floats:
        return np.asarray(self._data.human(self._dimension, rater=rater).select(systems=self._systems).values)

    def _align(self, scores: Scores) -> Floats:
        """Return a metric's scores in the order of the ratings, turned to their direction."""
        values = scores.select(systems=self._systems, items=self._data.items).values
        return np.asarray(values if scores.higher_is_better == self._higher else -values)

    def _rating_table(self, machines: Mapping[str, Floats]) -> Ratings:
        """Return everybody on the scale of people as ratings of outputs, for the alt-test."""
        rows = {**self._people, **machines}
        shape = self._mean.shape
        systems = tuple(s for s in self._systems for _ in range(shape[1]))
        kinds = tuple("human" if name in self._people else "llm" for name in rows)
        values = np.stack([row.ravel() for row in rows.values()])
        return Ratings(
            *(values, tuple(rows), systems, self._data.items * shape[0], self._dimension, (), self._higher, kinds),
            (self._data.clusters or ()) * shape[0],
        )

    def _consistencies(self) -> dict[str, RaterConsistency]:
        """Return who judged the same text twice, of any kind."""
        by_rater: dict[str, RaterConsistency] = {}
        for kind in dict.fromkeys(kind for _, kind in self._data.assessors):
            part = self._data.use_assessors(kind)
            if self._dimension in part.dimensions:
                with ignore_undefined():
                    rows = consistency(part, self._dimension, interval=False).raters
                by_rater |= {row.rater: row for row in rows}
        return by_rater

    def _test_blind(self) -> Blind | None:
        """Test judges who look at nothing; None where there are too few items or people for a test."""
        blind = np.where(np.isnan(self._table.values).all(axis=0), np.nan, 0.0)
        values = np.concatenate([self._table.values, blind[None]])
        name = "\0blind"  # no rater of a file can have that name
        kinds = (*self._table.kinds, "llm")
        table = replace(self._table, values=values, raters=(*self._table.raters, name), kinds=kinds)
        options = {"epsilon": self._limits.epsilon, "unit": "items", "test": self._limits.alt_test}
        try:
            return test_blind(table, name, tuple(self._people), self._seed, **options)
        except InputError:
            return None

    def _alpha(self, stack: Floats, *, interval: bool = False) -> Alpha:
        units = (self._data.clusters or self._data.items) * stack.shape[1]
        table = stack.reshape(len(stack), -1).T
        return krippendorff_alpha(table, interval=interval, units=units, confidence=self._confidence)

    def _leave_people_out(self) -> list[LeftOut]:
        rows = []
        for name, own in self._people.items():
            r = _pearson(own, self._others(name))
            rows.append(LeftOut(name, name, r, r))
        return rows

    def _left_out(self, name: str, values: Floats) -> list[LeftOut]:
        return [LeftOut(name, p, _pearson(values, self._others(p)), self._ceiling[p]) for p in self._people]

    def _others(self, person: str) -> Floats:
        return _mean_over(np.stack([v for n, v in self._people.items() if n != person] or [self._mean * np.nan]))

    def _compare_person(self, name: str) -> AssessedAssessor:
        """Compare a person with the other people."""
        values, others = self._people[name], self._others(name)
        rest = np.stack([v for n, v in self._people.items() if n != name] or [values * np.nan])
        return self._row(name, "human", values, others, rest, None, None, None, "", None, self._alpha(rest).value)

    def _compare(self, name: str, kind: str, values: Floats, tests: list[AltTest]) -> AssessedAssessor:
        """Compare an assessor that is not a person with people, and decide what it can be used for."""
        on_scale = name in self._table.raters
        by_item, by_output, reason = (
            run_alt_tests(self._table, name, tuple(self._people), self._limits) if on_scale else (None, None, "")
        )
        tests += [test for test in (by_item, by_output) if test is not None]
        options = {**self._options, "alpha": self._limits.alpha}
        order = ordered_share(self._mean, values, **options)  # type: ignore[arg-type]
        alpha = self._alpha(np.concatenate([self._stack, values[None]])).value if on_scale else float("nan")
        row = self._row(name, kind, values, self._mean, self._stack, by_item, by_output, None, reason, order, alpha)
        chance, blind = row.at_chance, self._blind is not None and self._blind.passes
        verdict = decide(by_item, order, self._limits, on_scale=on_scale, at_chance=chance, blind_passes=blind)
        return replace(row, verdict=verdict)

    def _row(
        self,
        name: str,
        kind: str,
        values: Floats,
        mean: Floats,
        stack: Floats,
        by_item: AltTest | None,
        by_output: AltTest | None,
        verdict: str | None,
        reason: str,
        order: OrderedShare | None,
        alpha: float,
    ) -> AssessedAssessor:
        levels = {field: self._correlate(mean, values, level) for field, level in LEVELS.items()}
        cost = self._costs.get(name)
        on_scale, own = kind == "human" or name in self._table.raters, self._self.get(name)
        length = self._length(values, stack) if on_scale else None
        items = int((~np.isnan(values) & ~np.isnan(mean)).any(axis=0).sum())
        return AssessedAssessor(
            assessor=name,
            assessor_kind=kind,
            outputs=int((~np.isnan(values) & ~np.isnan(mean)).sum()),
            verdict=verdict,
            reason=reason,
            wins=None if by_item is None else by_item.wins,
            people=None if by_item is None else len(by_item.humans),
            winning_rate=float("nan") if by_item is None else by_item.winning_rate,
            winning_rate_outputs=float("nan") if by_output is None else by_output.winning_rate,
            advantage=float("nan") if by_item is None else by_item.advantage,
            ordered=order,
            agreement=self._agreement(name, values),
            alpha=alpha,
            **levels,
            same_twice=own.same if own else float("nan"),
            self_alpha=own.alpha.value if own else float("nan"),
            twice=own.pairs if own else 0,
            level=level_bias(values, stack, confidence=self._confidence) if on_scale else None,
            spread=spread_ratio(values, stack, confidence=self._confidence) if on_scale else None,
            scale_used=self._scale_used(values) if on_scale else float("nan"),
            length=None if length is None else length.corrected,
            length_uncorrected=None if length is None else length.uncorrected,
            own_family=self._self_preference(name, values) if on_scale and kind == "llm" else None,
            seconds=cost.seconds if cost else float("nan"),
            cost=cost.cost if cost else float("nan"),
            failures=cost.failures if cost else None,
            items=items,
            at_chance=self._is_at_chance(items, levels["segment"]),
        )

    def _is_at_chance(self, items: int, segment: Interval) -> bool:
        """Whether there are items enough to say that an assessor follows the others no more than by chance."""
        return not MINIMUMS["agreement"].lacks({"items": items}) and not segment.low > 0

    def _agreement(self, name: str, values: Floats) -> float:
        """Return the mean agreement with people, each left out in turn; of a person, with the others."""
        if name in self._people:
            return _pearson(values, self._others(name))
        return _mean_of([_pearson(values, self._others(p)) for p in self._people])

    def _correlate(self, mean: Floats, values: Floats, level: str) -> Interval:
        return bootstrap(mean, values, level=level, **self._options)  # type: ignore[arg-type]

    def _length(self, values: Floats, stack: Floats) -> LengthSlope:
        return length_slope(values, stack, self._lengths, confidence=self._confidence)

    def _self_preference(self, name: str, values: Floats) -> Interval | None:
        """Return how much it prefers its own family, where families are known of it and of two kinds of systems."""
        family = self._families.get(name)
        own = np.array([self._families.get(system) == family for system in self._systems])
        if family is None or not own.any() or own.all():
            return None
        return self_preference(values, self._stack, own, confidence=self._confidence)

    def _scale_used(self, values: Floats) -> float:
        """Return the share of the points that anybody used, rounded to whole ones, that this assessor used."""
        everybody = np.unique(np.round(self._table.values[~np.isnan(self._table.values)]))
        return len(np.unique(np.round(values[~np.isnan(values)]))) / len(everybody)


def _panels(llms: Mapping[str, Floats]) -> dict[str, Floats]:
    """Return the mean and the median of all LLM judges, on the outputs that all of them judged."""
    if len(llms) < 2:
        return {}
    stack = np.stack(list(llms.values()))
    return {f"{name} of {len(llms)} LLMs": getattr(np, name)(stack, axis=0) for name in PANELS}


def _mean_over(stack: Floats) -> Floats:
    present = ~np.isnan(stack)
    counts = present.sum(axis=0)
    return np.asarray(np.where(counts > 0, np.where(present, stack, 0.0).sum(axis=0) / np.maximum(counts, 1), np.nan))


def _pearson(x: Floats, y: Floats) -> float:
    return pearson(x.ravel(), y.ravel())


def _mean_of(values: Sequence[float]) -> float:
    known = [v for v in values if v == v]
    return sum(known) / len(known) if known else float("nan")
