"""Dependency triples as bags of integers: the switches of Owczarzak (2009), and the one kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..text import Texts
from ..text.parse.sentence import Parse, Sentence
from ..units.dependency import Triple, triples
from ..units.packed import POS, PackedReader, unpack
from .batch import Batch
from .unit import Bags, BagUnit

Ints = NDArray[np.int64]
_VARIABLE = 0  # the x of subj(resign, x), and the label that was taken away


@dataclass(frozen=True)
class TripleUnit(BagUnit):
    """Which triples are counted: parser, naming scheme and words, then the five switches.

    pred: relations only, no atomic features; norel: without labels; pm: each relation as two halves, subj(resign, x)
    and subj(x, john); wn: words of one WordNet synset are one word; one: each triple counts once in a text.
    weights: how much a triple of a relation counts ("*": of those not named); where there are none, 1.
    active: passive clauses as the active ones they stand for.
    """

    parser: str = "en"
    scheme: str = "lfg"
    word: str = "lemma"
    pred: bool = False
    norel: bool = False
    pm: bool = False
    wn: bool = False
    one: bool = False
    weights: tuple[tuple[str, float], ...] = ()
    active: bool = False

    @property
    def plain(self) -> TripleUnit:
        """What has to be read from the parses, whatever the switches."""
        return TripleUnit(self.parser, self.scheme, self.word, active=self.active)

    def bags(self, batch: Batch) -> Bags:
        outputs = Side(columns(batch.outputs, self), batch.item)
        references = Side(columns(batch.references, self), batch.reference_item)
        return bag_pair(batch, outputs, references, self)


class Columns(NamedTuple):
    """The triples of many texts, a column for each part; words are ids of the lexicon plus 1, 0 is the variable."""

    text: Ints
    relation: Ints
    head: Ints
    dependent: Ints
    head_pos: Ints
    dependent_pos: Ints
    atomic: Ints

    def only(self, rows: NDArray[np.bool_]) -> Columns:
        """Return some of the rows."""
        return Columns(*(column[rows] for column in self))


class Side(NamedTuple):
    """Outputs or references: their triples, and the item of each text, in item order."""

    columns: Columns
    item: Ints


def columns(texts: Texts, unit: TripleUnit) -> Columns:
    """Return the triples of a batch of texts, made once for each parser, scheme and kind of word."""
    plain = unit.plain
    return texts.remember(("triples", plain), lambda: read_columns(texts, texts.parses(plain.parser), plain))


def read_columns(texts: Texts, parses: Sequence[Parse], unit: TripleUnit) -> Columns:
    """Read the triples of parses, with words as ids of the texts' lexicon; a repeated sentence is read once."""
    if unit.scheme == "lfg":
        return _read_packed(texts, parses, unit)
    places = _Places()

    def read(sentence: Sentence) -> list[int]:
        new = triples(Parse((sentence,)), scheme=unit.scheme, word=unit.word, active=unit.active)
        return list(map(places.__getitem__, new))

    text, ids = _read_sentences(parses, read)
    return Columns(text, *_table(places, texts.lexicon.vocab)[:, ids])


def _read_packed(texts: Texts, parses: Sequence[Parse], unit: TripleUnit) -> Columns:
    """Read the triples of the scheme lfg as integers."""
    make = partial(PackedReader, unit.word, active=unit.active)
    reader = texts.remember_common(("packed", unit.word, unit.active), make)  # a word of both sides is read once
    text, codes = _read_sentences(parses, reader.read)
    relation, head, dependent, *rest = unpack(codes)
    ids = _intern_in_order(np.stack([relation, head, dependent], axis=1).ravel(), reader.texts, texts.lexicon.vocab)
    return Columns(text, ids[relation], ids[head], ids[dependent], *rest)


def _read_sentences(parses: Sequence[Parse], read: Callable[[Sentence], list[int]]) -> tuple[Ints, Ints]:
    """Return what is read in all sentences, and the text of each."""
    known: dict[int, list[int]] = {}  # the parser hands out one object for equal lines
    values: list[int] = []
    ends = []
    for parse in parses:
        for sentence in parse.sentences:
            new = known.get(id(sentence))
            if new is None:
                new = known[id(sentence)] = read(sentence)
            values += new
        ends.append(len(values))
    lengths = np.diff(np.array([0, *ends]))
    return np.repeat(np.arange(len(parses)), lengths), np.fromiter(values, np.int64, len(values))


def _intern_in_order(places: Ints, names: Sequence[str], vocab: _core.Vocab) -> Ints:
    """Return the id plus 1 of each name that occurs: they become words of the vocabulary in the order of `places`."""
    first = np.full(len(names), len(places))
    first[places[::-1]] = np.arange(len(places) - 1, -1, -1)  # of several, the last to be written is the first
    ids = np.zeros(len(names), dtype=np.int64)
    order = places[np.sort(first[first < len(places)])]
    ids[order] = [vocab.intern(names[place]) + 1 for place in order.tolist()]
    return ids


class _Places(dict[Triple, int]):
    """Different triples, in the order they came."""

    def __missing__(self, triple: Triple) -> int:
        self[triple] = place = len(self)
        return place


class _Ids(dict[str, int]):
    """Words as ids of a vocabulary plus 1, each asked for once."""

    def __init__(self, vocab: _core.Vocab) -> None:
        super().__init__()
        self._vocab = vocab

    def __missing__(self, word: str) -> int:
        self[word] = number = self._vocab.intern(word) + 1
        return number


def _table(all_triples: Iterable[Triple], vocab: _core.Vocab) -> Ints:
    """Return a row for each column but the text, a column for each triple."""
    ids = _Ids(vocab)
    rows = [
        (ids[relation], ids[head], ids[dependent], POS.get(of_head, 0), POS.get(of_dependent, 0), atomic)
        for relation, head, dependent, atomic, of_head, of_dependent in all_triples
    ]
    return np.ascontiguousarray(np.array(rows, dtype=np.int64).reshape(len(rows), 6).T)


def bag_pair(batch: Batch, outputs: Side, references: Side, unit: TripleUnit) -> Bags:
    """Turn the triples of outputs and references into bags with common ids."""
    words = batch.outputs.lexicon.vocab.words() if unit.wn or unit.weights else []
    if unit.wn:
        from .synonyms import merge_synonyms

        outputs, references = merge_synonyms(words, outputs, references, batch.items)
    a, b = _apply_switches(outputs.columns, unit), _apply_switches(references.columns, unit)
    relation, head, dependent = (np.concatenate(pair) for pair in zip(a[1:4], b[1:4], strict=True))
    ids = _pair_ids(_pair_ids(head, dependent), relation)
    size, split = int(ids.max(initial=-1)) + 1, len(a.text)
    return Bags(
        _bags(a.text, ids[:split], len(outputs.item), size, unit.one),
        _bags(b.text, ids[split:], len(references.item), size, unit.one),
        _id_weights(dict(unit.weights), relation, ids, words, size) if unit.weights else (),
    )


def _id_weights(
    weights: Mapping[str, float], relation: Ints, ids: Ints, words: Sequence[str], size: int
) -> list[float]:
    """Return the weight of each id: that of its relation."""
    default = weights.get("*", 1.0)
    kinds, place = np.unique(relation, return_inverse=True)
    id_weights = np.ones(size)
    id_weights[ids] = np.array([weights.get(words[k - 1], default) for k in kinds.tolist()])[place]
    return id_weights.tolist()


def _apply_switches(side: Columns, unit: TripleUnit) -> Columns:
    if unit.pred:
        side = side.only(side.atomic == 0)
    if unit.norel:
        side = side._replace(relation=np.full_like(side.relation, _VARIABLE))
    if not unit.pm:
        return side
    whole = side.atomic == 1  # features are not split: there is nothing to be half right about
    left, right = side.only(~whole), side.only(~whole)
    left = left._replace(dependent=np.full_like(left.dependent, _VARIABLE))
    right = right._replace(head=np.full_like(right.head, _VARIABLE))
    parts = zip(side.only(whole), left, right, strict=True)
    return Columns(*(np.concatenate(part) for part in parts))


def _pair_ids(a: Ints, b: Ints) -> Ints:
    """Return a number for each different pair, from 0."""
    wide = int(b.max()) + 1 if len(b) else 1
    places: Ints = np.unique(a * wide + b, return_inverse=True)[1].astype(np.int64)
    return places


def _bags(text: Ints, ids: Ints, texts: int, size: int, one: bool) -> _core.Tokens:
    if one:
        keys = np.unique(text * max(size, 1) + ids)
        text, ids = keys // max(size, 1), keys % max(size, 1)
    order = np.argsort(text, kind="stable")
    offsets = np.zeros(texts + 1, dtype=np.int64)
    np.cumsum(np.bincount(text, minlength=texts), out=offsets[1:])
    return _core.bags(np.ascontiguousarray(ids[order]), offsets, size)
