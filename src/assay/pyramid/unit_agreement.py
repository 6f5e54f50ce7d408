"""Agreement of two annotators who made pyramids of one topic, or marked peers by one pyramid.

Making units (Passonneau 2006): the things coded are the words that an annotator put in a unit, the value of a word is
the set of words in its unit (empty where the other left it out), and sets are compared by Jaccard's or the MASI
distance. Marking peers: is a unit in a peer or not, and the scores that follow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from ..data.content_units import Pyramid
from ..data.evalset import EvalSet
from ..data.result import Result
from ..errors import InputError, ignore_undefined
from ..stats import krippendorff_alpha
from .annotated import read_pyramids, score_topic

Words = frozenset[tuple[str, int]]  # words of models: the model, and the number of the word in it


@dataclass(frozen=True)
class UnitMatch:
    """A unit of one annotator and the unit of the other that shares most of its words."""

    kind: ClassVar[str] = "unit_match"
    item: str
    first: str
    second: str
    overlap: float


@dataclass(frozen=True)
class PyramidAgreement(Result, question="unit_agreement", kind="pyramid_agreement"):
    """How far two annotators make the same units of the same models.

    `alpha_jaccard` and `alpha_masi`: Krippendorff's alpha over the words that at least one of them put in a unit, of
    which there are `words`. `span_f`: the F of pairs of
    words that stand in one unit. `score_alpha`: interval alpha of the scores that the peers get by either pyramid.
    """

    first: str
    second: str
    topics: int
    words: int
    alpha_jaccard: float
    alpha_masi: float
    span_f: float
    score_alpha: float
    peers: int
    matches: tuple[UnitMatch, ...]


@dataclass(frozen=True)
class PeerAgreement(Result, question="unit_agreement", kind="peer_agreement"):
    """How far annotators mark the same units of one pyramid in the same peers.

    `presence_alpha` is nominal, over every unit of every peer that at least two annotators looked at; `score_alpha` is
    that of their modified scores, interval.
    """

    annotators: tuple[str, ...]
    topics: int
    peers: int
    marks: int
    presence_alpha: float
    same: float
    score_alpha: float


def jaccard_distance(a: frozenset[object], b: frozenset[object]) -> float:
    """Return 1 - shared / all; 0 for two empty sets.

    >>> jaccard_distance(frozenset("ab"), frozenset("bc"))
    0.6666666666666667
    """
    return 1 - len(a & b) / len(a | b) if a | b else 0.0


def masi_distance(a: frozenset[object], b: frozenset[object]) -> float:
    """Return 1 - Jaccard x monotonicity (Passonneau 2006): 1 for equal sets, 2/3 where one holds the other, else 1/3.

    >>> masi_distance(frozenset("ab"), frozenset("abc")), masi_distance(frozenset("a"), frozenset("b"))
    (0.5555555555555556, 1.0)
    """
    if a == b:
        return 0.0
    monotone = 2 / 3 if a <= b or b <= a else 1 / 3 if a & b else 0.0
    return 1 - (1 - jaccard_distance(a, b)) * monotone


def set_alpha(values: Sequence[Sequence[Words]], distance: Callable[[Words, Words], float]) -> float:
    """Return Krippendorff's alpha of set-valued codes: one row for each thing coded, one value for each annotator.

    >>> x, y = frozenset([("A", 0)]), frozenset([("A", 1)])
    >>> set_alpha([[x, x], [y, y]], jaccard_distance), round(set_alpha([[x, y], [y, x]], jaccard_distance), 3)
    (1.0, -0.5)
    """
    kinds = {value: k for k, value in enumerate(dict.fromkeys(v for row in values for v in row))}
    apart = np.array([[distance(a, b) for b in kinds] for a in kinds])
    codes = [[kinds[value] for value in row] for row in values]
    observed = [np.mean([apart[a, b] for a, b in combinations(row, 2)]) for row in codes if len(row) > 1]
    counts = np.bincount(np.concatenate([np.array(row) for row in codes]), minlength=len(kinds)).astype(float)
    n = counts.sum()
    expected = (counts @ apart @ counts) / (n * (n - 1)) if n > 1 else 0.0
    return float(1 - np.mean(observed) / expected) if expected else float("nan")


def pyramid_agreement(
    first: EvalSet | Iterable[Pyramid], second: EvalSet | Iterable[Pyramid], *, names: tuple[str, str] = ("1", "2")
) -> PyramidAgreement:
    """Compare the pyramids that two annotators made of the same topics."""
    pairs = _pair_topics(read_pyramids(first), read_pyramids(second))
    values: list[tuple[Words, Words]] = []
    together: list[tuple[set[frozenset[object]], set[frozenset[object]]]] = []
    matches: list[UnitMatch] = []
    scores: list[tuple[float, float]] = []
    for a, b in pairs:
        words_a, words_b = _words_by_unit(a), _words_by_unit(b)
        values += _code_words(a, words_a, words_b)
        together.append((_word_pairs(words_a), _word_pairs(words_b)))
        matches += _match_units(a, b, words_a, words_b)
        scores += _shared_scores(a, b)
    shared = sum(len(x & y) for x, y in together)
    total = sum(len(x) + len(y) for x, y in together)
    with ignore_undefined():
        alpha = krippendorff_alpha(np.array(scores), measure="interval").value if scores else float("nan")
    return PyramidAgreement(
        *names,
        topics=len(pairs),
        words=len(values),
        alpha_jaccard=set_alpha(values, jaccard_distance),
        alpha_masi=set_alpha(values, masi_distance),
        span_f=2 * shared / total if total else float("nan"),
        score_alpha=alpha,
        peers=len(scores),
        matches=tuple(matches),
    )


def peer_agreement(data: EvalSet | Iterable[Pyramid]) -> PeerAgreement:
    """Compare the annotators who marked the same peers by one pyramid; each topic may have its own annotator."""
    pyramids = read_pyramids(data)
    stated = [_marked_twice(pyramid) for pyramid in pyramids]
    names = tuple(dict.fromkeys(name for peers in stated for by in peers.values() for name in by))
    if not names:
        raise InputError("agreement needs peers that at least two annotators marked: a field annotator names them")
    marks: list[list[float]] = []
    scores: list[list[float]] = []
    for pyramid, peers in zip(pyramids, stated, strict=True):
        values = {(t.text, t.annotator): t.modified for t in score_topic(pyramid)} if peers else {}
        for name, by in peers.items():
            marks += [[float(unit.id in by[a]) if a in by else np.nan for a in names] for unit in pyramid.units]
            scores.append([values.get((name, a), np.nan) for a in names])
    table = np.array(marks)
    with ignore_undefined():
        presence = krippendorff_alpha(table, measure="nominal").value
        interval = krippendorff_alpha(np.array(scores), measure="interval").value
    same = float((np.nanmax(table, axis=1) == np.nanmin(table, axis=1)).mean())
    topics = sum(map(bool, stated))
    return PeerAgreement(names, topics, len(scores), len(marks), presence, same, interval)


def shares_peers(data: EvalSet | Iterable[Pyramid]) -> bool:
    """Check if any peer was marked by two annotators."""
    return any(map(_marked_twice, read_pyramids(data)))


def _marked_twice(pyramid: Pyramid) -> dict[str, dict[str, frozenset[str]]]:
    """Return the peers that several annotators marked, with the units that each of them found."""
    peers: dict[str, dict[str, frozenset[str]]] = {}
    for peer in pyramid.peers:
        if peer.annotator is not None:
            peers.setdefault(peer.peer, {})[peer.annotator] = frozenset(peer.unit_ids)
    return {name: by for name, by in peers.items() if len(by) > 1}


def _pair_topics(first: Sequence[Pyramid], second: Sequence[Pyramid]) -> list[tuple[Pyramid, Pyramid]]:
    others = {pyramid.item: pyramid for pyramid in second}
    pairs = [(pyramid, others[pyramid.item]) for pyramid in first if pyramid.item in others]
    if not pairs:
        raise InputError("the two annotators have no topic in common")
    for a, b in pairs:
        if dict(a.models) != dict(b.models):
            raise InputError(f"topic {a.item!r}: the two pyramids were made from different texts")
    return pairs


def _words_by_unit(pyramid: Pyramid) -> dict[str, Words]:
    """Return the words of each unit: all that a span of its contributors touches."""
    tokens = {name: _word_places(text) for name, text in pyramid.models.items()}
    return {
        unit.id: frozenset(
            (contributor.text, k)
            for contributor in unit.contributors
            for start, end in contributor.spans
            for k, (left, right) in enumerate(tokens[contributor.text])
            if left < end and start < right
        )
        for unit in pyramid.units
    }


def _word_places(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(r"\w+", text)]


def _code_words(pyramid: Pyramid, *annotations: dict[str, Words]) -> list[tuple[Words, Words]]:
    """Return for each word that an annotator put in a unit the words it shares one with, by either; none outside units.

    Words that neither put in a unit are left out: most words of a text could be such, and would all count as agreement.
    """
    rows: list[tuple[Words, Words]] = []
    for name, text in pyramid.models.items():
        for k in range(len(_word_places(text))):
            first, second = (
                frozenset[tuple[str, int]]().union(*(w for w in units.values() if (name, k) in w))
                for units in annotations
            )
            rows += [(first, second)] if first or second else []
    return rows


def _word_pairs(units: dict[str, Words]) -> set[frozenset[object]]:
    return {frozenset(pair) for words in units.values() for pair in combinations(words, 2)}


def _match_units(a: Pyramid, b: Pyramid, words_a: dict[str, Words], words_b: dict[str, Words]) -> Iterable[UnitMatch]:
    for unit in a.units:
        scored = [(_f(words_a[unit.id], words), other) for other, words in words_b.items()]
        overlap, best = max(scored, default=(0.0, ""))
        yield UnitMatch(a.item, unit.label, b.unit(best).label if overlap else "", overlap)


def _f(a: Words, b: Words) -> float:
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 0.0


def _shared_scores(a: Pyramid, b: Pyramid) -> Iterable[tuple[float, float]]:
    by_a, by_b = ({t.text: t.modified for t in score_topic(p) if t.text not in p.models} for p in (a, b))
    return [(by_a[name], by_b[name]) for name in by_a if name in by_b]
