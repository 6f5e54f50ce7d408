"""Show the answer of a whole evaluation: what people say and the metric closest to them, or what the metrics say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..data.minimums import MINIMUMS
from ..data.view import View
from ._format import format_scores, join_names
from ._sentences import label_judges, name_judges

if TYPE_CHECKING:
    from ..comparison.verdict import ClosestMetric, Opinion, Verdict

_FEW = MINIMUMS["correlation"].counts["systems"]
_MAX_NAMED = 3  # leaders whose names are given in a headline


def view_verdict(result: Verdict) -> View:
    """Show the answer in a sentence; where people judged several dimensions, more of them."""
    if not result.opinions:
        return View(["There are no scores to compare systems by."])
    if result.systems == 1:
        return View([_describe_scores(result)])
    if result.items == 1:
        return View([_describe_item(result)])
    if not result.people:
        return View([f"{_join_metrics(result.metrics)}.", _NO_PEOPLE])
    return View(_describe_people(result))


_NO_PEOPLE = "Without human judgments it is not known whether people would agree."


def _describe_scores(result: Verdict) -> str:
    """Describe the scores of the only system."""
    scores = [f"{o.by}{label_judges(o.judges)} {format_scores([o.score])[0]}" for o in result.opinions]
    name = result.opinions[0].ranked[0]
    return f"{name} is the only system, and there is nothing to compare it with: {join_names(scores, 6)}."


def _describe_item(result: Verdict) -> str:
    """Describe the scores of the only item, on which nothing can be tested."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for opinion in result.opinions:
        groups.setdefault(opinion.highest, []).append(f"{opinion.by}{label_judges(opinion.judges)}")
    listed = "; ".join(f"{join_names(systems)} by {join_names(scores)}" for systems, scores in groups.items())
    return f"There is only one item, so no difference can be tested. Best on it: {listed}."


def _describe_people(result: Verdict) -> list[str]:
    """Say what people think, then what the metric closest to them says; further dimensions follow."""
    groups: dict[tuple[str, ...], list[Opinion]] = {}
    for opinion in result.people:
        groups.setdefault((str(opinion.settled), *opinion.leaders), []).append(opinion)
    first, *others = [_prefer(opinions) for opinions in groups.values()]
    closest = next((c for c in result.closest if c.dimension == result.people[0].by), None)
    headline = f"{first}{_add_metric(result, closest)}."
    return [headline, *(f"{other}." for other in others)]


def _prefer(opinions: Sequence[Opinion]) -> str:
    opinion, dimensions = opinions[0], join_names([o.by for o in opinions])
    count, leaders, who = len(opinion.ranked), opinion.leaders, name_judges(opinion.judges)
    if count == 1:
        return f"{who} judged only one system, {opinion.ranked[0]}, for {dimensions}"
    if opinion.needs:
        return f"{who} judged too little for {dimensions} to say which system is best: {opinion.needs} are needed"
    if count == 2:
        a, b = opinion.ranked
        if opinion.settled:
            return f"{who} rate {a} significantly better than {b} for {dimensions}"
        return f"{who} see no significant difference between {a} and {b} for {dimensions}"
    if opinion.settled:
        return f"{who} rate {leaders[0]} best of {count} systems for {dimensions}"
    if opinion.bands == 1:
        return f"{who} see no significant differences among the {count} systems for {dimensions}"
    best = f"{who} rate {leaders[0]} first of {count} systems for {dimensions}"
    return f"{best}, but not significantly better than {_name_rivals(leaders)}"


def _name_rivals(leaders: Sequence[str]) -> str:
    """Name the systems that the first is not significantly better than, or count them."""
    return join_names(leaders[1:]) if len(leaders) <= _MAX_NAMED else f"{len(leaders) - 1} others"


def _add_metric(result: Verdict, closest: ClosestMetric | None) -> str:
    """Say what the metric closest to people puts first, or that none is close."""
    if closest is None:
        return ""
    if closest.sentinel:
        none = "no metric here is" if closest.metrics > 1 else f"{closest.metric} is not"
        return f"; {none} shown to agree with them better than {closest.sentinel}, which cannot see quality"
    if not closest.significant and closest.systems >= _FEW:  # with fewer, no metric can be told to be wrong
        none = "no metric here agrees" if closest.metrics > 1 else f"{closest.metric} does not agree"
        return f"; {none} significantly with them"
    opinion = next((o for o in result.metrics if o.by == closest.metric), None)
    if opinion is None:
        return ""
    people = result.people[0]
    contradicts = not set(opinion.leaders) & set(people.leaders)
    name = _name_metric(closest)
    return f"{', but' if contradicts else ';'} {name} {_puts_first(opinion, people)}"


def _name_metric(closest: ClosestMetric) -> str:
    if closest.metrics == 1:
        return closest.metric
    best = "that agrees best with" if closest.tested and not closest.tied else "closest to"
    return f"{closest.metric}, the metric {best} them,"


def _puts_first(opinion: Opinion, people: Opinion) -> str:
    leaders = opinion.leaders
    unjudged = [name for name in leaders if name not in people.ranked]
    if unjudged and len(leaders) <= _MAX_NAMED:
        which = "which people did not judge" if len(leaders) == len(unjudged) else f"{join_names(unjudged)} not judged"
        return f"puts {join_names(leaders)} first, {which}"
    if opinion.settled:
        return f"{'also puts' if people.leaders == leaders else 'puts'} {leaders[0]} first"
    if opinion.bands == 1:
        return "finds no significant differences" if len(leaders) > 2 else "finds no significant difference"
    return f"puts {leaders[0]} first, but not significantly above {_name_rivals(leaders)}"


def _join_metrics(opinions: Sequence[Opinion]) -> str:
    """Say which systems are best by the metrics, and whether these disagree."""
    if len(opinions) == 1:
        return _find_best(opinions[0], opinions[0].by)
    groups: dict[tuple[str, ...], list[str]] = {}
    for opinion in opinions:
        groups.setdefault(opinion.leaders, []).append(opinion.by)
    first, count = opinions[0], len(opinions)
    if len(groups) == 1:
        every = join_names([o.by for o in opinions]) if count <= 4 else f"all {count} metrics"
        return _find_best(first, every)
    common = set.intersection(*(set(leaders) for leaders in groups))
    if not common:
        listed = "; ".join(f"by {join_names(by)} {_list_leaders(leaders)}" for leaders, by in groups.items())
        return f"The metrics disagree about the best of {len(first.ranked)} systems: {listed}"
    return _find_common(opinions, [name for name in first.leaders if name in common])


def _list_leaders(leaders: Sequence[str]) -> str:
    names = join_names(leaders) if len(leaders) <= _MAX_NAMED else f"{leaders[0]} and {len(leaders) - 1} more"
    return f"it is {names}" if len(leaders) == 1 else f"they are {names}"


def _find_common(opinions: Sequence[Opinion], common: Sequence[str]) -> str:
    """Say what all metrics allow, and which of them find it significant."""
    settled = [o.by for o in opinions if o.settled]
    open_ = [o.by for o in opinions if not o.settled]
    count = len(opinions[0].ranked)
    if settled:
        best = f"{common[0]} is the best of {count} systems" if count > 2 else f"{common[0]} is significantly better"
        other = f"by {join_names(open_)} it is not significantly better than every other"
        return f"{best} by {join_names(settled)}; {other}"
    names = join_names(common) if len(common) <= _MAX_NAMED else f"{common[0]} and {len(common) - 1} more"
    among = f"{names} {'is' if len(common) == 1 else 'are'} among the best of {count} systems by all metrics"
    return f"{among}, but by none significantly better than every other"


def _find_best(opinion: Opinion, by: str) -> str:
    leaders, count = opinion.leaders, len(opinion.ranked)
    if opinion.needs:
        return f"Too little to say which system is best by {by}: {opinion.needs} are needed"
    if count == 1:
        return f"Only one system is compared by {by}, {opinion.ranked[0]}"
    if count == 2:
        a, b = opinion.ranked
        if opinion.settled:
            return f"{a} is significantly better than {b} by {by}"
        return f"No significant difference between {a} and {b} by {by}"
    if opinion.settled:
        return f"{leaders[0]} is the best of {count} systems by {by}"
    if opinion.bands == 1:
        return f"No significant differences among the {count} systems by {by}"
    return (
        f"{leaders[0]} is first of {count} systems by {by}, but not significantly better than {_name_rivals(leaders)}"
    )
