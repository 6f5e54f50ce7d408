"""Rank systems by few human labels and many scores of a judge: people alone, the judge alone, and both (PPI++)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..data.evalset import EvalSet
from ..data.ratings import Floats
from ..data.result import Result
from ..data.scores import Scores
from ..errors import InputError, UndefinedWarning, UnknownName
from ..stats import PredictionPowered, prediction_powered, system_pairs
from ..stats.adjusted_contrasts import adjust_intervals
from ..stats.calibration import METHODS, cross_fit
from ..stats.checks import choice
from ..stats.variance_components import variance_components
from .label_design import MIN_ITEMS, LabelCheck, check_labels, read_probabilities


@dataclass(frozen=True)
class AssistedSystem:
    """One system: its mean from people alone, from the judge alone, and from both, with intervals of mean and rank.

    `corrected` is False for a system that people judged on fewer than three items: then the mean is the judge's.
    """

    kind: ClassVar[str] = "assisted_system"
    system: str
    labels: int
    scored: int
    people: float
    people_low: float
    people_high: float
    judge: float
    both: float
    both_low: float
    both_high: float
    weight: float
    saved: float
    rank: int
    rank_low: int | None
    rank_high: int | None
    people_rank: int | None
    judge_rank: int | None
    corrected: bool


@dataclass(frozen=True)
class AssistedPair:
    """The difference between two systems, within items: first minus second.

    `low` to `high`, and `p`, hold for all pairs at once: significant is an interval without 0.
    """

    kind: ClassVar[str] = "assisted_pair"
    first: str
    second: str
    labels: int
    people: float
    people_p: float
    judge: float
    both: float
    low: float
    high: float
    p: float
    significant: bool
    new_raters_low: float
    new_raters_high: float


@dataclass(frozen=True)
class RaterMean:
    """The mean of a system by the labels of one rater and the judge."""

    kind: ClassVar[str] = "rater_mean"
    system: str
    rater: str
    labels: int
    people: float
    both: float


@dataclass(frozen=True)
class HeldOutCheck:
    """How far calibrated scores are from labels that they were not fitted on; root mean squared, and mean."""

    kind: ClassVar[str] = "calibration"
    method: str
    labels: int
    folds: int
    error: float
    raw_error: float
    mean_error: float
    bias: float
    raw_bias: float


@dataclass(frozen=True)
class AssistedComparison(Result, question="assisted", kind="assisted", shared=("dimension", "judge")):
    """Systems by people and a judge. `design`: how labelled items were chosen (random, drawn, complete, unknown).

    `refused`: the design is unknown and labelled outputs differ from the others, so that no interval can be given.
    `saved`: labels that people alone would need more for the same intervals of differences. `overall`: the mean over
    systems, clustered by item. `system_rater`: variance of systems x raters, which new raters add.
    """

    dimension: str
    judge: str
    judge_kind: str
    design: str
    refused: bool
    items: int
    labelled_items: int
    labels: int
    raters: tuple[str, ...]
    saved: float
    share: float
    overall: float
    overall_low: float
    overall_high: float
    overall_people: float
    overall_judge: float
    system_rater: float
    systems: tuple[AssistedSystem, ...]
    pairs: tuple[AssistedPair, ...]
    checks: tuple[LabelCheck, ...]
    by_rater: tuple[RaterMean, ...]
    calibration: tuple[HeldOutCheck, ...]
    alpha: float
    confidence: float
    resamples: int
    seed: int
    higher_is_better: bool


def compare_assisted(
    data: EvalSet,
    dimension: str,
    judge: str,
    *,
    design: str | None = None,
    calibrate: str | None = None,
    systems: Sequence[str] | None = None,
    alpha: float = 0.05,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> AssistedComparison:
    """Rank systems from the labels of people on some items and the scores of a judge on all.

    The estimate from both is right only if labelled items are a random part, or were drawn with known probabilities
    (`label_probability` of items, as `assay judge draw` writes them). `design="random"` states the first. Otherwise
    labelled outputs are compared with the others, and if they differ no interval is given. `calibrate` brings the
    judge's scores onto people's scale first, without letting a label calibrate itself.
    """
    choice(design or "random", "design", ("random",))
    human, scores, kind = _read_scores(data, dimension, judge, systems)
    names = human.systems
    labelled = ~np.isnan(human.values) & ~np.isnan(scores)
    if not labelled.any():
        raise InputError(f"no output was rated on {dimension!r} by a person and by {judge!r}; both are needed")
    by_rater = _stack_raters(data, dimension, names)
    held_out: tuple[HeldOutCheck, ...] = ()
    if calibrate is not None:
        fit = cross_fit(by_rater, scores, method=choice(calibrate, "calibrate", METHODS), seed=seed)
        held_out = (
            HeldOutCheck(
                calibrate, fit.labels, fit.folds, fit.error, fit.raw_error, fit.mean_error, fit.bias, fit.raw_bias
            ),
        )
        scores = fit.scores
    probabilities = read_probabilities(data, np.asarray(labelled.any(axis=0)))
    how, checks = _find_design(data, names, labelled, scores, probabilities, design, alpha, seed)
    refused = how == "unknown" and any(check.differs for check in checks)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)  # a system without labels is marked as such
        settings: dict[str, Any] = {"confidence": confidence, "resamples": resamples, "seed": seed}
        work = _Work(human.values, scores, probabilities, settings, refused, human.higher_is_better)
        return work.finish(
            names=names,
            head={
                "dimension": dimension,
                "judge": judge,
                "judge_kind": kind,
                "design": how,
                "refused": refused,
                "raters": data.raters,
                "checks": checks,
                "calibration": held_out,
                "alpha": alpha,
            },
            by_rater=by_rater,
        )


def _read_scores(
    data: EvalSet, dimension: str, judge: str, systems: Sequence[str] | None
) -> tuple[Scores, Floats, str]:
    """Return the mean labels of people, the scores of the judge, and its kind."""
    kinds = dict(data.assessors)
    if judge not in kinds:
        raise UnknownName("judge", judge, tuple(kinds), hint=f"(assessors: {', '.join(list(kinds)[:8])})")
    if kinds[judge] == "human":
        raise InputError(f'{judge!r} counts as a person: say that it is an LLM with --llm "{judge}"')
    human, scores = data.human(dimension), data.human(dimension, rater=judge)
    if systems is not None:
        human, scores = human.select(systems=systems), scores.select(systems=systems)
    return human, scores.values, kinds[judge]


def _stack_raters(data: EvalSet, dimension: str, systems: Sequence[str]) -> Floats:
    """Return the labels of each person, raters x systems x items."""
    rows = [data.human(dimension, rater=rater).select(systems=systems).values for rater in data.raters]
    return np.stack(rows)


def _find_design(
    data: EvalSet,
    systems: Sequence[str],
    labelled: NDArray[np.bool_],
    scores: Floats,
    probabilities: Floats | None,
    design: str | None,
    alpha: float,
    seed: int,
) -> tuple[str, tuple[LabelCheck, ...]]:
    """Return how labelled items were chosen, and how they compare with the others where that has to be found out."""
    if probabilities is not None:
        return "drawn", ()
    if (labelled | np.isnan(scores))[labelled.any(axis=1)].all():
        return "complete", ()
    checks = check_labels(data, systems, labelled, scores, alpha=alpha, seed=seed)
    return design or "unknown", checks


class _Work:
    """Holds labels and scores, systems x items, and makes the estimates."""

    def __init__(
        self,
        people: Floats,
        judge: Floats,
        probabilities: Floats | None,
        settings: dict[str, Any],
        refused: bool,
        higher: bool,
    ) -> None:
        self._people, self._judge, self._refused, self._higher = people, judge, refused, higher
        self._probabilities, self._settings = probabilities, settings
        self._labels = (~np.isnan(people) & ~np.isnan(judge)).sum(axis=1)
        self._corrected = self._labels >= MIN_ITEMS

    def finish(self, *, names: Sequence[str], head: dict[str, Any], by_rater: Floats) -> AssistedComparison:
        """Make the result."""
        means = self._estimate(self._people, self._judge)
        pairs = system_pairs(len(names))
        pairs = pairs[self._corrected[pairs].all(axis=1)]
        component = _system_rater(by_rater)
        alpha = float(head["alpha"])
        rows, separated, share = self._pairs(names, pairs, component, by_rater, alpha)
        overall = self._overall()
        labelled = ~np.isnan(self._people)
        labels = int(labelled.sum())
        return AssistedComparison(
            items=self._people.shape[1],
            labelled_items=int(labelled.any(axis=0).sum()),
            labels=labels,
            saved=labels * max(1 / share - 1, 0.0) if share > 0 and not self._refused else float("nan"),
            share=share,
            **overall,
            system_rater=component,
            systems=self._systems(names, means, pairs, separated),
            pairs=rows,
            by_rater=tuple(self._by_rater(names, by_rater, head["raters"])),
            higher_is_better=self._higher,
            **self._settings,
            **head,
        )

    def _estimate(self, labels: Floats, scores: Floats, **options: float) -> PredictionPowered:
        settings = {**self._settings, **options}
        return prediction_powered(labels, scores, probabilities=self._probabilities, **settings)

    def _systems(
        self, names: Sequence[str], means: PredictionPowered, pairs: NDArray[np.int64], separated: NDArray[np.int64]
    ) -> tuple[AssistedSystem, ...]:
        judge = _row_means(self._judge)
        both = np.where(self._corrected, means.value, judge)
        ranks = [_rank(values, self._higher) for values in (both, means.alone, judge)]
        low, high = _rank_intervals(pairs, separated, self._corrected)
        rows = []
        for i, name in enumerate(names):
            known = bool(self._corrected[i])
            usable = known and not self._refused
            share = float(means.share[i])
            rows.append(
                AssistedSystem(
                    system=name,
                    labels=int(self._labels[i]),
                    scored=int((~np.isnan(self._judge[i])).sum()),
                    people=float(means.alone[i]),
                    people_low=float(means.alone_low[i]),
                    people_high=float(means.alone_high[i]),
                    judge=float(judge[i]),
                    both=float(both[i]),
                    both_low=float(means.low[i]) if usable else float("nan"),
                    both_high=float(means.high[i]) if usable else float("nan"),
                    weight=float(means.weight[i]) if known else float("nan"),
                    saved=int(self._labels[i]) * max(1 / share - 1, 0.0) if usable and share > 0 else float("nan"),
                    rank=ranks[0][i] or 0,
                    rank_low=int(low[i]) if usable else None,
                    rank_high=int(high[i]) if usable else None,
                    people_rank=ranks[1][i],
                    judge_rank=ranks[2][i],
                    corrected=known,
                )
            )
        return tuple(sorted(rows, key=lambda row: row.rank))

    def _pairs(
        self, names: Sequence[str], pairs: NDArray[np.int64], component: float, by_rater: Floats, alpha: float
    ) -> tuple[tuple[AssistedPair, ...], NDArray[np.int64], float]:
        """Return the differences, the sign of each that is significant (else 0), and the share of variance."""
        if not len(pairs):
            return (), np.zeros(0, dtype=np.int64), float("nan")
        first, second = pairs[:, 0], pairs[:, 1]
        result = self._estimate(
            self._people[first] - self._people[second], self._judge[first] - self._judge[second], confidence=1 - alpha
        )
        alone = _p_value(result.alone, result.alone_error, result.labels)
        _, p, low, high = adjust_intervals(
            *(result.value, result.low, result.high, result.error, np.maximum(result.labels - 2.0, 1), pairs),
            alpha=alpha,
            seed=self._settings["seed"],
        )
        apart = (p <= alpha) & (not self._refused)
        raters = int((~np.isnan(by_rater)).any(axis=(1, 2)).sum())
        half = (high - low) / 2
        wider = half * np.sqrt(1 + 2 * component / raters / np.maximum(result.error, 1e-12) ** 2)
        hidden = np.nan if self._refused else 1.0
        rows = tuple(
            AssistedPair(
                first=names[a],
                second=names[b],
                labels=int(result.labels[i]),
                people=float(result.alone[i]),
                people_p=float(alone[i]),
                judge=float(_row_means((self._judge[a] - self._judge[b])[None])[0]),
                both=float(result.value[i]),
                low=float(hidden * low[i]),
                high=float(hidden * high[i]),
                p=float(hidden * p[i]),
                significant=bool(apart[i]),
                new_raters_low=float(hidden * (result.value[i] - wider[i])),
                new_raters_high=float(hidden * (result.value[i] + wider[i])),
            )
            for i, (a, b) in enumerate(pairs.tolist())
        )
        share = result.share[np.isfinite(result.share)]
        sign = np.where(apart, np.sign(result.value if self._higher else -result.value), 0).astype(np.int64)
        return rows, sign, float(np.median(share)) if len(share) else float("nan")

    def _overall(self) -> dict[str, Any]:
        """Estimate the mean over the systems that people judged: one number per item, so clustered by item."""
        people, judge = self._people[self._corrected], self._judge[self._corrected]
        if not len(people):
            return dict.fromkeys((f"overall{end}" for end in ("", "_low", "_high", "_people", "_judge")), float("nan"))
        result = self._estimate(people.mean(axis=0)[None], judge.mean(axis=0)[None])
        hidden = np.nan if self._refused else 1.0
        return {
            "overall": float(result.value[0]),
            "overall_low": float(hidden * result.low[0]),
            "overall_high": float(hidden * result.high[0]),
            "overall_people": float(result.alone[0]),
            "overall_judge": float(_row_means(judge.mean(axis=0)[None])[0]),
        }

    def _by_rater(self, names: Sequence[str], by_rater: Floats, raters: Sequence[str]) -> list[RaterMean]:
        """Estimate each system by the labels of each rater apart."""
        rows = []
        for rater, labels in zip(raters, by_rater, strict=True):
            result = self._estimate(labels, self._judge)
            rows += [
                RaterMean(name, rater, int(result.labels[i]), float(result.alone[i]), float(result.value[i]))
                for i, name in enumerate(names)
                if result.labels[i] >= MIN_ITEMS
            ]
        return rows


def _system_rater(by_rater: Floats) -> float:
    """Return the variance of systems x raters; NaN where the design cannot tell it, 0 where it is below 0."""
    rater, system, item = np.nonzero(~np.isnan(by_rater))
    if len(np.unique(rater)) < 2 or len(np.unique(system)) < 2:
        return float("nan")
    return variance_components(by_rater[rater, system, item], system, item, rater).system_rater


def _p_value(value: Floats, error: Floats, n: Floats) -> Floats:
    from scipy.special import stdtr

    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(2 * stdtr(np.maximum(n - 2, 1), -np.abs(value) / error))


def _rank(values: Floats, higher: bool) -> list[int | None]:
    """Return ranks from 1 for the best, None where there is no value."""
    known = values[~np.isnan(values)]
    return [None if np.isnan(v) else 1 + int(((known > v) if higher else (known < v)).sum()) for v in values]


def _rank_intervals(
    pairs: NDArray[np.int64], sign: NDArray[np.int64], corrected: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the best and worst rank of each system that significant differences leave open; all hold at once."""
    better, worse = np.zeros(len(corrected), dtype=np.int64), np.zeros(len(corrected), dtype=np.int64)
    for (first, second), s in zip(pairs.tolist(), sign.tolist(), strict=True):
        if s:
            winner, loser = (first, second) if s > 0 else (second, first)
            better[loser] += 1
            worse[winner] += 1
    return 1 + better, int(corrected.sum()) - worse


def _row_means(values: Floats) -> Floats:
    present = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(present, values, 0.0).sum(axis=1) / present.sum(axis=1))
