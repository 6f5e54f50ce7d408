"""Score analyses against a treebank as spaCy's scorer does, which the figures of the fast parser come from.

A token is compared with the gold token that it overlaps, if that is only one. UAS and LAS leave out punctuation. Each
figure is an F1 over all documents, in percent; with gold tokens that of a tag is its accuracy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from itertools import pairwise

from neighbours import Word

Document = list[list[Word]]  # sentences of words; heads are places within the sentence
ATTRIBUTES: dict[str, Callable[[Word], str]] = {
    "tag": lambda word: word.tag,
    "POS": lambda word: word.pos,
    "morph": lambda word: word.feats,
    "lemma": lambda word: word.lemma,
    "lemma, case ignored": lambda word: word.lemma.lower(),
}
MEASURES = ("UAS", "LAS", *ATTRIBUTES, "sentence F1", "token F1")


def spans(words: Sequence[Word]) -> list[tuple[int, int]]:
    """Where each word begins and ends in the text without spaces."""
    places, at = [], 0
    for word in words:
        length = len("".join(word.form.split()))
        places.append((at, at + length))
        at += length
    return places


def align(predicted: Sequence[Word], gold: Sequence[Word]) -> list[int | None]:
    """The gold word that each predicted word overlaps, None if there are several."""
    owner = [i for i, (begin, end) in enumerate(spans(gold)) for _ in range(begin, end)]
    aligned: list[int | None] = []
    for begin, end in spans(predicted):
        touched = set(owner[begin:end])
        aligned.append(touched.pop() if len(touched) == 1 else None)
    return aligned


class Counts:
    """How many were right, predicted and there."""

    def __init__(self) -> None:
        self.right = self.predicted = self.gold = 0

    def add(self, predicted: set[Hashable], gold: set[Hashable], unaligned: int = 0) -> None:
        """Compare two sets; `unaligned` more were predicted that cannot be right."""
        self.right += len(predicted & gold)
        self.predicted += len(predicted) + unaligned
        self.gold += len(gold)

    @property
    def f1(self) -> float:
        """In percent; 0 if nothing was right."""
        return 200 * self.right / (self.predicted + self.gold) if self.right else 0.0


def flatten(document: Document) -> tuple[list[Word], list[int], list[int]]:
    """All words, the place of each one's head in the document, and where sentences begin."""
    words: list[Word] = []
    heads: list[int] = []
    starts: list[int] = []
    for sentence in document:
        starts.append(len(words))
        heads += [len(words) + word.head for word in sentence]
        words += sentence
    return words, heads, starts


def score(predicted: Sequence[Document], gold: Sequence[Document]) -> dict[str, float]:
    """Compare analyses of the same texts."""
    counts: defaultdict[str, Counts] = defaultdict(Counts)
    for mine, theirs in zip(predicted, gold, strict=True):
        words, heads, starts = flatten(mine)
        gold_words, gold_heads, gold_starts = flatten(theirs)
        aligned = align(words, gold_words)
        arcs, lost = set(), 0
        for i, word in enumerate(words):
            if word.dep != "punct":
                if aligned[i] is None or aligned[heads[i]] is None:
                    lost += 1
                else:
                    arcs.add((aligned[i], aligned[heads[i]], word.dep))
        gold_arcs = {(i, gold_heads[i], w.dep) for i, w in enumerate(gold_words) if w.dep != "punct"}
        counts["UAS"].add({arc[:2] for arc in arcs}, {arc[:2] for arc in gold_arcs}, lost)
        counts["LAS"].add(arcs, gold_arcs, lost)  # type: ignore[arg-type]
        for name, value in ATTRIBUTES.items():
            counts[name].add(
                {(at, value(word)) for word, at in zip(words, aligned, strict=True) if at is not None},
                {(i, value(word)) for i, word in enumerate(gold_words)},
            )
        own, wanted = spans(words), spans(gold_words)
        counts["token F1"].add(set(own), set(wanted))
        counts["sentence F1"].add(_cuts(own, starts), _cuts(wanted, gold_starts))
    return {name: counts[name].f1 for name in MEASURES}


def _cuts(places: list[tuple[int, int]], starts: list[int]) -> set[Hashable]:
    """Where each sentence begins and ends."""
    bounds = [places[i][0] for i in starts] + [places[-1][1]]
    return set(pairwise(bounds))
