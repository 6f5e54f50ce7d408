"""Find sentences of an abstract that were made from two sentences of the document (Daumé III and Marcu 2004, 3.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import combinations
from math import log
from typing import TYPE_CHECKING, ClassVar

from ..data.result import Result
from ..errors import InputError
from ..text.align.monolingual import AnalysedText, align, analyse
from ..text.align.word_features import CONTENT, MARK, stem_of, word_class
from ..text.sentences import sentence_spans

if TYPE_CHECKING:
    from ..formats import Document

CANDIDATES = 8  # document sentences that an abstract's sentence is aligned with: those that share most with it

MAX_WORDS = 60  # words of a sentence; what is longer is several, run together


@dataclass(frozen=True)
class FusionPair:
    """A sentence of an abstract and the two sentences of the document it was made from, in the document's order.

    `aligned` is the share of its words that are aligned to the two, `first_share` and `second_share` the shares from
    each (a word that is in both counts for the link with the higher score); the places are offsets into document and
    abstract.
    """

    kind: ClassVar[str] = "fusion_pair"
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
class SentenceCounts:
    """Sentences of abstracts, by what they were made from."""

    abstracts: int = 0
    sentences: int = 0
    from_one: int = 0  # a single document sentence aligns enough of it
    from_two: int = 0
    uneven: int = 0  # from two, but too little of it comes from one of them alone
    other: int = 0  # no two document sentences align enough of it


@dataclass(frozen=True)
class FusionPairs(Result, question="fusion_pairs", kind="fusion_pairs"):
    """The sentences of abstracts that were made from two, and counts of the others."""

    abstracts: int
    sentences: int
    from_one: int
    from_two: int
    uneven: int
    other: int
    pairs: tuple[FusionPair, ...]


def find_fusion_pairs(
    documents: Iterable[Document], *, aligned: float = 0.8, each: float = 0.2, own: int = 3
) -> FusionPairs:
    """Find the sentences of all abstracts that were made from two document sentences; options as for `align_abstract`.

    A document with several abstracts is named with their number: d1#2.
    """
    counts = SentenceCounts()
    pairs: list[FusionPair] = []
    for document in documents:
        for number, abstract in enumerate(document.abstracts, 1):
            name = document.name if len(document.abstracts) == 1 else f"{document.name}#{number}"
            options = {"aligned": aligned, "each": each}
            pairs += align_abstract(document.text, abstract, name=name, own=own, counts=counts, **options)
    return FusionPairs(**asdict(counts), pairs=tuple(pairs))


def align_abstract(
    document: str,
    abstract: str,
    *,
    name: str = "",
    aligned: float = 0.8,
    each: float = 0.2,
    own: int = 3,
    counts: SentenceCounts | None = None,
) -> Iterator[FusionPair]:
    """Yield the abstract's sentences that are aligned to exactly two document sentences, in order.

    At least `aligned` of the words are aligned to the two together, and at least `each` of its words, and of its
    content words, to each of them (the paper's 80 % and 20 %, there of words); exactly two means that no single
    sentence aligns as much. Punctuation is not counted, nor are links by context alone. The paper aligns with the whole
    document at once; here each sentence is aligned with the eight document sentences that share most with it, one by
    one, and the best two are taken. `counts` are updated.

    Words alone find many sentences that were made from one and share some words with another. So each of the two must
    have at least `own` content words of the abstract's sentence that the other does not have, and neither may have more
    than 60 words (captions that were run together); `own=0` is the paper's rule alone.

    >>> document = "The storm reached the coast on Sunday. It was cold. It destroyed forty boats in the old harbour."
    >>> [pair] = align_abstract(document, "The storm reached the coast and destroyed forty boats. All is well.")
    >>> pair.fused, round(pair.first_share, 2), round(pair.second_share, 2)
    ('The storm reached the coast and destroyed forty boats.', 0.56, 0.33)
    """
    if not (0 < aligned <= 1 and 0 < each <= 0.5):
        raise InputError(f"aligned must be in (0, 1] and each in (0, 0.5]; got {aligned} and {each}")
    if own < 0:
        raise InputError(f"own must be 0 or more words; got {own}")
    counts = SentenceCounts() if counts is None else counts
    counts.abstracts += 1
    parsed = _analyse_document(document)
    for start, end in sentence_spans(abstract):
        counts.sentences += 1
        sentence = analyse(abstract[start:end])
        words = [j for j, token in enumerate(sentence.tokens) if word_class(token.text.lower()) != MARK]
        scores = {
            k: _scores(parsed.sentences[k], sentence, words) for k in _nearest_sentences(parsed, _stems(sentence))
        }
        if any(len(links) >= aligned * len(words) for links in scores.values()):
            counts.from_one += 1
            continue
        first, second, sides = _best_two(scores)
        shares = (len(sides[0]) / max(len(words), 1), len(sides[1]) / max(len(words), 1))
        content = [j for j in words if word_class(sentence.tokens[j].text.lower()) == CONTENT]
        if sum(shares) < aligned or not words:
            counts.other += 1
        elif (
            min(shares) < each
            or min(len(side.intersection(content)) for side in sides) < each * len(content)
            or (own and not _both_add(parsed, (first, second), scores, content, own))
        ):
            counts.uneven += 1
        else:
            counts.from_two += 1
            (a, first_place), (b, second_place) = (
                (parsed.sentences[k].text, parsed.places[k]) for k in (first, second)
            )
            both = sum(shares)
            yield FusionPair(name, a, b, sentence.text, both, *shares, first_place, second_place, start)


def _both_add(
    document: _Document, two: tuple[int, int], scores: Mapping[int, dict[int, float]], content: Sequence[int], own: int
) -> bool:
    """Check if each of two sentences has enough content words that the other lacks, and neither is too long."""
    first, second = (set(content) & scores[k].keys() for k in two)
    longest = max(len(document.sentences[k].text.split()) for k in two)
    return min(len(first - second), len(second - first)) >= own and longest <= MAX_WORDS


@dataclass(frozen=True)
class _Document:
    sentences: tuple[AnalysedText, ...]
    places: tuple[int, ...]
    stems: tuple[frozenset[str], ...]
    spread: Mapping[str, int]  # sentences that hold a stem


@lru_cache(maxsize=4)
def _analyse_document(document: str) -> _Document:
    """Analyse a document; the last few are remembered, because a document comes again with each of its abstracts."""
    spans = sentence_spans(document)
    sentences = tuple(analyse(document[start:end]) for start, end in spans)
    stems = tuple(_stems(sentence) for sentence in sentences)
    return _Document(sentences, tuple(start for start, _ in spans), stems, Counter(s for each in stems for s in each))


def _nearest_sentences(document: _Document, wanted: frozenset[str]) -> list[int]:
    """Return the places of the document sentences that share most stems, weighted by rarity."""
    n = len(document.sentences)
    weight = {stem: log(1 + n / document.spread[stem]) for stem in wanted if document.spread.get(stem)}
    shared = [
        (sum(weight[stem] for stem in sorted(each & weight.keys())), -place)
        for place, each in enumerate(document.stems)
    ]
    best = sorted((pair for pair in shared if pair[0] > 0), reverse=True)[:CANDIDATES]
    return sorted(-place for _, place in best)


def _scores(source: AnalysedText, sentence: AnalysedText, words: Sequence[int]) -> dict[int, float]:
    """Return the highest link score of each word that is aligned to this document sentence, not by context alone."""
    links = {j: [k.score for k in own if k.kind != "context"] for j, own in align(source, sentence).of_b.items()}
    return {j: max(links[j]) for j in words if links.get(j)}


def _best_two(scores: Mapping[int, dict[int, float]]) -> tuple[int, int, tuple[set[int], set[int]]]:
    """Return the two document sentences that align most words, with the highest scores, and the words of each."""
    best: tuple[int, int, tuple[set[int], set[int]]] = (-1, -1, (set(), set()))
    most = (0, 0.0)
    for (first, a), (second, b) in combinations(scores.items(), 2):
        both = {j: max(a.get(j, 0.0), b.get(j, 0.0)) for j in sorted(a.keys() | b.keys())}
        if (value := (len(both), sum(both.values()))) > most:
            from_first = {j for j in both if a.get(j, 0.0) >= b.get(j, 0.0)}
            most, best = value, (first, second, (from_first, both.keys() - from_first))
    return best


def _stems(sentence: AnalysedText) -> frozenset[str]:
    forms = (token.text.lower() for token in sentence.tokens)
    return frozenset(stem_of(form) for form in forms if word_class(form) == CONTENT)
