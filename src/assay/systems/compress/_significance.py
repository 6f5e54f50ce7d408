"""Significance: how much a word matters in its document (Clarke and Lapata 2006, eq. 2; Hori and Furui 2004)."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache
from weakref import WeakKeyDictionary

from ...text.lm.trigrams import LanguageModel, lm_word
from ...text.stems import stop_words
from ...text.tokens.offsets import split_tokens
from ._base import Source

_COMMON = 150  # the most frequent words of a language are its function words
_totals: WeakKeyDictionary[LanguageModel, float] = WeakKeyDictionary()


def document_counts(source: Source) -> Counter[str]:
    """Count each word in the source and the other sentences of its document."""
    return Counter(lm_word(t.text) for text in (source.text, *source.context) for t in split_tokens(text))


def significance(token: str, counts: Counter[str], model: LanguageModel) -> float:
    """Return I(w) = f log(F_A / F_w): f in the document, F_w in the training text, F_A all topic words there (eq. 2).

    The training text has no parts of speech: F_A counts the words that are not function words.
    """
    count = max(1, counts[lm_word(token)])
    return count * max(0.0, math.log(topic_words(model) / model.frequency(token)))


@lru_cache(maxsize=4)
def _function_words(vocabulary: tuple[str, ...]) -> frozenset[str]:
    frequent = frozenset(vocabulary[3 : 3 + _COMMON])
    return frequent | stop_words() if {"the", "of", "and"} <= frequent else frequent


def function_words(model: LanguageModel) -> frozenset[str]:
    """Return a model's 150 most frequent words; with the English stop words, if it is a model of English."""
    return _function_words(model.vocabulary)


def topic_words(model: LanguageModel) -> float:
    """Return F_A: the words of the training text that are not function words."""
    if model not in _totals:
        _totals[model] = max(1.0, model.total - sum(map(model.frequency, function_words(model))))
    return _totals[model]


def is_content(token: str, model: LanguageModel) -> bool:
    """Check if a word is a topic word by its frequency: for languages without a parser."""
    return any(c.isalnum() for c in token) and lm_word(token) not in function_words(model)
