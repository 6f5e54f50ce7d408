"""Average: the one threshold at which the texts of a file have a given mean token rate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ....errors import InputError
from ...system import LanguageGate
from .._base import Compressor, Source, Threshold
from ..truth.word_choice import CHARGES

_FINE = 1024  # charges in a logit: the threshold is the best of these
_LEVELS = 3
BATCH = 64


class RateCurve:
    """The mean token rate of many texts as a function of the charge for a word, in memory that does not grow.

    >>> curve = RateCurve()
    >>> curve.add([[(-64.0, 1.0), (0.5, 0.4)]])
    >>> curve.add([[(-64.0, 0.8), (2.0, 0.6)]])
    >>> curve.find(0.72)
    Threshold(ratio=0.72, charge=0.5, level=0, mean=0.6)
    """

    def __init__(self) -> None:
        self.steps: NDArray[np.float64] = np.zeros((_LEVELS, round(2 * CHARGES * _FINE) + 1))
        self.texts = 0

    def add(self, levels: Sequence[Sequence[tuple[float, float]]]) -> None:
        """Add a text: of each level the charges from which on it has a rate; one without levels does not count."""
        if not levels:
            return
        self.texts += 1
        for level in range(_LEVELS):
            before = 0.0
            for charge, rate in levels[min(level, len(levels) - 1)]:
                place = int(np.ceil((charge + CHARGES) * _FINE))
                self.steps[level, min(max(place, 0), self.steps.shape[1] - 1)] += rate - before
                before = rate

    def find(self, ratio: float) -> Threshold:
        """Find the threshold with the highest mean rate that is at most the ratio.

        The first level on which there is one is taken; where none has one, the last, with the lowest mean it has.
        """
        if not self.texts:
            return Threshold(ratio)
        means = np.cumsum(self.steps, axis=1) / self.texts
        fits = means <= ratio + 1e-9
        level = next((level for level in range(_LEVELS) if fits[level].any()), _LEVELS - 1)
        best = np.where(fits[level], means[level], -1.0).argmax() if fits[level].any() else means[level].argmin()
        return Threshold(ratio, float(best / _FINE - CHARGES), level, round(float(means[level][best]), 12))


def check_average(compressor: Compressor, ratio: float, budget: bool) -> None:
    """Refuse a mean rate that cannot be, one together with a limit for each text, a system that cannot reach one."""
    if isinstance(ratio, bool) or not isinstance(ratio, (int, float)) or not 0 < ratio <= 1:
        raise InputError(f"average_ratio must be above 0 and at most 1 (a share of the tokens); got {ratio!r}")
    if budget:
        raise InputError("average_ratio is the mean of all texts: give no ratio, words or chars of each with it")
    if not compressor.has_threshold:
        raise InputError(f"{compressor.name} has no threshold for --average-ratio; tagger-tree has, or use --ratio")


def find_threshold(
    compressor: Compressor, sources: Iterable[Sequence[Source]], ratio: float, gate: LanguageGate
) -> Threshold:
    """Find the threshold at which the texts that pass the gate, given in batches, have this mean token rate."""
    curve = RateCurve()
    for batch in sources:
        foreign = gate.find([source.text for source in batch])
        for levels in compressor.trace([source for source, name in zip(batch, foreign, strict=True) if not name]):
            curve.add(levels)
    return curve.find(ratio)


def share_threshold(
    compressor: Compressor, sources: Sequence[Source], ratio: float, gate: LanguageGate
) -> list[Source]:
    """Give all sources the threshold at which their texts have this mean token rate."""
    waiting = [replace(source, threshold=Threshold(ratio)) for source in sources]
    batches = (waiting[i : i + BATCH] for i in range(0, len(waiting), BATCH))
    threshold = find_threshold(compressor, batches, ratio, gate)
    return [replace(source, threshold=threshold) for source in sources]
