"""CLASSY's three sets: fit to one year, choose by the next, fit again to that, predict a third (Owczarzak 2012, 4)."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .. import meta, stats
from ..data.evalset import EvalSet
from ..data.scores import Floats, Scores
from ..errors import InputError, UndefinedWarning
from ..meta import Correlation
from ..metrics.learned import Learned, scorer
from ..raters import rank_raters
from ..raters._input import ignore_undefined
from ..scoring.score import score
from .dataset import Material, judged
from .examples import Examples
from .models import model
from .subsets import Chosen, choose

MODELS = ("robust", "nnls", "cca")


@dataclass(frozen=True, eq=False)
class Years:
    """What was chosen, the scorer fitted to the second set, and its correlations with people on the third.

    `topics` counts those of the first two sets that were learned from, `left_out` names the others.
    """

    chosen: Chosen
    scorer: Learned
    level: str
    method: str
    topics: tuple[int, int]
    left_out: tuple[str, ...]
    test: tuple[Correlation, ...] = ()

    def sentence(self) -> str:
        """The answer in words."""
        c = self.chosen
        how = "forward steps" if c.greedy else "all sets of features"
        said = (
            f"{c.model} on {', '.join(c.names)} predicts the second set best ({self.method} {c.value:.3f} at "
            f"{self.level} level; {c.tried} fits, {how})"
        )
        return f"{said}; on the third it reaches {self.test[0].value:.3f}." if self.test else f"{said}."


def learn_years(
    fit: Material,
    select: Material,
    *,
    models: Sequence[str] = MODELS,
    level: str = "system",
    method: str = "pearson",
    normalize: str = "none",
    without: Collection[str] = (),
    exhaustive: int = 12,
) -> Years:
    """Fit every set of features by every model to the first set, choose by the second, and fit again to the second.

    The best is the one whose scores correlate most with people on the second set, at this level by this method.
    `without` names topics of both sets that are left out (those of inconsistent assessors).
    """
    if fit.inputs != select.inputs:
        raise InputError("the sets to fit and to select by must have the same features")

    def criterion(predicted: Floats, rows: Examples) -> float:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UndefinedWarning)
            return stats.correlate(rows.table(rows.y[:, 0]), rows.table(predicted), level=level, method=method).value

    rows = [given.examples(without) for given in (fit, select)]
    chosen = choose(rows[0], rows[1], [model(m) for m in models], criterion, normalize=normalize, exhaustive=exhaustive)
    record = {
        **select.record(),
        "model": chosen.model,
        "normalize": normalize,
        "rows": len(rows[1]),
        "left_out": rows[1].left_out,
        "chosen": {
            "fitted_to": fit.record()["data"], "by": f"{method} at {level} level", "value": chosen.value,
            "fits": chosen.tried, "of": [f.signature for f in fit.inputs], "without": sorted(without),
        },
    }  # fmt: skip
    kept = list(chosen.features)
    made = scorer([select.inputs[i] for i in kept], chosen.fitted, [select.metrics[i] for i in kept], record)
    known = tuple(t for t in dict.fromkeys((*fit.topics, *select.topics)) if t in set(without))
    counts = (len(np.unique(rows[0].topic)), len(np.unique(rows[1].topic)))
    years = Years(chosen, made, level, method, counts, known)
    record["sentence"] = years.sentence()
    return years


def on_third_set(
    years: Years, data: EvalSet, *, target: str, raters: Sequence[str] | None = None, people: str = "exclude",
    scores: Sequence[Scores] = (), resamples: int = 1000, seed: int = 0, threads: int = 1,
) -> tuple[Correlation, ...]:  # fmt: skip
    """How the scorer correlates with people on a third set: systems, items, and the measure it was chosen by."""
    made = years.scorer.with_scores(scores) if years.scorer.outside else years.scorer
    predicted = score(data, made, threads=threads)
    human = judged(data, target, raters)
    without = () if people == "include" else data.people
    asked = dict.fromkeys([(years.level, years.method), ("system", "pearson"), ("item", "pearson")])
    return tuple(
        meta.correlate(predicted, human, level=level, method=method, resamples=resamples, seed=seed, without=without)
        for level, method in asked
    )


def worst_assessors(
    data: Sequence[EvalSet], dimension: str, worst: int, *, by: str = "consistency"
) -> tuple[tuple[str, ...], frozenset[str]]:
    """The least consistent assessors of these sets together, worst first, and the items that they judged.

    by: consistency (alpha on texts judged twice, as in the paper), rest, severity or mean, as in `rank_raters`; who has
    no number stays in.
    """
    items = [replace(item, id=f"{k}/{item.id}") for k, one in enumerate(data) for item in one]
    with ignore_undefined():  # an assessor who cannot be ranked stays
        found = rank_raters(EvalSet(items, allow_missing=True), dimension, by=by)
    if worst >= len(found.raters):
        raise InputError(
            f"leaving out {worst} of {len(found.raters)} assessors of {dimension!r} who can be ranked by {by} leaves "
            "none"
        )
    names = found.worst(worst)
    judged_by = {
        i.id for one in data for i in one for j in i.judgments if j.rater in names and j.dimension == dimension
    }
    return names, frozenset(judged_by)
