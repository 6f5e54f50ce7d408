"""Frames as units: n-grams of words in which nouns and verbs stand as their FrameNet frames."""

from __future__ import annotations

from dataclasses import dataclass

from ..units.frames import frame_lexicon, frame_tokens
from ..units.surface import Ngram, SurfaceUnit
from .batch import Batch
from .unit import Bags, BagUnit


@dataclass(frozen=True)
class FrameUnit(BagUnit):
    """n frames or words in a row; `lexicon` is a file, `word` how other words are written: stem, lemma or form."""

    n: int
    lexicon: str
    parser: str = "en"
    word: str = "stem"

    @property
    def shape(self) -> SurfaceUnit:
        return Ngram(self.n)

    def bags(self, batch: Batch) -> Bags:
        lexicon = frame_lexicon(self.lexicon)
        outputs, references = (
            frame_tokens(texts, lexicon, parser=self.parser, word=self.word)
            for texts in (batch.outputs, batch.references)
        )
        return Bags(outputs, references)
