"""Rewrite: a shorter text with words that are not all from the source, with every edit that leads to it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from ....text.logic.deletions import Deletion
from ....text.tokens.offsets import Token, is_punctuation, split_lexical_tokens
from .._base import Compression, Source
from ..length._limit import note_excess

EditKind = Literal["keep", "delete", "replace", "insert"]
_FEW = 4  # words: with fewer, a share of unknown ones says nothing about the language
_FOREIGN = 0.5  # share of unknown words from which on a text is taken to be in another language


class TextEdit(NamedTuple):
    """One step from the source to the text: what stands between `start` and `end` of the source becomes `text`.

    `end` equals `start` for an insertion, and `text` is empty for a deletion. `reason` tells which rule or list it
    comes from, where the system knows.
    """

    kind: EditKind
    start: int
    end: int
    text: str
    reason: str = ""


@dataclass(frozen=True)
class Rewrite(Compression):
    """A shorter text that may have words of its own; `kept_tokens` are the words it has from the source.

    >>> c = build_rewrite(Source("He came in order to help."), "He came to help.")
    >>> [(e.kind, c.source[e.start : e.end]) for e in c.edits]
    [('keep', 'He came'), ('delete', 'in order'), ('keep', 'to help.')]
    """

    edits: tuple[TextEdit, ...] = ()

    @property
    def token_rate(self) -> float:
        """Tokens of the text by tokens of the source, punctuation included; NaN of 0."""
        return len(split_lexical_tokens(self.text)) / len(self.tokens) if self.tokens else float("nan")


def list_edits(compression: Compression) -> tuple[TextEdit, ...]:
    """Return the edits of any compression; those of one that only deletes are its kept and deleted spans."""
    if isinstance(compression, Rewrite):
        return compression.edits
    selected = set(compression.kept_tokens)
    steps = (
        TextEdit("keep", token.start, token.end, token.text)
        if i in selected
        else TextEdit("delete", token.start, token.end, "")
        for i, token in enumerate(compression.tokens)
    )
    return join_edits(compression.source, steps)


def join_edits(source: str, edits: Iterable[TextEdit]) -> tuple[TextEdit, ...]:
    """Join neighbours that keep, and neighbours that delete for the same reason."""
    joined: list[TextEdit] = []
    for edit in edits:
        last = joined[-1] if joined else None
        if last and last.kind == edit.kind and edit.kind in ("keep", "delete") and last.reason == edit.reason:
            text = source[last.start : edit.end] if edit.kind == "keep" else ""
            joined[-1] = TextEdit(edit.kind, last.start, edit.end, text, edit.reason)
        else:
            joined.append(edit)
    return tuple(joined)


def align_edits(source: str, tokens: Sequence[Token], text: str) -> tuple[list[int], tuple[TextEdit, ...]]:
    """Find the tokens of the source that a text has, and the edits between the two: for systems that generate words.

    Words are the same if they differ in case only. What moved is a deletion and an insertion.
    """
    words = split_lexical_tokens(text)
    matcher = SequenceMatcher(None, [t.text.lower() for t in tokens], [t.text.lower() for t in words], autojunk=False)
    places: list[int] = []
    edits: list[TextEdit] = []
    for step, i, j, k, m in matcher.get_opcodes():
        output = text[words[k].start : words[m - 1].end] if m > k else ""
        start = tokens[i].start if j > i else (tokens[i - 1].end if i else 0)
        end = tokens[j - 1].end if j > i else start
        if step == "equal":
            places += range(i, j)
        edits.append(TextEdit("keep" if step == "equal" else step, start, end, output))
    return places, tuple(edits)


def build_rewrite(
    source: Source,
    text: str,
    *,
    tokens: Sequence[Token] | None = None,
    edits: Sequence[TextEdit] | None = None,
    kept_tokens: Sequence[int] = (),
    notes: Iterable[str] = (),
    deletions: tuple[Deletion, ...] | None = None,
) -> Rewrite:
    """Build the rewrite of a source; without edits, they are found by comparing the words.

    A text longer than the source's limit gets the note that every compressor gives. An empty text is never returned:
    the source is left as it is, with a note.
    """
    if not text.strip():
        return leave_text(source, "the system wrote nothing", notes) if source.text.strip() else leave_text(source)
    places = split_lexical_tokens(source.text) if tokens is None else tuple(tokens)
    if edits is None:
        kept_tokens, edits = align_edits(source.text, places, text)
    notes = (*notes, *note_excess(text, source.limit))
    return Rewrite(source.text, text, places, tuple(kept_tokens), notes, deletions, tuple(edits))


def leave_text(source: Source, reason: str = "", notes: Iterable[str] = ()) -> Rewrite:
    """Leave a source as it is, with a note that gives the reason."""
    tokens = split_lexical_tokens(source.text)
    notes = (*notes, *([f"left as it is: {reason}"] if reason else []))
    notes = (*notes, *note_excess(source.text, source.limit, "the text as it is has"))
    edits = (TextEdit("keep", tokens[0].start, tokens[-1].end, source.text.strip()),) if tokens else ()
    return Rewrite(source.text, source.text, tokens, tuple(range(len(tokens))), notes, None, edits)


def refuse_reason(text: str, known: Container[str]) -> str:
    """Return why a text cannot be rewritten (no words, unknown ones), or nothing; `known` has words in lower case.

    >>> refuse_reason("Der Hund lief schnell nach Hause.", {"the", "dog", "ran", "home"})
    '100% of its words are unknown'
    """
    words = [t.text.lower() for t in split_lexical_tokens(text) if not is_punctuation(t.text)]
    words = [word for word in words if not any(c.isdigit() for c in word)]
    if not any(c.isalpha() for word in words for c in word):
        return "it has no words"
    unknown = sum(word not in known for word in words) / len(words)
    if len(words) < _FEW or unknown < _FOREIGN:
        return ""
    return f"{unknown:.0%} of its words are unknown"


def draw_diff(compression: Compression) -> str:
    """Write the edits in one line: [-deleted-] and {+new+}, as `git diff --word-diff` does.

    >>> draw_diff(build_rewrite(Source("He came in order to help."), "He came to assist."))
    'He came [-in order-] to [-help-]{+assist+}.'
    """
    return "".join(_draw_parts(compression)).strip()


def _draw_parts(compression: Compression) -> Iterator[str]:
    source, at = compression.source, 0
    for edit in list_edits(compression):
        if edit.start > at:  # the space before it, as in the source
            yield source[at : edit.start]
        at = max(at, edit.end)
        old = source[edit.start : edit.end]
        if edit.kind == "keep":
            yield old
        elif edit.kind == "insert":
            yield f" {{+{edit.text}+}}" if edit.start else f"{{+{edit.text}+}} "
        else:
            yield f"[-{old}-]" + (f"{{+{edit.text}+}}" if edit.text else "")
