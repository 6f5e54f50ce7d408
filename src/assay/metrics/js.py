"""Divergence of word distributions from the references (Lin et al. 2006; Peyrard et al. 2017)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from .. import _core
from ..matching.batch import Batch
from ..matching.ngram_bags import NgramUnit, against_references
from ..text import TextReading
from ..text.stems import resolve_stop_list
from ._base import Floats, Metric, OwnReferences


@dataclass(frozen=True, kw_only=True)
class NgramMetric(Metric):
    """Metrics on distributions of n-grams.

    stop: short (179 function words), smart (598) or none; an n-gram made of stop words only is left out, and words are
    looked up after stemming. stem: true, false or the name of a stemmer. The defaults are those of the released code of
    S3 (Peyrard et al. 2017).
    """

    n: int = 1
    tokenizer: str = "rouge"
    stem: str | bool = "english"
    stop: str | bool = "short"

    def __post_init__(self) -> None:
        object.__setattr__(self, "stem", self.reading().stem)
        object.__setattr__(self, "stop", resolve_stop_list(self.stop))
        self.unit().check()
        super().__post_init__()

    def reading(self) -> TextReading:
        """Return how texts are cut into words."""
        return TextReading(self.tokenizer, self.stem)

    def unit(self) -> NgramUnit:
        """Return what is counted."""
        return NgramUnit(self.n, self.reading(), str(self.stop))


@dataclass(frozen=True, kw_only=True)
class JensenShannon(OwnReferences, NgramMetric):
    """JS-N: divergence of n-gram distributions from the references.

    (1) JS(p, q) = (KL(p, m) + KL(q, m)) / 2 with m = (p + q) / 2 and KL(p, m) = sum over n-grams of p log(p / m), in
    nats. p and q are the shares of each n-gram in output and reference, unsmoothed. 0 for equal distributions, log 2 =
    0.693 for texts that share nothing, and for an empty output. Lower is better.
    Several references: the mean (Peyrard et al. 2017, Eq. 4: JSref). An item without references has no score (NaN).

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["cats chase mice"], [["cats chase dogs", "mice chase cats"]])
    >>> round(assay.score(data, "js1").values.item(), 4)  # (log(2) / 3 + 0) / 2
    0.1155
    """

    name: ClassVar[str] = "js{n}"
    family: ClassVar[str] = "distributions"
    examples: ClassVar[tuple[str, ...]] = ("js1", "js2")
    higher_is_better: ClassVar[bool] = False

    @classmethod
    def alias(cls, name: str) -> dict[str, str] | None:
        """Accept JSref-1, as the paper writes it."""
        match = re.fullmatch(r"jsref\s*[-−]?\s*(\d+)", name.lower())
        return {"n": match[1]} if match else None

    def values(self, batch: Batch) -> Floats:
        bags = against_references(batch, self.unit(), keep_own=self.keep_own)
        return _core.divergence(*bags, 0, 0.0)
