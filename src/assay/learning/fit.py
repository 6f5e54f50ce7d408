"""learn: from a judged set and features to a scorer, tested on topics it has not seen (Peyrard et al. 2017)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import meta, stats
from ..data.evalset import EvalSet
from ..data.scores import Scores
from ..errors import UndefinedWarning
from ..meta import Correlation
from ..metrics.learned import Learned, scorer
from .dataset import Material, material
from .fitting import cross_validate, fit
from .models import Model, model

ASKED = (("item", "pearson"), ("item", "spearman"), ("system", "pearson"))  # level and method


@dataclass(frozen=True, eq=False)
class Lesson:
    """A scorer fitted to all topics, and how well its kind predicts topics it has not seen.

    `cross` holds the cross-validated scores, `human` the judgments and `features` each feature alone, all of the same
    outputs; `correlations` are those of `cross` with `human`.
    """

    scorer: Learned
    cross: Scores
    human: Scores
    features: dict[str, Scores]
    correlations: tuple[Correlation, ...]

    def sentence(self) -> str:
        """The answer in words."""
        return str(self.scorer.record["sentence"])


@dataclass(frozen=True)
class AgainstBest:
    """The scorer against its best single feature, on topics it has not seen, within items; p of "it is better"."""

    feature: str
    value: float
    difference: float
    pvalue: float
    method: str
    resamples: int
    seed: int | None


def learn(
    data: EvalSet,
    *,
    target: str,
    features: Sequence[str] = ("best",),
    scores: Sequence[Scores] = (),
    with_model: str | Model = "svr",
    also: Sequence[str] = (),
    raters: Sequence[str] | None = None,
    people: str = "exclude",
    topic: str = "item",
    normalize: str = "mean",
    resamples: int = 1000,
    seed: int = 0,
    threads: int = 1,
) -> Lesson:
    """Fit a scorer to what people said of `target`, and test its kind on topics left out one at a time.

    features: metrics, or a set by name (best, full: those of S3). scores: outside scores that are features too (an LLM
    judge's). with_model: svr, ridge, rank, robust, nnls, cca. also: further dimensions, which cca takes into account.
    raters: only these, by name or pattern (expert*). people=include keeps the people among the systems. topic: what is
    left out together, an item or a group. normalize=mean brings every topic's judgments to one mean; none does not.
    """
    made = model(with_model)
    given = material(
        data, target=target, features=features, scores=scores, also=also, raters=raters, people=people, topic=topic,
        threads=threads,
    )  # fmt: skip
    return taught(given, made, normalize=normalize, resamples=resamples, seed=seed)


def taught(
    given: Material,
    made: Model,
    *,
    normalize: str = "mean",
    resamples: int = 1000,
    seed: int = 0,
    follow: Callable[[Sequence[int]], Iterable[int]] = iter,
) -> Lesson:
    """The same from features and judgments that are there already; `follow` sees the topics of the test pass by."""
    rows = given.examples()
    crossed = cross_validate(
        rows, made, normalize=normalize, without=given.unseen if given.whole_set else None, follow=follow
    )
    human = given.targets[0]
    found = tuple(
        meta.correlate(crossed.scores, human, level=level, method=method, resamples=resamples, seed=seed, without=())
        for level, method in ASKED
    )
    record = {
        **given.record(),
        "model": made.signature(),
        "normalize": normalize,
        "rows": len(rows),
        "left_out": rows.left_out,
        "cross_validated": {"folds": crossed.folds, "correlations": [_said(c) for c in found]},
        "sentence": _sentence(given, made, found[0], crossed.folds),
    }
    learned = scorer(given.inputs, fit(rows, made, normalize=normalize), given.metrics, record)
    return Lesson(learned, crossed.scores, human, {s.name: s for s in given.features}, found)


def _said(c: Correlation) -> dict[str, Any]:
    numbers = {"value": c.value, "low": c.low, "high": c.high}
    plain = {key: None if np.isnan(value) else value for key, value in numbers.items()}
    return {"level": c.level, "method": c.method, **plain, "n": c.n, "groups": c.groups}


def _sentence(given: Material, made: Model, c: Correlation, folds: int) -> str:
    n = len(given.inputs)
    who = str(given.record()["people"])
    return (
        f"{made.name} on {n} feature{'s' * (n != 1)} follows {given.target} at r = {c.value:.3f} [{c.low:.3f}, "
        f"{c.high:.3f}] within items, on {folds} topics each left out once"
        + (f" ({who})." if who not in ("left out", "included") else ".")
    )


def against_best(
    lesson: Lesson, *, method: str = "pearson", resamples: int = 1000, seed: int = 0
) -> AgainstBest | None:
    """Test the scorer against the feature that does best alone (permutation test); None where no feature correlates.

    The best feature is found on the very outputs it is tested on, the scorer is not: the test leans to the feature.
    """
    h, mine = lesson.human.values, lesson.cross.values
    turned = {n: s.values if s.higher_is_better else -s.values for n, s in lesson.features.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        values = {n: stats.correlate(h, v, level="item", method=method).value for n, v in turned.items()}
        known = {n: v for n, v in values.items() if not np.isnan(v)}
        if not known:
            return None
        best = max(known, key=lambda n: known[n])
        test = stats.permutation(
            h, mine, turned[best], level="item", method=method, alternative="greater", resamples=resamples, seed=seed
        )
    return AgainstBest(best, known[best], test.difference, test.pvalue, method, resamples, seed)
