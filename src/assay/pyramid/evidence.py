"""How likely a text states a unit, from what was marked in other texts of the topic: a logistic regression.

Sentences are bags of stems of content words, weighted by how rare they are in the topic. What counts for a unit is how
much of its contributors, and of its label, one sentence of the text has, how often the other texts state it, and what
was marked in sentences like those of the text: a like sentence without the unit counts against it. The weights were
fitted to the odd-numbered topics of the main task of DUC 2007; `python training/unit_evidence.py` fits them and reports
the even-numbered ones.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..data.content_units import PeerAnnotation, Pyramid, TextSpan
from .find_words import find_words, merge_spans

FEATURES = (
    "exact",  # a contributor stands in the text as it is
    "best",  # the largest share of a contributor's words in one sentence, by their rarity
    "second",  # the same of the contributor after that
    "mean",  # and of all contributors
    "words",  # log(1 + content words) of the best contributor
    "rarity",  # log(1 + sum of the rarities of these)
    "stated",  # share of the other annotated texts that state the unit
    "label",  # the largest share of the label's words in one sentence
    "like",  # share of the unit in marked sentences like one of the text's
    "unlike",  # cosine of the sentence most like the best one that does not state the unit
    "weight",  # log of the unit's weight
)
# The weights of the features, after a constant, and the probability from which a unit is suggested.
WEIGHTS = (-8.95, 1.099, 3.879, 2.121, -0.383, -1.072, 1.961, 1.199, 1.58, 1.712, -1.792, 0.516)
THRESHOLD = 0.381
_LIKE = 0.25  # cosine from which sentences are alike
_NEIGHBOURS = 8
_SENTENCE = re.compile(r"(?<=[.!?])[\"')]*\s+|\n+")
Bag = Counter[str]


class Contribution(NamedTuple):
    """A contributor of a unit in another text: the text, its words, and their stems."""

    owner: str
    parts: tuple[str, ...]
    stems: frozenset[str]


class UnitEvidence(NamedTuple):
    """What speaks for a unit in a text: the features, and the sentence and contributor that match best."""

    features: tuple[float, ...]
    sentence: TextSpan
    best: Contribution

    @property
    def probability(self) -> float:
        """How likely the text states the unit."""
        total = WEIGHTS[0] + sum(w * x for w, x in zip(WEIGHTS[1:], self.features, strict=True))
        return 1 / (1 + math.exp(-total))

    def find_spans(self, text: str) -> tuple[TextSpan, ...]:
        """Return the words of the sentence that the contributor has too; the contributor where it stands as it is."""
        if spans := find_words(text, self.best.parts, "exact"):
            return spans
        start, end = self.sentence
        words = [(stem, TextSpan(start + s, start + e)) for stem, s, e in _content_words(text[start:end])]
        return merge_spans([span for stem, span in words if stem in self.best.stems]) or (self.sentence,)


def weigh_evidence(
    pyramid: Pyramid, name: str, text: str, *, skipped: Collection[str] = (), by: str | None = None
) -> dict[str, UnitEvidence]:
    """Return the evidence for each unit that another text states; never from the text's own marks."""
    peers = [p for p in pyramid.peers if p.annotator == by and p.peer != name and p.peer not in skipped]
    texts = {peer.peer: (pyramid.peer_texts or {})[peer.peer] for peer in peers}
    spans = _sentences(text)
    bags = [Counter(_stems(text[s:e])) for s, e in spans]
    others = {
        peer: [(span, Counter(_stems(own[span.start : span.end]))) for span in _sentences(own)]
        for peer, own in texts.items()
    }
    rarity = _Rarity(
        [*bags, *(bag for own in others.values() for _, bag in own), *_model_bags(pyramid, {name, *skipped})]
    )
    marked = [(bag, _marks(peer, span)) for peer in peers for span, bag in others[peer.peer]]
    alike = [_find_alike(bag, marked, rarity) for bag in bags]
    stated = [frozenset(peer.unit_ids) for peer in peers]
    evidence = {}
    for unit in pyramid.units:
        contributions = list(_contributions(pyramid, unit.id, peers, texts, {name, *skipped}))
        matches = sorted((_match(c, bags, rarity) for c in contributions if c.stems), key=lambda m: -m[0])
        if not matches or not bags:
            continue
        (best, place, contribution), second = matches[0], matches[1][0] if len(matches) > 1 else matches[0][0]
        exact = next((c for c in contributions if find_words(text, c.parts, "exact")), None)
        label = frozenset(_stems(re.sub(r"\(.*?\)", "", unit.label)))
        features = (
            float(exact is not None),
            best,
            second,
            sum(match[0] for match in matches) / len(matches),
            math.log1p(len(contribution.stems)),
            math.log1p(rarity.total(contribution.stems)),
            sum(unit.id in own for own in stated) / len(stated) if stated else 0.0,
            max(rarity.share(label, bag) for bag in bags) if label else 0.0,
            max(_share_stating(unit.id, near) for near in alike),
            max((cosine for cosine, units in alike[place] if unit.id not in units), default=0.0),
            math.log(max(unit.weight(), 1)),
        )
        evidence[unit.id] = UnitEvidence(features, spans[place], exact or contribution)
    return evidence


class _Rarity:
    """How rare words are: the logarithm of the share of sentences that have them."""

    def __init__(self, bags: Sequence[Bag]) -> None:
        counts = Counter(word for bag in bags for word in bag)
        self.words = {word: math.log((len(bags) + 1) / (count + 0.5)) for word, count in counts.items()}
        self.unknown = math.log(len(bags) + 1)

    def total(self, words: Collection[str]) -> float:
        return sum(self.words.get(word, self.unknown) for word in words)

    def share(self, words: Collection[str], bag: Bag) -> float:
        """Return the share of the words that a bag has, by their rarity."""
        total = self.total(words)
        return self.total([word for word in words if word in bag]) / total if total else 0.0

    def cosine(self, a: Bag, b: Bag) -> float:
        product = sum(self.words[word] ** 2 * count * b[word] for word, count in a.items() if word in b)
        return product / math.sqrt(self.square(a) * self.square(b)) if product else 0.0

    def square(self, bag: Bag) -> float:
        return sum((self.words[word] * count) ** 2 for word, count in bag.items())


def _match(contribution: Contribution, bags: Sequence[Bag], rarity: _Rarity) -> tuple[float, int, Contribution]:
    """Return the largest share of a contributor in one sentence, and which sentence that is."""
    shares = [rarity.share(contribution.stems, bag) for bag in bags]
    best = max(range(len(bags)), key=lambda k: shares[k], default=0)
    return (shares[best] if shares else 0.0), best, contribution


def _contributions(
    pyramid: Pyramid, unit: str, peers: Sequence[PeerAnnotation], texts: Mapping[str, str], skipped: Collection[str]
) -> Iterator[Contribution]:
    own = [(c.text, pyramid.models[c.text], c.spans) for c in pyramid.unit(unit).contributors if c.text not in skipped]
    for peer in peers:
        marks = (c for marked in peer.units if marked.unit == unit for c in marked.contributors)
        own += [(peer.peer, texts[peer.peer], c.spans) for c in marks]
    for owner, text, spans in own:
        parts = tuple(text[start:end].strip() for start, end in sorted(spans))
        yield Contribution(owner, parts, frozenset(_stems(" ".join(parts))))


def _find_alike(
    bag: Bag, marked: Sequence[tuple[Bag, frozenset[str]]], rarity: _Rarity
) -> list[tuple[float, frozenset[str]]]:
    """Return the cosines of the most similar sentences of other texts, and the units marked in them."""
    cosines = ((rarity.cosine(bag, other), units) for other, units in marked)
    return sorted((near for near in cosines if near[0] > _LIKE), key=lambda near: -near[0])[:_NEIGHBOURS]


def _share_stating(unit: str, near: Sequence[tuple[float, frozenset[str]]]) -> float:
    total = sum(cosine**3 for cosine, _ in near)
    return sum(cosine**3 for cosine, units in near if unit in units) / total if total else 0.0


def _marks(peer: PeerAnnotation, sentence: TextSpan) -> frozenset[str]:
    """Return the units that were marked in a sentence."""
    return frozenset(
        marked.unit
        for marked in peer.units
        for contributor in marked.contributors
        if marked.unit is not None and any(s < sentence.end and sentence.start < e for s, e in contributor.spans)
    )


def _model_bags(pyramid: Pyramid, skipped: Collection[str]) -> Iterator[Bag]:
    for name, text in pyramid.models.items():
        if name not in skipped:
            for start, end in _sentences(text):
                yield Counter(_stems(text[start:end]))


def _sentences(text: str) -> list[TextSpan]:
    ends = [match.span() for match in _SENTENCE.finditer(text)]
    edges = zip([0, *(end for _, end in ends)], [*(start for start, _ in ends), len(text)], strict=True)
    return [TextSpan(start, end) for start, end in edges if text[start:end].strip()]


def _stems(text: str) -> tuple[str, ...]:
    return tuple(stem for stem, _, _ in _content_words(text))


@lru_cache(maxsize=16384)
def _content_words(text: str) -> tuple[tuple[str, int, int], ...]:
    """Return stem, start and end of each content word."""
    from ..text.align.word_features import CONTENT, stem_of, word_class
    from ..text.tokens.offsets import is_punctuation, split_lexical_tokens

    tokens = [token for token in split_lexical_tokens(text) if not is_punctuation(token.text)]
    words = [(token.text.lower(), token.start, token.end) for token in tokens]
    return tuple((stem_of(word), start, end) for word, start, end in words if word_class(word) == CONTENT)
