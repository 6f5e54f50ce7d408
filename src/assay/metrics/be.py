"""Basic Elements (Hovy et al. 2005): heads, head-modifier pairs, and pairs with their relation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from ..matching.triple_bags import TripleUnit
from ._base import OverlapMetric, ParserParameters, check_choice

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
    relation; a preposition is a relation). Words are stemmed. TAC 2008 used BE-HM with the parser Minipar; here the
    elements come from the same parse as all dependency metrics. A text without elements scores 0.

    >>> from assay.metrics import metric
    >>> metric("BE-HM").signature()
    'be(unit=hm, measure=recall, beta=1, refs=sum, own=skip, parser=en, word=stem)'
    """

    name: ClassVar[str] = "be"
    family: ClassVar[str] = "dependencies"
    examples: ClassVar[tuple[str, ...]] = ("BE-H", "BE-HM", "BE-HMR")
    measure: str = "recall"
    refs: str = "sum"
    word: str = "stem"
    unit: str = "hm"

    def __post_init__(self) -> None:
        check_choice(self.name, "unit", self.unit, _UNITS)
        super().__post_init__()

    def make_unit(self) -> TripleUnit:
        return TripleUnit(self.parser, "be-heads" if self.unit == "h" else "be", self.word, norel=self.unit != "hmr")

    def summary(self) -> str:
        return f"Basic Elements: {self.measure} of {_UNITS[self.unit]}"

    @classmethod
    def alias(cls, name: str) -> dict[str, str] | None:
        """Accept BE-H, BE-HM and BE-HMR."""
        match = re.fullmatch(r"be[-_ ]?(h|hm|hmr)", name.lower())
        return {"unit": match[1]} if match else None
