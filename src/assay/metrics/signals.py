"""Signs of bad grammar that need no reference: what a reader stumbles over, counted."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..matching.batch import Batch
from ..matching.ngram_bags import NgramUnit, bags_of_outputs, text_of
from ..text import TextReading, split_sentences
from ..text.parse.sentence import Sentence
from ._base import Floats, Metric, check_choice

_ENDED = re.compile(r"""[.!?…。！？]["'”’»)\]」』]*$""")
_OPEN = {"(": ")", "[": "]", "{": "}", "“": "”", "«": "»", "「": "」", "『": "』"}
_CLOSE = frozenset(_OPEN.values())


@dataclass(frozen=True, kw_only=True)
class Signal(Metric):
    """Metrics that need only the output."""

    needs: ClassVar[str] = "outputs"


@dataclass(frozen=True, kw_only=True)
class SentenceLength(Signal):
    """Mean number of words per sentence of the output.

    A newline or final punctuation ends a sentence. An empty text scores 0. Longer is not better; it is marked as
    higher-is-better only to give correlations a sign.
    """

    name: ClassVar[str] = "sentencelength"
    family: ClassVar[str] = "output"
    examples: ClassVar[tuple[str, ...]] = ("sentencelength",)
    tokenizer: str = "unicode"

    def __post_init__(self) -> None:
        TextReading(self.tokenizer)

    def values(self, batch: Batch) -> Floats:
        words = np.asarray(batch.outputs.tokens(TextReading(self.tokenizer)).lengths())
        return words / np.maximum([len(sentences) for sentences in _sentences(batch)], 1)


@dataclass(frozen=True, kw_only=True)
class Repeats(Signal):
    """Share of the output's n-grams that repeat an earlier one.

    1 - distinct / all n-grams, across sentences, stop words included: high where a neural system is caught in a loop.
    Lower is better. A text without n-grams scores 0.

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["on and on and on and on"])
    >>> assay.score(data, "repeats3").values.item()  # on and on, and on and; each again
    0.6
    """

    name: ClassVar[str] = "repeats{n}"
    family: ClassVar[str] = "output"
    examples: ClassVar[tuple[str, ...]] = ("repeats3",)
    higher_is_better: ClassVar[bool] = False
    n: int = 3
    tokenizer: str = "unicode"

    def __post_init__(self) -> None:
        self._unit().check()

    def values(self, batch: Batch) -> Floats:
        bags = bags_of_outputs(batch, self._unit())
        text, size = text_of(bags), max(1, bags.vocab_size)
        total = np.bincount(text, minlength=len(bags))
        distinct = np.bincount(np.unique(text * size + bags.ids) // size, minlength=len(bags))
        return (total - distinct) / np.maximum(total, 1)

    def _unit(self) -> NgramUnit:
        return NgramUnit(self.n, TextReading(self.tokenizer))


@dataclass(frozen=True, kw_only=True)
class Unbalanced(Signal):
    """Brackets and quotation marks without a partner, per sentence.

    Round, square and curly brackets, “”, «» and CJK quotes must close in the reverse order of opening; straight double
    quotes (and `` '') must be even in number. Unpaired marks are counted and divided by the number of sentences.
    Apostrophes are ignored. Lower is better.

    >>> import assay
    >>> data = assay.EvalSet.from_texts(['He said: "It rained (a lot.', "Fine (as ever)."])
    >>> assay.score(data, "unbalanced").values.tolist()
    [[2.0, 0.0]]
    """

    name: ClassVar[str] = "unbalanced"
    family: ClassVar[str] = "output"
    examples: ClassVar[tuple[str, ...]] = ("unbalanced",)
    higher_is_better: ClassVar[bool] = False

    def values(self, batch: Batch) -> Floats:
        alone = np.array([_count_unpaired(text) for text in batch.outputs.strings], dtype=np.float64)
        return alone / np.maximum([len(sentences) for sentences in _sentences(batch)], 1)


@dataclass(frozen=True, kw_only=True)
class Unended(Signal):
    """Share of sentences without final punctuation.

    A newline or final punctuation ends a sentence. A sentence that does not end in . ! ? … or a CJK mark (closing
    quotes and brackets may follow) is a fragment or cut off. where: all, or last for the last sentence only: 1 if the
    text breaks off. Lower is better; an empty text scores 1.

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["It rained. Nobody came to the"])
    >>> assay.score(data, "unended").values.item(), assay.score(data, "unended(where=last)").values.item()
    (0.5, 1.0)
    """

    name: ClassVar[str] = "unended"
    family: ClassVar[str] = "output"
    examples: ClassVar[tuple[str, ...]] = ("unended", "unended(where=last)")
    higher_is_better: ClassVar[bool] = False
    where: str = "all"

    def __post_init__(self) -> None:
        check_choice("unended", "where", self.where, ("all", "last"))

    def values(self, batch: Batch) -> Floats:
        start = -1 if self.where == "last" else 0
        return _share(batch, lambda sentence: not _ENDED.search(sentence), start=start, empty=1.0)


@dataclass(frozen=True, kw_only=True)
class Finite(Signal):
    """Share of the output's sentences that have a finite verb.

    A finite verb is a verb or auxiliary with VerbForm=Fin among its features (or with the Penn tag MD, VBD, VBP or
    VBZ). Sentences are the parser's. parser: en or accurate (come with Assay), spacy:NAME, stanza:LANGUAGE or
    conllu:FILE. An empty text scores 0.
    """

    name: ClassVar[str] = "finite"
    family: ClassVar[str] = "output"
    examples: ClassVar[tuple[str, ...]] = ("finite",)
    parser: str = "en"

    def values(self, batch: Batch) -> Floats:
        parses = batch.outputs.parses(self.parser)
        return np.array([_mean([_is_finite(s) for s in parse.sentences]) for parse in parses], dtype=np.float64)


def _is_finite(sentence: Sentence) -> bool:
    return any(
        word.pos in ("VERB", "AUX") and ("VerbForm=Fin" in word.features or word.tag in ("MD", "VBD", "VBP", "VBZ"))
        for word in sentence
    )


def _sentences(batch: Batch) -> list[list[str]]:
    texts = batch.outputs
    return texts.remember("sentences by rule", lambda: [split_sentences(text) for text in texts.strings])


def _share(batch: Batch, holds: Callable[[str], bool], *, start: int, empty: float) -> Floats:
    shares = [_mean([holds(s) for s in sentences[start:]]) if sentences else empty for sentences in _sentences(batch)]
    return np.array(shares, dtype=np.float64)


def _mean(values: list[bool]) -> float:
    return sum(values) / len(values) if values else 0.0


def _count_unpaired(text: str) -> int:
    """Return how many marks have no partner."""
    open_marks: list[str] = []
    alone = (text.count('"') + text.count("``") + text.count("''")) % 2
    for c in text:
        if c in _OPEN:
            open_marks.append(_OPEN[c])
        elif c in _CLOSE:
            if c in open_marks:  # what stands open inside it has no partner
                while open_marks.pop() != c:
                    alone += 1
            else:
                alone += 1
    return alone + len(open_marks)
