"""LLM judges on SummEval: how often intervals hold the truth, of means with a judge's help and of a judge's biases.

The truth is known because items are drawn with replacement from SummEval's 100, whose means are the truth, or because a
bias of known size is planted.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from common import Figure, data_folder, main

from assay import EvalSet, read
from assay.errors import UndefinedWarning
from assay.stats import length_slope, position_effect, prediction_powered, self_preference
from assay.stats.label_sampling import draw_systematic, inclusion_probabilities

JUDGES = ("gpt-4o",)
SIZES = (20, 100)
DIFFERENCES = 5  # pairs of systems beside the means of the 16 systems and of all


@lru_cache(maxsize=1)
def summeval(folder: Path) -> EvalSet:
    """Return SummEval with its three experts and the six LLM judges."""
    judgments = folder / "summeval-llm-judges.jsonl.gz"
    return read(folder / "summeval.jsonl.gz", judgments=judgments).keep_raters(["expert*"])


@dataclass(frozen=True)
class Coverage:
    """Share of 95 % intervals that hold the truth: with the judge's help and from people alone; labels saved."""

    both: float
    alone: float
    saved: float


def coverage(folder: Path, dimension: str, judge: str, labels: int, draws: int, seed: int = 0) -> Coverage:
    """Draw labelled items and four times as many others, and see how often the intervals hold the truth."""
    data = summeval(folder)
    people, scores = (_targets(x.values) for x in (data.human(dimension), data.human(dimension, rater=judge)))
    truth, rng = people.mean(axis=1), np.random.default_rng(seed)
    hits, shares = np.zeros(2), []
    for _ in range(draws):
        index = rng.integers(0, people.shape[1], size=5 * labels)
        known = people[:, index]
        known[:, labels:] = np.nan
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UndefinedWarning)
            result = prediction_powered(known, scores[:, index], resamples=400, seed=rng)
        hits += [_holds(result.low, result.high, truth), _holds(result.alone_low, result.alone_high, truth)]
        shares.append(np.nanmedian(result.share))
    return Coverage(*(hits / draws).tolist(), 1 / float(np.mean(shares)) - 1)


def _targets(values: np.ndarray) -> np.ndarray:
    """Return the rows of the systems, of their mean, and of some differences."""
    pairs = values[:DIFFERENCES] - values[DIFFERENCES : 2 * DIFFERENCES]
    return np.concatenate([values, values.mean(axis=0)[None], pairs])


def _holds(low: np.ndarray, high: np.ndarray, truth: np.ndarray) -> float:
    """Return the share of intervals that hold the truth; one that is undefined does not."""
    return float(((low <= truth + 1e-12) & (truth - 1e-12 <= high)).mean())


@dataclass(frozen=True)
class Recovery:
    """Share of 95 % intervals that hold the planted bias, and the mean estimate."""

    held: float
    mean: float


def recover(folder: Path, bias: str, size: float, simulations: int) -> Recovery:
    """Plant a bias of this size so many times and estimate it; people have SummEval's noise."""
    plant = {"length": _plant_length, "self-preference": _plant_family, "position": _plant_position}[bias]
    intervals = [plant(folder, size, np.random.default_rng(seed)) for seed in range(simulations)]
    return Recovery(
        float(np.mean([i.low <= size <= i.high for i in intervals])), float(np.mean([i.value for i in intervals]))
    )


def _draw_quality(folder: Path, rng: np.random.Generator):
    """Draw items, and return the quality of their outputs, ratings by three people, and lengths.

    Quality is the experts' mean on coherence; people add noise of the size that SummEval's experts have among each
    other after their severity is taken out.
    """
    quality, noise, lengths = _summeval_noise(folder)
    index = rng.integers(0, quality.shape[1], size=quality.shape[1])
    drawn = quality[:, index]
    return drawn, drawn + noise * rng.normal(size=(3, *drawn.shape)), lengths[:, index]


@lru_cache(maxsize=1)
def _summeval_noise(folder: Path):
    data = summeval(folder)
    by_rater = np.stack([data.human("coherence", rater=r).values for r in data.raters])
    centred = by_rater - by_rater.mean(axis=(1, 2), keepdims=True)
    noise = np.sqrt(centred.var(axis=0, ddof=1).mean())
    lengths = np.array([[len(data[i].outputs[s].split()) for i in data.items] for s in data.systems], dtype=float)
    return by_rater.mean(axis=0), noise, lengths


def _plant_length(folder: Path, size: float, rng: np.random.Generator):
    quality, people, lengths = _draw_quality(folder, rng)
    judge = 0.7 * quality + size * np.log(lengths) + rng.normal(0, 0.6, size=quality.shape)
    return length_slope(judge, people, lengths).corrected


def _plant_family(folder: Path, size: float, rng: np.random.Generator):
    quality, people, _ = _draw_quality(folder, rng)
    own = np.arange(len(quality)) < 4
    return self_preference(quality + size * own[:, None] + rng.normal(0, 0.6, size=quality.shape), people, own)


def _plant_position(folder: Path, size: float, rng: np.random.Generator):
    quality, _, _ = _draw_quality(folder, rng)
    items, won = [], []
    for item in range(quality.shape[1]):
        for first, second in rng.permutation(len(quality))[:4].reshape(2, 2):
            gap = np.clip(0.1 * (quality[first, item] - quality[second, item]), -0.3, 0.3)
            for ahead in (gap, -gap):  # in both orders
                items.append(item)
                won.append(float(rng.random() < 0.5 + size + ahead))
    return position_effect(won, items)


@dataclass(frozen=True)
class DrawnMeans:
    """Mean error of estimates from drawn items over all draws, in standard errors, and that of picked items."""

    bias: float
    error: float
    picked: float


def draw_and_estimate(folder: Path, dimension: str, judge: str, items: int, draws: int) -> DrawnMeans:
    """Draw items by the disagreement of judges so many times and estimate the mean over systems each time.

    `picked` is what the items on which judges disagree most would say, without probabilities.
    """
    data = summeval(folder)
    llms = [name for name, kind in data.assessors if kind == "llm"]
    people, scores = (x.values.mean(axis=0)[None] for x in (data.human(dimension), data.human(dimension, rater=judge)))
    stack = np.stack([data.human(dimension, rater=name).values for name in llms])
    size = (stack - stack.mean(axis=2, keepdims=True)).std(axis=0, ddof=1).mean(axis=0)
    p, errors = inclusion_probabilities(size**4, items), []  # a steep size, so that a bias would be seen
    for seed in range(draws):
        labels = np.where(draw_systematic(p, seed), people, np.nan)
        errors.append(prediction_powered(labels, scores, probabilities=p, interval="t").value[0] - people.mean())
    top = np.isin(np.arange(people.shape[1]), np.argsort(-size)[:items])
    return DrawnMeans(
        float(np.mean(errors)), float(np.std(errors) / np.sqrt(draws)), float(people[:, top].mean() - people.mean())
    )


def figures() -> list[Figure]:
    """Run everything: about ten minutes."""
    folder, rows = data_folder(), []
    for dimension in ("coherence", "relevance", "fluency", "consistency"):
        for judge in JUDGES:
            for labels in SIZES:
                strict = labels >= 100 and dimension in ("coherence", "relevance")
                result = coverage(folder, dimension, judge, labels, 2000 if strict else 300)
                where = f"{dimension}, {judge}, {labels} labels"
                note = f"people alone {result.alone:.3f}; as {100 * result.saved:.0f}% more labels"
                within = 0.015 if strict else None
                rows.append(Figure(where, 0.95 if strict else result.alone, result.both, within, note))
    for bias, size in (("length", 0.5), ("self-preference", 0.3), ("position", 0.1)):
        for planted in (size, 0.0):
            result = recover(folder, bias, planted, 1000)
            note = f"mean estimate {result.mean:.3f}"
            rows.append(Figure(f"{bias} bias of {planted:g} planted", 0.95, result.held, 0.02, note))
    for dimension in ("coherence", "consistency"):
        drawn = draw_and_estimate(folder, dimension, "gpt-4o", 40, 2000)
        note = f"standard error {drawn.error:.4f}; the 40 most disputed items would be off by {drawn.picked:+.3f}"
        rows.append(Figure(f"{dimension}: error of the mean with 40 drawn items", 0.0, drawn.bias, 0.005, note))
    return rows


NOTES = [
    "Of means: share of 95 % intervals (16 systems, their mean, 5 differences) that hold the truth, with the help of "
    "the judge; items drawn with replacement from SummEval's 100, four unlabelled to a label, three experts per label. "
    "2,000 draws with 100 labels on coherence and relevance, which must be .95 +- .015; elsewhere 300 draws, and the "
    "figure beside it is what people alone reach. Labels: a t interval, a bootstrap-t where they are few or skewed.",
    "Of biases: share of 1,000 simulations whose 95 % interval holds the planted bias (0: none is planted).",
    "Of drawn items: mean error of 2,000 estimates from 40 of the 100 items, drawn more often where judges disagree.",
]

if __name__ == "__main__":
    main("summeval_judges", "LLM judges on SummEval", NOTES, figures)
