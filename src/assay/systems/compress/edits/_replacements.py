"""Replacements: what is put in the place of words before others are deleted, and how both are told as edits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ....text.logic.deletions import Deletion
from ....text.parse.flat import ParsedText
from ....text.tokens.offsets import Token
from .._base import Compression, Source
from ..truth._protected import find_protected, match_patterns, parse_kinds
from ._tags import inflect
from .model import TagChoice
from .rewrite import EditKind, Rewrite, TextEdit, join_edits
from .short_forms import find_short_forms

_EXACT = frozenset({"numeral", "date", "abbreviation", "contraction"})  # they keep the number, name or negation

# Of the pairs that were learned, those that say the same, read one by one.
_SAME = frozenset(
    {
        ("and", "&"),
        ("because", "as"),
        ("because", "since"),
        ("because of", "due to"),
        ("children", "kids"),
        ("difficult", "hard"),
        ("in which", "where"),
        ("information", "info"),
        ("more than", "over"),
        ("such as", "like"),
        ("television", "tv"),
        ("whether", "if"),
    }
)


class TextReplacement(NamedTuple):
    """Tokens `first` to `last` (excluded) become a text; `first` equals `last` where it is put in before a token."""

    first: int
    last: int
    text: str
    reason: str


def find_replacements(
    source: Source,
    a: ParsedText,
    kinds: frozenset[str],
    tags: Sequence[TagChoice],
    pairs: frozenset[tuple[str, str]],
) -> list[TextReplacement]:
    """Find what to replace in a text, from the left; nothing in quotation marks or code, or that a pattern matches.

    Short forms come before what the tagger learned. Where the source is to be faithful, only what says the same.
    """
    quoted = find_protected(a, parse_kinds("quotes")) | set(match_patterns(source, a.tokens))
    fixed = quoted | find_protected(a, parse_kinds("code"))  # where 3rd may be part of a date
    careful = fixed | find_protected(a, parse_kinds("negation+numbers+names"))
    selection: list[TextReplacement] = []
    busy: set[int] = set()
    for new in [*_short_forms(a, kinds), *_propose(a, tags, pairs, source.faithful)]:
        span = set(range(new.first, max(new.last, new.first + 1)))
        untouchable = quoted if new.reason == "date" else fixed if new.reason in _EXACT else careful
        if not span & (busy | untouchable):
            selection.append(new)
            busy |= span
    return sorted(selection)


def _short_forms(a: ParsedText, kinds: frozenset[str]) -> Iterator[TextReplacement]:
    for form in find_short_forms(a, kinds):
        yield TextReplacement(form.first, form.last, form.text, form.kind)


def _propose(
    a: ParsedText, tags: Sequence[TagChoice], pairs: frozenset[tuple[str, str]], faithful: bool
) -> Iterator[TextReplacement]:
    """Return what the tagger proposes, likeliest first."""
    words = [token.text.lower() for token in a.tokens]
    for choice in sorted(tags, key=lambda choice: -choice.p):
        action, _, phrase = choice.tag.partition(" ")
        i = choice.word
        if phrase[0] in "'n" and "'" in phrase:  # contractions are short forms
            continue
        if action == "replace":
            last = next((n for n in (4, 3, 2, 1) if (" ".join(words[i : i + n]), phrase) in pairs), 0)
            if last and (not faithful or (" ".join(words[i : i + last]), phrase) in _SAME):
                yield TextReplacement(i, i + last, phrase, "learned phrase")
        elif faithful:
            continue
        elif action == "insert":
            yield TextReplacement(i, i, phrase, "learned insertion")
        elif (form := inflect(a.words[i], phrase)) and form != words[i]:
            yield TextReplacement(i, i + 1, form, "inflection")


class _Piece(NamedTuple):
    """A span of the source, and where it or what replaces it stands in the new text."""

    start: int
    end: int
    new_start: int
    new_end: int
    reason: str  # empty: as it is


class Replacements:
    """A text with its replacements made, and how places in it are those of the source."""

    def __init__(self, source: str, tokens: Sequence[Token], items: Sequence[TextReplacement]) -> None:
        self.source, self.tokens, self.items = source, tuple(tokens), tuple(items)
        self.pieces: list[_Piece] = []
        parts: list[str] = []
        at = length = 0

        def add(start: int, end: int, text: str, reason: str) -> None:
            nonlocal at, length
            if text or end > start:
                self.pieces.append(_Piece(start, end, length, length + len(text), reason))
            parts.append(text)
            length += len(text)
            at = end

        for item in items:
            start = self.tokens[item.first].start
            if item.text == "%":  # it stands at its number
                start = self.tokens[item.first - 1].end
            end = self.tokens[item.last - 1].end if item.last > item.first else start
            add(at, start, source[at:start], "")
            text = self._fit(item)
            if not text and item.last < len(self.tokens):  # nothing in its place: the space after it goes too
                add(start, self.tokens[item.last].start, "", item.reason)
            else:
                glue = " " if item.first == item.last else ""
                add(start, end, text, item.reason)
                add(end, end, glue, "")
        add(at, len(source), source[at:], "")
        self.text = "".join(parts)
        if source[:1].isupper() and self.text[:1].islower():
            self.text = self.text[0].upper() + self.text[1:]

    def _fit(self, item: TextReplacement) -> str:
        """Return the text of a replacement, with a capital letter where a sentence begins."""
        old = self.tokens[item.first].text
        if (
            item.text[:1].islower()
            and old[:1].isupper()
            and item.last > item.first
            and _starts(self.tokens, item.first)
        ):
            return item.text[0].upper() + item.text[1:]
        return item.text

    def compose(self, shorter: Compression) -> Rewrite:
        """Tell a compression of the new text as a rewrite of the source."""
        edits = join_edits(self.source, self._edits(shorter))
        spans = [(edit.start, edit.end) for edit in edits if edit.kind == "keep"]
        kept_tokens = [
            i for i, t in enumerate(self.tokens) if any(start <= t.start and t.end <= end for start, end in spans)
        ]
        deletions = None if shorter.deletions is None else tuple(map(self._locate(shorter), shorter.deletions))
        return Rewrite(self.source, shorter.text, self.tokens, tuple(kept_tokens), shorter.notes, deletions, edits)

    def _edits(self, shorter: Compression) -> Iterator[TextEdit]:
        """Yield the edits piece by piece; what is left of a replacement after deletions is what was put in."""
        selected = set(shorter.kept_tokens)
        tokens = shorter.tokens
        for piece in self.pieces:
            inside = [i for i, t in enumerate(tokens) if piece.new_start <= t.start < piece.new_end]
            if piece.reason:
                text = " ".join(tokens[i].text for i in inside if i in selected)
                kind: EditKind = "insert" if piece.start == piece.end else "replace" if text else "delete"
                if text or piece.end > piece.start:
                    end = len(self.source[: piece.end].rstrip())
                    reason = "" if kind == "delete" and piece.new_end > piece.new_start else piece.reason
                    yield TextEdit(kind, piece.start, max(piece.start, end), text, reason)
                continue
            shift = piece.start - piece.new_start
            for i in inside:
                start, end = tokens[i].start + shift, tokens[i].end + shift
                if i in selected:
                    yield TextEdit("keep", start, end, self.source[start:end])
                else:
                    yield TextEdit("delete", start, end, "")

    def _locate(self, shorter: Compression) -> Callable[[Deletion], Deletion]:
        """Return a function from a deletion in the new text to one in the source."""
        places = [self._token_at(token.start) for token in shorter.tokens]

        def locate(deletion: Deletion) -> Deletion:
            words = tuple(dict.fromkeys(places[i] for i in deletion.words))
            return deletion._replace(words=words, head=places[deletion.head] if deletion.head >= 0 else -1)

        return locate

    def _token_at(self, place: int) -> int:
        """Return the token of the source that stands at a place of the new text, or the first that it replaces."""
        piece = next(p for p in self.pieces if p.new_start <= place < p.new_end)
        at = piece.start if piece.reason else place - piece.new_start + piece.start
        return next((i for i, token in enumerate(self.tokens) if token.end > at), len(self.tokens) - 1)


def _starts(tokens: Sequence[Token], i: int) -> bool:
    """Check if a token begins a sentence."""
    return i == 0 or tokens[i - 1].text[-1] in ".!?”\"'"
