"""The JSON records of `assay agree`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..raters import Agreement, Alternative, Consistency, Dropped, Experts, Needed, RaterPair, RaterProfile


def agreement_record(a: Agreement) -> dict[str, Any]:
    """One dimension."""
    drawn = a.two_raters
    return {
        "kind": "agreement", "dimension": a.dimension, "raters": len(a.raters), "outputs": a.outputs,
        "ratings": a.ratings, "measure": a.alpha.measure, "alpha": a.alpha.value, "low": a.alpha.low,
        "high": a.alpha.high, "agreement": a.percent, "kappa": a.kappa, "icc": a.icc.value if a.icc else None,
        "icc_form": a.icc.form if a.icc else None, "simulated_agreement": drawn.agreement if drawn else None,
        "simulated_kappa": drawn.kappa if drawn else None, "resamples": a.resamples, "simulations": a.simulations,
        "seed": a.seed, "sentence": a.sentence(),
    }  # fmt: skip


def needed_record(design: Needed, sentence: str) -> dict[str, Any]:
    """What the study has and needs."""
    return {
        "kind": "needed", "dimension": design.dimension, "reliability_of_one": design.reliability_of_one,
        "raters_now": design.raters_now, "target": design.target, "raters": design.raters, "items": design.items_now,
        "half_width": design.half_width(), "difference": design.difference(), "power": design.power,
        "sentence": sentence,
    }  # fmt: skip


def rater_record(dimension: str, p: RaterProfile, twice: Consistency) -> dict[str, Any]:
    """One rater."""
    own = twice.of(p.rater)
    return {
        "kind": "rater", "dimension": dimension, "rater": p.rater, "n": p.n, "mean": p.mean, "severity": p.severity,
        "spread": p.spread, "used": p.used, "rest": p.rest, "self_alpha": own.alpha.value if own else None,
        "self_pairs": own.pairs if own else 0,
    }  # fmt: skip


def pair_record(dimension: str, p: RaterPair) -> dict[str, Any]:
    """Two raters."""
    ids = {"kind": "pair", "dimension": dimension, "first": p.first, "second": p.second}
    return {**ids, "n": p.n, "agreement": p.agreement, "kappa": p.kappa, "r": p.correlation}


def consistency_record(twice: Consistency) -> dict[str, Any]:
    """All pairs of identical texts."""
    return {
        "kind": "consistency", "dimension": twice.dimension, "pairs": twice.pairs, "same": twice.same,
        "alpha": twice.overall.value, "low": twice.overall.low, "high": twice.overall.high,
        "sentence": twice.sentence(),
    }  # fmt: skip


def experts_record(result: Experts) -> dict[str, Any]:
    """Experts and crowd."""
    m, pair, drawn = result.expert_worker, result.expert_expert, result.two_workers
    return {
        "kind": "experts", "dimension": result.dimension, "experts": result.experts, "crowd": result.crowd, "n": m.n,
        "agreement": m.agreement, "kappa": m.kappa, "low": m.kappa_low, "high": m.kappa_high, "r": m.correlation,
        "expert_agreement": pair[0], "expert_kappa": pair[1], "crowd_agreement": drawn.agreement if drawn else None,
        "crowd_kappa": drawn.kappa if drawn else None, "resamples": result.resamples, "seed": result.seed,
        "sentence": result.sentence(),
    }  # fmt: skip


def drop_records(result: Dropped) -> Iterator[dict[str, Any]]:
    """What became of the ranking, then of each metric."""
    ids = {"dimension": result.dimension, "by": result.by, "raters": result.raters}
    yield {
        "kind": "drop", **ids, "pearson": result.pearson, "spearman": result.spearman, "kept": result.kept,
        "outputs_before": result.outputs_before, "outputs_after": result.outputs_after,
        "items_before": result.items_before, "items_after": result.items_after, "alpha_before": result.alpha_before,
        "alpha_after": result.alpha_after, "sentence": result.sentence(),
    }  # fmt: skip
    for m in result.metrics:
        yield {
            "kind": "drop-metric", **ids, "metric": m.metric, "systems_before": m.systems_before,
            "systems_after": m.systems_after, "outputs_before": m.outputs_before, "outputs_after": m.outputs_after,
        }  # fmt: skip


def alternative_record(result: Alternative) -> dict[str, Any]:
    """A judge in the place of a human."""
    return {
        "kind": "alternative", "dimension": result.dimension, "judge": result.judge, "passes": result.passes,
        "winning_rate": result.winning_rate, "advantage": result.advantage, "epsilon": result.epsilon, "q": result.q,
        "score": result.score, "outputs": result.outputs, "skipped": result.skipped, "sentence": result.sentence(),
    }  # fmt: skip
