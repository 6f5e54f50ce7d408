"""chrF (Popović 2015) and chrF++ (Popović 2017), as sacreBLEU 2.6 computes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .. import _core
from ..errors import InputError
from ..matching.batch import Batch
from ..text.texts import refuse_surrogates
from ._base import Floats, OwnReferences, check_beta, check_choice

_ALIASES = {"chrf+": "1", "chrf++": "2"}
_EPS = 1e-16


@dataclass(frozen=True, kw_only=True)
class Chrf(OwnReferences):
    """chrF: F-score of character n-grams, 0 to 100; chrF++ adds words.

    (1) chrF = 100 (1 + beta^2) P R / (beta^2 P + R). P and R are the means over orders of n-gram precision and recall:
    characters up to `chars`, words up to `words` (0; 1 in chrF+, 2 in chrF++). Orders that either text is too short for
    are left out; eps=true averages the F of each order instead and puts 1e-16 for these, as chrF++.py does.
    Several references: the one with the highest score. No match, and so an empty output or reference, is 0; an item
    without references has no score (NaN).
    whitespace: true counts white space in character n-grams. aggregate: corpus (from summed counts) or mean.

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["the cat sat on the mat"], [["the cat sat on a mat"]])
    >>> [round(assay.score(data, name).values.item(), 4) for name in ("chrf", "chrf++")]  # sacrebleu 2.6.0
    [72.0848, 72.0304]
    """

    name: ClassVar[str] = "chrf"
    family: ClassVar[str] = "translation"
    examples: ClassVar[tuple[str, ...]] = ("chrf", "chrf++")
    chars: int = 6
    words: int = 0
    beta: float = 2.0
    lower: bool = False
    whitespace: bool = False
    eps: bool = False
    aggregate: str = "corpus"

    def __post_init__(self) -> None:
        check_choice("chrf", "aggregate", self.aggregate, ("corpus", "mean"))
        if not (1 <= self.chars <= 100 and 0 <= self.words <= 100):
            raise InputError(
                f"chrf needs chars between 1 and 100 and words between 0 and 100; got {self.chars}, {self.words}"
            )
        check_beta("chrf", self.beta)
        super().__post_init__()

    @classmethod
    def alias(cls, name: str) -> dict[str, str] | None:
        words = _ALIASES.get(name.lower())
        return None if words is None else {"words": words}

    def summary(self) -> str:
        return f"chrF{'+' * self.words}: character {'and word ' if self.words else ''}n-gram F, corpus and sentence"

    def values(self, batch: Batch) -> Floats:
        return self.corpus(self._rows(batch))

    def statistics(self, batch: Batch) -> Floats | None:
        return self._rows(batch) if self.aggregate == "corpus" else None

    def _rows(self, batch: Batch) -> Floats:
        """Return three numbers an order: n-grams of the output, of the best reference, and matches."""

        def make() -> Floats:
            outputs, references = batch.outputs.strings, batch.references.strings
            if self.lower:
                outputs, references = [s.lower() for s in outputs], [s.lower() for s in references]
            layout = batch.layout(self.keep_own)
            options = self.chars, self.words, self.beta, self.whitespace, self.eps
            with refuse_surrogates():
                return _core.chrf(outputs, references, layout, *options)

        return batch.outputs.remember(self, make)

    def corpus(self, sums: Floats) -> Floats:
        hyp, ref, match = sums[:, 0::3], sums[:, 1::3], sums[:, 2::3]
        precision = np.divide(match, hyp, out=np.full_like(match, _EPS), where=hyp > 0)
        recall = np.divide(match, ref, out=np.full_like(match, _EPS), where=ref > 0)
        if self.eps:
            scores = _f(precision, recall, self.beta, _EPS).mean(axis=1)
        else:
            both = (hyp > 0) & (ref > 0)
            orders = np.maximum(both.sum(axis=1), 1)
            scores = _f((precision * both).sum(axis=1) / orders, (recall * both).sum(axis=1) / orders, self.beta, 0.0)
        return np.where(np.isnan(sums[:, 0]), np.nan, 100 * scores)


def _f(precision: Floats, recall: Floats, beta: float, nothing: float) -> Floats:
    """Return Eq. 1 of one order."""
    above, below = (1 + beta**2) * precision * recall, beta**2 * precision + recall
    score: Floats = np.divide(above, below, out=np.full_like(below, nothing), where=below > 0)
    return score
