"""Test whether an LLM judge can replace a human rater: the alternative annotator test (Calderon et al. 2025)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..data.minimums import MINIMUMS
from ..data.ratings import Floats, Ratings
from ..data.result import Result
from ..data.statement import Statement
from ..errors import InputError, UnknownName
from ..stats import benjamini_yekutieli
from ..stats.checks import choice, fraction
from ..stats.wilcoxon import signed_ranks
from .input import HasRatings, RaterFilter, get_ratings, select_raters

SCORES = ("rmse", "accuracy")
UNITS = ("outputs", "items")
TESTS = {
    "t": MINIMUMS["alt-test"].counts["items"],
    "wilcoxon": 10,
}  # and the fewest outputs, or items, of a human that each takes
MIN_RATERS = MINIMUMS["alt-test"].counts["raters"]
_RANDOM_JUDGES = 5


@dataclass(frozen=True)
class AgainstHuman:
    """The judge against one human left out: how often each is at least as near to the other humans, and the test."""

    kind: ClassVar[str] = "human"
    rater: str
    n: int
    judge_advantage: float
    human_advantage: float
    p: float
    adjusted: float
    won: bool


@dataclass(frozen=True)
class Blind:
    """Whether judges who look at nothing pass: one who always answers `constant`, and most of five who draw ratings."""

    constant: float
    constant_passes: bool
    random_passes: bool

    @property
    def passes(self) -> bool:
        """Whether one of them passes."""
        return self.constant_passes or self.random_passes


@dataclass(frozen=True)
class AltTest(Result, question="alt_test", kind="alt_test", shared=("dimension", "judge")):
    """Winning rate (share of humans the judge wins against) and average advantage probability."""

    dimension: str
    judge: str
    passes: bool
    winning_rate: float
    advantage: float
    outputs: int
    epsilon: float
    q: float
    score: str
    skipped: tuple[str, ...]
    humans: tuple[AgainstHuman, ...]
    unit: str = "outputs"
    test: str = "t"
    blind: Blind | None = None  # whether who looks at nothing passes too

    def statements(self) -> tuple[Statement, ...]:
        """Say whether the judge can replace a human: never where one who looks at nothing would pass too."""
        passes_blind = self.blind is not None and self.blind.passes
        return (
            Statement(
                "can replace" if self.passes and not passes_blind else "undecided" if self.passes else "cannot be used",
                (self.judge,),
                tuple(human.rater for human in self.humans),
                self.dimension,
                estimand="winning rate",
                estimate=self.winning_rate,
                sides="lower",
                test="alt-test",
                counts={self.unit: min(human.n for human in self.humans), "raters": len(self.humans)},
                judges="llm",
            ),
        )

    @property
    def wins(self) -> int:
        """Against how many humans the judge wins."""
        return sum(human.won for human in self.humans)


def alt_test(
    data: HasRatings | Ratings,
    dimension: str | None = None,
    *,
    judge: str,
    humans: RaterFilter | None = None,
    epsilon: float = 0.2,
    score: str = "rmse",
    q: float = 0.05,
    unit: str = "outputs",
    test: str = "t",
    seed: int | None = None,
) -> AltTest:
    """Test a judge, itself a rater of the data, against each human left out in turn.

    The humans are the raters of kind human other than the judge, unless `humans` names or filters them.

    On each output that the judge and at least two humans rated, the judge and the human left out are scored by how near
    they are to the other humans: minus the root mean squared difference (`rmse`), or the share of equal ratings
    (`accuracy`). W = 1 where one is at least as near as the other. A one-sided t-test asks whether mean(W_human -
    W_judge) < epsilon (.2 for experts, .15 for trained raters, .1 for crowd workers: the loss that a cheaper judge is
    worth); p-values are adjusted over humans (Benjamini-Yekutieli, q). The judge passes if it wins against half of
    them. Without spread the mean alone decides the test. Humans with fewer than 30 such outputs are skipped; fewer than
    three left is an error.

    The authors test outputs as if they were independent. Outputs for one item are not: with `unit="items"` the
    differences are averaged by item first, and the test and the limit of 30 are over items. `test="wilcoxon"`, the
    authors' choice for small samples, takes 10 to 29 of them. With a `seed` judges who look at nothing are tested too:
    where nearly all texts get the same rating, they pass, and passing says nothing.
    """
    choice(score, "score", SCORES)
    choice(unit, "unit", UNITS)
    fewest = TESTS[choice(test, "test", tuple(TESTS))]
    fraction(q, "q")
    if not 0 <= epsilon < 1:
        raise InputError(f"epsilon must be at least 0 and below 1, got {epsilon!r}")
    options: dict[str, Any] = {"epsilon": epsilon, "score": score, "q": q, "unit": unit, "test": test}
    ratings = get_ratings(data, dimension, judge=judge)
    if judge not in ratings.raters:
        raise UnknownName("rater", judge, ratings.raters, hint=f"(raters: {', '.join(ratings.raters[:8])})")
    known = frozenset(ratings.people) - {judge}
    people = select_raters(ratings, known.__contains__ if humans is None else humans, "humans")
    if judge in people:
        raise InputError(f"the judge {judge!r} is among the humans; remove it from them")
    values = ratings.values[[ratings.raters.index(p) for p in people]]
    usable = ~np.isnan(ratings.row(judge)) & ((~np.isnan(values)).sum(axis=0) >= 2)
    values, judged = values[:, usable], ratings.row(judge)[usable]
    clusters = _number_units(ratings, unit)[usable]
    counts = np.array([len(np.unique(clusters[~np.isnan(row)])) for row in values])
    enough = counts >= fewest
    _refuse_few(ratings.dimension, people, counts, fewest, unit)
    if test == "wilcoxon" and counts.max() >= TESTS["t"]:
        raise InputError(f"wilcoxon is for 10 to 29 {unit}; got {int(counts.max())}: use the t test")
    tests = [_test_against(values, judged, i, score, epsilon, clusters, test) for i in np.nonzero(enough)[0].tolist()]
    adjusted = benjamini_yekutieli([test[3] for test in tests], alpha=q)
    names = [p for p, e in zip(people, enough, strict=True) if e]
    rows = tuple(
        AgainstHuman(name, *test, float(p), bool(won))
        for name, test, p, won in zip(names, tests, adjusted.pvalues, adjusted.rejected, strict=True)
    )
    winning_rate = float(np.mean([row.won for row in rows]))
    return AltTest(
        dimension=ratings.dimension,
        judge=judge,
        passes=winning_rate >= 0.5,
        winning_rate=winning_rate,
        advantage=float(np.mean([row.judge_advantage for row in rows])),
        outputs=int(usable.sum()),
        epsilon=epsilon,
        q=q,
        score=score,
        skipped=tuple(p for p, e in zip(people, enough, strict=True) if not e),
        humans=rows,
        unit=unit,
        test=test,
        blind=None if seed is None else test_blind(ratings, judge, people, seed, **options),
    )


def test_blind(ratings: Ratings, judge: str, people: Sequence[str], seed: int, **options: Any) -> Blind:
    """Test who looks at nothing in place of a judge; options as for `alt_test`."""
    at = [ratings.raters.index(person) for person in people]
    own = ratings.row(judge)
    known = ratings.values[at][~np.isnan(ratings.values[at])]
    points, counts = np.unique(known, return_counts=True)
    constant, rng = float(points[counts.argmax()]), np.random.default_rng(seed)

    def passes(answers: Floats) -> bool:
        values = ratings.values.copy()
        values[ratings.raters.index(judge)] = np.where(np.isnan(own), np.nan, answers)
        return alt_test(replace(ratings, values=values), judge=judge, humans=people, **options).passes

    drawn = sum(passes(rng.choice(known, len(own))) for _ in range(_RANDOM_JUDGES))
    return Blind(constant, passes(np.full(len(own), constant)), drawn > _RANDOM_JUDGES / 2)


test_blind.__test__ = False  # type: ignore[attr-defined]  # not a test, whatever its name says to pytest


def _number_units(ratings: Ratings, unit: str) -> NDArray[np.int64]:
    """Return the number of the item of each output, or of the output itself."""
    if unit == "outputs":
        return np.arange(len(ratings.items))
    number = {item: i for i, item in enumerate(dict.fromkeys(ratings.items))}
    return np.array([number[item] for item in ratings.items], dtype=np.int64)


def _refuse_few(dimension: str, people: tuple[str, ...], counts: NDArray[np.int64], fewest: int, unit: str) -> None:
    if len(people) < MIN_RATERS:
        raise InputError(f"the test needs {MIN_RATERS} human raters of {dimension!r}; got {len(people)}")
    enough = int((counts >= fewest).sum())
    if enough < MIN_RATERS:
        raise InputError(
            f"the test needs {MIN_RATERS} human raters with {fewest} {unit} each of {dimension!r} that the "
            f"judge and another human also rated; got {enough} (the largest number of {unit} is {int(counts.max())})"
        )


def _test_against(
    values: Floats,
    judged: Floats,
    left_out: int,
    score: str,
    epsilon: float,
    clusters: NDArray[np.int64],
    test: str,
) -> tuple[int, float, float, float]:
    own = values[left_out]
    here = ~np.isnan(own)
    others = np.delete(values, left_out, axis=0)[:, here]
    judge, human = (_nearness(x[here], others, score) for x in (judged, own))
    close = np.isclose(judge, human, rtol=1e-12, atol=1e-12)  # a tie is a tie for both, whatever the rounding
    w_judge, w_human = (judge > human) | close, (human > judge) | close
    gap = _average_by(w_human.astype(np.float64) - w_judge, clusters[here])
    return len(gap), float(w_judge.mean()), float(w_human.mean()), _p_below(gap, epsilon, test)


def _average_by(values: Floats, clusters: NDArray[np.int64]) -> Floats:
    """Return the mean of each cluster."""
    _, place = np.unique(clusters, return_inverse=True)
    return np.asarray(np.bincount(place, values) / np.bincount(place))


def _nearness(x: Floats, others: Floats, score: str) -> Floats:
    rated = ~np.isnan(others)
    n = rated.sum(axis=0)
    if score == "accuracy":
        return np.asarray((others == x).sum(axis=0) / n)
    return np.asarray(-np.sqrt(np.where(rated, (others - x) ** 2, 0.0).sum(axis=0) / n))


def _p_below(gap: Floats, epsilon: float, test: str) -> float:
    """Return the one-sided p-value that the mean of gap (for wilcoxon: its centre) is below epsilon."""
    from scipy.special import stdtr

    if test == "wilcoxon":
        return float(signed_ranks((gap - epsilon)[None], "less")[1][0])
    spread = gap.std(ddof=1)
    if spread == 0:
        return 0.0 if gap[0] < epsilon else 1.0
    return float(stdtr(len(gap) - 1, (gap.mean() - epsilon) / (spread / np.sqrt(len(gap)))))
