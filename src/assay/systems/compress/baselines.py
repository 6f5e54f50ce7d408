"""Baselines to compare every compressor with. They work in any language."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import ClassVar

from ...text.stems import stop_words
from ...text.tokens.offsets import Token, is_punctuation, split_tokens
from ..budget import Budget
from ._base import Compression, Compressor, Source
from .length._limit import fit, note_excess


@dataclass(frozen=True)
class Identity(Compressor):
    """The text unchanged."""

    name: ClassVar[str] = "identity"
    has_length: ClassVar[bool] = False

    def compress(self, sources: Sequence[Source]) -> list[Compression]:
        outputs = []
        for source in sources:
            tokens = split_tokens(source.text)
            notes = note_excess(source.text, source.limit, "identity deletes nothing, the text has")
            outputs.append(Compression(source.text, source.text, tokens, tuple(range(len(tokens))), notes))
        return outputs


@dataclass(frozen=True)
class Lead(Compressor):
    """The first words, up to the length limit; a share of them (`ratio`) without a limit."""

    name: ClassVar[str] = "lead"
    ratio: float = 0.5

    def __post_init__(self) -> None:
        Budget(ratio=self.ratio)

    def compress(self, sources: Sequence[Source]) -> list[Compression]:
        return [_by_rank(source, self.ratio, lambda tokens: list(range(len(tokens)))) for source in sources]


@dataclass(frozen=True)
class DropStopWords(Compressor):
    """All words but stop words (SMART list of ROUGE-1.5.5); cut at the end if the limit is lower."""

    name: ClassVar[str] = "drop-stop-words"

    def compress(self, sources: Sequence[Source]) -> list[Compression]:
        stop = stop_words()
        return [_by_rank(s, 1.0, lambda tokens: _content(tokens, stop)) for s in sources]


def _content(tokens: Sequence[Token], stop: frozenset[str]) -> list[int]:
    content = [i for i, t in enumerate(tokens) if t.text.lower() not in stop or is_punctuation(t.text)]
    has_word = any(not is_punctuation(tokens[i].text) for i in content)
    return content if has_word else list(range(len(tokens)))  # nothing but stop words: never an empty text


@dataclass(frozen=True)
class Random(Compressor):
    """Random words, up to the length limit, or a share of them (`ratio`); the same for the same text and seed."""

    name: ClassVar[str] = "random"
    ratio: float = 0.5
    seed: int = 0

    def __post_init__(self) -> None:
        Budget(ratio=self.ratio)

    def compress(self, sources: Sequence[Source]) -> list[Compression]:
        return [_by_rank(source, self.ratio, self._shuffle(source.text)) for source in sources]

    def _shuffle(self, text: str) -> Callable[[Sequence[Token]], list[int]]:
        # Seeded by the text, so that the draw does not depend on where in the file a line is.
        digest = blake2b(text.encode(errors="surrogatepass"), digest_size=8, salt=str(self.seed).encode()[:16]).digest()

        def order(tokens: Sequence[Token]) -> list[int]:
            places = list(range(len(tokens)))
            random.Random(digest).shuffle(places)
            return places

        return order


def _by_rank(source: Source, ratio: float, rank: Callable[[Sequence[Token]], list[int]]) -> Compression:
    """Keep the first words by rank that fit, in the order of the text, and punctuation between kept neighbours."""
    tokens = split_tokens(source.text)
    order = rank(tokens)
    words = [i for i in order if not is_punctuation(tokens[i].text)]
    limit = source.limit or Budget(ratio=ratio).limit(source.text)
    assert limit is not None
    marks = [i for i in order if is_punctuation(tokens[i].text)]
    return fit(source, tokens, lambda n: _with_marks(words[:n], marks), len(words), limit)


def _with_marks(words: list[int], marks: list[int]) -> list[int]:
    """Add the marks that follow a kept word directly."""
    selected = set(words)
    for i in sorted(marks):
        if i - 1 in selected or (i + 1 in selected and i == 0):
            selected.add(i)
    return sorted(selected)
