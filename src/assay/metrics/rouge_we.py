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
    """ROUGE-WE-N: n-grams match if their word vectors point the same way.

    The matching rule is that of the released code of S3 (Peyrard et al. 2017). The n-grams of the output, each once, in
    order of first occurrence, take the nearest n-gram that the reference has left: (1) the same n-gram if it is there,
    else the one of the highest cosine, where the vector of an n-gram is the sum of its words' vectors; (2) below
    `threshold` nothing is taken; (3) a match counts min(times in the output, times left in the reference). An n-gram
    with a word that has no vector matches itself only. From there on it is ROUGE: recall = matches / n-grams of the
    reference. rule=cosine counts a match as much as its cosine and takes any above 0, with combine=product the nearest
    to the similarity of Ng and Abrecht (2015), who multiply the vectors of an n-gram's words and say no more of the
    matching. vectors: glove (50 numbers a word), distilled (a word's vector is what the sentence encoder makes of it
    alone), or a file of word vectors. The default is what correlates best with Pyramid scores on TAC 2008; see
    docs/meanings.md.
    """

    name: ClassVar[str] = "rougeWE{n}"
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
        poolings = ("single", "max", "sum", "mean", "best", "best-recall", "jackknife")
        check_choice(self.title, "refs", self.refs, poolings)
        if not 0 <= self.threshold <= 1:
            raise InputError(f"threshold of {self.title} must be between 0 and 1; got {self.threshold}")
        super().__post_init__()

    def make_unit(self) -> SoftNgram:
        whole = self.rule == "threshold"
        rule = Rule(self.combine, self.threshold if whole else 1e-9, whole)
        return SoftNgram(Ngram(self.n).n, self.reading(), self.vectors, rule)
