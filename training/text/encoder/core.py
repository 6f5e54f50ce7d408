"""The parser of the package, as Assay's core runs it, on tokens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from examples import Tokens
from neighbours import Word

from assay.text.parse.accurate import find_accurate
from assay.text.parse.engines import ACCURATE
from assay.text.parse.sentence import Sentence


class Core:
    """Analyses as the other models do; each text is one line."""

    def __init__(self) -> None:
        self.engine = find_accurate(ACCURATE)

    def analyse(self, texts: Sequence[Tokens], *, split: bool = True) -> list[list[list[Word]]]:
        """The sentences of each text."""
        analyses = self.engine.analyse_tokens([(text.forms, text.spaces) for text in texts])
        found = []
        for text, analysis in zip(texts, analyses, strict=True):
            spaces = iter(text.spaces)
            found.append([_training_words(sentence, [next(spaces) for _ in sentence]) for sentence in analysis.block])
        return found

    def keep(self, texts: Sequence[Tokens]) -> list[np.ndarray]:
        """The probability that a compression keeps each word."""
        return [a.keep for a in self.engine.analyse_tokens([(text.forms, text.spaces) for text in texts])]


def _training_words(sentence: Sentence, spaces: list[bool]) -> list[Word]:
    return [
        Word(
            word.form,
            word.lemma,
            word.pos,
            word.tag,
            word.features or "_",
            word.head if word.head >= 0 else i,
            word.relation if word.head >= 0 else "ROOT",
            space,
        )
        for i, (word, space) in enumerate(zip(sentence, spaces, strict=True))
    ]
