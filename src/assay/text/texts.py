"""Texts: a batch of strings with cached analyses: tokens, words, parses."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from .. import _core
from ..errors import InputError
from .tokens.tokenizers import SEGMENTERS, SPLIT, TextReading

if TYPE_CHECKING:
    from .parse.sentence import Parse

T = TypeVar("T")


@contextmanager
def refuse_surrogates() -> Iterator[None]:
    """Name the text that the core cannot read as UTF-8."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise InputError(
            f"a text holds half a character (a lone surrogate) at position {error.start}: {error.object[:40]!r}; "
            "decode the file again, with errors='replace' if it cannot be mended"
        ) from None


class Lexicon:
    """Words as integers, with their stems; shared by the texts that are compared, and by threads."""

    def __init__(self) -> None:
        self.vocab = _core.Vocab()
        self._maps: dict[str, _core.WordMap] = {}
        self._extending = Lock()  # a map is read by all, and extended by one

    def stems(self, stemmer: str) -> _core.WordMap:
        """Return word to stem, up to date with the vocabulary."""
        from .stems import extend_stems

        with self._extending:
            word_map = self._maps.setdefault(stemmer, _core.WordMap())
            extend_stems(word_map, self.vocab, stemmer)
        return word_map

    def without_stop_words(self, name: str = "smart") -> _core.WordMap:
        """Return word to itself, or to nothing for a stop word."""
        from .stems import stop_words

        drop = stop_words(name)
        return self._only(f"without {name}", lambda word: word not in drop)

    def without_punctuation(self) -> _core.WordMap:
        """Return word to itself, or to nothing if it holds no letter or digit."""
        return self._only(" ", lambda word: any(map(str.isalnum, word)))

    def _only(self, key: str, wanted: Callable[[str], bool]) -> _core.WordMap:
        with self._extending:
            word_map = self._maps.setdefault(key, _core.WordMap())
            new = self.vocab.words(len(word_map))
            word_map.extend_words(self.vocab, [word if wanted(word) else None for word in new])
        return word_map


class Texts:
    """A batch of strings. Eighty metrics may ask for its tokens; they are made once per reading.

    >>> texts = Texts(["The cats sat.", "Cats!"], Lexicon())
    >>> texts.words(TextReading(tokenizer="rouge", stem=True))
    [['the', 'cat', 'sat'], ['cat']]
    """

    def __init__(
        self,
        strings: list[str] | _core.TextColumn,
        lexicon: Lexicon,
        *,
        start: int = 0,
        stop: int | None = None,
        processes: int | None = None,
        beside: Texts | None = None,
    ) -> None:
        self._given = strings
        self._start, self._stop = start, len(strings) if stop is None else stop  # of those given
        self.lexicon = lexicon
        self._processes = processes  # that parse it
        self._memo: dict[Any, Any] = {}
        self._common: dict[Any, Any] = {} if beside is None else beside._common

    def __len__(self) -> int:
        return self._stop - self._start

    @cached_property
    def strings(self) -> list[str]:
        """The texts as Python's own; most metrics read them where they lie instead."""
        part = self._given[self._start : self._stop]
        return part if isinstance(part, list) else part.tolist()

    @cached_property
    def _column(self) -> _core.TextColumn:
        """The texts where they lie: nothing is copied, and no string is touched again."""
        if isinstance(self._given, list):
            return _core.list_column(self._given, self._start, self._stop)
        return self._given[self._start : self._stop]

    def count_blank(self) -> int:
        """Count the texts that are empty or white space."""
        try:
            return self._column.count_blank()
        except UnicodeEncodeError:  # half a character: only metrics that read no words get here
            return self.strings.count("") + sum(map(str.isspace, self.strings))

    def remember(self, key: Any, make: Callable[[], T]) -> T:
        """Return the value cached under this key; make it first if there is none."""
        return _remember(self._memo, key, make)

    def remember_common(self, key: Any, make: Callable[[], T]) -> T:
        """Do the same for all texts that were made `beside` each other: outputs and references."""
        return _remember(self._common, key, make)

    def tokens(self, reading: TextReading) -> _core.Tokens:
        """Return word ids, comparable with those of other texts of the same lexicon."""
        return self.remember(reading, lambda: self._read(reading))

    def words(self, reading: TextReading) -> list[list[str]]:
        """Return the words themselves, for people and for tests."""
        tokens = self.tokens(reading)
        return [tokens.words(self.lexicon.vocab, i) for i in range(len(tokens))]

    def parses(self, model: str = "en") -> list[Parse]:
        """Return the parse of each text, from the user's cache if it was parsed before (unless ASSAY_CACHE=off)."""

        def make() -> list[Parse]:
            from .cache import default_cache
            from .parse.parser import parse

            return parse(self.strings, model, cache=default_cache(), processes=self._processes)

        return self.remember(("parses", model), make)

    def _read(self, reading: TextReading) -> _core.Tokens:
        if reading.stem != "none":
            plain = self.tokens(replace(reading, stem="none"))
            return plain.mapped(self.lexicon.stems(str(reading.stem)), self.lexicon.vocab)
        if reading.stop:
            plain = self.tokens(replace(reading, stop=False))
            return plain.mapped(self.lexicon.without_stop_words(), self.lexicon.vocab)
        if not reading.punctuation:
            plain = self.tokens(replace(reading, punctuation=True))
            return plain.mapped(self.lexicon.without_punctuation(), self.lexicon.vocab)
        base, split, language = reading.tokenizer.partition(SPLIT)
        if split:
            from .compounds.running import split_texts

            unsplit = replace(reading, tokenizer=base)
            return Texts(split_texts(self._prepare(unsplit), language), self.lexicon).tokens(
                TextReading(tokenizer=base)
            )
        with refuse_surrogates():
            if reading.tokenizer in SEGMENTERS:
                from .tokens.segmenters import segment_texts

                segmented = segment_texts(self._prepare(reading), reading.tokenizer)
                return _core.tokenize(segmented, "space", self.lexicon.vocab)
            return _core.tokenize(self._prepare_core(reading), reading.tokenizer, self.lexicon.vocab)

    def _prepare_core(self, reading: TextReading) -> list[str] | _core.TextColumn:
        """Return the texts as the core's tokenizers take them: where they lie, unless something is done to them."""
        if reading.words or reading.sentences == "rule" or reading.lower:
            return self._prepare(reading)
        places = self._column.not_ascii() if reading.tokenizer == "unicode" else []
        return self._column.replaced(places, [_compose(self._column[i]) for i in places]) if places else self._column

    def _prepare(self, reading: TextReading) -> list[str]:
        strings = self.strings
        if reading.words:
            strings = [first_words(s, reading.words) for s in strings]
        if reading.sentences == "rule":
            from .sentences import split_sentences

            strings = ["\n".join(split_sentences(s)) for s in strings]
        if reading.lower:
            strings = [s.lower() for s in strings]
        if reading.tokenizer == "unicode":
            strings = [s if s.isascii() else _compose(s) for s in strings]
        return strings


def _remember(memo: dict[Any, Any], key: Any, make: Callable[[], T]) -> T:
    if key not in memo:
        memo[key] = make()
    value: T = memo[key]
    return value


def _compose(text: str) -> str:
    """Return the text in which é is é, whether it was written as one character or two."""
    return unicodedata.normalize("NFC", text)


def first_words(text: str, limit: int) -> str:
    """Return the text cut after n white-space words; line breaks stay, as they end sentences.

    >>> first_words("a b\\nc d e", 3)
    'a b\\nc'
    """
    lines: list[str] = []
    for line in text.split("\n"):
        words = line.split()
        lines.append(line if len(words) < limit else " ".join(words[:limit]))
        limit -= len(words)
        if limit <= 0:
            break
    return "\n".join(lines)
