"""Sentences of an abstract that were made of two sentences of the document (Daumé III and Marcu 2004, 3.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import log
from typing import Any, ClassVar

from ..data.result import Result
from ..errors import InputError
from ..text.align.monolingual import AnalysedText, align, analyse
from ..text.align.word_features import CONTENT, MARK, stem_of, word_class
from ..text.sentences import sentence_spans

CANDIDATES = 8  # document sentences that an abstract's sentence is aligned with: those that share most with it


@dataclass(frozen=True)
class Fusion:
    """A sentence of an abstract and the two sentences of the document it was made of, in the document's order.

    `aligned` is the share of its words that are aligned to the two, `first_share` and `second_share` those from either
    (a word that both hold counts for the surer link); the places are offsets into document and abstract.
    """

    kind: ClassVar[str] = "fusion"
    document: str
    first: str
    second: str
    fused: str
    aligned: float
    first_share: float
    second_share: float
    first_place: int
    second_place: int
    fused_place: int


@dataclass
class FusionCounts:
    """Sentences of abstracts that were looked at, by what they were made of."""

    documents: int = 0
    sentences: int = 0
    one: int = 0  # a single document sentence aligns enough of it
    other: int = 0  # no two do
    uneven: int = 0  # two do, but too little of it comes from one of them
    two: int = 0


@dataclass(frozen=True)
class FusionSearch(Result, question="fusion_pairs", kind="fusion_search"):
    """How many sentences of abstracts were made of two sentences of their document, with examples."""

    documents: int
    sentences: int
    one: int
    two: int
    uneven: int
    other: int
    examples: tuple[Fusion, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """List the counts."""
        return super().records()[:1]


def fusions(
    document: str,
    abstract: str,
    *,
    name: str = "",
    aligned: float = 0.8,
    each: float = 0.2,
    counts: FusionCounts | None = None,
) -> Iterator[Fusion]:
    """The abstract's sentences that are aligned to exactly two document sentences, in order.

    At least `aligned` of the words are aligned to the two together, and at least `each` of its words, and of its
    content words, to either (the paper's 80 % and 20 %, there of words); exactly two means that no single sentence
    aligns as much. Marks are no words, and links by context alone do not count. The paper aligns with the whole
    document at once; here each sentence is aligned with the eight document sentences that share most with it, one by
    one, and the best two are taken. `counts` are added to.

    >>> document = "The storm reached the coast on Sunday. It was cold. It destroyed forty boats in the old harbour."
    >>> [fusion] = fusions(document, "The storm reached the coast and destroyed forty boats. All is well.")
    >>> fusion.fused, round(fusion.first_share, 2), round(fusion.second_share, 2)
    ('The storm reached the coast and destroyed forty boats.', 0.56, 0.33)
    """
    if not (0 < aligned <= 1 and 0 < each <= 0.5):
        raise InputError(f"aligned must be in (0, 1] and each in (0, .5]; got {aligned} and {each}")
    counts = FusionCounts() if counts is None else counts
    counts.documents += 1
    read = _read(document)
    for start, end in sentence_spans(abstract):
        counts.sentences += 1
        sentence = analyse(abstract[start:end])
        words = [j for j, token in enumerate(sentence.tokens) if word_class(token.text.lower()) != MARK]
        scores = {k: _scores(read.sentences[k], sentence, words) for k in _near(read, _stems(sentence))}
        if any(len(links) >= aligned * len(words) for links in scores.values()):
            counts.one += 1
            continue
        first, second, sides = _best_two(scores)
        shares = (len(sides[0]) / max(len(words), 1), len(sides[1]) / max(len(words), 1))
        content = [j for j in words if word_class(sentence.tokens[j].text.lower()) == CONTENT]
        if sum(shares) < aligned or not words:
            counts.other += 1
        elif min(shares) < each or min(len(side.intersection(content)) for side in sides) < each * len(content):
            counts.uneven += 1
        else:
            counts.two += 1
            (a, first_place), (b, second_place) = ((read.sentences[k].text, read.places[k]) for k in (first, second))
            both = sum(shares)
            yield Fusion(name, a, b, sentence.text, both, *shares, first_place, second_place, start)


@dataclass(frozen=True)
class _Document:
    sentences: tuple[AnalysedText, ...]
    places: tuple[int, ...]
    stems: tuple[frozenset[str], ...]
    spread: Mapping[str, int]  # sentences that hold a stem


@lru_cache(maxsize=4)
def _read(document: str) -> _Document:
    """The same document comes again with each of its abstracts."""
    spans = sentence_spans(document)
    sentences = tuple(analyse(document[start:end]) for start, end in spans)
    stems = tuple(_stems(sentence) for sentence in sentences)
    return _Document(sentences, tuple(start for start, _ in spans), stems, Counter(s for each in stems for s in each))


def _near(document: _Document, wanted: frozenset[str]) -> list[int]:
    """The places of the document sentences that share most, rare stems counting more."""
    n = len(document.sentences)
    weight = {stem: log(1 + n / document.spread[stem]) for stem in wanted if document.spread.get(stem)}
    shared = [
        (sum(weight[stem] for stem in sorted(each & weight.keys())), -place)
        for place, each in enumerate(document.stems)
    ]
    best = sorted((pair for pair in shared if pair[0] > 0), reverse=True)[:CANDIDATES]
    return sorted(-place for _, place in best)


def _scores(source: AnalysedText, sentence: AnalysedText, words: Sequence[int]) -> dict[int, float]:
    """The score of the surest link of each word that is aligned to this document sentence, not by context alone."""
    links = {j: [k.score for k in found if k.kind != "context"] for j, found in align(source, sentence).of_b.items()}
    return {j: max(links[j]) for j in words if links.get(j)}


def _best_two(scores: Mapping[int, dict[int, float]]) -> tuple[int, int, tuple[set[int], set[int]]]:
    """The two document sentences that align most words (then: most surely), and which words are from which."""
    best: tuple[int, int, tuple[set[int], set[int]]] = (-1, -1, (set(), set()))
    most = (0, 0.0)
    for (first, mine), (second, theirs) in combinations(scores.items(), 2):
        both = {j: max(mine.get(j, 0.0), theirs.get(j, 0.0)) for j in sorted(mine.keys() | theirs.keys())}
        if (value := (len(both), sum(both.values()))) > most:
            from_first = {j for j in both if mine.get(j, 0.0) >= theirs.get(j, 0.0)}
            most, best = value, (first, second, (from_first, both.keys() - from_first))
    return best


def _stems(sentence: AnalysedText) -> frozenset[str]:
    forms = (token.text.lower() for token in sentence.tokens)
    return frozenset(stem_of(form) for form in forms if word_class(form) == CONTENT)
