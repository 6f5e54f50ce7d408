"""Joining: pieces of several sentences as one text, with the spacing their sentences had and a capital at the start."""

from __future__ import annotations

from collections.abc import Sequence

from ...text.tokens.offsets import is_punctuation
from ._base import Piece

_OPENING = frozenset("([{“‘«„")


def join_pieces(sentences: Sequence[str], pieces: Sequence[Piece]) -> str:
    """Join the pieces into a text.

    >>> sentences = ["The cat sat.", "An old cat slept."]
    >>> join_pieces(sentences, [Piece(1, 3, 6), Piece(0, 4, 7), Piece(0, 8, 11), Piece(1, 16, 17)])
    'Old cat sat.'
    """
    out: list[str] = []
    for n, piece in enumerate(pieces):
        sentence = sentences[piece.sentence]
        form = sentence[piece.start : piece.end]
        if n:
            out.append(_gap(sentences, pieces[n - 1], piece))
        elif next((c for c in sentence if c.isalpha()), "").isupper() and form.isalpha() and form.islower():
            form = form[:1].upper() + form[1:]
        out.append(form)
    return "".join(out)


def _gap(sentences: Sequence[str], before: Piece, piece: Piece) -> str:
    """Return a space, unless the piece clings to what is on its left (a mark, n't), or the one before to its right."""
    sentence, earlier = sentences[piece.sentence], sentences[before.sentence]
    own = " " if piece.start == 0 or sentence[piece.start - 1].isspace() else ""
    if (
        before.sentence == piece.sentence
        and before.end <= piece.start
        and not sentence[before.end : piece.start].strip()
    ):
        return own
    form = sentence[piece.start : piece.end]
    if is_punctuation(form) or "'" in form[:2] or "’" in form[:2]:
        return own
    last = earlier[before.start : before.end]
    follows = before.end >= len(earlier) or earlier[before.end].isspace()
    return "" if not follows and (last in _OPENING or last.endswith(("'", "’", "-"))) else " "
