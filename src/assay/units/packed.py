"""The triples of `lfg` as integers, for reading many parses: each distinct word is looked at once.

A triple is relation << 56 | head << 28 | dependent; a head or dependent is the place of its text << 3 | part of speech.
`lfg.triples` says the same in words, and is what the tests compare with.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..text.parse.sentence import Sentence, Word
from .dependency import WORD_FORMS, base_relation, read_features, scheme_name
from .lfg import ATOMIC, JOINED, QUANTIFIERS, RELATIONS, WITH_FEATURES, function_feature, own_features

Ints = NDArray[np.int64]
POS = {"NOUN": 1, "PROPN": 1, "VERB": 2, "ADJ": 3, "ADV": 4}
NAMES = tuple(dict.fromkeys(["", *RELATIONS.values(), "topicrel", *ATOMIC]))
_RELATION, _HEAD, _POS_BITS = 56, 28, 3
_NODE = (1 << _HEAD) - 1
_CODES = {name: code << _RELATION for code, name in enumerate(NAMES)}
_ATOMIC = np.array([name in ATOMIC for name in NAMES])
_OBJ, _SUBJ, _COORD, _AGENT, _TOPIC = (_CODES[name] for name in ("obj", "subj", "coord", "obl_ag", "topicrel"))

_CASE, _FIXED, _FUNCTION = 1, 2, 3  # what a word may be to its head; 0 for nothing that is asked for
_MARKERS = {"case": _CASE, "fixed": _FIXED, **dict.fromkeys(("aux", "cop", "compound", "mark", "cc"), _FUNCTION)}


class TripleColumns(NamedTuple):
    """Triples, a column for each part: relation, head and dependent as places in the texts of the reader."""

    relation: Ints
    head: Ints
    dependent: Ints
    head_pos: Ints
    dependent_pos: Ints
    atomic: Ints


class _Kind(NamedTuple):
    """What part of speech, tag, features and relation say, whatever the word."""

    relation: int  # 0: none
    marker: int
    own: tuple[tuple[str, str | None], ...]
    oblique: bool  # with "by", below a passive, it is the agent
    passive: bool
    relative: bool  # a relative pronoun
    clause: bool  # a relative clause
    conjunct: bool
    coordinator: bool


class _Entry:
    """One distinct word: its node, what it says by itself, and its kind."""

    __slots__ = ("feature", "joined", "kind", "marker", "node", "over", "own", "plain", "relation", "text")

    def __init__(self, node: int, text: str, kind: _Kind, own: tuple[int, ...]) -> None:
        self.node, self.text, self.kind, self.own = node, text, kind, own
        self.over = node << _HEAD
        self.relation, self.marker, self.plain = kind.relation, kind.marker, not kind.relative
        self.feature = 0  # what a function word says of another, without that other; 0: nothing
        self.joined = False  # whether it says it together with the words that are fixed to it


class PackedReader(dict[tuple[str, str, str, str, str, str], _Entry]):
    """Reads sentences; `texts` holds the texts of words and values, the names of relations first."""

    def __init__(self, word: str, *, active: bool = False) -> None:
        super().__init__()
        self.texts = list(NAMES)
        self._places = {name: place for place, name in enumerate(NAMES)}
        self._form, self._active = WORD_FORMS[word], active

    def read(self, sentence: Sentence) -> list[int]:
        """Return the triples of a sentence, in the order of `lfg.triples`."""
        entries: list[_Entry] = []
        heads: list[int] = []
        marked: dict[int, list[int]] = {}
        for form, lemma, pos, tag, features, head, relation in sentence:
            entry = self[form, lemma, pos, tag, features, relation]
            if entry.marker:
                marked.setdefault(head, []).append(len(heads))
            entries.append(entry)
            heads.append(head)
        codes: list[int] = []
        for place, entry in enumerate(entries):
            if place in marked:
                self._read_marked(place, entries, heads, marked, codes)
                continue
            if entry.relation and (head := heads[place]) >= 0:
                codes.append(entry.relation | entries[head].over | entry.node)
                if not entry.plain and entries[head].kind.clause:
                    codes.append(_TOPIC | entries[head].over | entry.node)
            if entry.own:
                codes += entry.own
        return codes

    def _read_marked(
        self, place: int, entries: list[_Entry], heads: list[int], marked: dict[int, list[int]], codes: list[int]
    ) -> None:
        """Read a word that has prepositions, auxiliaries, subordinators or the like."""
        entry, head = entries[place], heads[place]
        cases = [i for i in marked[place] if entries[i].marker == _CASE]
        if entry.relation or head < 0:
            preposition = "_".join([_join_fixed(i, entries, marked) for i in cases])
            self._relate(entry, entries[head] if head >= 0 else None, preposition, codes)
        codes += entry.own
        for i in marked[place]:
            function = entries[i]
            if not function.feature:
                continue
            conjunct = function.kind.coordinator and entry.kind.conjunct and head >= 0
            owner = entries[head] if conjunct else entry
            value = self._node(_join_fixed(i, entries, marked)) if function.joined else 0
            codes.append(function.feature | owner.over | value)

    def _relate(self, entry: _Entry, head: _Entry | None, preposition: str, codes: list[int]) -> None:
        relation = entry.relation
        agent = preposition == "by" and entry.kind.oblique and head is not None and head.kind.passive
        if agent and self._active:
            relation, preposition = _SUBJ, ""
        elif agent:
            relation = _AGENT
        if preposition:
            between = self._node(preposition)
            codes.append(_OBJ | between << _HEAD | entry.node)
            if head is not None and relation != _COORD:
                codes.append(relation | head.over | between)
                return
        if head is not None:
            codes.append(relation | head.over | entry.node)
            if entry.kind.relative and head.kind.clause:
                codes.append(_TOPIC | head.over | entry.node)

    def __missing__(self, key: tuple[str, str, str, str, str, str]) -> _Entry:
        form, lemma, pos, tag, features, relation = key
        word = Word(form, lemma, pos, tag, features, -1, relation)
        kind, text = _kind(pos, tag, features, relation, self._active), self._form(word)
        node = self._node(text, POS.get(pos, 0))
        own = [(name, form.lower() if value is None else value) for name, value in kind.own]
        entry = _Entry(node, text, kind, tuple(_CODES[name] | node << _HEAD | self._node(v) for name, v in own))
        if kind.marker == _FUNCTION:
            self._set_feature(entry, *function_feature(word))
        self[key] = entry
        return entry

    def _set_feature(self, entry: _Entry, name: str, value: str | None) -> None:
        entry.joined = name in JOINED
        if not name:
            entry.marker = 0
        elif entry.joined:
            entry.feature = _CODES[name]
        else:
            entry.feature = _CODES[name] | self._node(entry.text if value is None else value)

    def _node(self, text: str, pos: int = 0) -> int:
        place = self._places.get(text)
        if place is None:
            place = self._places[text] = len(self.texts)
            self.texts.append(text)
        return place << _POS_BITS | pos


def unpack(packed: Ints) -> TripleColumns:
    """Return the columns of triples."""
    relation, head, dependent = packed >> _RELATION, packed >> _HEAD & _NODE, packed & _NODE
    pos = (1 << _POS_BITS) - 1
    return TripleColumns(
        relation,
        head >> _POS_BITS,
        dependent >> _POS_BITS,
        head & pos,
        dependent & pos,
        _ATOMIC[relation].astype(np.int64),
    )


def _join_fixed(place: int, entries: list[_Entry], marked: dict[int, list[int]]) -> str:
    below = marked.get(place, ())
    return "_".join([entries[place].text, *(entries[i].text for i in below if entries[i].marker == _FIXED)])


@lru_cache(maxsize=2**14)
def _kind(pos: str, tag: str, morphology: str, relation: str, active: bool) -> _Kind:
    name, base = scheme_name(relation, RELATIONS), base_relation(relation)
    has = read_features(morphology)
    if name == "det" and has.get("PronType") in QUANTIFIERS:
        name = "quant"
    if active and relation in ("nsubj:pass", "csubj:pass"):
        name = "obj"
    return _Kind(
        _CODES[name],
        0 if base == "case" and tag == "POS" else _MARKERS.get(base, 0),
        own_features(pos, morphology) if pos in WITH_FEATURES else (),
        base == "obl",
        has.get("Voice") == "Pass",
        has.get("PronType") == "Rel",
        relation in ("acl:relcl", "advcl:relcl"),
        base == "conj",
        base == "cc",
    )
