"""Decide what a judge can be used for: to replace a human rater, to rank systems, or not at all."""

from __future__ import annotations

from dataclasses import dataclass

from ..data.ratings import Ratings
from ..errors import InputError
from ..stats.checks import at_least, choice, fraction
from ..stats.system_order import OrderedShare
from .alt_test import TESTS, AltTest, alt_test

REPLACE, RANK, NOTHING, UNKNOWN = "can replace a human", "can rank systems", "cannot be used", "undecided"


@dataclass(frozen=True)
class Limits:
    """What a judge has to reach.

    `epsilon`: the advantage given to it in the alt-test. To rank systems it must put `order_share` of the pairs that
    people separate (p < `alpha`, Holm) in their order, with a lower bound above `order_bound`, of `order_pairs` pairs
    or more. `alt_test`: t, or wilcoxon for 10 to 29 items.
    """

    epsilon: float = 0.2
    order_share: float = 0.9
    order_bound: float = 0.75
    order_pairs: int = 6
    alpha: float = 0.05
    alt_test: str = "t"

    def __post_init__(self) -> None:
        for name in ("order_share", "order_bound", "alpha"):
            fraction(getattr(self, name), name)
        at_least(self.order_pairs, "order_pairs", 1)
        choice(self.alt_test, "alt_test", tuple(TESTS))


def run_alt_tests(
    ratings: Ratings, judge: str, people: tuple[str, ...], limits: Limits
) -> tuple[AltTest | None, AltTest | None, str]:
    """Return the alt-test on item means and the authors' on outputs, or why there is none."""
    tests: list[AltTest | None] = []
    reason = ""
    for unit in ("items", "outputs"):
        test = limits.alt_test if unit == "items" else "t"
        try:
            tests.append(alt_test(ratings, judge=judge, humans=people, epsilon=limits.epsilon, unit=unit, test=test))
        except InputError as error:
            tests.append(None)
            reason = reason or str(error)
    return tests[0], tests[1], reason


def decide(
    test: AltTest | None,
    order: OrderedShare,
    limits: Limits,
    *,
    on_scale: bool = True,
    at_chance: bool = False,
    blind_passes: bool = False,
) -> str:
    """Return what the judge can be used for.

    One that follows people no more than by chance cannot be used, whatever else it passes. Where a judge who looks at
    nothing (always the commonest rating, or ratings at random) passes the alt-test, passing it says nothing, and the
    order of systems decides. A metric, which is on another scale, is only asked to rank. It is undecided where there is
    no alt-test, where people separate too few pairs, or where the interval of the share reaches the wanted share
    without the judge meeting it.
    """
    if at_chance:
        return NOTHING
    if on_scale and test is None:
        return UNKNOWN
    if test is not None and test.passes and not blind_passes:
        return REPLACE
    if order.pairs < limits.order_pairs or order.value != order.value:
        return UNKNOWN
    if order.value >= limits.order_share and order.low > limits.order_bound:
        return RANK
    return UNKNOWN if order.high >= limits.order_share else NOTHING
