"""The budget is never exceeded, however many threads spend it, and nothing is left unused without need."""

from __future__ import annotations

from threading import Lock, Thread
from time import sleep

from assay.llm.budget import Amount, JudgeBudget
from assay.llm.config import BudgetLimits


def test_every_limit_counts():
    for limits in (BudgetLimits(requests=2), BudgetLimits(tokens=20), BudgetLimits(money=0.2)):
        budget = JudgeBudget(limits)
        assert [budget.reserve(Amount(1, 10, 0.1)) for _ in range(2)] == [True, True]
        budget.settle(Amount(1, 10, 0.1), Amount(1, 10, 0.1))
        budget.settle(Amount(1, 10, 0.1), Amount(1, 10, 0.1))
        assert not budget.reserve(Amount(1, 10, 0.1))
    assert JudgeBudget(BudgetLimits()).reserve(Amount(1, 10**12, 1e9))


def test_what_was_spent_before_counts():
    assert not JudgeBudget(BudgetLimits(tokens=100), Amount(5, 95)).reserve(Amount(1, 10))


def test_threads_together_stay_below_the_limit():
    budget, lock, sent = JudgeBudget(BudgetLimits(tokens=1000)), Lock(), []

    def spend() -> None:
        while budget.reserve(Amount(1, 90)):
            sleep(0.001)
            with lock:
                sent.append(10)
            budget.settle(Amount(1, 90), Amount(1, 10))

    threads = [Thread(target=spend) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()
    assert budget.spent.tokens == sum(sent) <= 1000
    assert budget.spent.tokens >= 1000 - 90  # another request might have exceeded it
