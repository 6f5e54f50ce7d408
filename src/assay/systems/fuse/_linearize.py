"""Linearization: the kept nodes as a text in the order of the base sentence, with what was broken repaired.

Commas go with what they set off; a/an follows the next word; he or she at the start becomes the name that the other
sentence has for them; a name that is said again is said by its last part.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ...text.parse.flat import ParsedText
from ...text.tokens.offsets import is_punctuation
from ..compress._rendering import is_final, tidy
from ..compress.truth.constraints import base
from ._base import Piece
from ._fusion_graph import Cores, FusionGraph, find_name
from ._joining import join_pieces

_SET_OFF = frozenset({"parataxis", "advcl", "appos", "acl", "conj", "ccomp", "discourse", "vocative"})
_SEPARATORS = frozenset({",", "--", "—", "–", ";", ":"})


def keep_marks(a: ParsedText, kept_tokens: Collection[int]) -> list[int]:
    """Find the marks that stay: between kept neighbours, or next to a kept clause or apposition that they set off."""
    words = sorted(k for k in kept_tokens if not a.punctuation[k])
    marks = []
    for i, mark in enumerate(a.punctuation):
        if not mark:
            continue
        left = max((k for k in words if k < i), default=-1)
        right = min((k for k in words if k > i), default=-1)
        both = left == i - 1 and right == i + 1
        edge = (right >= 0 and _is_edge(a, kept_tokens, right, 0)) or (left >= 0 and _is_edge(a, kept_tokens, left, -1))
        if a.tokens[i].text not in _SEPARATORS or both or edge:
            marks.append(i)
    return marks


def _is_edge(a: ParsedText, kept_tokens: Collection[int], word: int, which: int) -> bool:
    """Check if a word is the first (0) or last (-1) kept one of something that commas set off."""
    at = word
    while at >= 0:
        if [k for k in a.subtree(at) if k in kept_tokens and not a.punctuation[k]][which] != word:
            return False
        alone = base(a.words[at].relation) == "conj" and a.heads[at] not in kept_tokens
        if (base(a.words[at].relation) in _SET_OFF and not alone) or (which == -1 and _is_fronted(a, at)):
            return True
        at = a.heads[at]
    return False


def _is_fronted(a: ParsedText, at: int) -> bool:
    """Check if a phrase stands before its verb and its subject: In May, Ann left."""
    siblings = a.children[a.heads[at]] if a.heads[at] >= 0 else ()
    subject = [k for k in siblings if base(a.words[k].relation) in ("nsubj", "expl")]
    return base(a.words[at].relation) in ("obl", "advmod") and bool(subject) and at < subject[0]


@dataclass
class Writer:
    """Pieces of the sentences in their new order; words that no sentence has are kept in `inserted`."""

    cores: Cores
    pieces: list[Piece] = field(default_factory=list)
    inserted: str = ""

    @property
    def _sentences(self) -> tuple[str, ...]:
        return (*(a.text for a in self.cores.texts), self.inserted)

    def insert(self, form: str) -> None:
        """Write a word or mark of our own, marks as far from the word before as the sentences have them."""
        spaced = any(" ," in a.text or " ." in a.text for a in self.cores.texts)
        self.inserted += " " if spaced or not is_punctuation(form) else "_"
        start = len(self.inserted)
        self.inserted += form
        self.pieces.append(Piece(len(self.cores.texts), start, len(self.inserted)))

    def copy(self, n: int, k: int) -> None:
        """Write a token of a sentence."""
        token = self.cores.texts[n].tokens[k]
        self.pieces.append(Piece(n, token.start, token.end))

    def form(self, piece: Piece) -> str:
        """Return what a piece says."""
        return self._sentences[piece.sentence][piece.start : piece.end]

    def text(self) -> str:
        """Join the pieces."""
        return join_pieces(self._sentences, self.pieces)

    def own_pieces(self) -> tuple[Piece, ...]:
        """Return the pieces that the sentences have."""
        return tuple(piece for piece in self.pieces if piece.sentence < len(self.cores.texts))


def write_fusion(cores: Cores, graph: FusionGraph, nodes: Sequence[int], *, rename: bool = True) -> Writer:
    """Write the kept nodes; without `rename`, pronouns stay."""
    kept_tokens: list[set[int]] = [set() for _ in graph.segments]
    for m in nodes:
        kept_tokens[graph.nodes[m].segment].update(graph.nodes[m].tokens)
    writer = Writer(cores)
    n = graph.segments[0].sentence
    order = _segment_tokens(cores, n, kept_tokens[0])
    pending = [s for s in range(1, len(graph.segments)) if kept_tokens[s]]
    names = find_antecedents(cores, n) if rename and graph.kind in ("one", "shared") else {}
    final: list[int] = []
    while order and is_final(cores.texts[n].tokens[order[-1]].text):
        final.insert(0, order.pop())
    for k in order:
        for s in [s for s in pending if graph.segments[s].after < k]:
            _write_segment(writer, graph, s, kept_tokens[s], closed=cores.texts[n].punctuation[k])
            pending.remove(s)
        _write_token(writer, n, k, names)
    for s in pending:
        _write_segment(writer, graph, s, kept_tokens[s], closed=True)
    for k in final:
        writer.copy(n, k)
    _repair_articles(writer)
    return writer


def _segment_tokens(cores: Cores, n: int, kept_tokens: Collection[int]) -> list[int]:
    """List the tokens of a sentence to write: kept words and the marks that belong to them."""
    a = cores.texts[n]
    order = tidy(a.text, a.tokens, sorted([*kept_tokens, *keep_marks(a, kept_tokens)]))
    last = max((k for k in order if not a.punctuation[k]), default=-1)
    inner = {k for k in order if k < last and is_final(a.tokens[k].text) and k - 1 not in kept_tokens}
    return sorted({*order, *_whole_quotations(a, kept_tokens)} - inner)


def _whole_quotations(a: ParsedText, kept_tokens: Collection[int]) -> set[int]:
    """Find the marks of quotations written as in the Penn Treebank (`` and '') of which every word is kept."""
    marks: set[int] = set()
    opened: list[int] = []
    for k, token in enumerate(a.tokens):
        if token.text in ("`", "``"):
            opened.append(k)
        elif token.text == "''" and opened:
            inside = [i for i in range(opened[-1], k) if not a.punctuation[i]]
            if inside and all(i in kept_tokens for i in inside):
                marks |= {*opened, k}
            opened = []
    return marks


def find_stray_marks(a: ParsedText) -> list[int]:
    """Find quotation marks that open or close nothing: the rest of the quotation is in another sentence."""
    opened: list[list[int]] = []  # a mark of two signs may be two tokens
    stray: list[int] = []
    for k, token in enumerate(a.tokens):
        if token.text in ("`", "``", "“"):
            if opened and opened[-1][-1] == k - 1:
                opened[-1].append(k)
            else:
                opened.append([k])
        elif token.text in ("''", "”"):
            if opened:
                opened.pop()
            else:
                stray.append(k)
    return sorted([*stray, *(k for marks in opened for k in marks)])


def _write_token(writer: Writer, n: int, k: int, names: dict[int, tuple[int, list[int]]]) -> None:
    if k not in names:
        writer.copy(n, k)
        return
    other, parts = names[k]
    for part in parts:
        writer.copy(other, part)


def _write_segment(writer: Writer, graph: FusionGraph, s: int, kept_tokens: set[int], *, closed: bool) -> None:
    segment = graph.segments[s]
    a = writer.cores.texts[segment.sentence]
    order = _segment_tokens(writer.cores, segment.sentence, kept_tokens - _said_again(writer, graph, s, kept_tokens))
    order = [k for k in order if not is_final(a.tokens[k].text)]
    while order and a.tokens[order[0]].text in _SEPARATORS:
        order.pop(0)
    while order and a.tokens[order[-1]].text in _SEPARATORS:
        order.pop()
    for mark in segment.lead.split():
        if not (is_punctuation(mark) and writer.pieces and is_punctuation(writer.form(writer.pieces[-1]))):
            writer.insert(mark)
    first = next((k for k in order if not a.punctuation[k]), None)
    for k in order:
        if k == first and writer.pieces and _may_be_lowered(a, k):
            form = a.tokens[k].text
            writer.insert(form[:1].lower() + form[1:])
        else:
            writer.copy(segment.sentence, k)
    if segment.tail and not closed:
        writer.insert(segment.tail)


def _may_be_lowered(a: ParsedText, k: int) -> bool:
    form = a.tokens[k].text
    begins = all(a.punctuation[i] or a.tokens[i].text == form for i in range(k)) or k == 0
    return begins and a.words[k].pos != "PROPN" and form != "I" and form[1:] == form[1:].lower() and form[:1].isupper()


def _said_again(writer: Writer, graph: FusionGraph, s: int, kept_tokens: set[int]) -> set[int]:
    """Find the first parts of names that the text before has in full: the last part is enough."""
    n = graph.segments[s].sentence
    a = writer.cores.texts[n]
    again: set[int] = set()
    if graph.kind not in ("joined", "coordinated"):
        return again
    for k in kept_tokens:
        parts = [c for c in a.children[k] if base(a.words[c].relation) == "flat" and a.words[c].pos == "PROPN"]
        whole = [k, *parts]
        if a.words[k].pos == "PROPN" and parts and all((n, w) in writer.cores.shared for w in whole):
            again |= set(whole[:-1])
    return again


def find_antecedents(cores: Cores, n: int) -> dict[int, tuple[int, list[int]]]:
    """Find the name that an earlier sentence has for a subject he or she: token -> sentence and tokens of the name.

    The sentence must not have a name before the pronoun, and the earlier one must have exactly one name as a subject.
    """
    a = cores.texts[n]
    for k, word in enumerate(a.words):
        if word.pos == "PROPN":
            return {}
        if word.form.lower() in ("he", "she") and base(word.relation) == "nsubj":
            for other in range(n - 1, -1, -1):
                name = find_name(cores.texts[other])
                if name is not None:
                    b = cores.texts[other]
                    parts = [c for c in b.children[name] if base(b.words[c].relation) in ("flat", "compound")]
                    whole = [c for c in sorted([name, *parts]) if b.words[c].pos == "PROPN"]
                    return {k: (other, whole)}
            return {}
    return {}


def _repair_articles(writer: Writer) -> None:
    """Write a before a consonant and an before a vowel, where the next word is a new one."""
    pieces = writer.pieces
    for place, piece in enumerate(pieces[:-1]):
        form, following = writer.form(piece), writer.form(pieces[place + 1])
        if form.lower() not in ("a", "an") or _are_neighbours(writer, piece, pieces[place + 1]):
            continue
        right = "an" if following[:1].lower() in "aeiou" else "a"
        if right != form.lower():
            writer.insert(right.capitalize() if form[:1].isupper() or place == 0 else right)
            pieces[place] = pieces.pop()


def _are_neighbours(writer: Writer, one: Piece, two: Piece) -> bool:
    if one.sentence != two.sentence or one.sentence >= len(writer.cores.texts):
        return False
    return not writer.cores.texts[one.sentence].text[one.end : two.start].strip()
