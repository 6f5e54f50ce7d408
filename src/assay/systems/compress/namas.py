"""Abstractive compression by a neural language model with attention (Rush et al. 2015: ABS and ABS+)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from ...errors import InputError, UnknownName
from ...text.tokens.offsets import Token, split_lexical_tokens
from ..budget import Limit
from ._base import Compression, Compressor, Source
from ._rendering import is_clitic, is_final
from .edits.rewrite import Rewrite, build_rewrite, leave_text, refuse_reason
from .length._costs import room, token_costs
from .length.segments import SHORT, length_band, share_limit, split_segments
from .neural._tagger_input import NUMBER
from .neural.namas_features import KINDS, SourceFeatures
from .neural.namas_network import CONTEXT, ENCODERS, END, FEATURES, START, UNKNOWN, Integers, NamasNetwork
from .neural.namas_search import Bounds, Hypothesis, search_words
from .neural.namas_text import copy_places, render_text
from .neural.sequence_model import model_path
from .neural.tagger import limit_threads
from .neural.word_units import join_words

_MAX_TOKENS = 80  # tokens that are read at once
_ROOM = 8  # a text may be an eighth shorter than its limit: sentences of an exact length often end in the middle
_SLACK = 7  # chars: what one more word would take
_FINALS = 2000  # the most frequent words: all that end sentences are among them
_COPY = 6  # characters of a copied word, before it is known which


@dataclass(frozen=True)
class Namas(Compressor):
    """A feed-forward language model of five words that attends to the source (Rush et al. 2015).

    It may write words that the source does not have; unknown words and numbers are copied from where attention is
    highest. `features`: weights for what is copied from the source (ABS+), as the paper has them, as the `released`
    code counts them, or none (ABS). `extractive` allows only words of the source, `repeats` words that come more often
    than there. Without a length limit each sentence becomes `least` to `most` of its words, as in Toutanova et al.
    (2016). `model` is the .json file of a trained network, `encoder` the one it must have (attention, bow,
    convolution); only a network with attention comes with Assay.
    """

    name: ClassVar[str] = "namas"
    english_only: ClassVar[bool] = True
    rewrites: ClassVar[bool] = True
    encoder: str = "attention"
    features: str = "paper"
    extractive: bool = False
    repeats: bool = False
    least: float = 0.5
    most: float = 0.75
    beam: int = 10
    model: str = ""

    def __post_init__(self) -> None:
        if self.encoder not in ENCODERS:
            raise UnknownName("encoder", self.encoder, ENCODERS)
        if self.features not in KINDS:
            raise UnknownName("kind of features", self.features, KINDS)
        if not 0 <= self.least <= self.most <= 1:
            raise InputError(f"least and most must be shares, 0 <= least <= most <= 1; got {self.least}, {self.most}")
        if self.beam < 1:
            raise InputError(f"beam must be a whole number above 0; got {self.beam}")

    def compress(self, sources: Sequence[Source]) -> list[Compression]:
        if self.encoder != "attention" and not self.model:
            raise InputError(f"no {self.encoder} network comes with Assay: train one and give its file as model=")
        network = NamasNetwork.load(model_path(self.name, self.model))
        if network.encoder != self.encoder:
            raise InputError(f"the model has the encoder {network.encoder}, not {self.encoder}")
        with limit_threads():
            return [self._one(source, network) for source in sources]

    def _one(self, source: Source, network: NamasNetwork) -> Rewrite:
        if not source.text.strip() or (source.limit and source.limit.holds(source.text)):
            return leave_text(source)
        if reason := refuse_reason(source.text, network.numbers):
            return leave_text(source, reason)
        tokens, limit = split_lexical_tokens(source.text), source.limit
        unit = limit.unit if limit else "words"
        segments = split_segments(source.text, tokens, _MAX_TOKENS)
        sentences = [Sentence(network, source.text, tokens[start:end], unit) for start, end in segments]
        if limit is None:
            parts = [self._write(s, *length_band(s.cost, self.least, self.most)) for s in sentences]
            return build_rewrite(source, " ".join(parts), tokens=tokens)
        most = limit.most
        while True:
            text = self._within(sentences, tokens, Limit(most, limit.unit))
            over = limit.size(text) - limit.most
            if over <= 0 or most <= 1:
                return build_rewrite(source, text, tokens=tokens)
            most = max(1, most - over)

    def _within(self, sentences: Sequence[Sentence], tokens: Sequence[Token], limit: Limit) -> str:
        shares = share_limit([s.cost for s in sentences], room(tokens, limit), SHORT[limit.unit])
        if not any(shares):
            shares[int(np.argmax([s.cost for s in sentences]))] = 1
        slack = 0 if limit.unit == "words" else _SLACK
        rows = zip(sentences, shares, strict=True)
        return " ".join(self._write(s, max(0, n - n // _ROOM - slack), n) for s, n in rows if n)

    def _write(self, sentence: Sentence, low: int, high: int) -> str:
        if high >= sentence.cost <= SHORT[sentence.unit]:
            return sentence.text
        texts = self.search(sentence, low, high) or self.search(sentence, 0, high)
        return sentence.write(texts[0].words) if texts else sentence.first_word

    def search(self, sentence: Sentence, low: int, high: int) -> list[Hypothesis]:
        """Return the texts that the beam search ends with, best first."""
        weights = sentence.network.weights.get(self.features, (1.0, *[0.0] * (FEATURES - 1)))
        features = SourceFeatures(sentence.numbers.tolist(), "released" if self.features == "released" else "paper")
        bounds = bounds_of(sentence, low, high, extractive=self.extractive, repeats=self.repeats)
        return search_words(sentence.reader, features, weights, bounds, beam=self.beam)


class Sentence:
    """A sentence as the network reads it."""

    def __init__(self, network: NamasNetwork, text: str, tokens: Sequence[Token], unit: str = "words") -> None:
        start = tokens[0].start
        self.network, self.unit = network, unit
        self.text = text[start : tokens[-1].end]
        self.tokens = [Token(token.text, token.start - start, token.end - start) for token in tokens]
        self.units = join_words(self.tokens)
        numbers = [network.numbers.get(u.form, UNKNOWN) for u in self.units]
        self.numbers: Integers = np.array(numbers, np.int64)
        self.reader = network.read(self.numbers)
        # What can be copied: an unknown mark is not a word.
        rows = zip(numbers, self.units, strict=True)
        self.copies = [-1 if number == UNKNOWN and not _is_word(u.form) else number for number, u in rows]
        self.cost = int(token_costs(self.tokens, unit).sum())

    @property
    def first_word(self) -> str:
        """The first word, for a limit that leaves no room for any text."""
        return next((t.text for t in self.tokens if _is_word(t.text)), self.text)

    def write(self, words: Sequence[int]) -> str:
        """Write generated words as a text."""
        padded = [START] * CONTEXT + list(words)
        contexts = np.array([padded[i : i + CONTEXT] for i in range(len(words))], np.int64)
        places = copy_places(words, self.copies, self.reader.attend(contexts), placeholder_words(self.network))
        forms = [self.units[j].form if j >= 0 else self.network.words[w] for w, j in zip(words, places, strict=True)]
        return render_text(self.text, self.tokens, self.units, forms, places)


def _is_word(form: str) -> bool:
    return any(c.isalnum() for c in form)


def placeholder_words(network: NamasNetwork) -> frozenset[int]:
    """Return the words that stand for words of the source."""
    return frozenset({UNKNOWN, network.numbers.get(NUMBER, UNKNOWN)})


def bounds_of(sentence: Sentence, low: int, high: int, *, extractive: bool = False, repeats: bool = False) -> Bounds:
    """Return the bounds of a text made from a sentence."""
    costs = _word_costs(sentence.network, sentence.unit)
    copies = Counter(number for number in sentence.copies if number >= 0)
    finals = tuple(i for i, word in enumerate(sentence.network.words[:_FINALS]) if is_final(word))
    return Bounds(low, high, costs, copies, placeholder_words(sentence.network), finals, extractive, repeats)


@lru_cache(maxsize=8)
def _word_costs(network: NamasNetwork, unit: str) -> Integers:
    """Return what each word of the vocabulary adds to a text, as far as it can be told before it is written."""
    placeholders = placeholder_words(network)
    words = [Token("x" * _COPY if i in placeholders else word, 0, 1) for i, word in enumerate(network.words)]
    free = unit == "words"  # clitics are written to the word before
    costs = [0 if free and is_clitic(word.text) else token_costs([word], unit)[0] for word in words]
    costs[START] = costs[END] = 0
    return np.array(costs, np.int64)
