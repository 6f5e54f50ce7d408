"""Show the answer of a whole evaluation."""

from __future__ import annotations

from math import isfinite

from ..comparison.pair import PairComparison
from ..comparison.verdict import Verdict
from ._format import format_count, format_percent, join_names
from ._view import View

_HOPELESS = 100  # times the items there are: nobody will collect so many
_LIKELY = ((0.95, "would very likely agree"), (0.8, "would probably agree"), (0.65, "might agree"))


def view_verdict(result: Verdict) -> View:
    """Show the answer, then the numbers that it rests on."""
    return View([f"{_answer(result)}{_opinion(result)}.", *_reasons(result)])


def _answer(result: Verdict) -> str:
    count, leaders, pair = len(result.systems), result.leaders, result.pair
    if pair is None:
        name = result.comparison.ranking[0].system
        return f"There is only one system, {name}, and nothing to compare it with"
    if result.settled:
        return (
            f"{pair.better} is better than {pair.worse}"
            if count == 2
            else f"{leaders[0]} is the best of {count} systems"
        )
    if count == 2:
        return f"No significant difference between {pair.better} and {pair.worse}{_outlook(pair)}"
    if len(leaders) == count:
        return f"No significant differences among the {count} systems{_outlook(pair)}"
    names = join_names(leaders) if len(leaders) <= 3 else f"the first {len(leaders)} of {count} systems"
    return f"No significant difference between the best systems, {names}{_outlook(pair)}"


def _outlook(pair: PairComparison) -> str:
    """Say what would decide it."""
    if not isfinite(pair.further) or pair.against_ranks:
        return ": there is no clear difference to find"
    if pair.further > _HOPELESS * pair.n:
        return f": {pair.better} and {pair.worse} are practically equal"
    if pair.further == 0:
        return f": about as many items again ({pair.n:,}) are needed"
    return f": about {pair.further:,.0f} more items are needed"


def _opinion(result: Verdict) -> str:
    """Say what people think of it."""
    if result.people == "likely":
        likely = next((text for least, text in _LIKELY if result.alike >= least), "might well disagree")
        return f"; people {likely}"
    others = [name for name in result.preferred if name not in result.leaders]
    return {
        "": "",
        "judged": ", according to people",
        "none": "; without human judgments it is unknown whether people would agree",
        "few": "; too few systems were judged to say whether people would agree",
        "undecided": "; people see no significant difference",
        "agree": "; people agree",
        "shared": f"; people also put it first, together with {join_names(others)}" if others else "; people agree",
        "disagree": f", but people prefer {join_names(result.preferred)}" if result.preferred else "",
    }[result.people]


def _reasons(result: Verdict) -> list[str]:
    reasons = [result.comparison.view().headline]
    if result.pair is not None and not result.settled and len(result.systems) > 2:
        reasons.append(result.pair.view().headline)
    if result.people == "likely":
        share = format_percent(result.alike)
        pairs = format_count(result.judged_pairs, "judged pair")
        reasons.append(
            f"Of {pairs} of systems with at least this difference in {result.metric}, people order {share} alike."
        )
    elif result.human is not None:
        reasons.append(f"People ({result.dimension}): {result.human.view().headline}")
    return reasons
