"""Test whether an LLM judge can replace a human rater: the alternative annotator test (Calderon et al. 2025)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..data.ratings import Floats, Ratings
from ..data.result import Result
from ..errors import InputError, UnknownName
from ..stats import benjamini_yekutieli
from ..stats.checks import choice, fraction
from ._input import HasRatings, RaterFilter, get_ratings, select_raters

SCORES = ("rmse", "accuracy")
FEWEST_RATERS, FEWEST_OUTPUTS = 3, 30


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


def alt_test(
    data: HasRatings | Ratings,
    dimension: str | None = None,
    *,
    judge: str,
    humans: RaterFilter | None = None,
    epsilon: float = 0.2,
    score: str = "rmse",
    q: float = 0.05,
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
    """
    choice(score, "score", SCORES)
    fraction(q, "q")
    if not 0 <= epsilon < 1:
        raise InputError(f"epsilon must be at least 0 and below 1, got {epsilon!r}")
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
    enough = (~np.isnan(values)).sum(axis=1) >= FEWEST_OUTPUTS
    _refuse_few(ratings.dimension, people, values, enough)
    tests = [_test_against(values, judged, i, score, epsilon) for i in np.nonzero(enough)[0].tolist()]
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
    )


def _refuse_few(
    dimension: str, people: tuple[str, ...], values: Floats, enough: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> None:
    if len(people) < FEWEST_RATERS:
        raise InputError(f"the test needs {FEWEST_RATERS} human raters of {dimension!r}; got {len(people)}")
    if enough.sum() < FEWEST_RATERS:
        most = int((~np.isnan(values)).sum(axis=1).max())
        raise InputError(
            f"the test needs {FEWEST_RATERS} human raters with {FEWEST_OUTPUTS} outputs each of {dimension!r} that the "
            f"judge and another human also rated; got {int(enough.sum())} (the largest number of outputs is {most})"
        )


def _test_against(
    values: Floats, judged: Floats, left_out: int, score: str, epsilon: float
) -> tuple[int, float, float, float]:
    own = values[left_out]
    here = ~np.isnan(own)
    others = np.delete(values, left_out, axis=0)[:, here]
    judge, human = (_nearness(x[here], others, score) for x in (judged, own))
    close = np.isclose(judge, human, rtol=1e-12, atol=1e-12)  # a tie is a tie for both, whatever the rounding
    w_judge, w_human = (judge > human) | close, (human > judge) | close
    gap = w_human.astype(np.float64) - w_judge
    return int(here.sum()), float(w_judge.mean()), float(w_human.mean()), _p_below(gap, epsilon)


def _nearness(x: Floats, others: Floats, score: str) -> Floats:
    rated = ~np.isnan(others)
    n = rated.sum(axis=0)
    if score == "accuracy":
        return np.asarray((others == x).sum(axis=0) / n)
    return np.asarray(-np.sqrt(np.where(rated, (others - x) ** 2, 0.0).sum(axis=0) / n))


def _p_below(gap: Floats, epsilon: float) -> float:
    """Return the one-sided p-value of a t-test that the mean of gap is below epsilon."""
    from scipy.special import stdtr

    spread = gap.std(ddof=1)
    if spread == 0:
        return 0.0 if gap[0] < epsilon else 1.0
    return float(stdtr(len(gap) - 1, (gap.mean() - epsilon) / (spread / np.sqrt(len(gap)))))
