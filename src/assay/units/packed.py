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
from .lfg import (
    ATOMIC,
    DEGREE,
    JOINED,
    NUMBER,
    QUANTIFIERS,
    RELATIONS,
    TENSE,
    WITH_FEATURES,
    function_feature,
    own_features,
)

Ints = NDArray[np.int64]
POS = {"NOUN": 1, "PROPN": 1, "VERB": 2, "ADJ": 3, "ADV": 4}
NAMES = tuple(dict.fromkeys(["", *RELATIONS.values(), "topicrel", *ATOMIC]))
_RELATION, _HEAD, _POS_BITS = 56, 28, 3
_NODE, _POS_MASK = (1 << _HEAD) - 1, (1 << _POS_BITS) - 1
_VALUES = (*NUMBER.values(), *TENSE.values(), *DEGREE.values(), "+", "1", "2", "3")
_PLACES = {text: place for place, text in enumerate(dict.fromkeys([*NAMES, *_VALUES, "by"]))}
_BY = _PLACES["by"] << _POS_BITS
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

    pos: int
    relation: int  # 0: none
    marker: int
    own: tuple[int, ...]  # its features, without the word
    pairs: tuple[tuple[str, str | None], ...]  # the same in words, if a value is not known beforehand
    oblique: bool  # with "by", below a passive, it is the agent
    passive: bool
    relative: bool  # a relative pronoun
    clause: bool  # a relative clause
    conjunct: bool
    coordinator: bool


class _Entry:
    """One distinct word: its node, what it says by itself, and its kind."""

    __slots__ = ("feature", "joined", "kind", "marker", "node", "over", "own", "relation")

    def __init__(self, node: int, kind: _Kind, own: tuple[int, ...]) -> None:
        self.node, self.kind, self.own = node, kind, own
        self.over = node << _HEAD
        self.relation, self.marker = kind.relation, kind.marker
        self.feature = 0  # what a function word says of another, without that other; 0: nothing
        self.joined = False  # whether it says it together with the words that are fixed to it


class PackedReader(dict[tuple[str, str, str, str, str, str], _Entry]):
    """Reads sentences; `texts` holds the texts of words and values, the names of relations first."""

    def __init__(self, word: str, *, active: bool = False) -> None:
        super().__init__()
        self.texts = list(_PLACES)
        self._places = dict(_PLACES)
        self._form, self._active = WORD_FORMS[word], active

    def read(self, sentence: Sentence) -> list[int]:
        """Return the triples of a sentence, in the order of `lfg.triples`."""
        entries = [self[form, lemma, pos, tag, more, name] for form, lemma, pos, tag, more, _, name in sentence]
        heads = [word[5] for word in sentence]
        marked: dict[int, list[int]] = {}
        for place in [place for place, entry in enumerate(entries) if entry.marker]:
            marked.setdefault(heads[place], []).append(place)
        codes: list[int] = []
        place = -1
        for entry, head in zip(entries, heads, strict=True):
            place += 1
            if place in marked:
                self._read_marked(place, entries, heads, marked, codes)
            else:
                if entry.relation and head >= 0:
                    codes.append(entry.relation | entries[head].over | entry.node)
                    if entry.kind.relative and entries[head].kind.clause:
                        codes.append(_TOPIC | entries[head].over | entry.node)
                if entry.own:
                    codes += entry.own
        return codes

    def _read_marked(
        self, place: int, entries: list[_Entry], heads: list[int], marked: dict[int, list[int]], codes: list[int]
    ) -> None:
        """Read a word that has prepositions, auxiliaries, subordinators or the like."""
        entry, head = entries[place], heads[place]
        if entry.relation or head < 0:
            cases = [i for i in marked[place] if entries[i].marker == _CASE]
            self._relate(entry, entries[head] if head >= 0 else None, self._join(cases, entries, marked), codes)
        codes += entry.own
        for i in marked[place]:
            function = entries[i]
            if function.feature:
                over = entry.over
                if function.kind.coordinator and entry.kind.conjunct and head >= 0:
                    over = entries[head].over
                codes.append(function.feature | over | (self._join([i], entries, marked) if function.joined else 0))

    def _relate(self, entry: _Entry, head: _Entry | None, preposition: int, codes: list[int]) -> None:
        relation = entry.relation
        if preposition == _BY and entry.kind.oblique and head is not None and head.kind.passive:
            relation, preposition = (_SUBJ, 0) if self._active else (_AGENT, preposition)
        if preposition:
            codes.append(_OBJ | preposition << _HEAD | entry.node)
            if head is not None and relation != _COORD:
                codes.append(relation | head.over | preposition)
                return
        if head is not None:
            codes.append(relation | head.over | entry.node)
            if entry.kind.relative and head.kind.clause:
                codes.append(_TOPIC | head.over | entry.node)

    def _join(self, places: list[int], entries: list[_Entry], marked: dict[int, list[int]]) -> int:
        """Return the node of function words with the rest of fixed expressions (because_of); 0 for none."""
        if len(places) == 1 and places[0] not in marked:
            return entries[places[0]].node & ~_POS_MASK
        parts: list[int] = []
        for place in places:
            parts += [place, *(i for i in marked.get(place, ()) if entries[i].marker == _FIXED)]
        return self._node("_".join([self.texts[entries[i].node >> _POS_BITS] for i in parts]))

    def __missing__(self, key: tuple[str, str, str, str, str, str]) -> _Entry:
        form, lemma, pos, tag, features, relation = key
        word = Word(form, lemma, pos, tag, features, -1, relation)
        kind, text = _kind(pos, tag, features, relation, self._active), self._form(word)
        node = self._node(text) | kind.pos
        over = node << _HEAD
        own = kind.own
        if kind.pairs:
            pairs = [(name, form.lower() if value is None else value) for name, value in kind.pairs]
            own = tuple([_CODES[name] | self._node(value) for name, value in pairs])
        entry = self[key] = _Entry(node, kind, tuple([code | over for code in own]))
        if kind.marker == _FUNCTION:
            self._set_feature(entry, text, *function_feature(word))
        return entry

    def _set_feature(self, entry: _Entry, text: str, name: str, value: str | None) -> None:
        entry.joined = name in JOINED
        if not name:
            entry.marker = 0
        elif entry.joined:
            entry.feature = _CODES[name]
        else:
            entry.feature = _CODES[name] | self._node(text if value is None else value)

    def _node(self, text: str) -> int:
        place = self._places.get(text)
        if place is None:
            place = self._places[text] = len(self.texts)
            self.texts.append(text)
        return place << _POS_BITS


def unpack(packed: Ints) -> TripleColumns:
    """Return the columns of triples."""
    relation, head, dependent = packed >> _RELATION, packed >> _HEAD & _NODE, packed & _NODE
    return TripleColumns(
        relation,
        head >> _POS_BITS,
        dependent >> _POS_BITS,
        head & _POS_MASK,
        dependent & _POS_MASK,
        _ATOMIC[relation].astype(np.int64),
    )


@lru_cache(maxsize=2**14)
def _kind(pos: str, tag: str, morphology: str, relation: str, active: bool) -> _Kind:
    name, base = scheme_name(relation, RELATIONS), base_relation(relation)
    has = read_features(morphology)
    if name == "det" and has.get("PronType") in QUANTIFIERS:
        name = "quant"
    if active and relation in ("nsubj:pass", "csubj:pass"):
        name = "obj"
    pairs = own_features(pos, morphology) if pos in WITH_FEATURES else ()
    known = all(value in _PLACES for _, value in pairs)
    return _Kind(
        POS.get(pos, 0),
        _CODES[name],
        0 if base == "case" and tag == "POS" else _MARKERS.get(base, 0),
        tuple(_CODES[name] | _PLACES[value or ""] << _POS_BITS for name, value in pairs) if known else (),
        () if known else pairs,
        base == "obl",
        has.get("Voice") == "Pass",
        has.get("PronType") == "Rel",
        relation in ("acl:relcl", "advcl:relcl"),
        base == "conj",
        base == "cc",
    )
