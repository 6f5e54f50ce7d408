"""Any unit x measure x pooling; under their own names the 72 metrics of Toutanova et al. (2016), section 4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..errors import InputError
from ..matching.triple_bags import TripleUnit
from ..matching.unit import OverlapUnit, WordUnit
from ..units.surface import parse_unit
from ._base import OverlapMetric, WordParameters
from ._names import GRID_UNITS, TOUTANOVA_MEASURES, TOUTANOVA_POOLINGS, parse_toutanova

_UNIT_WORDS = {
    "LR-1": "words",
    "LR-2": "bigrams",
    "LR-3": "trigrams",
    "LR-4": "four-grams",
    "SKIP-2": "skip-bigrams",
    "PARSE-2": "dependencies",
}
_POOLING_WORDS = {
    "single": "the first reference",
    "max": "the best reference",
    "all": "the union of references",
    "prob": "all, weighted by share",
}


@dataclass(frozen=True, kw_only=True)
class Overlap(OverlapMetric, WordParameters):
    """Overlap of a chosen unit.

    unit: LR-n (n-grams), SKIP-2 (word pairs with at most four words between them), skipG or suG (at most G words
    between; su adds single words), PARSE-2 (collapsed dependencies by the default parser; PARSE-2:NAME by another). For
    PARSE-2 the parser finds the words, so tokenizer has no effect; stem=true counts Porter stems, stop must be false.
    The names of Toutanova et al. (2016) are accepted: SKIP-2+Recall+MULT-PROB is overlap(unit=SKIP-2, measure=recall,
    refs=prob). The worked example of their section 4.1, R1 "imagine your household" and R2 "your household", in
    bigrams:

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["your household"], [["imagine your household", "your household"]])
    >>> [assay.score(data, f"LR-2+Recall+{refs}").values.item() for refs in ("SINGLE-REF", "MULT-MAX", "MULT-ALL")]
    [0.5, 1.0, 0.5]

    MULT-PROB weighs {imagine your: .5, your household: 1}, so 1 of 1.5:

    >>> round(assay.score(data, "LR-2+Recall+MULT-PROB").values.item(), 4)
    0.6667

    Footnote 8: the i-th "the" of an output matches the i-th "the" of a reference, so two of these three match:

    >>> the = assay.EvalSet.from_texts(["the the the"], [["the cat the mat"]])
    >>> round(assay.score(the, "LR-1+Precision+SINGLE-REF").values.item(), 4)
    0.6667
    """

    name: ClassVar[str] = "overlap"
    family: ClassVar[str] = "grid"
    examples: ClassVar[tuple[str, ...]] = tuple(
        f"{u}+{m}+{r}" for u in GRID_UNITS for m in TOUTANOVA_MEASURES for r in TOUTANOVA_POOLINGS
    )
    unit: str = "LR-1"

    def __post_init__(self) -> None:
        if isinstance(self.make_unit(), TripleUnit) and self.stem is True:
            object.__setattr__(self, "stem", "porter")
        super().__post_init__()

    def make_unit(self) -> OverlapUnit:
        name, _, parser = self.unit.partition(":")
        if name.upper() != "PARSE-2":
            return WordUnit(parse_unit(self.unit), self.reading())
        self._check_parsed()
        return TripleUnit(parser or "en", "stanford", "form" if self.stem in ("none", False) else "stem")

    def _check_parsed(self) -> None:
        if self.stop:
            raise InputError(f"stop of overlap(unit={self.unit}) must be false: dependencies have no stop words")
        if self.stem not in (True, False, "none", "porter"):
            raise InputError(f"stem of overlap(unit={self.unit}) must be porter or none; got {self.stem!r}")

    def summary(self) -> str:
        unit, pooling = _UNIT_WORDS.get(self.unit.upper(), self.unit), _POOLING_WORDS.get(self.refs, self.refs)
        return f"{self.measure} of {unit} against {pooling}"

    @classmethod
    def alias(cls, name: str) -> dict[str, str] | None:
        parts = parse_toutanova(name)
        if parts is None or parts[1] not in TOUTANOVA_MEASURES or parts[0].startswith(("BLEU", "ROUGE")):
            return None
        return {"unit": parts[0], "measure": TOUTANOVA_MEASURES[parts[1]], "refs": TOUTANOVA_POOLINGS[parts[2]]}
