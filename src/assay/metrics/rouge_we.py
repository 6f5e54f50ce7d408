"""ROUGE-WE (Ng and Abrecht 2015): ROUGE with word vectors, so that like words match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..errors import InputError
from ..matching.soft import Rule, SoftNgram
from ..units.surface import Ngram
from ._base import check_choice
from .rouge import Rouge


@dataclass(frozen=True, kw_only=True)
class RougeWE(Rouge):
    """ROUGE-WE-N: n-grams match if their word vectors are close.

    The vector of an n-gram is the sum of its words' vectors. As in the released code of S3 (Peyrard et al. 2017), each
    distinct n-gram of the output, in order of first occurrence, takes one n-gram that the reference has left: (1) the
    same n-gram if there is one, else the one with the highest cosine; (2) a cosine below `threshold` is not a match;
    (3) a match counts min(times in the output, times left in the reference). An n-gram with a word that has no vector
    matches only itself. From there on it is ROUGE: recall = matches / n-grams of the reference.
    rule: threshold, or cosine, in which a match counts as much as its cosine and any above 0 is taken. combine: sum or
    product of the words' vectors; rule=cosine with combine=product is closest to Ng and Abrecht (2015), who do not
    describe the matching further. vectors: distilled (from the sentence encoder, the default, which correlates best
    with Pyramid scores on TAC 2008; see docs/meanings.md), glove, or a file of word vectors.
    """

    name: ClassVar[str] = "rougeWE{n}"
    family: ClassVar[str] = "meaning"
    examples: ClassVar[tuple[str, ...]] = ("rougeWE1", "rougeWE2")
    n: int = 1
    vectors: str = "distilled"
    rule: str = "threshold"
    threshold: float = 0.8
    combine: str = "sum"
    measure: str = "recall"

    def __post_init__(self) -> None:
        check_choice(self.title, "rule", self.rule, ("threshold", "cosine"))
        check_choice(self.title, "combine", self.combine, ("sum", "product"))
        poolings = ("single", "max", "sum", "mean", "best", "best-recall", "jackknife", "jackknife-max")
        check_choice(self.title, "refs", self.refs, poolings)
        if not 0 <= self.threshold <= 1:
            raise InputError(f"threshold of {self.title} must be between 0 and 1; got {self.threshold}")
        super().__post_init__()

    def make_unit(self) -> SoftNgram:
        whole = self.rule == "threshold"
        rule = Rule(self.combine, self.threshold if whole else 1e-9, whole)
        return SoftNgram(Ngram(self.n).n, self.reading(), self.vectors, rule)
