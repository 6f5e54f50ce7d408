"""Sentence splitting by rule: a newline always ends a sentence; otherwise final punctuation before a new start."""

from __future__ import annotations

import re
from collections.abc import Iterator


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Before a name or a number: what follows goes on with the sentence, whatever it begins with.
_TITLES = _words("""
    mr mrs ms messrs dr prof gen col lt sgt cpl capt maj cmdr adm rep reps sen sens gov hon rev fr st ste ft mt attn
    appt vs p.s n.b cf ca approx dept univ e.g i.e viz arr arrv dep conf est ph.d m.d b.a m.a
""")
# Before a number only; elsewhere "no." and the like are words: "He said no. She left."
_NUMBERED = _words("""
    no nos fig figs eq eqs sec secs vol vols pp ch art ext tel ph fax mob sc para
""")
# Abbreviations that may also end a sentence: they do before a word that begins sentences, such as "The".
_ABBREVIATIONS = _words("""
    inc ltd co corp bros plc etc al jr sr ed eds assn bldg ave blvd rd hwy u.s u.k u.n e.u a.m p.m d.c l.a n.y ala
    ariz ark calif colo conn del fla ga ill kan ky md mich minn miss mont neb nev okla ore pa tenn tex va vt wash
    wis wyo ont que
""")
# Abbreviations only with a capital: "in the sun. Bob left" has two sentences.
_DATES = _words("""
    Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun
""")
_STARTERS = _words("""
    A After All Also Although An And Another Any Are As At Because Before Both But By Can Did Do Does During Each
    Even Every For From Had Has Have He Her Here His How However I I'd I'll I'm I've If In Instead Is It It's Its
    Just Last Later Like Many Meanwhile Most My No None Nor Not Nothing Now Of On Once One Only Or Other Our Please
    She Should Since So Some Such Thank Thanks That That's The Their Then There There's These They They're This
    Those Though Thus To Under Until We We're Were What When Where Which While Who Why With Would Yes Yet You You're
    Your
""")
_NAMES = frozenset({"Yahoo", "Jeopardy"})  # written with an exclamation mark
_EMOTICON = r"(?:[:;=8xX][-'^o]?[()\[\]DPpOo/|*3]+|\^[_.-]*\^|<3|[:;]\))(?!\w)"
_MARK = re.compile(
    rf"""(?P<mark>[.!?…]+(?:[ \t]+[.!?…]+)*|[。！？]+)     # the mark; an ellipsis may be spaced
        (?P<close>["'”’)\]»」』*]*(?:\s+(?:[”’)\]»」』]+|''|{_EMOTICON})(?=\s|$))*)  # what closes with it
        (?P<gap>\s+|$|(?<=[。！？」』])|(?=[A-Z]))""",
    re.VERBOSE,
)
_OPENERS = "\"'`“‘([«「『¿¡—-–*#•>"
_LIST_NUMBER = re.compile(r"\W*(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,4})")
_INITIALS = re.compile(r"[^\W\d_]|(?:[^\W\d_]\.)+[^\W\d_]")
_PIECE = re.compile(r"[\s\-–—/]")
_WORD = re.compile(r"[\w'’]+")
_GOES_ON = frozenset({"and", "or", "but", "nor"})  # in small letters after a full stop: not a new sentence
_INSIDE = frozenset(",;:%")
_NEAR = 80  # characters looked at on each side of a mark, so that a line of marks takes no longer than others


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, white space trimmed, none empty.

    A list number, a closing quote or an emoticon is not a sentence of its own, unless nothing else stands on the line.

    >>> split_sentences("Dr. Smith paid $3.50 to J. Doe. He left!\\nNobody (yet) asked why.")
    ['Dr. Smith paid $3.50 to J. Doe.', 'He left!', 'Nobody (yet) asked why.']
    >>> split_sentences("今日は晴れ。明日は雨。")
    ['今日は晴れ。', '明日は雨。']
    """
    return [text[start:end] for start, end in sentence_spans(text)]


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return where each of these sentences begins and ends in the text.

    >>> sentence_spans("Yes.  No!")
    [(0, 4), (6, 9)]
    """
    spans, place = [], 0
    for line in text.splitlines(keepends=True):
        spans += [(place + start, place + end) for start, end in _line_spans(line)]
        place += len(line)
    return spans


def _line_spans(line: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    words_before = False
    for start, end in _parts(line):
        words = any(character.isalnum() for character in line[start:end])
        if spans and not (words and words_before):
            start = spans.pop()[0]  # marks alone are part of the sentence before, or of the first one
        spans.append((start, end))
        words_before |= words
    return spans


def _parts(line: str) -> Iterator[tuple[int, int]]:
    """Yield the spans between the ends of sentences, trimmed."""
    start = 0
    for match in _MARK.finditer(line):
        if _ends_here(match, line, start):
            yield from _trim(line, start, match.end("close"))
            start = match.end()
    yield from _trim(line, start, len(line))


def _trim(line: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    part = line[start:end]
    if text := part.strip():
        first = start + part.index(text[0])
        yield first, first + len(text)


def _ends_here(match: re.Match[str], line: str, start: int) -> bool:
    """Check if the sentence that began at `start` ends with this mark."""
    mark, rest = match["mark"], line[match.end() : match.end() + _NEAR].lstrip(_OPENERS + " ")
    if match.end() == len(line) or mark[0] in "。！？":
        return True
    before = line[max(start, match.start() - _NEAR) : match.start()]
    word, next_word = _PIECE.split(before)[-1].lstrip(_OPENERS), _WORD.match(rest)
    starter = next_word is not None and next_word[0] in _STARTERS
    if not match["gap"]:  # no space: only before a word that begins sentences, and not inside an address
        return starter and word.isalpha() and len(word) > 2 and word[-1].islower()
    lower = rest[:1].islower()
    if "!" in mark or "?" in mark:
        return not (lower and (match["close"] or word.endswith(","))) and word not in _NAMES
    if mark != ".":  # an ellipsis
        return not lower and next_word is not None
    if _LIST_NUMBER.fullmatch(before) or not _may_end(word, rest[:1], starter):
        return False
    return not lower or (next_word is not None and next_word[0] not in _GOES_ON and len(word) not in (1, 2))


def _may_end(word: str, following: str, starter: bool) -> bool:
    """Check if a word and its full stop may end a sentence before this character."""
    name = word.lower()
    if name in _TITLES or following in _INSIDE:
        return False
    if name in _NUMBERED:
        return not following.isdigit()
    return starter or not (name in _ABBREVIATIONS or word in _DATES or _INITIALS.fullmatch(word))
