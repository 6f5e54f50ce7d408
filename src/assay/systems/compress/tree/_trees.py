"""Constituent trees for texts: built from dependencies, or read from a file of Penn brackets."""

from __future__ import annotations

from collections.abc import Sequence

from ....errors import InputError
from ....text.parse.flat import ParsedText
from ._brackets import Bracketed, squeeze, trees_of_file
from .constituents import ConstituentTree, Span, constituents, tree_of

DEPENDENCIES = "dependencies"


def build_tree(analysis: ParsedText, where: str = DEPENDENCIES) -> ConstituentTree:
    """Build the tree over the tokens of a text; `where` is dependencies or a file of Penn brackets."""
    if where == DEPENDENCIES:
        return constituents(analysis)
    bracketed = trees_of_file(where).get(squeeze(analysis.text))
    if bracketed is None:
        raise InputError(f"{where} holds no tree for {analysis.text[:60]!r}: one for each text is needed, same words")
    return over_tokens(bracketed, [token.text for token in analysis.tokens], analysis)


def over_tokens(bracketed: Bracketed, tokens: Sequence[str], analysis: ParsedText) -> ConstituentTree:
    """Build the same phrases over other tokens of the same text; a phrase that splits a token grows to hold all of it.

    The head of a phrase is the token in it with its own head outside.
    """
    ends = _ends(tokens)
    words = _ends(bracketed.words)
    first = [next(k for k, end in enumerate(ends) if end > (words[i - 1] if i else 0)) for i in range(len(words))]
    last = [next(k for k, end in enumerate(ends) if end >= words[i]) + 1 for i in range(len(words))]
    spans = [
        Span(first[n.start], last[n.end - 1], len(bracketed.tree.nodes) - k, n.label, n.relation, -1)
        for k, n in enumerate(bracketed.tree.nodes)
        if n.children or n.end - n.start > 1
    ]
    tags = {first[n.start]: n.label for n in bracketed.tree.nodes if not n.children}
    spans += [Span(i, i + 1, 0, tags.get(i, "X"), "head", i) for i in range(len(tokens))]
    spans = [s._replace(head=_head(s, analysis.heads)) for s in spans]
    return tree_of(spans)


def _head(span: Span, heads: Sequence[int]) -> int:
    outside = [i for i in range(span.start, span.end) if not span.start <= heads[i] < span.end]
    return outside[0] if outside else -1


def _ends(pieces: Sequence[str]) -> list[int]:
    """Return where each piece ends, in characters of the squeezed text."""
    ends, at = [], 0
    for piece in pieces:
        at += len(squeeze(piece))
        ends.append(at)
    return ends
