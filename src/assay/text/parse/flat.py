"""A parsed text as one flat row of tokens with heads in the whole text, for what looks at the tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..tokens.offsets import Token, is_punctuation, place
from .sentence import Parse, Word


@dataclass(frozen=True)
class ParsedText:
    """One text: tokens with their places, words with head (in the whole text, -1: none) and relation."""

    text: str
    tokens: tuple[Token, ...]
    words: tuple[Word, ...]
    heads: tuple[int, ...]
    sentence: tuple[int, ...]  # which sentence a token stands in
    parse: Parse

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The dependents of each token, in order."""
        below: list[list[int]] = [[] for _ in self.heads]
        for i, head in enumerate(self.heads):
            if head >= 0:
                below[head].append(i)
        return tuple(map(tuple, below))

    @cached_property
    def punctuation(self) -> tuple[bool, ...]:
        """Whether each token is punctuation, by its characters."""
        return tuple(is_punctuation(token.text) for token in self.tokens)

    def subtree(self, i: int) -> list[int]:
        """Return a token and all tokens below it, in order."""
        parsed, queue = [], [i]
        while queue:
            parsed.append(top := queue.pop())
            queue.extend(self.children[top])
        return sorted(parsed)


def parse_texts(texts: Sequence[str], parser: str = "en") -> list[ParsedText]:
    """Parse each text (from the user's cache if it is there) and locate its words in it.

    >>> [a] = parse_texts(["Cats  sleep. Dogs bark."])
    >>> [(t.text, t.start, h) for t, h in zip(a.tokens, a.heads)]
    [('Cats', 0, 1), ('sleep', 6, -1), ('.', 11, 1), ('Dogs', 13, 4), ('bark', 18, -1), ('.', 22, 4)]
    """
    from ..cache import default_cache
    from .parser import parse

    parses = parse(texts, parser, cache=default_cache())
    return [flatten(text, parsed, parser) for text, parsed in zip(texts, parses, strict=True)]


def flatten(text: str, parsed: Parse, parser: str = "en") -> ParsedText:
    """Join the sentences of a parse and locate its words in the text."""
    words: list[Word] = []
    heads: list[int] = []
    sentence: list[int] = []
    for number, part in enumerate(parsed.sentences):
        heads += [word.head + len(words) if word.head >= 0 else -1 for word in part]
        words += part
        sentence += [number] * len(part)
    tokens = place(text, [word.form for word in words], parser)
    return ParsedText(text, tokens, tuple(words), tuple(heads), tuple(sentence), parsed)
