"""What a judge can be used for, at and around each limit."""

from __future__ import annotations

import numpy as np
import pytest
from judges_made import ratings

from assay.errors import InputError
from assay.raters.judge_verdict import NOTHING, RANK, REPLACE, UNKNOWN, Limits, decide, run_alt_tests
from assay.stats import OrderedShare


def order(value: float, low: float, high: float, pairs: int = 20) -> OrderedShare:
    return OrderedShare(value, low, high, pairs, 45, 100, 0)


def run_on(judge: list[float]):
    truth = [1.0, 2, 3, 4, 5] * 8
    table = ratings({**{f"h{i}": truth for i in range(3)}, "llm": judge})
    return run_alt_tests(table, "llm", ("h0", "h1", "h2"), Limits())


PASSED, FAILED = run_on([1.0, 2, 3, 4, 5] * 8)[0], run_on([5.0, 1, 1, 1, 1] * 8)[0]


@pytest.mark.parametrize(
    ("test", "share", "verdict"),
    [
        (PASSED, order(0.1, 0.0, 0.2), REPLACE),
        (FAILED, order(0.95, 0.8, 1.0), RANK),
        (FAILED, order(0.9, 0.76, 1.0), RANK),
        (FAILED, order(0.95, 0.75, 1.0), UNKNOWN),  # the bound must lie above .75
        (FAILED, order(0.85, 0.8, 0.95), UNKNOWN),  # the interval reaches .9
        (FAILED, order(0.7, 0.5, 0.89), NOTHING),
        (FAILED, order(0.95, 0.8, 1.0, pairs=5), UNKNOWN),
        (FAILED, order(float("nan"), float("nan"), float("nan"), pairs=0), UNKNOWN),
        (None, order(1.0, 1.0, 1.0), UNKNOWN),
    ],
)
def test_verdicts(test, share, verdict):
    assert decide(test, share, Limits()) == verdict


def test_a_metric_is_only_asked_to_rank():
    assert decide(None, order(0.95, 0.8, 1.0), Limits(), on_scale=False) == RANK
    assert decide(None, order(0.5, 0.3, 0.6), Limits(), on_scale=False) == NOTHING


def test_limits_are_options():
    assert decide(FAILED, order(0.85, 0.6, 0.88), Limits(order_share=0.8, order_bound=0.5)) == RANK
    with pytest.raises(InputError, match="order_share"):
        Limits(order_share=1.5)


def test_too_few_items_have_a_reason():
    table = ratings({name: [1.0, 2, 3, 4] * 5 for name in ("h0", "h1", "h2", "llm")})
    by_item, by_output, reason = run_alt_tests(table, "llm", ("h0", "h1", "h2"), Limits())
    assert (by_item, by_output) == (None, None)
    assert "30 items each" in reason
    asked, _, _ = run_alt_tests(table, "llm", ("h0", "h1", "h2"), Limits(alt_test="wilcoxon"))
    assert asked is not None
    assert asked.test == "wilcoxon"


def test_wilcoxon_is_for_few_items_only():
    truth = np.arange(40.0).tolist()
    table = ratings(dict.fromkeys(("h0", "h1", "h2", "llm"), truth))
    assert "10 to 29 items" in run_alt_tests(table, "llm", ("h0", "h1", "h2"), Limits(alt_test="wilcoxon"))[2]
