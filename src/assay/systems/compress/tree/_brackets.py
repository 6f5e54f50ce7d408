"""Penn brackets: trees of a constituency parser of your own, found again by the text they are of."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ....errors import InputError
from .constituents import ConstituentTree, Span, tree_of

_PIECE = re.compile(r"[()]|[^\s()]+")
_ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"'}
_QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'"})
_DEEPEST = 1000


@dataclass(frozen=True)
class Bracketed:
    """A tree with its words."""

    words: tuple[str, ...]
    tree: ConstituentTree


def read_brackets(text: str, where: str = "brackets") -> list[Bracketed]:
    """Read the trees of a text in Penn brackets, with any line breaks.

    Function tags become relations (NP-SBJ: NP, sbj), traces (-NONE-) go, and so does an outer bracket without label.

    >>> [trees] = read_brackets("( (S (NP-SBJ (DT The) (NN cat)) (VP (VBD sat) (. .))) )")
    >>> trees.words, [(n.label, n.start, n.end, n.relation) for n in trees.tree.nodes[:2]]
    (('The', 'cat', 'sat', '.'), [('S', 0, 4, 'head'), ('NP', 0, 2, 'sbj')])
    """
    return [_tree(pieces, where, number) for number, pieces in enumerate(_split(text, where), 1)]


@lru_cache(maxsize=8)
def trees_of_file(path: str) -> dict[str, Bracketed]:
    """Read the trees of a file, by their text without white space (see `squeeze`)."""
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the trees in {os.fspath(path)} cannot be read: {error}") from None
    trees = read_brackets(text, path)
    if not trees:
        raise InputError(f"{path} holds no tree in Penn brackets, as (S (NP (DT The) (NN cat)) (VP (VBD sat)))")
    return {squeeze("".join(b.words)): b for b in trees}


def squeeze(text: str) -> str:
    """Reduce a text to its characters: no white space, one kind of quotation mark.

    >>> squeeze("He said: “it isn’t”") == squeeze("He said : `` it is n't ''")
    True
    """
    text = text.translate(_QUOTES).replace("``", '"').replace("''", '"')
    return "".join(text.split())


def _split(text: str, where: str) -> Iterator[list[str]]:
    """Split a text into the pieces of each outermost bracket."""
    depth, pieces = 0, list[str]()
    for piece in _PIECE.findall(text):
        depth += (piece == "(") - (piece == ")")
        if depth < 0:
            raise InputError(f"{where}: a bracket closes that was not opened, after {' '.join(pieces[-8:])!r}")
        if depth > _DEEPEST:
            raise InputError(f"{where}: brackets are more than {_DEEPEST} deep")
        pieces.append(piece)
        if depth == 0:
            yield pieces
            pieces = []
    if depth:
        raise InputError(f"{where}: {depth} brackets are open at the end")


def _tree(pieces: list[str], where: str, number: int) -> Bracketed:
    words: list[str] = []
    spans: list[Span] = []
    open_: list[tuple[str, int, int]] = []  # label, first word, order of opening
    pending = ""
    for n, piece in enumerate(pieces):
        if piece == "(":
            open_.append((pieces[n + 1] if pieces[n + 1] not in "()" else "", len(words), n))
        elif piece == ")":
            label, start, order = open_.pop()
            if len(words) > start and label:
                spans.append(Span(start, len(words), len(pieces) - order, *_split_label(label), -1))
        elif n and pieces[n - 1] != "(":
            if not open_ or not open_[-1][0]:
                raise InputError(f"{where}, tree {number}: the word {piece!r} has no part of speech")
            if open_[-1][0] != "-NONE-":
                words.append(_ESCAPES.get(piece, piece))
        elif n == 0:
            pending = piece
    if pending or not words:
        raise InputError(f"{where}, tree {number} has no words in brackets: {' '.join(pieces)[:60]!r}")
    if len([s for s in spans if s.end == s.start + 1]) < len(words):
        raise InputError(f"{where}, tree {number}: every word needs a bracket of its own, as (NN cat)")
    return Bracketed(tuple(words), tree_of(spans))


def _split_label(label: str) -> tuple[str, str]:
    """Label and relation: NP-SBJ-1 is an NP, sbj."""
    parts = re.split(r"[-=|]", label)
    tags = [part.lower() for part in parts[1:] if part and not part.isdigit()]
    return (parts[0], tags[0] if tags else "head") if parts[0] else (label, "head")
