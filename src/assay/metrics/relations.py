"""Relations: precision, recall and F over grammatical relations (Riezler et al. 2003; Clarke and Lapata 2006, 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..matching.triple_bags import TripleUnit
from ._base import OverlapMetric, ParserParameters


@dataclass(frozen=True, kw_only=True)
class Relations(OverlapMetric, ParserParameters):
    """Relations F: grammatical relations shared with the reference.

    precision = matched relations / relations of the output, recall = matched relations / relations of the reference, F
    their harmonic mean. A relation is a name, a head and a dependent. The names are those of RASP, which Clarke and
    Lapata (2006) used, mapped from Universal Dependencies by a table (docs/dependencies.md): ncsubj, dobj, iobj, ncmod,
    ... A preposition, subordinator or conjunction is part of the name: ncmod:of(roof, house). A text without relations
    (one word) scores 0.

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["Cats sleep."], ["Old cats sleep."])
    >>> [assay.score(data, f"relations(measure={m})").values.item() for m in ("precision", "recall")]
    [1.0, 0.5]
    """

    name: ClassVar[str] = "relations"
    family: ClassVar[str] = "dependencies"
    examples: ClassVar[tuple[str, ...]] = ("relations", "relations(measure=recall)")

    def summary(self) -> str:
        return f"{self.measure} of grammatical relations"

    def make_unit(self) -> TripleUnit:
        return TripleUnit(self.parser, "rasp", self.word)
