"""Language model: trigrams with modified Kneser-Ney smoothing, trained, stored and asked for probabilities."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...data.result import Result
from ...errors import FallbackWarning, InputError, UnknownName
from ...extras import find_model
from ..tokens.offsets import split_tokens

UNKNOWN, START, END = 0, 1, 2
NONE = 0xFFFFFFFF  # no word: where a context is shorter
SHIPPED = "lm/trigram-en.npz"  # in the package of models
TOKENIZERS = {
    "en": "the English parser's own words, so that a parsed text is met with the same ones",
    "words": "words between white space, the punctuation around them apart; any language",
    "space": "what stands between white space: for text that is tokenized already",
}
_QUOTES = dict.fromkeys(("``", "''", "“", "”", "„", "«", "»", "&quot;"), '"') | {"‘": "'", "’": "'", "`": "'"}
_DASHES = dict.fromkeys(("–", "—", "―", "---"), "--")
_BRACKETS = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]"}
_SAME = _QUOTES | _DASHES | _BRACKETS
_CHUNK = 5000


@lru_cache(maxsize=1 << 18)
def lm_word(token: str) -> str:
    """Return a token as the model knows it: lower case, ## for anything with a digit, one kind of quotes and dashes.

    >>> [lm_word(t) for t in ("The", "2,013", "B52s", "“", "n’t")]
    ['the', '##', '##', '"', "n't"]
    """
    if any(c.isdigit() for c in token):
        return "##"
    word = token.lower()
    return _SAME.get(word) or "".join(word.replace("’", "'").split()) or "<unk>"


@dataclass(frozen=True)
class Perplexity(Result, question="language_model", kind="perplexity"):
    """How well a model predicts a text: per word and end of sentence, with unknown words and without them."""

    value: float
    without_unknown: float
    sentences: int
    words: int
    unknown: int
    model: str = ""


@dataclass(frozen=True)
class ModelSummary(Result, question="language_model", kind="language_model"):
    """A model in a file: the number of its n-grams by order, its size, and what it was trained on."""

    model: str
    grams: tuple[int, ...]
    bytes: int
    sentences: int
    words: int
    about: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class LanguageModel:
    """p(word | the two before it), with the words it knows and how often each was seen.

    >>> bool(load().log_prob(["he", "said", "no"]).sum() > load().log_prob(["no", "he", "said"]).sum())
    True
    """

    grams: _core.NGrams
    vocabulary: tuple[str, ...]
    counts: NDArray[np.uint64] | None = None  # of each word in the training text; None for a model from elsewhere
    about: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def word_ids(self) -> dict[str, int]:
        """The number of each word."""
        return {word: i for i, word in enumerate(self.vocabulary)}

    @property
    def order(self) -> int:
        """Words in the longest n-gram."""
        return self.grams.order

    def ids(self, tokens: Sequence[str]) -> NDArray[np.uint32]:
        """Return the number of each token's word; 0 for unknown ones."""
        ids, plain = self.word_ids, self.about.get("normalized", True)
        numbers = (ids.get(lm_word(t) if plain else t, UNKNOWN) for t in tokens)
        return np.fromiter(numbers, dtype=np.uint32, count=len(tokens))

    def log_prob(self, tokens: Sequence[str]) -> NDArray[np.float64]:
        """Return log p of each token after the ones before it, and of the sentence's end; natural logarithms."""
        return np.asarray(self.grams.sentence(self.ids(tokens)))

    def tokens(self, line: str) -> list[str]:
        """Split a line as the model's training text was."""
        return next(_cut([line], self.about.get("tokenizer", "words")))

    def perplexity(self, lines: Iterable[str]) -> Perplexity:
        """Measure the perplexity of lines of text, each a sentence; empty lines are left out. NaN if there are none.

        exp(-sum of log p / number of words and ends); `without_unknown` leaves out unknown words from both.
        """
        total = total_known = 0.0
        sentences = words = unknown = 0
        for tokens in _cut(lines, self.about.get("tokenizer", "words")):
            if not tokens:
                continue
            ids = self.ids(tokens)
            values = np.asarray(self.grams.sentence(ids))
            strange = ids == UNKNOWN
            total += float(values.sum())
            total_known += float(values[:-1][~strange].sum() + values[-1])
            sentences, words, unknown = sentences + 1, words + len(tokens), unknown + int(strange.sum())
        if not sentences:
            return Perplexity(math.nan, math.nan, 0, 0, 0)
        value = math.exp(-total / (words + sentences))
        return Perplexity(value, math.exp(-total_known / (words + sentences - unknown)), sentences, words, unknown)

    def summary(self, path: str | os.PathLike[str]) -> ModelSummary:
        """Say what is in the file that it was saved to."""
        grams = (len(self.vocabulary), len(self.grams.word2), len(self.grams.word3))[: self.order]
        about = {key: value for key, value in self.about.items() if key not in ("sentences", "words")}
        sentences, words = int(self.about.get("sentences", 0)), int(self.about.get("words", 0))
        return ModelSummary(os.fspath(path), grams, os.path.getsize(path), sentences, words, about)

    def frequency(self, token: str) -> float:
        """Return how often a word was seen in training, at least 1; by its probability where counts are not known."""
        i = self.word_ids.get(lm_word(token) if self.about.get("normalized", True) else token, UNKNOWN)
        if self.counts is None:
            return max(1.0, math.exp(float(self.unigrams[i])) * 1e6)
        return max(1.0, float(self.counts[i])) if i != UNKNOWN else 1.0

    @cached_property
    def unigrams(self) -> NDArray[np.float32]:
        """log p of each word on its own."""
        return np.asarray(self.grams.prob1)

    @property
    def total(self) -> float:
        """Words of the training text."""
        return 1e6 if self.counts is None else float(self.counts.sum())

    def save(self, path: str | os.PathLike[str], *, bits: int = 32) -> None:
        """Write the model: .npz, .arpa or .arpa.gz. `bits=8` stores each n-gram's probability as one of 256 values."""
        from .files import write_arpa, write_npz

        if bits not in (8, 32):
            raise InputError(f"bits must be 8 or 32; got {bits}")
        name = os.fspath(path)
        if not name.endswith((".npz", ".arpa", ".arpa.gz")):
            raise InputError(f"a language model is written as .npz, .arpa or .arpa.gz, not {name}")
        if name.endswith(".npz"):
            write_npz(self, name, bits)
        else:
            write_arpa(self, name)


def load(path: str | os.PathLike[str] | None = None) -> LanguageModel:
    """Load a model from a file (.npz, or ARPA of up to three words); without a path, the English one of Assay."""
    return _load(os.fspath(find_model(SHIPPED, "the English language model") if path is None else path))


@lru_cache(maxsize=2)
def _load(name: str) -> LanguageModel:
    from .files import read_arpa, read_npz

    if not os.path.isfile(name):
        raise InputError(f"no language model {name}: give a file that `assay lm train` or lmplz wrote (.npz, .arpa)")
    return read_npz(name) if name.endswith(".npz") else read_arpa(name)


def train(
    lines: Iterable[str],
    *,
    order: int = 3,
    least: int = 1,
    prune: Sequence[int] = (0, 0, 0),
    tokenizer: str = "words",
    normalize: bool = True,
) -> LanguageModel:
    """Train a model on lines of text, each a sentence: interpolated modified Kneser-Ney, as KenLM's lmplz does.

    Words seen less than `least` times become <unk>; n-grams of order k seen at most `prune[k - 1]` times are left to
    shorter ones (their mass too). `normalize`: lower case, ## for numbers. A corpus too small for the discounts gets
    .5, 1 and 1.5 (lmplz --discount_fallback), with a warning.
    """
    if order not in (1, 2, 3):
        raise InputError(f"order must be 1, 2 or 3; got {order}")
    thresholds = [*prune, *[prune[-1] if prune else 0] * 3][:order]
    if any(t < 0 for t in thresholds) or sorted(thresholds) != thresholds:
        raise InputError(f"prune must be whole numbers that do not decrease, as 0 0 1; got {' '.join(map(str, prune))}")
    counter = _core.NGramCounter()
    for some in _batches(_cut(lines, tokenizer)):
        counter.add("\n".join(" ".join([lm_word(t) for t in s] if normalize else s) for s in some) + "\n")
    if not counter.sentences:
        raise InputError("no words to train a language model on: the text is empty")
    grams, vocabulary, counts = counter.finish(order, least, thresholds)
    about = {
        "order": order,
        "least": least,
        "prune": thresholds,
        "tokenizer": tokenizer,
        "normalized": normalize,
        "sentences": counter.sentences,
        "words": counter.tokens,
        "discounts": [[round(d, 6) for d in of] for of in grams.discounts],
    }
    if any(grams.fell_back):
        _warn_small(counter.sentences, [n for n, small in enumerate(grams.fell_back, 1) if small])
    return LanguageModel(grams, tuple(vocabulary), counts, about)


def _warn_small(sentences: int, orders: list[int]) -> None:
    import warnings

    warnings.warn(
        f"{sentences} sentences are too few for the discounts of {'-, '.join(map(str, orders))}-grams: "
        ".5, 1 and 1.5 are used",
        FallbackWarning,
        stacklevel=3,
    )


def _batches(items: Iterator[list[str]]) -> Iterator[list[list[str]]]:
    while some := list(islice(items, _CHUNK)):
        yield some


def _cut(lines: Iterable[str], tokenizer: str) -> Iterator[list[str]]:
    if tokenizer == "space":
        return (line.split() for line in lines)
    if tokenizer == "words":
        return ([token.text for token in split_tokens(line)] for line in lines)
    if tokenizer == "en":
        from ..parse.engines import engine

        split = engine("en").load().tokenize  # type: ignore[attr-defined]
        return ([form for form, *_ in split(line)] for line in (" ".join(row.split()) for row in lines))
    raise UnknownName(
        "tokenizer of a language model", tokenizer, TOKENIZERS, hint=f"(there are {', '.join(TOKENIZERS)})"
    )
