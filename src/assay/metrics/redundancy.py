"""Redundancy: how much of a text is said more than once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..matching.batch import Batch
from ..matching.ngram_bags import bags_of_outputs, text_of
from ._base import Floats
from .js import NgramMetric


@dataclass(frozen=True, kw_only=True)
class Redundancy(NgramMetric):
    """Red-N: distinct n-grams / n-grams of the output; 1: none repeated.

    Peyrard et al. 2017, section 3.1. It needs neither references nor sources. A text without n-grams scores 0.

    >>> import assay
    >>> assay.score(assay.EvalSet.from_texts(["cats chase cats and cats"]), "red1").values.item()  # cats, chase / 4
    0.5
    """

    name: ClassVar[str] = "red{n}"
    family: ClassVar[str] = "output"
    examples: ClassVar[tuple[str, ...]] = ("red1", "red2")
    needs: ClassVar[str] = "outputs"

    def values(self, batch: Batch) -> Floats:
        bags = bags_of_outputs(batch, self.unit())
        text = text_of(bags)
        distinct = np.unique(text * max(1, bags.vocab_size) + bags.ids) // max(1, bags.vocab_size)
        total = np.bincount(text, minlength=len(bags))
        return np.bincount(distinct, minlength=len(bags)) / np.maximum(total, 1)
