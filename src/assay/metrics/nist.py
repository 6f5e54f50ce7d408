"""NIST (Doddington 2002): n-grams weighted by the information they carry."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from .. import _core
from ..errors import InputError
from ..matching.batch import Batch
from ..text import Lexicon, TextReading, Texts
from ._base import Floats, OwnReferences, check_choice

_BETA = math.log(0.5) / math.log(1.5) ** 2  # the penalty is 1/2 where the output has 2/3 of the reference's length


@dataclass(frozen=True, kw_only=True)
class Nist(OwnReferences):
    """NIST: matching n-grams weighted by their information.

    (1) Info(w1..wn) = log2(count of w1..w(n-1) / count of w1..wn), counted in all references of the set (for n = 1 the
    numerator is the number of words); (2) NIST = sum over n = 1..N of (Info of the matching n-grams / n-grams of the
    output) times exp(beta log^2 min(L / R, 1)), where L is the length of the output, R the mean length of its
    references, and beta is such that the factor is 1/2 at L/R = 2/3.
    Several references: an n-gram matches at most as often as in the reference that has it most, as in mteval-v13a. No
    match, and so an empty output, is 0; an item without references has no score (NaN).
    The weights need all references before the first output, so `assay score` reads its file twice.
    aggregate: corpus (from summed counts) or mean. nltk gives the same for one reference; with several it uses one
    reference for each order, and its length, where the paper has all of them.

    >>> import assay
    >>> output = "It is a guide to action which ensures that the military always obeys the commands of the party"
    >>> reference = "It is a guide to action that ensures that the military will forever heed Party commands"
    >>> round(assay.score(assay.EvalSet.from_texts([output], [reference]), "nist").values.item(), 4)  # nltk 3.10.4
    2.4477
    """

    name: ClassVar[str] = "nist"
    family: ClassVar[str] = "translation"
    examples: ClassVar[tuple[str, ...]] = ("nist",)
    n: int = 5
    tokenizer: str = "13a"
    lower: bool = False
    aggregate: str = "corpus"

    def __post_init__(self) -> None:
        check_choice("nist", "aggregate", self.aggregate, ("corpus", "mean"))
        if not 1 <= self.n <= 20:
            raise InputError(f"n of nist must be between 1 and 20; got {self.n}")
        self._reading()
        super().__post_init__()

    @property
    def whole_set(self) -> bool:
        return True

    def prepare(self, texts: Iterable[list[str]]) -> Nist:
        ready, table = replace(self), _core.NgramTable(self.n)
        for strings in texts:
            lexicon = Lexicon()
            table.add(Texts(strings, lexicon).tokens(self._reading()), lexicon.vocab)
        object.__setattr__(ready, "_table", table)  # no parameter: the signature does not name it
        return ready

    def values(self, batch: Batch) -> Floats:
        return self.corpus(self._rows(batch))

    def statistics(self, batch: Batch) -> Floats | None:
        return self._rows(batch) if self.aggregate == "corpus" else None

    def corpus(self, sums: Floats) -> Floats:
        output, reference = sums[:, 0], sums[:, 1]
        information, total = sums[:, 2 : 2 + self.n], sums[:, 2 + self.n :]
        precision = np.divide(information, total, out=np.zeros_like(total), where=total > 0).sum(axis=1)
        ratio = np.divide(output, reference, out=np.ones_like(output), where=reference > 0)
        with np.errstate(divide="ignore"):
            penalty = np.exp(_BETA * np.log(np.minimum(ratio, 1)) ** 2)
        return np.where(np.isnan(reference), np.nan, precision * penalty)  # Eq. 2

    def _reading(self) -> TextReading:
        return TextReading(self.tokenizer, lower=self.lower)

    def _rows(self, batch: Batch) -> Floats:
        """Return output length, mean reference length, then information and n-grams of each order."""
        table: _core.NgramTable | None = getattr(self, "_table", None)
        if table is None:
            raise InputError("nist weighs n-grams by all references of the set: use assay.score, or prepare it first")

        def make() -> Floats:
            outputs, references = (texts.tokens(self._reading()) for texts in (batch.outputs, batch.references))
            return _core.nist(outputs, references, batch.layout(self.keep_own), batch.outputs.lexicon.vocab, table)

        return batch.outputs.remember(self, make)
