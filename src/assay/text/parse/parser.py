"""Parser: from strings to parses, in batches, each distinct line once, with a cache on disk."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from itertools import chain
from typing import TypeVar

from ...errors import AssayWarning, InputError
from ..cache import Cache
from ..stems import stop_words
from ..texts import refuse_surrogates
from .encoding import FORMAT, decode_block, decode_scored, encode_block, encode_scored
from .engines import ACCURATE, GROUP, OTHERS, SHIPPED, Block, Engine, Scored, default_threads, engine
from .sentence import Parse

T = TypeVar("T")

_CHUNK = 32 * GROUP  # blocks that are parsed, and then written to the cache, at a time
_SAMPLE, _FEW = 200, 0.08  # words looked at, and the share of English function words below which they are not English
_warned: set[str] = set()


def parse(
    strings: Sequence[str], model: str = "en", *, cache: Cache | None = None, processes: int | None = None
) -> list[Parse]:
    """Parse each text into sentences of words with lemma, part of speech, features, head and UD relation.

    `model` is en or accurate (come with Assay), spacy:NAME with an installed spaCy pipeline or the folder of one,
    stanza:LANGUAGE, or conllu:FILE. A newline ends a sentence. A text without words has no sentences. `processes`
    (for en and accurate: threads) parse together, by default one for each core; few lines are parsed by one. The
    parses are the same.

    >>> [text] = parse(["Cats sleep."])
    >>> [(word.form, word.lemma, word.head, word.relation) for word in text.sentences[0]]
    [('Cats', 'cat', 1, 'nsubj'), ('sleep', 'sleep', -1, 'root'), ('.', '.', 1, 'punct')]
    """
    parser = engine(model)
    texts = _blocks(parser, strings)

    def ask(chunks: list[list[str]]) -> Generator[list[Block]]:
        if not chunks or not parser.shared or processes == 1:
            return (parser.parse(chunk, processes or default_threads()) for chunk in chunks)
        from .workers import default_processes, parse_chunks

        return parse_chunks(parser, chunks, processes or default_processes())

    parses = _parse_blocks(parser, texts, cache, FORMAT, ask, encode_block, decode_block)
    return [Parse(tuple(chain.from_iterable([parses[block] for block in text]))) for text in texts]


def nbest(strings: Sequence[str], model: str = "en", n: int = 10, *, cache: Cache | None = None) -> list[list[Parse]]:
    """Return up to `n` parses of each text, best first, from the beam of the parser; `score` is a log-probability.

    The probabilities of a sentence's parses sum to 1 over the beam (of max(16, 1.5 n) states; 16 for sentences of more
    than 150 words) and say nothing about parses outside it. Fewer than `n` are given where the beam holds fewer
    different trees. Parsers other than en give one parse, with a warning (`has_nbest` tells beforehand). With `n = 1`
    it is that of `parse`; the first of several may be another, as the beam looks further.

    >>> [parses] = nbest(["I saw the man with the telescope"], n=3)
    >>> len(parses), parses[0].score > parses[1].score
    (3, True)
    """
    if n < 1:
        raise InputError(f"n, the number of parses of a text, must be at least 1, got {n}")
    parser = engine(model)
    if n > 1 and not parser.beam:
        warnings.warn(f"parser {model!r} gives only one parse of a sentence, not {n}", AssayWarning, stacklevel=2)
    if n == 1 or not parser.beam:
        return [[only] for only in parse(strings, model, cache=cache)]
    from .beam import combine

    texts = _blocks(parser, strings)

    def ask(chunks: list[list[str]]) -> Generator[list[list[Scored]]]:
        return (parser.nbest(chunk, n) for chunk in chunks)

    parses = _parse_blocks(parser, texts, cache, f"{FORMAT}-best{n}", ask, encode_scored, decode_scored)
    return [
        [Parse(tuple(chain.from_iterable(parts)), score) for score, parts in combine([parses[b] for b in text], n)]
        for text in texts
    ]


def has_nbest(model: str = "en") -> bool:
    """Return whether a parser gives several parses of a sentence, with scores.

    >>> has_nbest("en")
    True
    """
    return engine(model).beam


def _parse_blocks(
    parser: Engine,
    texts: list[list[str]],
    cache: Cache | None,
    kind: str,
    ask: Callable[[list[list[str]]], Generator[list[T]]],
    encode: Callable[[T], bytes],
    decode: Callable[[bytes], T | None],
) -> dict[str, T]:
    """Parse each distinct block, or take its parse from the cache."""
    wanted = list(dict.fromkeys(chain.from_iterable(texts)))
    store = cache if parser.cached else None
    version = f"{parser.version}-{kind}" if store else ""
    parses: dict[str, T] = {}
    if store and wanted:
        decoded = ((block, decode(value)) for block, value in store.get(parser.model, version, wanted).items())
        parses = {block: value for block, value in decoded if value is not None}
    missing = [block for block in wanted if block not in parses]
    _check_language(parser, missing)
    chunks = [missing[i : i + _CHUNK] for i in range(0, len(missing), _CHUNK)]
    with closing(ask(chunks)) as answers:  # an error here ends what works for it
        for chunk, values in zip(chunks, answers, strict=True):
            new = dict(zip(chunk, values, strict=True))
            parses |= new
            if store:
                store.put(parser.model, version, [(block, encode(value)) for block, value in new.items()])
    return parses


def _blocks(parser: Engine, strings: Sequence[str]) -> list[list[str]]:
    if isinstance(strings, str):
        raise InputError("the parser takes a list of texts, not one text")
    for text in strings:
        if not text.isascii():
            with refuse_surrogates():
                text.encode()
    return [parser.blocks(text) for text in strings]


def _check_language(parser: Engine, blocks: list[str]) -> None:
    """Warn, once, if texts given to the English parser do not look English: half of English is function words."""
    if parser.model not in (SHIPPED, ACCURATE) or "en" in _warned:
        return
    words: list[str] = []
    for block in blocks:
        words += block.lower().split()
        if len(words) >= _SAMPLE:
            break
    letters = [c for c in " ".join(words)[:5000] if c.isalpha()]
    foreign = len(letters) >= 20 and sum(c > "\u024f" for c in letters) > len(letters) / 2
    few = len(words) >= _SAMPLE and sum(word in stop_words() for word in words) < _FEW * len(words)
    if foreign or few:
        _warned.add("en")
        warnings.warn(
            f"these texts do not look English ({blocks[0][:40]!r}), but the parser is {parser.model}; "
            f"for another {OTHERS}",
            AssayWarning,
            stacklevel=4,
        )
