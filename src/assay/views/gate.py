"""Show whether systems may replace the baseline."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from ..data.view import View
from ._format import format_count, format_decimals, format_p, format_signed, score_places, test_name

if TYPE_CHECKING:
    from ..comparison.gate import Gate, GateDecision


def view_gate(result: Gate) -> View:
    """Show a sentence for each system, those that fail first."""
    decisions = sorted(result.decisions, key=lambda decision: not decision.failed)
    return View([_sentence(result, decision) for decision in decisions])


def _sentence(result: Gate, decision: GateDecision) -> str:
    """Say what was tested, with the numbers it rests on; where the scores alone decide, no test is quoted."""
    wanted = "worse" if result.fail_if == "worse" else "better"
    holds = decision.failed == (wanted == "worse")
    by_scores = not holds and (decision.lead >= 0) == (wanted == "worse")
    claim = f"{'' if holds else 'not '}{'' if by_scores else 'significantly '}{wanted} than {result.baseline}"
    margin = f" by more than {result.margin:g}" if result.margin and not by_scores else ""
    places = score_places([decision.score, decision.baseline_score])
    scores = " and ".join(format_decimals(score, places) for score in (decision.score, decision.baseline_score))
    verdict = "Failed" if decision.failed else "Passed"
    return (
        f"{verdict}: {decision.system} is {claim} in {result.metric}{margin}: {scores} "
        f"({_test(result, decision, by_scores, places)}{format_count(decision.n, 'item')})."
    )


def _test(result: Gate, decision: GateDecision, by_scores: bool, places: int) -> str:
    if by_scores or isnan(decision.pvalue):  # undefined where no item differs
        return ""
    if isnan(decision.low):
        return f"{format_p(decision.pvalue)}, {test_name(decision.test)}, "
    ends = f"{format_decimals(decision.low, places)} to {format_decimals(decision.high, places)}"
    difference = format_signed(decision.lead, places)
    return f"difference {difference}, {100 * (1 - result.alpha):.3g}% CI {ends}, {format_p(decision.pvalue)}, "
