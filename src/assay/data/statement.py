"""Statement: one assertion of a Result, with what it rests on. Sentences are made from statements and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isnan, nan
from typing import ClassVar, Literal, get_args

from .minimums import Minimum

Claim = Literal[
    "best",  # the subject is better than every one of the others
    "better",  # the subjects are better than the others
    "worse",
    "not shown to differ",
    "equal",  # the same numbers
    "equivalent",  # they differ by less than the margin
    "undefined",  # there is no number
    "too little evidence",  # below the minimum: nothing is asserted
    "agrees best",  # of the metrics, with people
    "agrees",
    "does not agree",  # an interval that includes 0
    "sentinel as good",  # what cannot see quality agrees as well as the subject
    "agreement",  # of raters
    "at chance",  # a rater or judge who answers as anybody would who looked at nothing
    "can replace",
    "can rank",
    "cannot be used",
    "undecided",
    "prefers first",
    "prefers second",
    "no preference",
]
CLAIMS = get_args(Claim)


@dataclass(frozen=True)
class Statement:
    """One assertion: what, about which quantity, how large with which interval and test, of how much of each facet.

    `subjects` are what it is about and `others` what they are compared with. `sides` says which interval is shown: two,
    or the bound that a one-sided test has. `counts` is n of each facet; `needs` says how many it takes at least, of
    those that are too few: where it is empty the evidence is enough. `judges` is the kind of those whose judgments the
    quantity is made of: human, llm, metric or mixed; empty for the scores of a metric.

    >>> Statement("better", ("A",), ("B",), "bleu", estimate=2.0, low=0.5, high=3.5, p=0.01).significant
    True
    """

    kind: ClassVar[str] = "statement"
    claim: Claim
    subjects: tuple[str, ...]
    others: tuple[str, ...] = ()
    quantity: str = ""
    level: str = ""
    estimand: str = ""
    estimate: float = nan
    low: float = nan
    high: float = nan
    confidence: float = 0.95
    sides: Literal["two", "lower", "upper"] = "two"
    test: str = ""
    p: float = nan
    counts: Mapping[str, int] = field(default_factory=dict)
    needs: Mapping[str, int] = field(default_factory=dict)
    higher_is_better: bool = True
    judges: str = ""

    @property
    def enough(self) -> bool:
        """Whether there is evidence enough for more than its being too little."""
        return not self.needs

    @property
    def significant(self) -> bool:
        """Whether the interval leaves out 0."""
        return not isnan(self.low) and not isnan(self.high) and (self.low > 0 or self.high < 0)

    def hold_to(self, minimum: Minimum) -> Statement:
        """Return it if there are as many of everything as the minimum asks for, else that there is too little.

        >>> from .minimums import MINIMUMS
        >>> held = Statement("better", ("A",), counts={"clusters": 4}).hold_to(MINIMUMS["comparison"])
        >>> held.claim, held.needs
        ('too little evidence', {'clusters': 6})
        """
        from dataclasses import replace

        needs = minimum.lacks(self.counts)
        return replace(self, claim="too little evidence", needs=needs, p=nan) if needs else self
