"""Parser: from strings to parses, in batches, each distinct line once, with a cache on disk."""

from __future__ import annotations

import sys
import warnings
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, TypeVar

from ..errors import AssayWarning, InputError
from .cache import Cache
from .engines import Block, Engine, Scored, engine
from .parse import Parse, Word
from .stem import stop_words

T = TypeVar("T")

_CHUNK = 1000  # blocks that are parsed, and then written to the cache, at a time
_FORMAT = "1"  # of a cached value; another number makes old values unknown


def parse(
    strings: Sequence[str], model: str = "en", *, cache: Cache | None = None, processes: int = 1
) -> list[Parse]:
    """The parse of each text: sentences of words with lemma, part of speech, features, head and UD relation.

    `model` is en (comes with Assay), an installed spaCy pipeline or the folder of one, stanza:LANGUAGE, or conllu:FILE. A
    newline ends a sentence. A text without words has no sentences.

    >>> [text] = parse(["Cats sleep."])
    >>> [(word.form, word.lemma, word.head, word.relation) for word in text.sentences[0]]
    [('Cats', 'cat', 1, 'nsubj'), ('sleep', 'sleep', -1, 'root'), ('.', '.', 1, 'punct')]
    """
    parser = engine(model)
    texts = _blocks(parser, strings)
    _check_language(parser, texts)
    kind = _Kind(parser.version + "-" + _FORMAT, parser.parse, _encode, _decode)
    found = _work(kind, parser, texts, cache, processes)
    return [Parse(tuple(chain.from_iterable([found[block] for block in text]))) for text in texts]


def nbest(
    strings: Sequence[str], model: str = "en", n: int = 10, *, cache: Cache | None = None
) -> list[list[Parse]]:
    """Up to `n` parses of each text, best first, from the beam of the parser; `score` is a log-probability.

    The probabilities of a sentence's parses sum to 1 over the beam (of max(16, 1.5 n) states) and say nothing about parses
    outside it. Fewer than `n` are given where the beam holds fewer different trees. Parsers other than en give one
    parse, with a warning (`has_nbest` tells beforehand). The parse of `n = 1` is that of `parse`.

    >>> [parses] = nbest(["I saw the man with the telescope"], n=3)
    >>> len(parses), parses[0].score > parses[1].score
    (3, True)
    """
    if n < 1:
        raise InputError(f"n must be at least 1, the number of parses of a text; got {n}")
    parser = engine(model)
    if n > 1 and not parser.beam:
        warnings.warn(f"parser {model!r} gives only one parse of a sentence, not {n}", AssayWarning, stacklevel=2)
    if n == 1 or not parser.beam:
        return [[only] for only in parse(strings, model, cache=cache)]
    from .beam import combine

    texts = _blocks(parser, strings)
    _check_language(parser, texts)
    kind = _Kind(f"{parser.version}-{_FORMAT}-best{n}", lambda some: parser.nbest(some, n), _encode_all, _decode_all)
    found = _work(kind, parser, texts, cache, 1)
    return [
        [Parse(tuple(chain.from_iterable(chosen)), score) for score, chosen in combine([found[b] for b in text], n)]
        for text in texts
    ]


def has_nbest(model: str = "en") -> bool:
    """Whether a parser gives several parses of a sentence, with scores."""
    return engine(model).beam


class _Kind:
    """What is asked of the blocks: how to work it out, and how to keep it."""

    def __init__(
        self,
        version: str,
        ask: Callable[[Sequence[str]], list[T]],
        encode: Callable[[T], bytes],
        decode: Callable[[bytes], T],
    ) -> None:
        self.version, self.ask, self.encode, self.decode = version, ask, encode, decode


def _blocks(parser: Engine, strings: Sequence[str]) -> list[list[str]]:
    if isinstance(strings, str):
        raise InputError("parse takes a list of texts, not one text")
    return [parser.blocks(_sound(text)) for text in strings]
