"""What every compressor is: a frozen dataclass, spelled as a call, from sources to compressions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from ...text.logic.deletions import Deletion
from ...text.tokens.offsets import Token, is_punctuation
from ..budget import Budget, Limit, count_words
from ..system import System, check_text
from ._rendering import render, tidy


class Threshold(NamedTuple):
    """One threshold for many texts: the mean token rate asked for, the charge for a word, and what may be lost."""

    ratio: float
    charge: float = 0.0  # in logits
    level: int = 0
    mean: float = float("nan")  # the mean token rate that it gives: above the ratio where no text can be shorter


@dataclass(frozen=True)
class Source:
    """A text to shorten: its length limit, the other sentences of its document, and patterns to keep or drop."""

    text: str
    budget: Budget = field(default_factory=Budget)
    context: tuple[str, ...] = ()  # for word frequencies; empty: the text alone is the document
    keep: tuple[str, ...] = ()  # regular expressions; words they touch stay
    drop: tuple[str, ...] = ()  # and words these touch go
    faithful: bool = True  # whether deletions that change what is said are avoided, by systems that can
    threshold: Threshold | None = None  # that all texts of a file share, in place of a budget

    def __post_init__(self) -> None:
        for text in (self.text, *self.context):
            check_text(text, "a text to compress")

    @property
    def limit(self) -> Limit | None:
        """The most words or characters of the shorter text, None without a budget."""
        return self.budget.limit(self.text)


@dataclass(frozen=True)
class Compression:
    """A shorter text: which tokens of the source it keeps, and what is to be said about it.

    >>> from assay.text.tokens.offsets import split_tokens
    >>> text = "It is cold , very cold today ."
    >>> c = build_compression(text, split_tokens(text), [0, 1, 2])
    >>> c.text, c.kept_tokens, c.word_rate, round(c.token_rate, 2)
    ('It is cold .', (0, 1, 2, 7), 0.5, 0.5)
    """

    source: str
    text: str
    tokens: tuple[Token, ...] = ()  # of the source
    kept_tokens: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    deletions: tuple[Deletion, ...] | None = None  # what was left out, with labels; None where no one looked

    @property
    def words(self) -> int:
        """Words of the shorter text."""
        return count_words(self.text)

    @property
    def word_rate(self) -> float:
        """Words of the shorter text by words of the source (between white space, with a letter or digit); NaN of 0."""
        whole = count_words(self.source)
        return self.words / whole if whole else float("nan")

    @property
    def token_rate(self) -> float:
        """Kept tokens by tokens of the source, punctuation included: the rate of the literature; NaN of 0."""
        return len(self.kept_tokens) / len(self.tokens) if self.tokens else float("nan")

    @property
    def char_rate(self) -> float:
        """Characters by characters; NaN of 0."""
        return len(self.text) / len(self.source) if self.source else float("nan")

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """Where the kept pieces stand in the source: character offsets, neighbours joined."""
        spans: list[tuple[int, int]] = []
        last = -2
        for i in self.kept_tokens:
            token = self.tokens[i]
            if i == last + 1:
                spans[-1] = (spans[-1][0], token.end)
            else:
                spans.append((token.start, token.end))
            last = i
        return tuple(spans)


def build_compression(
    source: str, tokens: Sequence[Token], kept_tokens: Iterable[int], notes: Iterable[str] = (), *, tidied: bool = True
) -> Compression:
    """Build the compression that keeps these tokens; its punctuation is repaired unless `tidied` is false.

    A text without words (empty, or punctuation alone) stays as it is.
    """
    if all(is_punctuation(token.text) for token in tokens):
        return Compression(source, source, tuple(tokens), tuple(range(len(tokens))), tuple(notes))
    places = sorted(set(kept_tokens))
    if tidied:
        places = tidy(source, tokens, places)
    text = render(source, tokens, places)
    end = source.rstrip()[-1:]
    if tidied and end in (".", "!", "?") and text[-1:].isalnum():  # the end stands in a word that went: $5m.
        text += end
    return Compression(source, text, tuple(tokens), tuple(places), tuple(notes))


@dataclass(frozen=True)
class Compressor(System):
    """A compressor."""

    has_length: ClassVar[bool] = True  # whether a length limit is obeyed
    is_faithful: ClassVar[bool] = False  # whether it can avoid deletions that change what is said
    rewrites: ClassVar[bool] = False  # whether it may write words of its own; its results are Rewrites
    has_threshold: ClassVar[bool] = False  # whether one threshold can set the mean rate of many texts

    def compress(self, sources: Sequence[Source]) -> list[Compression]:
        """Compress each source."""
        raise NotImplementedError

    def trace(self, sources: Sequence[Source]) -> list[list[list[tuple[float, float]]]]:
        """Return of each source, for each level of loss, the charges from which on it has a token rate.

        Only where `has_threshold` is true. A text that cannot be shorter has no levels.
        """
        raise NotImplementedError
