"""What the metrics on dependency triples share: parser, words, measure, pooling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .. import _core
from ..errors import InputError
from ..matching.batch import Batch, Counts
from ..matching.triple_bags import TripleUnit, counts
from ..units.dependency import WORDS
from ._base import MEASURES, POOLINGS, Floats, Metric, check_choice


@dataclass(frozen=True, kw_only=True)
class ParsedMetric(Metric):
    """Overlap of dependency triples: a subclass says which.

    measure: precision, recall, f (with beta), precision-brevity. 0/0 is 0; an item without references has no score
    (NaN). A text that gives no triples (one word, in most units) scores 0.
    refs: single (the first), max (the best under the measure), all (union, largest count), prob (weight = share of
    references that hold the unit), sum (matches and totals summed), mean, best (the reference with the highest F),
    best-recall (the one with the highest recall), jackknife (mean over the sets that leave one out of the best).
    own: skip leaves out a reference that is the output's own text; keep scores a person against themselves too.
    parser: en (comes with Assay), a spaCy pipeline, stanza:LANGUAGE or conllu:FILE. word: lemma, stem (Porter) or form.
    """

    measure: str = "f"
    beta: float = 1.0
    refs: str = "max"
    own: str = "skip"
    parser: str = "en"
    word: str = "lemma"

    def __post_init__(self) -> None:
        check_choice(self.name, "measure", self.measure, MEASURES)
        check_choice(self.name, "refs", self.refs, POOLINGS)
        check_choice(self.name, "own", self.own, ("skip", "keep"))
        check_choice(self.name, "word", self.word, WORDS)
        if not (self.beta > 0 and np.isfinite(self.beta)):
            raise InputError(f"beta of {self.name} must be above 0; got {self.beta}")

    def triples(self) -> TripleUnit:
        """What is counted."""
        raise NotImplementedError

    def relation_weights(self) -> Mapping[str, float]:
        """How much a triple of each relation counts; all alike where nothing is said."""
        return {}

    def counts(self, batch: Batch) -> Counts:
        """The additive statistics everything else is made of."""
        return counts(batch, self.triples(), weights=self.relation_weights(), keep_own=self.own == "keep")

    def values(self, batch: Batch) -> Floats:
        return self.finish(self.counts(batch), batch.layout(self.own == "keep"), self.refs)

    def finish(self, counts: Counts, layout: _core.Layout, refs: str) -> Floats:
        """Measure and pooling."""
        return _core.pool(counts, layout, MEASURES.index(self.measure), POOLINGS.index(refs), self.beta, -1, 1.0)
