"""What every metric is: a frozen dataclass with its parameters as fields, which are its signature."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..component import Component
from ..data.evalset import EvalSet
from ..data.item import Item, Reference
from ..data.sequences import list_values, refuse_no_text
from ..errors import InputError, UnknownName
from ..matching.bags import Counts, Layout
from ..matching.batch import Batch
from ..matching.pooling import MEASURES, POOLINGS, pool_counts
from ..matching.unit import CountRequest, OverlapUnit, WordUnit
from ..text import TextReading

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Metric(Component):
    """One number per output."""

    family: ClassVar[str] = "other"  # under which `assay metrics` lists it: a key of FAMILIES
    higher_is_better: ClassVar[bool] = True
    directed: ClassVar[bool] = True  # False where neither more nor less is better by itself: length, compression rate
    learned: ClassVar[bool] = False  # whether it was fitted to judgments
    # What an item must have to be scored: references, sources, content units, or outputs alone.
    needs: ClassVar[str] = "references"
    undefined: ClassVar[str] = ""  # why outputs have no score, where that is not for lack of input

    def __post_init__(self) -> None:
        """Check the parameters; a subclass that adds some checks them and calls this."""

    @property
    def whole_set(self) -> bool:
        """Whether all `background` must be read before the first output is scored."""
        return False

    def background(self, data: EvalSet) -> list[str]:
        """Return the texts of a set that `prepare` must read: all references, unless a metric says otherwise."""
        return list(data.flat[1])

    def prepare(self, texts: Iterable[list[str]]) -> Metric:
        """Return the metric ready for a set with this background, which comes in parts; called if `whole_set`."""
        return self

    def ready(self, chunks: Iterable[EvalSet]) -> Metric:
        """Return the metric ready for the set that these chunks make; they may be read more than once."""
        return self.prepare(self.background(chunk) for chunk in chunks) if self.whole_set else self

    def values(self, batch: Batch) -> Floats:
        """Return one number per output, NaN where it is undefined."""
        raise NotImplementedError

    def __call__(
        self, output: str, references: str | Iterable[str] = (), *, sources: str | Iterable[str] = ()
    ) -> float:
        """Return the score of one output against its reference or references; NaN where it is undefined."""
        refuse_no_text(output, "the output")
        item = Item("1", tuple(map(Reference, _list_texts(references))), {"system": output}, _list_texts(sources))
        data = EvalSet([item])
        return float(self.ready([data]).values(Batch(data))[0])

    def requests(self) -> Iterable[CountRequest]:
        """Return the counts it will ask the batch for, so that those of several metrics are made in one pass."""
        return ()

    @property
    def has_corpus_score(self) -> bool:
        """Whether a system's score is made of summed statistics, and not the mean of its items."""
        return type(self).statistics is not Metric.statistics and getattr(self, "aggregate", "corpus") == "corpus"

    def statistics(self, batch: Batch) -> Floats | None:
        """Return rows (output x statistic) that add up over items, for metrics with a corpus score of their own."""
        return None

    def corpus(self, sums: Floats) -> Floats:
        """Return the corpus score of each row of summed statistics."""
        raise NotImplementedError

    def takes_alternatives(self) -> bool:
        """Return whether it reads references with alternatives as lattices; others would see the first text only."""
        return False

    def notes(self, batch: Batch) -> Mapping[str, int]:
        """Return what was not done as asked, and for how many outputs; shown once for the whole run."""
        return {}

    @classmethod
    def shared_docstrings(cls) -> list[str]:
        """Return what its base classes say about the parameters it has from them, without their first lines."""
        bases = [base for base in cls.__mro__[1:] if issubclass(base, Metric) and base is not Metric]
        texts = [inspect.cleandoc(base.__doc__ or "").partition("\n\n")[2] for base in bases]
        return [text for text in texts if text]


def _list_texts(texts: str | Iterable[str]) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else tuple(list_values(texts, "references and sources"))


def check_choice(metric: str, parameter: str, value: str, choices: Iterable[str]) -> None:
    """Raise an error that lists the choices if the value is not one of them."""
    choices = tuple(choices)
    if value not in choices:
        raise UnknownName(f"{parameter} of {metric}", value, choices, hint=f"(there are {', '.join(choices)})")


def check_beta(metric: str, beta: float) -> None:
    """Raise an error if beta, which weighs recall against precision, is not above 0."""
    if not (beta > 0 and np.isfinite(beta)):
        raise InputError(f"beta of {metric} must be above 0; got {beta}")


@dataclass(frozen=True, kw_only=True)
class OwnReferences(Metric):
    """A metric that compares outputs with references.

    own: skip leaves out a reference that is the output's own text (a person's summary is not scored against itself);
    keep compares them too.
    """

    own: str = "skip"

    def __post_init__(self) -> None:
        check_choice(self.title, "own", self.own, ("skip", "keep"))
        super().__post_init__()

    @property
    def keep_own(self) -> bool:
        """Whether an output is compared with a reference that is its own text."""
        return self.own == "keep"


@dataclass(frozen=True, kw_only=True)
class WordParameters(OwnReferences):
    """How texts are cut into words.

    tokenizer: rouge, rouge155, unicode, 13a, intl, char or space. stem: true (the stemmer that goes with the
    tokenizer), false, or the name of one. stop: true leaves out stop words.
    """

    tokenizer: str = "unicode"
    stem: str | bool = "none"
    stop: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "stem", self.reading().stem)
        super().__post_init__()

    def reading(self) -> TextReading:
        """Return how texts are cut into words."""
        return TextReading(self.tokenizer, self.stem, self.stop)


@dataclass(frozen=True, kw_only=True)
class ParserParameters(Metric):
    """How texts are parsed.

    parser: en or accurate (come with Assay), spacy:NAME, stanza:LANGUAGE or conllu:FILE.
    word: lemma, stem (Porter) or form.
    """

    parser: str = "en"
    word: str = "lemma"

    def __post_init__(self) -> None:
        from ..units.dependency import WORDS  # only metrics that parse need the parser's modules

        check_choice(self.title, "word", self.word, WORDS)
        super().__post_init__()


@dataclass(frozen=True, kw_only=True)
class OverlapMetric(OwnReferences):
    """The overlap of some unit between output and references: unit x measure x pooling.

    measure: precision = matches / units of the output, recall = matches / units of the reference, f = (1 + beta^2) P R
    / (beta^2 P + R), precision-brevity = P times BLEU's penalty for brevity. A unit matches at most as often as it
    occurs on both sides. 0/0 is 0; an item without references has no score (NaN).
    refs: how several references are pooled: single (the first), max (the highest measure), all (their union: a unit
    counts as often as in the reference that has it most), prob (a unit weighs the share of references that hold it),
    sum (matches and totals summed), mean, best (the reference with the highest F), best-recall (the one with the
    highest recall), jackknife (the mean of sum over all sets that leave one reference out, as NIST ran ROUGE, so that
    people, who meet one reference less, are comparable), jackknife-max (the mean of max over these sets, as Lin 2004).
    """

    measure: str = "f"
    beta: float = 1.0
    refs: str = "max"

    def __post_init__(self) -> None:
        if self.measure == "all":
            raise InputError(
                f"measure=all stands for three metrics: give it to assay.score or -m, or write "
                f"{type(self).__name__.lower()} three times, with measure=precision, recall and f"
            )
        check_choice(self.title, "measure", self.measure, MEASURES)
        check_choice(self.title, "refs", self.refs, POOLINGS)
        check_beta(self.title, self.beta)
        super().__post_init__()

    @classmethod
    def parameter_of(cls, value: str) -> str | None:
        return "refs" if value in POOLINGS else "measure" if value in MEASURES else None

    def make_unit(self) -> OverlapUnit:
        """Return what is counted."""
        raise NotImplementedError

    @cached_property
    def counted_unit(self) -> OverlapUnit:
        """What is counted, made once."""
        return self.make_unit()

    def requests(self) -> Iterable[CountRequest]:
        unit = self.counted_unit
        return (CountRequest(unit, self.keep_own),) if isinstance(unit, WordUnit) else ()

    def takes_alternatives(self) -> bool:
        return self.counted_unit.takes_alternatives

    def values(self, batch: Batch) -> Floats:
        return self.pool(batch.counts(self.counted_unit, keep_own=self.keep_own), batch.layout(self.keep_own))

    def pool(self, counts: Counts, layout: Layout) -> Floats:
        """Return the measure of each output, pooled over its references."""
        return pool_counts(counts, layout, measure=self.measure, refs=self.refs, beta=self.beta)
