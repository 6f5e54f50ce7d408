"""Compression by a tree deletion transducer, rescored by a language model (after Cohn and Lapata 2009)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from ...text.lm.trigrams import LanguageModel, load
from ...text.parse.flat import ParsedText, parse_texts
from ...text.tokens.offsets import Token, is_punctuation
from ..budget import Limit
from ._base import Compression, Compressor, Source, build_compression
from .length._limit import cut_to_limit
from .tree._cart import find_shipped
from .tree._decision_features import Case
from .tree._trees import build_tree
from .tree.transducer import DerivationChart, TransducerWeights, load_weights, rows, scores, steps

_NEAREST = 3  # lengths next to the limit among which the language model chooses


@dataclass(frozen=True)
class TreeTransducer(Compressor):
    """Tree transducer: each constituent is kept, deleted or entered, by learned weights.

    The best text of every length (exact, in tokens that are words) is rescored: its score + lm x log probability of its
    words under the language model + word x its words. With a length limit the choice is among the three longest
    lengths within it. model: google, which comes with Assay, or the path of one made by
    training/systems/compress/train_transducer.py.
    trees: dependencies, or a file of trees in Penn brackets that holds one for each text. language: a trigram model
    (`assay lm train`); empty: the one that comes with Assay.
    """

    name: ClassVar[str] = "transducer"
    english_only: ClassVar[bool] = True
    model: str = "google"
    lm: float = 0.1
    word: float = 3.0
    trees: str = "dependencies"
    parser: str = "en"
    language: str = ""

    def compress(self, sources: Sequence[Source]) -> list[Compression]:
        weights = load_weights(find_shipped("transducer", self.model))
        language = load(self.language or None) if self.lm else None
        analyses = parse_texts([source.text for source in sources], self.parser)
        return [self._one(weights, language, s, a) for s, a in zip(sources, analyses, strict=True)]

    def _one(
        self, weights: TransducerWeights, language: LanguageModel | None, source: Source, analysis: ParsedText
    ) -> Compression:
        tokens, limit = analysis.tokens, source.limit
        if all(is_punctuation(token.text) for token in tokens):
            return build_compression(source.text, tokens, ())
        text = rows(Case.of(build_tree(analysis, self.trees), analysis), weights.features, weights.labels)
        sizes = token_sizes(tokens, limit)
        chart = DerivationChart(text.tree, scores(weights, text), steps(weights, text), sizes, limit and limit.most)
        if limit is None:
            return build_compression(source.text, tokens, max(self._candidates(chart, language, tokens))[1])
        fitting = []
        for value, tokens_kept in self._candidates(chart, language, tokens):
            compression = build_compression(source.text, tokens, tokens_kept)
            if limit.holds(compression.text):
                fitting.append((value, compression))
            if len(fitting) == _NEAREST:
                break
        if fitting:
            return max(fitting, key=lambda pair: pair[0])[1]
        return cut_to_limit(source, tokens, range(len(tokens)), limit)

    def _candidates(
        self, chart: DerivationChart, language: LanguageModel | None, tokens: Sequence[Token]
    ) -> Iterator[tuple[float, list[int]]]:
        """Yield the best text of each length, the longest first, with its score after the language model."""
        by_length = chart.by_length()
        for length in range(len(by_length) - 1, 0, -1):
            if by_length[length] > -np.inf:
                tokens_kept = chart.derivation(length).kept_tokens(chart.tree)
                words = [tokens[i].text for i in tokens_kept]
                value = float(by_length[length]) + self.word * sum(not is_punctuation(word) for word in words)
                if language is not None:
                    value += self.lm * float(language.log_prob(words).sum())
                yield value, tokens_kept


def token_sizes(tokens: Sequence[Token], limit: Limit | None) -> list[int]:
    """Return what each token adds: a word, unless it is punctuation or joined to the one before; or characters.

    >>> from assay.text.tokens.offsets import split_tokens
    >>> token_sizes(split_tokens("He left, (at 5)."), None)
    [1, 1, 0, 0, 1, 1, 0, 0]
    >>> token_sizes(split_tokens("He left."), Limit(9, "chars"))
    [2, 5, 1]
    """
    glued = [False, *(a.end == b.start for a, b in pairwise(tokens))]
    if limit is not None and limit.unit == "chars":
        return [len(t.text) + (k > 0 and not joined) for k, (t, joined) in enumerate(zip(tokens, glued, strict=True))]
    words = [not is_punctuation(t.text) for t in tokens]
    return [
        int(word and not (joined and before))
        for word, joined, before in zip(words, glued, [False, *words], strict=False)
    ]
