"""Basic Elements (Hovy et al. 2005): heads, head-modifier pairs, and pairs with their relation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..matching.bags import Counts, Layout
from ..matching.batch import Batch
from ..matching.element_bags import FILES, ElementUnit, without_elements
from ..matching.pooling import pool_counts
from ..matching.triple_bags import TripleUnit
from ._base import Floats, OverlapMetric, ParserParameters, check_choice

_UNITS = {
    "h": "heads of phrases",
    "hm": "head-modifier pairs",
    "hmr": "head-modifier pairs with their relation",
}


@dataclass(frozen=True, kw_only=True)
class BasicElements(OverlapMetric, ParserParameters):
    """Basic Elements: heads and modifiers shared with the references.

    recall = matched elements / elements of the references, summed over references as in ROUGE.
    unit: h (heads of noun, verb, adjective and adverb phrases), hm (head and modifier), hmr (head, modifier and their
    relation; a preposition is a relation). Words are stemmed. The elements come from the same parse as all dependency
    metrics, or with parser=files from files of them, head|modifier|relation in each line, which come with folders of
    DUC and TAC: NIST made them with Minipar, and scored them as this does with ROUGE-1.5.5 -3 HM -m (with modifier NIL
    they are heads only). A text without elements scores 0, one without such a file has no score.

    >>> from assay.metrics import metric
    >>> metric("BE-HM").signature()
    'be(unit=hm, measure=recall, beta=1, refs=sum, own=skip, parser=en, word=stem)'
    """

    name: ClassVar[str] = "be"
    family: ClassVar[str] = "dependencies"
    undefined: ClassVar[str] = "their items have no references or, with parser=files, no file of Basic Elements"
    examples: ClassVar[tuple[str, ...]] = ("BE-H", "BE-HM", "BE-HMR")
    measure: str = "recall"
    refs: str = "sum"
    word: str = "stem"
    unit: str = "hm"

    def __post_init__(self) -> None:
        check_choice(self.name, "unit", self.unit, _UNITS)
        if self.parser == FILES:
            check_choice(f"{self.name}(parser=files)", "word", self.word, ("stem", "form"))
        super().__post_init__()

    def make_unit(self) -> TripleUnit | ElementUnit:
        if self.parser == FILES:
            return ElementUnit(self.unit, stem=self.word == "stem")
        return TripleUnit(self.parser, "be-heads" if self.unit == "h" else "be", self.word, norel=self.unit != "hmr")

    def values(self, batch: Batch) -> Floats:
        values = super().values(batch)
        if self.parser == FILES:
            values[without_elements(batch)] = np.nan
        return values

    def pool(self, counts: Counts, layout: Layout) -> Floats:
        digits = 5 if self.parser == FILES else -1  # as ROUGE-1.5.5 rounds
        return pool_counts(counts, layout, measure=self.measure, refs=self.refs, beta=self.beta, digits=digits)

    def summary(self) -> str:
        return f"Basic Elements: {self.measure} of {_UNITS[self.unit]}"

    @classmethod
    def alias(cls, name: str) -> dict[str, str] | None:
        """Accept BE-H, BE-HM and BE-HMR."""
        match = re.fullmatch(r"be[-_ ]?(h|hm|hmr)", name.lower())
        return {"unit": match[1]} if match else None
