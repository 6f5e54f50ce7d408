"""Budget: what a run may send and cost. It is reserved before a request is sent and settled after: never exceeded."""

from __future__ import annotations

from threading import Condition
from typing import NamedTuple

from .config import BudgetLimits


class Amount(NamedTuple):
    """Requests, tokens and money."""

    requests: int = 0
    tokens: int = 0
    money: float = 0.0

    def plus(self, other: Amount) -> Amount:
        """Return the sum of two amounts."""
        return Amount(self.requests + other.requests, self.tokens + other.tokens, self.money + other.money)

    def minus(self, other: Amount) -> Amount:
        """Return what is left of this amount."""
        return Amount(self.requests - other.requests, self.tokens - other.tokens, self.money - other.money)


class JudgeBudget:
    """A budget that several threads share.

    >>> budget = JudgeBudget(BudgetLimits(tokens=100))
    >>> budget.reserve(Amount(1, 80))
    True
    >>> budget.settle(Amount(1, 80), Amount(1, 30))
    >>> budget.spent, budget.reserve(Amount(1, 80))
    (Amount(requests=1, tokens=30, money=0.0), False)
    """

    def __init__(self, limits: BudgetLimits, spent: Amount = Amount()) -> None:  # noqa: B008  # it cannot be changed
        self._limits, self.spent = limits, spent
        self._reserved, self._open = Amount(), 0
        self._changed = Condition()

    def reserve(self, most: Amount) -> bool:
        """Reserve what a request may cost at most; False if that does not fit, whatever those in flight cost.

        While requests are in flight that may cost less than is reserved for them, this waits for them.
        """
        with self._changed:
            while not self._fits(most):
                if self._open == 0:
                    return False
                self._changed.wait()
            self._reserved, self._open = self._reserved.plus(most), self._open + 1
            return True

    def settle(self, most: Amount, actual: Amount) -> None:
        """Replace a reservation by what the request did cost."""
        with self._changed:
            self._reserved, self._open = self._reserved.minus(most), self._open - 1
            self.spent = self.spent.plus(actual)
            self._changed.notify_all()

    def _fits(self, most: Amount) -> bool:
        total = self.spent.plus(self._reserved).plus(most)
        limits = (self._limits.requests, self._limits.tokens, self._limits.money)
        return all(limit is None or value <= limit for value, limit in zip(total, limits, strict=True))
