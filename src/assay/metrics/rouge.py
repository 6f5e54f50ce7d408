"""ROUGE (Lin 2004): n-grams, subsequences and skip-bigrams, as rouge-score and as ROUGE-1.5.5 count them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from ..errors import InputError
from ..matching.bags import Counts, Layout
from ..matching.batch import Batch
from ..matching.pooling import POOLINGS, pool_counts
from ..matching.unit import OverlapUnit, WordUnit
from ..text import TextReading
from ..units.surface import Ngram, SkipBigram, Subsequence, SurfaceUnit
from ._base import Floats, OverlapMetric, WordParameters, check_choice
from ._names import parse_toutanova


@dataclass(frozen=True, kw_only=True)
class Rouge(OverlapMetric, WordParameters):
    """The ROUGE family.

    words: cut texts after this many words (0: never), as ROUGE-1.5.5 -l.
    The defaults follow rouge-score 0.1.2 (tokenizer=rouge) and sum over references as ROUGE-1.5.5 -f A does (refs=sum).
    rouge-score's score_multi is refs=best. For the figures of ROUGE-1.5.5 itself: tokenizer=rouge155 with stem=true
    (-m), stop=true (-s), refs=best-recall (-f B), words=100 (-l 100), and measure=recall, precision or f (its R, P, F
    with -p 0.5); rouge1 to rouge4 are -n 4, rougeLsum its ROUGE-L, rougeW(weight=1.2) -w 1.2, rougeS4 -2 4, rougeSU4
    -2 4 -u. Precision and recall are then rounded to five digits before F, as in that program. -m looks irregular forms
    up in WordNet's exception lists; a Perl installation without them is stem=porter155. refs=jackknife is what NIST
    gets by an input file with each set of references but one.
    """

    family: ClassVar[str] = "rouge"
    tokenizer: str = "rouge"
    refs: str = "sum"
    words: int = 0

    def __post_init__(self) -> None:
        self.make_unit()
        if self.words < 0:
            raise InputError(f"words of {self.title} must be 0 (all) or more; got {self.words}")
        super().__post_init__()

    def reading(self) -> TextReading:
        return TextReading(self.tokenizer, self.stem, self.stop, self.words)

    def shape(self) -> SurfaceUnit | Subsequence:
        """Return the kind of unit."""
        raise NotImplementedError

    def make_unit(self) -> OverlapUnit:
        return WordUnit(self.shape(), self.reading())

    def pool(self, counts: Counts, layout: Layout) -> Floats:
        digits = 5 if self.tokenizer == "rouge155" else -1
        return pool_counts(
            counts, layout, measure=self.measure, refs=self.refs, beta=self.beta, digits=digits, power=self.power()
        )

    def power(self) -> float:
        """Return the exponent that ratios are taken back by (ROUGE-W)."""
        return 1.0


@dataclass(frozen=True, kw_only=True)
class RougeN(Rouge):
    """ROUGE-N: overlap of n-grams (Lin 2004).

    recall = matched n-grams / n-grams of the reference, precision = matched n-grams / n-grams of the output. An n-gram
    matches at most as often as it occurs on both sides (Lin 2004, Eq. 1).

    >>> from assay.metrics import metric
    >>> metric("rouge2(measure=recall, stem=true)").signature()
    'rouge2(words=0, measure=recall, beta=1, refs=sum, tokenizer=rouge, stem=porter, stop=false, own=skip)'
    """

    name: ClassVar[str] = "rouge{n}"
    examples: ClassVar[tuple[str, ...]] = ("rouge1", "rouge2", "rouge3", "rouge4")
    n: int = 1

    def shape(self) -> SurfaceUnit:
        return Ngram(self.n)


@dataclass(frozen=True, kw_only=True)
class _Subsequences(Rouge):
    """Subsequences belong to one reference, so refs=all is not defined."""

    def __post_init__(self) -> None:
        check_choice(self.title, "refs", self.refs, tuple(p for p in POOLINGS if p != "all"))
        super().__post_init__()


@dataclass(frozen=True, kw_only=True)
class _BySentence(_Subsequences):
    """ROUGE by sentences.

    sentences: lines (a newline ends a sentence) or rule (final punctuation ends one too)."""

    sentences: str = "lines"

    def reading(self) -> TextReading:
        return replace(super().reading(), sentences=self.sentences)


@dataclass(frozen=True, kw_only=True)
class RougeL(_Subsequences):
    """ROUGE-L: longest common subsequence of the whole texts.

    recall = LCS / words of the reference, precision = LCS / words of the output (Lin 2004, Eqs. 2-4), as rouge-score's
    rougeL. For ROUGE-1.5.5 -L, which works sentence by sentence, see rougeLsum.
    """

    name: ClassVar[str] = "rougeL"
    examples: ClassVar[tuple[str, ...]] = ("rougeL", "ROUGE-L+Recall+SINGLE-REF", "ROUGE-L+Recall+MULT-MAX")

    @classmethod
    def alias(cls, name: str) -> dict[str, str] | None:
        """Accept the two names of Toutanova et al. (2016)."""
        parts = parse_toutanova(name)
        if parts is None or parts[0] != "ROUGE-L" or parts[1] == "PrecBrev" or parts[2] in ("MULT-ALL", "MULT-PROB"):
            return None
        measure = {"Precision": "precision", "Recall": "recall", "F-1": "f"}[parts[1]]
        return {"measure": measure, "refs": "single" if parts[2] == "SINGLE-REF" else "max", "tokenizer": "unicode"}

    def shape(self) -> Subsequence:
        return Subsequence()


@dataclass(frozen=True, kw_only=True)
class RougeLsum(_BySentence):
    """ROUGE-L over sentences: the union of longest common subsequences.

    Each reference sentence is matched with every output sentence, and the words of all these LCS are united (Lin 2004,
    section 3.2). A word counts at most as often as it occurs on either side, as in ROUGE-1.5.5 -L and rouge-score's
    rougeLsum.
    """

    name: ClassVar[str] = "rougeLsum"
    examples: ClassVar[tuple[str, ...]] = ("rougeLsum",)

    def shape(self) -> Subsequence:
        return Subsequence(union=True)


@dataclass(frozen=True, kw_only=True)
class RougeW(_BySentence):
    """ROUGE-W: longest common subsequence in which runs count more.

    A run of k matches is worth f(k) = k^weight, and ratios are taken to the power 1/weight (Lin 2004, section 4;
    ROUGE-1.5.5 -w). As in that program, the total of a reference is f(sum over sentences of f(length)), which is more
    than the f(length) of the paper. Of texts of more than 5,000 words the first 5,000 are compared, with a warning.
    """

    name: ClassVar[str] = "rougeW"
    examples: ClassVar[tuple[str, ...]] = ("rougeW",)
    tokenizer: str = "rouge155"
    weight: float = 1.2

    def __post_init__(self) -> None:
        if not 1.0 < self.weight <= 10.0:
            raise InputError(f"weight of rougeW must be above 1 and at most 10; got {self.weight}")
        super().__post_init__()

    def shape(self) -> Subsequence:
        return Subsequence(union=True, weight=self.weight)

    def power(self) -> float:
        return self.weight

    def notes(self, batch: Batch) -> Mapping[str, int]:
        return {**super().notes(batch), **batch.clipped_notes("rougeW", self.reading())}


@dataclass(frozen=True, kw_only=True)
class RougeS(Rouge):
    """ROUGE-S: overlap of skip-bigrams.

    Two words in order with at most `gap` words between them (Lin 2004, section 5); gap=-1 allows any distance.
    """

    name: ClassVar[str] = "rougeS{gap}"
    examples: ClassVar[tuple[str, ...]] = ("rougeS4",)
    tokenizer: str = "rouge155"
    gap: int = 4

    def __post_init__(self) -> None:
        if self.gap < -1:
            raise InputError(f"gap of {self.title} must be -1 (any distance), 0 or more; got {self.gap}")
        super().__post_init__()

    def shape(self) -> SurfaceUnit:
        return SkipBigram(self.gap)


@dataclass(frozen=True, kw_only=True)
class RougeSU(RougeS):
    """ROUGE-SU: ROUGE-S plus single words.

    As in ROUGE-1.5.5 -u, the last word of a text does not count as a single word.
    """

    name: ClassVar[str] = "rougeSU{gap}"
    examples: ClassVar[tuple[str, ...]] = ("rougeSU4",)

    def shape(self) -> SurfaceUnit:
        return SkipBigram(self.gap, unigrams=True)
