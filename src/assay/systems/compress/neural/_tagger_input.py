"""What the tagger reads: the words of a parse as units, in the spelling and with the features it was trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ....text.parse.sentence import Parse, Sentence

NUMBER, UNKNOWN = "##", "<unk>"
DISTANCES, DEPTHS, SIZES = 10, 9, 15  # where distance to the head, depth and size of the subtree are cut off

_SPELLING = {"“": "``", "”": "''", "‘": "'", "’": "'", "—": "--", "–": "-", "…": "...", "[": "(", "]": ")"}
_END = frozenset(".!?…")
_CLOSING = frozenset("'’\"”)]''")


class Unit(NamedTuple):
    """One or several words that are kept or deleted together; `head` is the place of its head among the units or -1."""

    form: str
    tag: str
    relation: str
    head: int
    words: int


def segments(parse: Parse) -> list[Sentence]:
    """List the sentences of a parse; one that does not end like a sentence is joined with the next.

    Parsers split long sentences at quotes and colons; a compression is then of the whole.
    """
    sentences: list[Sentence] = []
    open_end = False
    for sentence in parse.sentences:
        if open_end:
            before = sentences.pop()
            shift = len(before)
            moved = tuple(word._replace(head=word.head + shift) if word.head >= 0 else word for word in sentence)
            sentences.append(before + moved)
        else:
            sentences.append(sentence)
        open_end = bool(sentence) and not _ends(sentence)
    return sentences


def _ends(sentence: Sentence) -> bool:
    for word in reversed(sentence):
        if word.form[-1:] in _END:
            return True
        if not set(word.form) <= _CLOSING:
            return False
    return False


def units(sentence: Sentence) -> list[Unit]:
    """Build the units of a sentence: a hyphenated compound, which UD splits, is one.

    >>> from assay.text.parse.parser import parse
    >>> [text] = parse(["A well-known 15-year-old won."])
    >>> [(unit.form, unit.words) for unit in units(text.sentences[0])]
    [('a', 1), ('well-known', 3), ('##', 5), ('won', 1), ('.', 1)]
    """
    groups = _groups(sentence)
    place = [0] * len(sentence)
    for number, (first, last) in enumerate(groups):
        for i in range(first, last):
            place[i] = number
    sentence_units, quotes = [], 0
    for first, last in groups:
        top = next((i for i in range(first, last) if not first <= sentence[i].head < last), last - 1)
        word = sentence[top]
        form = "".join(sentence[i].form for i in range(first, last)).lower()
        straight = form == '"'
        form = spell(form, closes=quotes % 2 == 1)
        quotes += straight
        head = place[word.head] if word.head >= 0 else -1
        sentence_units.append(Unit(form, word.tag, word.relation, head, last - first))
    return sentence_units


def spell(word: str, *, closes: bool = False) -> str:
    """Spell a word as the Google pairs do; `closes` tells whether a straight quotation mark is a closing one.

    >>> spell("U.S."), spell("1,000"), spell('"'), spell('"', closes=True)
    ('u.s.', '##', '``', "''")
    """
    form = word.lower()
    if form == '"':
        return "''" if closes else "``"
    form = _SPELLING.get(form, form).replace("’", "'")
    return NUMBER if any(c.isdigit() for c in form) else form


def _groups(sentence: Sentence) -> list[tuple[int, int]]:
    """Find where each unit starts and ends: words around a hyphen are one if the tree connects them."""
    spans: list[tuple[int, int]] = []
    i = 0
    while i < len(sentence):
        last = i + 1
        while last + 1 < len(sentence) and sentence[last].form == "-" and _is_compound(sentence, i, last, last + 1):
            last += 2
        spans.append((i, last))
        i = last
    return spans


def _is_compound(sentence: Sentence, first: int, hyphen: int, new: int) -> bool:
    if not (sentence[hyphen - 1].form[-1:].isalnum() and sentence[new].form[:1].isalnum()):
        return False
    if first <= sentence[new].head < hyphen or sentence[hyphen].head in (hyphen - 1, new):
        return True
    return any(sentence[i].head == new for i in range(first, hyphen))


class Features(NamedTuple):
    """Numbers for each unit of a sentence, as the network takes them; `head` is -1 for none."""

    word: list[int]
    tag: list[int]
    relation: list[int]
    distance: list[int]
    depth: list[int]
    size: list[int]
    head: list[int]


class Vocabulary:
    """Words, tags and relations by number; 0 is for what is unknown."""

    def __init__(self, words: Sequence[str], tags: Sequence[str], relations: Sequence[str]) -> None:
        self.words = {word: i for i, word in enumerate(words)}
        self.tags = {tag: i for i, tag in enumerate(tags)}
        self.relations = {relation: i for i, relation in enumerate(relations)}

    def features(self, sentence: Sequence[Unit]) -> Features:
        """Compute the features of the units of a sentence."""
        heads = [unit.head for unit in sentence]
        depths, sizes = tree(heads)
        return Features(
            [self.words.get(unit.form, 0) for unit in sentence],
            [self.tags.get(unit.tag, 0) for unit in sentence],
            [self.relations.get(unit.relation) or self.relations.get(_plain(unit.relation), 0) for unit in sentence],
            [
                0 if head < 0 else DISTANCES + 1 + max(-DISTANCES, min(DISTANCES, head - i))
                for i, head in enumerate(heads)
            ],
            [min(depth, DEPTHS) for depth in depths],
            [min(size, SIZES) for size in sizes],
            heads,
        )


def _plain(relation: str) -> str:
    return relation.partition(":")[0]


def tree(heads: Sequence[int]) -> tuple[list[int], list[int]]:
    """Compute the depth of each node below its root, and the number of nodes below it.

    >>> tree([1, -1, 1])
    ([1, 0, 1], [0, 2, 0])
    """
    depths, sizes = [], [0] * len(heads)
    for i in range(len(heads)):
        depth, at = 0, heads[i]
        while at >= 0 and depth < len(heads):
            sizes[at] += 1
            depth += 1
            at = heads[at]
        depths.append(depth)
    return depths, sizes
