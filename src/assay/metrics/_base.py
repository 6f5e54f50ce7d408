"""What every metric is: a frozen dataclass whose fields are its parameters and its signature."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..component import Component
from ..data.evalset import EvalSet
from ..errors import InputError, UnknownName
from ..matching.batch import Batch, Counts, Request
from ..matching.lattice import takes_alternatives
from ..text import Reading
from ..units.surface import Subsequence, SurfaceUnit

Floats = NDArray[np.float64]

MEASURES = ("precision", "recall", "f", "precision-brevity")
POOLINGS = ("single", "max", "all", "prob", "sum", "mean", "best", "best-recall", "jackknife")


@dataclass(frozen=True)
class Metric(Component):
    """One number per output."""

    higher_is_better: ClassVar[bool] = True
    needs: ClassVar[str] = "references"  # or "sources", or "outputs" alone: what an item must have to be scored

    @property
    def whole_set(self) -> bool:
        """Whether all `background` must be read before the first output is scored."""
        return False

    def background(self, data: EvalSet) -> list[str]:
        """What it must read of a set, if `whole_set`: all references, where a metric does not say otherwise."""
        return data.flat[1]

    def prepare(self, texts: Iterable[list[str]]) -> Metric:
        """The same metric, ready for a set with this background, if `whole_set`; it comes in parts."""
        return self

    def ready(self, chunks: Iterable[EvalSet]) -> Metric:
        """The same metric, ready for the set that these chunks make; they may be read more than once."""
        return self.prepare(self.background(chunk) for chunk in chunks) if self.whole_set else self

    def values(self, batch: Batch) -> Floats:
        """One number per output, NaN where there is none."""
        raise NotImplementedError

    def requests(self) -> Iterable[Request]:
        """The counts it will ask the batch for, so that several metrics' can be made in one pass."""
        return ()

    def statistics(self, batch: Batch) -> Floats | None:
        """Rows (output x statistic) that add up over items, for metrics with a corpus score of their own."""
        return None

    def corpus(self, sums: Floats) -> Floats:
        """The corpus score of each row of summed statistics."""
        raise NotImplementedError

    def takes_alternatives(self) -> bool:
        """Whether it reads references with alternatives as lattices; others would take the text alone for all."""
        return False

    def notes(self, batch: Batch) -> Mapping[str, int]:
        """What was done otherwise than asked, and for how many outputs: said once, for the whole run."""
        return {}


def check_choice(metric: str, parameter: str, value: str, choices: Iterable[str]) -> None:
    """Refuses a value that is not among the choices, naming them."""
    choices = tuple(choices)
    if value not in choices:
        raise UnknownName(f"{parameter} of {metric}", value, choices, hint=f"(there are {', '.join(choices)})")


@dataclass(frozen=True, kw_only=True)
class OverlapMetric(Metric):
    """Unit x measure x pooling over references: a subclass says the unit and the defaults.

    measure: precision, recall, f (with beta), precision-brevity. 0/0 is 0, as in rouge-score and ROUGE-1.5.5; an item
    without references has no score (NaN).
    refs: single (the first), max (the best under the measure), all (union, largest count), prob (weight = share of
    references that hold the unit), sum (matches and totals summed), mean, best (the reference with the highest F),
    best-recall (the one with the highest recall), jackknife (mean over the sets that leave one out of the best).
    own: skip leaves out a reference that is the output's own text; keep scores a person against themselves too.
    """

    measure: str = "f"
    beta: float = 1.0
    refs: str = "max"
    tokenizer: str = "unicode"
    stem: str | bool = "none"
    stop: bool = False
    own: str = "skip"

    def __post_init__(self) -> None:
        check_choice(self.title, "measure", self.measure, MEASURES)
        check_choice(self.title, "refs", self.refs, POOLINGS)
        check_choice(self.title, "own", self.own, ("skip", "keep"))
        if not (self.beta > 0 and np.isfinite(self.beta)):
            raise InputError(f"beta of {self.title} must be above 0; got {self.beta}")
        object.__setattr__(self, "stem", self.reading().stem)

    def counted(self) -> SurfaceUnit | Subsequence:
        """What is counted."""
        raise NotImplementedError

    def reading(self) -> Reading:
        """How texts are cut into words."""
        return Reading(self.tokenizer, self.stem, self.stop)

    def requests(self) -> Iterable[Request]:
        return (Request(self.counted(), self.reading(), self.own == "keep"),)

    def takes_alternatives(self) -> bool:
        return takes_alternatives(self.counted())

    def counts(self, batch: Batch) -> Counts:
        """The additive statistics everything else is made of."""
        return batch.counts(self.counted(), self.reading(), keep_own=self.own == "keep")

    def values(self, batch: Batch) -> Floats:
        return self.finish(self.counts(batch), batch)

    def finish(self, counts: Counts, batch: Batch, *, digits: int = -1, power: float = 1.0) -> Floats:
        """Measure and pooling."""
        measure, pooling = MEASURES.index(self.measure), POOLINGS.index(self.refs)
        layout = batch.layout(self.own == "keep")
        return _core.pool(counts, layout, measure, pooling, self.beta, digits, power)
