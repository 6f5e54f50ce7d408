"""Equivalence sets: what one source word or phrase was translated as (Owczarzak et al. 2006, 3.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypedDict

from ... import _core
from ...data.evalset import EvalSet
from ...data.result import Result
from ...errors import InputError
from ...text.align.bitext import Alignment, align
from ._closed_class import CLOSED, is_word, split_words

Phrase = tuple[str, ...]


@dataclass(frozen=True)
class Member:
    """A target side: how often it was the source's translation, p(e|f) and p(f|e)."""

    text: str
    count: int
    given_source: float
    source_given: float


@dataclass(frozen=True)
class EquivalenceSet:
    """The target sides of one source word or phrase, the most frequent first."""

    source: str
    count: int
    members: tuple[Member, ...]


@dataclass(frozen=True, order=True)
class Replacement:
    """`new` may stand for `old`, both being translations of `source`; probability p(source|old) p(new|source)."""

    old: str
    new: str
    source: str
    probability: float


class ParaphrasesRecord(TypedDict):
    """How many lines the sets were found in, and with which settings."""

    kind: Literal["paraphrases"]
    signature: str
    lines: int
    skipped: int


class EquivalentRecord(TypedDict):
    """One target side, with p(e|f) and p(f|e)."""

    text: str
    count: int
    p_e_f: float
    p_f_e: float


class EquivalenceSetRecord(TypedDict):
    """What one source word or phrase was translated as, the most frequent first."""

    kind: Literal["equivalence_set"]
    source: str
    count: int
    equivalents: list[EquivalentRecord]


@dataclass(frozen=True)
class Paraphrases(Result, question="paraphrases", kind="paraphrases"):
    """The equivalence sets of a bitext. Not transitive: only members of one set replace each other.

    `lines` were aligned; `skipped` of them were not, as a side was empty or too long.
    """

    sets: tuple[EquivalenceSet, ...]
    signature: str
    lines: int
    skipped: int = 0
    closed: frozenset[str] = field(default=CLOSED, repr=False)

    def records(self) -> list[dict[str, Any]]:
        """List the settings and the counts, then the sets with their members."""
        own = {"kind": self.kind, "signature": self.signature, "lines": self.lines, "skipped": self.skipped}
        sets = [
            {
                "kind": "equivalence_set",
                "source": group.source,
                "count": group.count,
                "equivalents": [
                    {"text": m.text, "count": m.count, "p_e_f": m.given_source, "p_f_e": m.source_given}
                    for m in group.members
                ],
            }
            for group in self.sets
        ]
        return [own, *sets]

    def of(self, text: str) -> tuple[Replacement, ...]:
        """Return what can replace a word or phrase, the most probable first."""
        return self._by_phrase.get(tuple(text.lower().split()), ())

    def lengths(self, word: str) -> Sequence[int]:
        """Return how many words the phrases have that begin with this one, the longest first."""
        return self._lengths.get(word, ())

    def at(self, words: Phrase) -> tuple[Replacement, ...]:
        """Return the same as `of`, for words that are already split."""
        return self._by_phrase.get(words, ())

    @cached_property
    def _lengths(self) -> dict[str, list[int]]:
        by_first_word: dict[str, set[int]] = {}
        for phrase in self._by_phrase:
            by_first_word.setdefault(phrase[0], set()).add(len(phrase))
        return {word: sorted(lengths, reverse=True) for word, lengths in by_first_word.items()}

    @cached_property
    def _by_phrase(self) -> dict[Phrase, tuple[Replacement, ...]]:
        by_phrase: dict[Phrase, dict[str, Replacement]] = {}
        for group in self.sets:
            for old in group.members:
                best = by_phrase.setdefault(tuple(old.text.split()), {})
                for new in group.members:
                    # Section 5: the product ranks; of several sources that pair the two, the one with the largest.
                    product = old.source_given * new.given_source
                    if new is not old and (new.text not in best or best[new.text].probability < product):
                        best[new.text] = Replacement(old.text, new.text, group.source, product)
        return {
            phrase: tuple(sorted(new.values(), key=lambda r: (-r.probability, r.new)))
            for phrase, new in by_phrase.items()
        }


def paraphrases(
    data: EvalSet,
    *,
    longest: int = 4,
    least: int = 2,
    threshold: float = 0.05,
    aligner: str = "hmm",
    symmetrize: str = "grow-diag-final-and",
    closed: Collection[str] = CLOSED,
) -> Paraphrases:
    """Find the equivalence sets in a set's own sources and references.

    A set holds the target sides, up to `longest` words, of one source word or phrase; each was seen `least` times and
    has p(e|f) and p(f|e) of at least `threshold` (the paper set none). Left out: sides with a number or a mark, and
    those that begin or end with one of the `closed` words (English: prepositions, articles, pronouns, conjunctions,
    auxiliaries), since such a side brings along what belongs to its neighbour. `aligner` is one of
    `assay.text.align.bitext`: hmm, model1, or eflomal if that is installed, with its parameters.

    >>> data = EvalSet.from_texts(
    ...     {"A": ["x"] * 8},
    ...     ["big house", "big garden", "large house", "large garden", "old house", "old garden", "big", "large"],
    ...     ["gros haus", "gros garten", "gros haus", "gros garten", "alt haus", "alt garten", "gros", "gros"])
    >>> [[member.text for member in group.members] for group in paraphrases(data).sets]
    [['big', 'large']]
    """
    if longest < 1 or least < 1 or not 0 <= threshold <= 1:
        raise InputError(
            "longest and least must be 1 or more, threshold between 0 and 1; "
            f"got longest={longest}, least={least}, threshold={threshold:g}"
        )
    sources, targets = _bitext(data)
    alignment = align(_join_words(sources), _join_words(targets), aligner, symmetrize=symmetrize, tokenizer="space")
    counts = _count_pairs(alignment, sources, targets, longest)
    signature = f"longest={longest}, least={least}, threshold={threshold:g}, symmetrize={symmetrize}"
    if aligner != "hmm":
        signature += f", aligner={aligner}"
    if frozenset(closed) != CLOSED:
        signature += f", closed={len(frozenset(closed))} words"
    sets = _sets(counts, least, threshold, frozenset(closed))
    return Paraphrases(sets, signature, len(sources), len(alignment.skipped), frozenset(closed))


def _bitext(data: EvalSet) -> tuple[list[Phrase], list[Phrase]]:
    """Pair each reference with its item's source."""
    sources: list[Phrase] = []
    targets: list[Phrase] = []
    for item in data:
        if not item.sources:
            raise InputError(f"{item.place} has no source: paraphrases come from sources and references together")
        source = tuple(word.text for word in split_words(" ".join(item.sources)))
        for reference in item.references:
            sources.append(source)
            targets.append(tuple(word.text for word in split_words(reference.text)))
    if not targets:
        raise InputError("no item has references: paraphrases come from sources and references together")
    return sources, targets


def _join_words(lines: Sequence[Phrase]) -> list[str]:
    return [" ".join(words) for words in lines]


def _count_pairs(
    alignment: Alignment, sources: Sequence[Phrase], targets: Sequence[Phrase], longest: int
) -> Counter[tuple[Phrase, Phrase]]:
    """Count each phrase pair."""
    read = alignment.reading
    columns = _core.phrase_pairs(
        alignment.sources.tokens(read), alignment.targets.tokens(read), alignment.aligned.links, longest, False
    )
    spans = zip(*(column.tolist() for column in columns), strict=True)
    return Counter((sources[p][s0:s1], targets[p][t0:t1]) for p, s0, s1, t0, t1 in spans)


def _sets(
    counts: Counter[tuple[Phrase, Phrase]], least: int, threshold: float, closed: frozenset[str]
) -> tuple[EquivalenceSet, ...]:
    of_source: Counter[Phrase] = Counter()
    of_target: Counter[Phrase] = Counter()
    for (source, target), n in counts.items():
        of_source[source] += n
        of_target[target] += n
    members: dict[Phrase, list[Member]] = {}
    for (source, target), n in counts.items():
        forward, backward = n / of_source[source], n / of_target[target]
        if n >= least and min(forward, backward) >= threshold and _eligible(source, target, closed):
            members.setdefault(source, []).append(Member(" ".join(target), n, forward, backward))
    sets = [
        EquivalenceSet(" ".join(source), of_source[source], tuple(sorted(m, key=lambda e: (-e.count, e.text))))
        for source, m in members.items()
        if len(m) > 1
    ]
    return tuple(sorted(sets, key=lambda group: (-group.count, group.source)))


def _eligible(source: Phrase, target: Phrase, closed: frozenset[str]) -> bool:
    return target[0] not in closed and target[-1] not in closed and all(map(is_word, source + target))
