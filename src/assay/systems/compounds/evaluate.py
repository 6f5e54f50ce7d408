"""Score a splitter against gold splits, as in Owczarzak et al. 2014: segments, lemmas, and the guesser by itself."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...data.result import Result
from ...errors import InputError
from ...text.compounds.language import SplitLimits
from ...text.compounds.splitter import DYNAMIC, GUESSED, LEXICALIZED, UNSPLIT, CompoundSplit, CompoundSplitter
from .gold import GoldSplit

Interval = tuple[float, float]
BINS = 10
_NONE = (float("nan"), float("nan"))
# The settings of the guesser that Owczarzak et al. 2014 vary (Table 4), thinned out.
GRID = {"parts": (2, 3, 4, 8), "word": (3, 5, 7, 9, 12), "part": (2, 3, 4, 5), "unknown": (1, 2, 3, 4, 5)}


@dataclass(frozen=True)
class SplitScores:
    """How good some splits are: boundaries, lemmas of parts (where the gold has lemmas), and whole words.

    Precision is NaN where nothing was split, recall where the gold splits nothing, F where either is NaN or both are 0.
    """

    kind: ClassVar[str] = "split_scores"
    group: str
    words: int
    precision: float
    recall: float
    f1: float
    accuracy: float
    lemma_precision: float
    lemma_recall: float
    lemma_f1: float


@dataclass(frozen=True)
class SplitEvaluation(Result, question="compounds", kind="split_evaluation", shared=("language",)):
    """A splitter against gold: all words, compounds alone, and words by how they were split."""

    language: str
    words: int
    compounds: int
    never_split_accuracy: float
    f1_low: float
    f1_high: float
    accuracy_low: float
    accuracy_high: float
    calibration_error: float
    resamples: int
    seed: int
    scores: tuple[SplitScores, ...]


def evaluate(
    splitter: CompoundSplitter, gold: Sequence[GoldSplit], *, resamples: int = 1000, seed: int = 0
) -> SplitEvaluation:
    """Split the words of a gold set and compare; intervals by resampling words."""
    splits = splitter.split([g.word for g in gold])
    counts = np.array([_counts(g, s) for g, s in zip(gold, splits, strict=True)], dtype=float)
    is_compound = np.array([bool(g.boundaries) for g in gold])
    sources = np.array([s.source for s in splits])
    groups = [("all", np.ones(len(gold), bool)), ("compounds", is_compound)]
    groups += [(name, sources == name) for name in (LEXICALIZED, DYNAMIC, GUESSED, UNSPLIT)]
    rows = tuple(_scores(name, counts[mask]) for name, mask in groups if mask.any())
    f1, accuracy = _intervals(counts, resamples, seed)
    return SplitEvaluation(
        splitter.language.name,
        len(gold),
        int(is_compound.sum()),
        float(1 - is_compound.mean()),
        f1_low=f1[0],
        f1_high=f1[1],
        accuracy_low=accuracy[0],
        accuracy_high=accuracy[1],
        calibration_error=calibration_error(np.array([s.score for s in splits]), counts[:, 3]),
        resamples=resamples,
        seed=seed,
        scores=rows,
    )


def calibration_error(scores: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    """Return how far scores are from the share of words that are right, on average over ten groups of like score.

    The groups are of equal size, as far as possible; words with the same score stand in the order they came in.

    >>> calibration_error(np.array([0.5, 0.5, 1.0, 1.0]), np.array([1.0, 0.0, 1.0, 1.0]))
    0.25
    """
    order = np.argsort(scores, kind="stable")
    groups = np.array_split(order, min(BINS, len(order)))
    return float(sum(abs(scores[g].sum() - right[g].sum()) for g in groups) / len(order))


def _counts(gold: GoldSplit, split: CompoundSplit) -> tuple[float, ...]:
    """Count boundaries that are right, set and in the gold; whether all are right; the same of lemmas."""
    right = len(set(gold.boundaries) & set(split.boundaries))
    same = gold.boundaries == split.boundaries
    boundaries = (right, len(split.boundaries), len(gold.boundaries), same)
    if len(gold.boundaries) == 0 or not gold.lemmas:
        return (*boundaries, 0, 0, 0)
    ours, theirs = (Counter(map(str.lower, lemmas)) for lemmas in ([p.lemma for p in split.parts], gold.lemmas))
    return (*boundaries, (ours & theirs).total(), ours.total() if split.boundaries else 0, theirs.total())


def _scores(name: str, counts: NDArray[np.float64]) -> SplitScores:
    right, ours, theirs, same, lemmas, our_lemmas, gold_lemmas = counts.sum(axis=0).tolist()
    return SplitScores(
        name,
        len(counts),
        *_prf(right, ours, theirs),
        same / len(counts),
        *_prf(lemmas, our_lemmas, gold_lemmas),
    )


def _prf(right: float, ours: float, theirs: float) -> tuple[float, float, float]:
    precision = right / ours if ours else float("nan")
    recall = right / theirs if theirs else float("nan")
    return precision, recall, 2 * right / (ours + theirs) if right else (0.0 if ours and theirs else float("nan"))


def _intervals(counts: NDArray[np.float64], resamples: int, seed: int) -> tuple[Interval, Interval]:
    """Return 95 % percentile intervals of F and accuracy over resampled words."""
    if resamples < 2:
        return _NONE, _NONE
    generator = np.random.default_rng(seed)
    sums = np.stack([counts[generator.integers(0, len(counts), len(counts)), :4].sum(axis=0) for _ in range(resamples)])
    with np.errstate(invalid="ignore", divide="ignore"):
        f1 = 2 * sums[:, 0] / (sums[:, 1] + sums[:, 2])
    return _middle(f1), _middle(sums[:, 3] / len(counts))


def _middle(values: NDArray[np.float64]) -> Interval:
    values = values[np.isfinite(values)]
    if not len(values):
        return _NONE
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


@dataclass(frozen=True)
class GuesserSetting:
    """One combination of limits, and the share of words with the right boundaries."""

    kind: ClassVar[str] = "guesser_setting"
    parts: int
    word: int
    part: int
    unknown: int
    accuracy: float


@dataclass(frozen=True)
class SettingCorrelation:
    """Pearson's r between a limit and the accuracy, over all combinations; NaN where nothing varies."""

    kind: ClassVar[str] = "guesser_correlation"
    limit: str
    correlation: float


@dataclass(frozen=True)
class GuesserEvaluation(Result, question="compounds", kind="guesser_evaluation", shared=("language",)):
    """The guesser on compounds of which one part was removed from the lexicon.

    `accuracy` and `lemma_f1` are of the model; the settings are those of the paper's order, longest first part.
    """

    language: str
    words: int
    removed_lemmas: int
    removed_forms: int
    accuracy: float
    accuracy_low: float
    accuracy_high: float
    lemma_f1: float
    best: tuple[GuesserSetting, ...]
    correlations: tuple[SettingCorrelation, ...]
    resamples: int
    seed: int


def removed_lemmas(gold: Sequence[GoldSplit]) -> list[str]:
    """Choose one lemma of every compound, by a hash of the word, so that the choice is the same every time.

    >>> removed_lemmas([GoldSplit("Haustür", (4,), ("Haus", "Tür"))])
    ['tür']
    """
    lemmas = (g.lemmas[hashlib.sha256(g.word.encode()).digest()[0] % len(g.lemmas)] for g in gold if g.lemmas)
    return sorted({lemma.lower() for lemma in lemmas})


def evaluate_guesser(
    splitter: CompoundSplitter, gold: Sequence[GoldSplit], *, resamples: int = 1000, seed: int = 0
) -> GuesserEvaluation:
    """Remove one lemma of every compound from the lexicon, and split the compounds with what is left (section 4.3).

    As in the paper all words are compounds, so nothing is refused; lexicalized entries are not used.
    """
    compounds = [g for g in gold if g.boundaries and g.lemmas]
    if not compounds:
        raise InputError("the guesser is evaluated on compounds with lemmas of their parts, and the gold has none")
    lemmas = tuple(removed_lemmas(compounds))
    without = replace(splitter, force=True, guess=True, lexicalized=False, removed=lemmas)
    words = [g.word for g in compounds]
    splits = without.split(words)
    counts = np.array([_counts(g, s) for g, s in zip(compounds, splits, strict=True)], dtype=float)
    settings = sorted(_sweep(without, compounds), key=lambda s: -s.accuracy)
    scores = _scores("guesser", counts)
    low, high = _intervals(counts, resamples, seed)[1]
    return GuesserEvaluation(
        splitter.language.name,
        len(compounds),
        len(lemmas),
        without.removed_forms(),
        scores.accuracy,
        accuracy_low=low,
        accuracy_high=high,
        lemma_f1=scores.lemma_f1,
        best=tuple(settings[:5]),
        correlations=tuple(_correlate(settings)),
        resamples=resamples,
        seed=seed,
    )


def _sweep(splitter: CompoundSplitter, gold: Sequence[GoldSplit]) -> Iterator[GuesserSetting]:
    words = [g.word for g in gold]
    core = replace(splitter, ranking="longest").make_core(1)
    for parts, word, part, unknown in product(*GRID.values()):
        limits = SplitLimits(parts, word, part, part, unknown)
        core.set_guesser(limits.array())
        marked = core.mark(words, "|")
        right = sum(_boundaries(text) == g.boundaries for text, g in zip(marked, gold, strict=True))
        yield GuesserSetting(parts, word, part, unknown, right / len(gold))


def _boundaries(marked: str) -> tuple[int, ...]:
    ends = np.cumsum([len(piece) for piece in marked.split("|")])
    return tuple(ends[:-1].tolist())


def _correlate(settings: Sequence[GuesserSetting]) -> Iterator[SettingCorrelation]:
    accuracy = np.array([s.accuracy for s in settings])
    for limit in GRID:
        values = np.array([getattr(s, limit) for s in settings], dtype=float)
        varies = values.std() > 0 and accuracy.std() > 0
        yield SettingCorrelation(limit, float(np.corrcoef(values, accuracy)[0, 1]) if varies else float("nan"))
