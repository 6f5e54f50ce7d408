"""Gold splits: words with their boundaries, lemmas where the gold has them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from ...errors import FormatError

# Pieces of "a+s+b" that are linking elements and not parts.
LINKS = frozenset(["s", "e", "-", "er", "en", "n", "r", "a", "o", "i", "ens", "es", "t"])


class GoldSplit(NamedTuple):
    """A word, where its parts begin (the first one left out), and their lemmas, if the gold says them."""

    word: str
    boundaries: tuple[int, ...]
    lemmas: tuple[str, ...] = ()


def is_held_back(word: str) -> bool:
    """Check if a word belongs to the fifth of every gold set that the shipped weights have not seen.

    >>> is_held_back("Haustür"), is_held_back("Haus")
    (True, False)
    """
    return hashlib.sha256(word.lower().encode()).digest()[0] % 5 == 0


def parse_gold(lines: Iterable[str], *, path: object = None) -> list[GoldSplit]:
    """Read gold splits, one JSON object a line, in any of these forms.

    {"word": "Haustür", "split": "Haus|tür"}; {"split": "skærgård+s+sejlads"}; {"word": "tierversuchen", "analysis":
    "tier+versuch(en)"}; {"word": ..., "parts": [...]}; {"compound": ..., "modifier": [...], "head": [...]}.

    >>> parse_gold(['{"word": "prövningsprogrammet", "analysis": "prövning|s+programm(et)"}'])[0].boundaries
    (9,)
    """
    gold = [_parse_line(line, number, path) for number, line in enumerate(lines, 1) if line.strip()]
    if not gold:
        raise FormatError("there are no gold splits in it", path=path)
    return gold


def _parse_line(line: str, number: int, path: object) -> GoldSplit:
    try:
        row = msgspec.json.decode(line)
    except msgspec.DecodeError as error:
        raise FormatError(f"not a JSON object: {error}", path=path, line=number) from None
    split = next(_readings(row), None) if isinstance(row, dict) else None
    if split is None:
        raise FormatError(
            'not a gold split: give "split" as "Haus|tür", or word and analysis, word and parts, or compound, '
            "modifier and head",
            path=path,
            line=number,
        )
    return split


def _readings(row: dict[str, Any]) -> Iterator[GoldSplit]:
    match row:
        case {"word": str(word), "split": str(split)} if split.replace("|", "") == word:
            yield _from_bars(word, split)
        case {"word": str(word), "analysis": str(analysis)}:
            yield _from_analysis(word, analysis)
        case {"word": str(word), "parts": [*parts]} if all(isinstance(part, str) for part in parts):
            yield from _from_parts(word, parts)
        case {"compound": str(word), "head": [str(head), *_], "modifier": [str(modifier), *_]}:
            place = len(word) - len(head) if len(head) < len(word) else len(modifier)
            yield GoldSplit(word, (place,), (modifier, head))
        case {"split": str(split)} if split and "word" not in row:
            yield _from_pieces(split.split("+"))


def _from_bars(word: str, split: str) -> GoldSplit:
    ends = [len(piece) for piece in split.split("|")]
    return GoldSplit(word, tuple(sum(ends[:i]) for i in range(1, len(ends))))


def _from_analysis(word: str, analysis: str) -> GoldSplit:
    """Read "prövning|s+programm(et)": + is a boundary, | precedes a linking element, brackets hold an ending."""
    places, length = [], 0
    for letter in analysis:
        if letter == "+":
            places.append(length)
        elif letter not in "|()":
            length += 1
    lemmas = tuple(part.partition("|")[0].partition("(")[0] for part in analysis.split("+"))
    inside = tuple(place for place in places if 0 < place < len(word))
    return GoldSplit(word, inside, lemmas if len(lemmas) == len(inside) + 1 else ())


def _from_parts(word: str, parts: Sequence[str]) -> Iterator[GoldSplit]:
    """Find parts in a word; what is between two of them is a linking element and belongs to the first."""
    places, at = [], 0
    for part in parts:
        if (place := word.lower().find(part.lower(), at)) < 0:
            return
        places.append(place)
        at = place + len(part)
    yield GoldSplit(word, tuple(places[1:]))


def _from_pieces(pieces: Sequence[str]) -> GoldSplit:
    """Read ["a", "s", "b"]: pieces, linking elements among them."""
    places, lemmas, at = [], [], 0
    for i, piece in enumerate(pieces):
        link = 0 < i < len(pieces) - 1 and piece in LINKS
        if not link:
            lemmas.append(piece)
        if i and not link:
            places.append(at)
        at += len(piece)
    return GoldSplit("".join(pieces), tuple(places), tuple(lemmas))
