"""Perplexity of the output under a language model: how unlike ordinary text it reads."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..matching.batch import Batch
from ..text import split_sentences
from ..text.lm.trigrams import LanguageModel, load
from ..text.texts import refuse_surrogates
from ._base import Floats, Metric, check_choice


@dataclass(frozen=True, kw_only=True)
class OutputPerplexity(Metric):
    """Perplexity of the output under a trigram language model.

    (1) exp(-sum of log p(word | the two before it) / number of words and sentence ends), over the output's sentences (a
    newline or final punctuation ends one). unknown: in, or out to leave words that the model does not know out of both.
    Lower means more like the model's training text, which is not by itself better: rare names raise it, and empty
    phrases lower it.
    model: en (news, comes with Assay), a file that `assay lm train` wrote, or an ARPA file. It needs neither references
    nor sources. An empty output is the empty sentence.
    """

    name: ClassVar[str] = "perplexity"
    family: ClassVar[str] = "output"
    examples: ClassVar[tuple[str, ...]] = ("perplexity",)
    higher_is_better: ClassVar[bool] = False
    needs: ClassVar[str] = "outputs"
    model: str = "en"
    unknown: str = "in"

    def __post_init__(self) -> None:
        check_choice("perplexity", "unknown", self.unknown, ("in", "out"))

    def values(self, batch: Batch) -> Floats:
        model = load() if self.model == "en" else load(self.model)
        with refuse_surrogates():
            return np.array([self._of(model, text) for text in batch.outputs.strings])

    def _of(self, model: LanguageModel, text: str) -> float:
        text.encode()  # the parser's tokenizer takes no lone surrogate
        result = model.perplexity(split_sentences(text))
        if not result.sentences:
            return math.exp(-float(model.log_prob([])[0]))
        return result.value if self.unknown == "in" else result.without_unknown
