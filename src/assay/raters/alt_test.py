"""May an LLM judge stand in for a human rater? The alternative annotator test (Calderon et al. 2025)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..data.ratings import Floats, Ratings
from ..data.result import Shown
from ..errors import InputError, UnknownName
from ..stats import benjamini_yekutieli
from ..stats.checks import choice, fraction
from ._input import Chosen, Judged, chosen, number, ratings_of

SCORES = ("rmse", "accuracy")
FEWEST_RATERS, FEWEST_OUTPUTS = 3, 30


@dataclass(frozen=True)
class AgainstHuman:
    """The judge against one human left out: how often each is at least as near to the other humans, and the test."""

    rater: str
    n: int
    judge_advantage: float
    human_advantage: float
    pvalue: float
    adjusted: float
    won: bool


@dataclass(frozen=True)
class Alternative(Shown):
    """Winning rate (share of humans the judge wins against) and average advantage probability."""

    dimension: str
    judge: str
    humans: tuple[AgainstHuman, ...]
    skipped: tuple[str, ...]
    winning_rate: float
    advantage: float
    outputs: int
    epsilon: float
    q: float
    score: str

    @property
    def passes(self) -> bool:
        """Whether the judge wins against at least half of the humans."""
        return self.winning_rate >= 0.5

    def sentence(self) -> str:
        """Answer in words."""
        won = sum(h.won for h in self.humans)
        may = "may" if self.passes else "may not"
        return (
            f"{self.judge} {may} stand in for a rater of {self.dimension}: it wins against {won} of "
            f"{len(self.humans)} raters (epsilon {number(self.epsilon)}), and is at least as near to the others "
            f"on {100 * self.advantage:.0f}% of outputs."
        )


def alternative(
    data: Judged | Ratings,
    dimension: str | None = None,
    *,
    judge: str,
    humans: Chosen | None = None,
    epsilon: float = 0.2,
    score: str = "rmse",
    q: float = 0.05,
) -> Alternative:
    """Test a judge, itself a rater of the data, against each human left out in turn.

    On each output that the judge and at least two humans rated, the judge and the human left out are scored by how near
    they are to the other humans: minus the root mean squared difference (`rmse`), or the share of equal ratings
    (`accuracy`). W = 1 where one is at least as near as the other. A one-sided t-test asks whether mean(W_human -
    W_judge) < epsilon (.2 for experts, .15 trained raters, .1 crowd: what the judge's cheapness is worth);
    Benjamini-Yekutieli over humans at q. The judge passes if it wins against half of them. Without spread the test is
    decided by the mean alone. Humans with fewer than 30 such outputs are skipped; fewer than three left is an error.
    """
    choice(score, "score", SCORES)
    fraction(q, "q")
    if not 0 <= epsilon < 1:
        raise InputError(f"epsilon must be at least 0 and below 1, got {epsilon!r}")
    ratings = ratings_of(data, dimension)
    if judge not in ratings.raters:
        raise UnknownName("rater", judge, ratings.raters, hint=f"(raters: {', '.join(ratings.raters[:8])})")
    people = chosen(ratings, (lambda name: name != judge) if humans is None else humans, "humans")
    if judge in people:
        raise InputError(f"the judge {judge!r} is among the humans; nobody is compared with himself")
    values = ratings.values[[ratings.raters.index(p) for p in people]]
    usable = ~np.isnan(ratings.row(judge)) & ((~np.isnan(values)).sum(axis=0) >= 2)
    values, judged = values[:, usable], ratings.row(judge)[usable]
    enough = (~np.isnan(values)).sum(axis=1) >= FEWEST_OUTPUTS
    _refuse_few(ratings.dimension, people, values, enough)
    found = [_against(values, judged, i, score, epsilon) for i in np.nonzero(enough)[0].tolist()]
    adjusted = benjamini_yekutieli([f[3] for f in found], alpha=q)
    names = [p for p, e in zip(people, enough, strict=True) if e]
    rows = tuple(
        AgainstHuman(name, *f, float(p), bool(won))
        for name, f, p, won in zip(names, found, adjusted.pvalues, adjusted.rejected, strict=True)
    )
    skipped = tuple(p for p, e in zip(people, enough, strict=True) if not e)
    rate, advantage = (float(np.mean(v)) for v in ([r.won for r in rows], [r.judge_advantage for r in rows]))
    return Alternative(ratings.dimension, judge, rows, skipped, rate, advantage, int(usable.sum()), epsilon, q, score)


def _refuse_few(
    dimension: str, people: tuple[str, ...], values: Floats, enough: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> None:
    if len(people) < FEWEST_RATERS:
        raise InputError(f"the test needs {FEWEST_RATERS} human raters of {dimension!r}; there are {len(people)}")
    if enough.sum() < FEWEST_RATERS:
        most = int((~np.isnan(values)).sum(axis=1).max())
        raise InputError(
            f"the test needs {FEWEST_RATERS} human raters with {FEWEST_OUTPUTS} outputs each of {dimension!r} that the "
            f"judge and another human rated too; {int(enough.sum())} have as many (the most is {most})"
        )


def _against(
    values: Floats, judged: Floats, left_out: int, score: str, epsilon: float
) -> tuple[int, float, float, float]:
    own = values[left_out]
    here = ~np.isnan(own)
    others = np.delete(values, left_out, axis=0)[:, here]
    judge, human = (_nearness(x[here], others, score) for x in (judged, own))
    close = np.isclose(judge, human, rtol=1e-12, atol=1e-12)  # a tie is a tie for both, whatever the rounding
    w_judge, w_human = (judge > human) | close, (human > judge) | close
    gap = w_human.astype(np.float64) - w_judge
    return int(here.sum()), float(w_judge.mean()), float(w_human.mean()), _below(gap, epsilon)


def _nearness(x: Floats, others: Floats, score: str) -> Floats:
    there = ~np.isnan(others)
    n = there.sum(axis=0)
    if score == "accuracy":
        return np.asarray((others == x).sum(axis=0) / n)
    return np.asarray(-np.sqrt(np.where(there, (others - x) ** 2, 0.0).sum(axis=0) / n))


def _below(gap: Floats, epsilon: float) -> float:
    """Return the one-sided p-value of a t-test that the mean of gap is below epsilon."""
    from scipy.special import stdtr

    spread = gap.std(ddof=1)
    if spread == 0:
        return 0.0 if gap[0] < epsilon else 1.0
    return float(stdtr(len(gap) - 1, (gap.mean() - epsilon) / (spread / np.sqrt(len(gap)))))
