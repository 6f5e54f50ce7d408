"""METEOR (Banerjee and Lavie 2005), with the parameters of Lavie and Agarwal (2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .. import _core
from ..errors import InputError, UnknownName
from ..matching.batch import Batch
from ..text import TextReading
from ..text.lexicon.senses import senses_of
from ._base import Floats, OwnReferences, check_choice

_STAGES = ("exact", "stem", "synonym")


@dataclass(frozen=True, kw_only=True)
class Meteor(OwnReferences):
    """METEOR: F of aligned words, mostly recall, less for fragments.

    Words are aligned one to one in stages, each with the words that earlier stages left: exact (equal words), stem
    (equal Porter stems, as nltk), synonym (a WordNet synset in common, of any part of speech). A stage aligns as many
    words as possible, with the fewest crossings, then with the fewest chunks (runs that are adjacent on both sides).
    (1) P = m / words of the output, R = m / words of the reference, for m aligned words;
    (2) Fmean = P R / (alpha P + (1 - alpha) R); (3) Penalty = gamma (chunks / m)^beta;
    (4) METEOR = Fmean (1 - Penalty).
    Several references: the one with the highest score. No match is 0; an item without references has no score (NaN).
    aggregate: corpus (from summed counts) or mean.
    nltk has the same m with stages=exact+stem, but aligns from the end and ignores crossings, so that repeated words
    may give more chunks and a lower score (6 chunks and 0.6944 for the example below, with 12 words in 4 chunks).
    With synonyms m may differ too: nltk looks up the stems in WordNet ("happi"), and this the words.

    >>> import assay
    >>> output = "It is a guide to action which ensures that the military always obeys the commands of the party"
    >>> reference = "It is a guide to action that ensures that the military will forever heed Party commands"
    >>> data = assay.EvalSet.from_texts([output], [reference])
    >>> round(assay.score(data, "meteor(stages=exact+stem)").values.item(), 4)  # by hand
    0.727
    >>> round(assay.score(data, "meteor").values.item(), 4)  # with always = forever
    0.7796
    """

    name: ClassVar[str] = "meteor"
    family: ClassVar[str] = "translation"
    examples: ClassVar[tuple[str, ...]] = ("meteor", "meteor(stages=exact+stem)")
    alpha: float = 0.9
    beta: float = 3.0
    gamma: float = 0.5
    stages: str = "exact+stem+synonym"
    tokenizer: str = "unicode"
    aggregate: str = "corpus"

    def __post_init__(self) -> None:
        check_choice("meteor", "aggregate", self.aggregate, ("corpus", "mean"))
        for stage in self.stages.split("+"):
            if stage not in _STAGES:
                raise UnknownName("stage of meteor", stage, _STAGES, hint="(write exact, exact+stem or with +synonym)")
        if not self.stages.startswith("exact"):
            raise InputError(f"stages of meteor must begin with exact; got {self.stages!r}")
        if not (0 <= self.alpha <= 1 and 0 <= self.gamma <= 1 and self.beta >= 0):
            raise InputError(
                "meteor needs alpha and gamma between 0 and 1 and beta of 0 or more; "
                f"got {self.alpha}, {self.gamma}, {self.beta}"
            )
        self._reading()
        super().__post_init__()

    def summary(self) -> str:
        return f"METEOR: words aligned by {self.stages}, less for fragments"

    def _reading(self) -> TextReading:
        return TextReading(self.tokenizer, lower=True)

    def values(self, batch: Batch) -> Floats:
        return self.corpus(self._rows(batch))

    def statistics(self, batch: Batch) -> Floats | None:
        return self._rows(batch) if self.aggregate == "corpus" else None

    def corpus(self, sums: Floats) -> Floats:
        matches, chunks, output, reference = sums.T
        some = matches > 0
        m = np.where(some, matches, 1)
        precision, recall = m / np.maximum(output, 1), m / np.maximum(reference, 1)  # Eq. 1
        mean = precision * recall / (self.alpha * precision + (1 - self.alpha) * recall)  # Eq. 2
        penalty = self.gamma * (chunks / m) ** self.beta  # Eq. 3
        return np.where(np.isnan(matches), np.nan, np.where(some, mean * (1 - penalty), 0.0))  # Eq. 4

    def _rows(self, batch: Batch) -> Floats:
        """Return matches, chunks, output length and reference length of each output, against its best reference."""

        def make() -> Floats:
            outputs, references = (texts.tokens(self._reading()) for texts in (batch.outputs, batch.references))
            lexicon = batch.outputs.lexicon
            stems = lexicon.stems("porter-nltk") if "stem" in self.stages else None
            senses = []
            if "synonym" in self.stages:
                ids = sorted({*outputs.distinct(), *references.distinct()})
                senses = [(i, synsets) for i in ids if (synsets := list(senses_of(lexicon.vocab[i])))]
            layout = batch.layout(self.keep_own)
            return _core.meteor(outputs, references, layout, stems, senses, self.alpha, self.beta, self.gamma)

        return batch.outputs.remember(self, make)
