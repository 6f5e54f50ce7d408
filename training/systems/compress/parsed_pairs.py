"""Pairs with their trees: parsed once, the kept words as tokens of the parser."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from google_pairs import Pair

from assay.systems.compress.tree.constituents import ConstituentTree, constituents
from assay.text.parse.flat import ParsedText, parse_texts


class ParsedPair(NamedTuple):
    """A pair: the sentence analysed, its tree, and which tokens the short one keeps."""

    analysis: ParsedText
    tree: ConstituentTree
    kept: tuple[bool, ...]


def parse_pairs(pairs: Iterable[Pair], chunk: int = 1000) -> Iterator[ParsedPair]:
    """Every pair with its tree."""
    rest = iter(pairs)
    while part := list(islice(rest, chunk)):
        for pair, analysis in zip(part, parse_texts([p.text for p in part]), strict=True):
            yield ParsedPair(analysis, constituents(analysis), token_bits(pair.words, pair.kept, analysis))


def token_bits(words: Sequence[str], kept: Sequence[bool], analysis: ParsedText) -> tuple[bool, ...]:
    """Which tokens are kept: those that begin inside a word that is, in the text of words joined by spaces."""
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word) + 1)
    return tuple(kept[bisect_right(starts, token.start) - 1] for token in analysis.tokens)
