"""Minimum evidence: how much of what a question needs before its headline says more than how much is missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Minimum:
    """A question, how many of each facet it needs at least, and why."""

    question: str
    counts: Mapping[str, int]
    reason: str

    def lacks(self, counts: Mapping[str, int]) -> dict[str, int]:
        """Return the numbers that are not reached; what is not counted is not asked for.

        >>> MINIMUMS["alt-test"].lacks({"items": 40, "raters": 2})
        {'raters': 3}
        """
        return {name: least for name, least in self.counts.items() if counts.get(name, least) < least}


MINIMUMS = {
    "comparison": Minimum(
        "Which system is better?",
        {"clusters": 6},
        "with 5 there are 32 ways to swap two systems, and p = 1/16 is the least",
    ),
    "pass/fail": Minimum(
        "Which system passes more often?",
        {"discordant pairs": 6},
        "with 5 items that only one of two systems passes, p = 1/16 is the least",
    ),
    "win rate": Minimum("Which system is preferred?", {"untied prompts": 6}, "with 5 prompts p = 1/16 is the least"),
    "correlation": Minimum(
        "Does a metric agree with people over systems?",
        {"systems": 6},
        "with fewer, intervals cover too little or everything",
    ),
    "rank correlation": Minimum(
        "... by a rank coefficient",
        {"systems": 8},
        "fewer systems have too few orders",
    ),
    "best metric": Minimum(
        "Which metric agrees best?",
        {"systems": 8},
        "and its interval is above 0, and it is significantly better than the best sentinel",
    ),
    "within items": Minimum(
        "Does a metric agree with people within items?",
        {"items": 20, "pairs": 100},
        "items with three or more judged systems, and pairs of their outputs that people scored differently",
    ),
    "noticeable": Minimum(
        "What difference do people notice?", {"pairs": 20}, "of systems; the agreement of fewer says too little"
    ),
    "agreement": Minimum("Do raters agree?", {"items": 20}, "the interval of alpha covers too little with fewer"),
    "position": Minimum(
        "Does a judge prefer a position?", {"pairs": 30}, "pairs asked in both orders; a share of fewer is too coarse"
    ),
    "alt-test": Minimum("Can a judge replace a human?", {"items": 30, "raters": 3}, "limits of the test's authors"),
}


def correlation_minimum(level: str, method: str) -> Minimum:
    """Return the minimum of a correlation.

    >>> correlation_minimum("system", "kendall").counts, correlation_minimum("pooled", "kendall").counts
    ({'systems': 8}, {'systems': 6})
    """
    ranks = level == "system" and method in ("spearman", "kendall", "kendall-c")
    return MINIMUMS["rank correlation" if ranks else "correlation"]
