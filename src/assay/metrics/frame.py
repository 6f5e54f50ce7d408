"""Frame-N (Peyrard et al. 2017): ROUGE over FrameNet frames in place of nouns and verbs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .. import _core
from ..errors import InputError
from ..matching.batch import Batch
from ..units.frames import WORDS, frame_lexicon, frame_tokens
from ..units.surface import Ngram
from ._base import MEASURES, POOLINGS, Floats, Metric, check_choice


@dataclass(frozen=True, kw_only=True)
class FrameN(Metric):
    """Frame-N: n-gram overlap with nouns and verbs as their frames.

    Every noun and verb that the lexicon has is replaced by its FrameNet frame, in output and references, and the
    overlap of n-grams is taken as in ROUGE-N (Peyrard et al. 2017, section 3.1). The paper finds the frame in its
    context; here a lemma has one frame, the first that the lexicon names for it. Other words stand as they are:
    word=stem (Porter), lemma or form; punctuation is left out.
    lexicon: a file with lines rain.v<TAB>Precipitation, or FrameNet's luIndex.xml. None comes with Assay.
    measure, beta, refs, own: as for rouge1; 0/0 is 0, and an item without references has no score (NaN).
    parser: en (comes with Assay), a spaCy pipeline, stanza:LANGUAGE or conllu:FILE.
    """

    name: ClassVar[str] = "frame{n}"
    examples: ClassVar[tuple[str, ...]] = ("frame1(lexicon=FILE)", "frame2(lexicon=FILE)")
    n: int = 1
    lexicon: str = ""
    measure: str = "recall"
    beta: float = 1.0
    refs: str = "sum"
    own: str = "skip"
    parser: str = "en"
    word: str = "stem"

    def __post_init__(self) -> None:
        if not self.lexicon:
            raise InputError(f"{self.title} needs a lexicon of frames: {self.title}(lexicon=FILE)")
        Ngram(self.n)
        check_choice(self.title, "measure", self.measure, MEASURES)
        check_choice(self.title, "refs", self.refs, POOLINGS)
        check_choice(self.title, "own", self.own, ("skip", "keep"))
        check_choice(self.title, "word", self.word, WORDS)
        if not (self.beta > 0 and np.isfinite(self.beta)):
            raise InputError(f"beta of {self.title} must be above 0; got {self.beta}")

    def values(self, batch: Batch) -> Floats:
        lexicon = frame_lexicon(self.lexicon)
        outputs, references = (
            frame_tokens(texts, lexicon, parser=self.parser, word=self.word)
            for texts in (batch.outputs, batch.references)
        )
        keep_own = self.own == "keep"
        counts = batch.bag_counts(outputs, references, unit=Ngram(self.n), keep_own=keep_own)
        measure, pooling = MEASURES.index(self.measure), POOLINGS.index(self.refs)
        return _core.pool(counts, batch.layout(keep_own), measure, pooling, self.beta, -1, 1.0)
