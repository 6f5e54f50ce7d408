"""Sentence splitting by rule: a newline always ends a sentence; otherwise final punctuation before a new start."""

from __future__ import annotations

import re

# Titles, months, units and the like, after which a full stop rarely ends a sentence.
_ABBREVIATIONS = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "sr",
        "jr",
        "st",
        "gen",
        "col",
        "lt",
        "sgt",
        "capt",
        "rep",
        "sen",
        "gov",
        "hon",
        "rev",
        "fr",
        "no",
        "vs",
        "etc",
        "inc",
        "ltd",
        "co",
        "corp",
        "dept",
        "univ",
        "fig",
        "figs",
        "eq",
        "eqs",
        "sec",
        "vol",
        "pp",
        "ed",
        "eds",
        "al",
        "e.g",
        "i.e",
        "cf",
        "ca",
        "approx",
        "est",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "mon",
        "tue",
        "wed",
        "thu",
        "fri",
        "sat",
        "sun",
        "u.s",
        "u.k",
        "u.n",
        "a.m",
        "p.m",
        "d.c",
        "ph.d",
        "m.d",
        "b.a",
        "m.a",
    ]
)
_END = re.compile(
    r"""(?P<word>\S*?)            # what stands before the mark
        (?P<mark>[.!?…]+|[。！？])   # the mark
        (?P<close>["'”’)\]»」』]*)   # quotes and brackets that close with it
        (?P<gap>\s+|$|(?<=[。！？])) # a space, the end, or nothing after a CJK mark""",
    re.VERBOSE,
)
_OPENERS = "\"'“‘([«「『¿¡—-"


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, white space trimmed, none empty.

    >>> split_sentences("Dr. Smith paid $3.50 to J. Doe. He left!\\nNobody (yet) asked why.")
    ['Dr. Smith paid $3.50 to J. Doe.', 'He left!', 'Nobody (yet) asked why.']
    >>> split_sentences("今日は晴れ。明日は雨。")
    ['今日は晴れ。', '明日は雨。']
    """
    return [sentence for line in text.splitlines() for sentence in _split_line(line)]


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return where each of these sentences begins and ends in the text.

    >>> sentence_spans("Yes.  No!")
    [(0, 4), (6, 9)]
    """
    spans, place = [], 0
    for sentence in split_sentences(text):
        place = text.index(sentence, place)
        spans.append((place, place + len(sentence)))
        place += len(sentence)
    return spans


def _split_line(line: str) -> list[str]:
    sentences: list[str] = []
    start = 0
    for match in _END.finditer(line):
        if _ends_here(match, line):
            sentences.append(line[start : match.end("close")].strip())
            start = match.end()
    sentences.append(line[start:].strip())
    return [s for s in sentences if s]


def _ends_here(match: re.Match[str], line: str) -> bool:
    mark, rest = match["mark"], line[match.end() :].lstrip(_OPENERS)
    if mark != ".":
        return True
    word = match["word"].lstrip(_OPENERS)
    if word.lower() in _ABBREVIATIONS or re.fullmatch(r"[^\W\d_]|(?:[^\W\d_]\.)+[^\W\d_]", word):
        return not rest  # an abbreviation or an initial: only the end of the line ends it
    return not rest or not rest[0].islower()
