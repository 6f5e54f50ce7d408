"""Simple string accuracy (Bangalore, Rambow and Whittaker 2000), word accuracy (Hori and Furui 2004)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ._base import Floats
from .wer import EditMetric, word_error_rate


@dataclass(frozen=True, kw_only=True)
class Ssa(EditMetric):
    """Simple string accuracy, word accuracy: 1 - word error rate.

    (1) SSA = 1 - (S + I + D) / R, with R the words of the reference. 1 is the reference itself; an output with more
    edits than the reference has words is below 0.
    Several references: the one that gives the highest value, as Hori and Furui (2004) take the best-matching human
    summary. Against an empty reference it is 1 less the words of the output. An item without references has no score
    (NaN). `wordaccuracy` is the same metric.

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["the cat sat in hat"], ["the cat sat in the hat"])
    >>> round(assay.score(data, "ssa").values.item(), 4)  # by hand: 1 - 1/6
    0.8333
    """

    name: ClassVar[str] = "ssa"
    family: ClassVar[str] = "words"
    examples: ClassVar[tuple[str, ...]] = ("ssa",)

    @classmethod
    def alias(cls, name: str) -> dict[str, str] | None:
        return {} if name.lower().replace("-", "").replace("_", "").replace(" ", "") == "wordaccuracy" else None

    def corpus(self, sums: Floats) -> Floats:
        return 1 - word_error_rate(sums)  # Eq. 1
