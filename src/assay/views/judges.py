"""Show assessors side by side: people, LLM judges, panels of them and metrics."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Protocol

from ..data.chart import Chart
from ..data.view import Column, Table, View, text_column
from . import _vega as vega
from ._format import (
    MISSING,
    format_count,
    format_decimals,
    format_interval,
    format_interval_percent,
    format_number_cell,
    format_p_cell,
    format_percent,
    format_range,
    format_signed,
    join_names,
)

if TYPE_CHECKING:
    from ..data.statement import Statement
    from ..raters.alt_test import Blind
    from ..raters.judge_table import AssessedAssessor, JudgeTable

_CLAIMS = {
    "can replace": "On {}, these can replace a human rater",
    "can rank": "On {}, these can rank systems, but not replace a human rater",
    "cannot be used": "On {}, these cannot be used",
    "undecided": "On {}, it is undecided what these can be used for",
    "at chance": "On {}, these are not shown to follow people, and cannot be used",
}
_NEEDED = {"items": "items", "raters": "people", "pairs": "pairs of systems that people separate"}


class HasInterval(Protocol):
    """A value with its interval."""

    @property
    def value(self) -> float: ...

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...


def view_judge_table(result: JudgeTable) -> View:
    """Show what each judge can be used for, and the figures behind it."""
    tables = [
        _verdict_table(result),
        _agreement_table(result),
        _bias_table(result),
        _test_table(result),
        _cost_table(result),
    ]
    sentences = [*describe_judges(result), *_warnings(result)]
    charts = [_chart(result)] if len(result.assessors) > 1 else []
    return View(sentences, [t for t in tables if t.columns], charts, _notes(result), f"Assessors of {result.dimension}")


def describe_judges(result: JudgeTable) -> list[str]:
    """Say for each claim of which judges it is made, with the numbers; then which people answer as by chance."""
    statements = result.statements()
    rows = {row.assessor: row for row in result.assessors}
    sentences = []
    for claim, phrase in _CLAIMS.items():
        own = [s for s in statements if s.claim == claim and s.judges != "human"]
        if own:
            cases = ", ".join(f"{s.subjects[0]} ({_explain(s, rows[s.subjects[0]], result)})" for s in own)
            start = phrase if len(own) > 1 else phrase.replace("these are", "this one is")
            start = start if len(own) > 1 else start.replace("these", "this one")
            sentences.append(f"{start.format(result.dimension)}: {cases}.{_decide_open(own, result)}")
    people = [s for s in statements if s.claim == "at chance" and s.judges == "human"]
    if people:
        cases = join_names([f"{s.subjects[0]} ({_explain_chance(s)})" for s in people])
        verb = "is" if len(people) == 1 else "are"
        sentences.append(f"Of the people, {cases} {verb} not shown to follow the others on {result.dimension}.")
    return sentences


def _decide_open(statements: Sequence[Statement], result: JudgeTable) -> str:
    """Say what would decide about judges with an interval that is too wide, where there are labels enough."""
    if statements[0].claim != "undecided" or all(s.needs for s in statements):
        return ""
    share, bound = format_percent(result.limits.order_share), format_percent(result.limits.order_bound)
    return (
        f" Ranking takes a share of {share} with an interval above {bound}, and is ruled out by one below {share}: "
        "more items or systems would narrow the intervals."
    )


def _explain_chance(statement: Statement) -> str:
    if isnan(statement.estimate):
        return "always the same rating"
    interval = format_interval(statement.low, statement.high, statement.confidence, places=3)
    return f"r = {format_decimals(statement.estimate)}{interval}"


def _explain(statement: Statement, row: AssessedAssessor, result: JudgeTable) -> str:
    """Give the numbers of a claim: r where it answers as by chance, the alt-test, the order of systems, what lacks."""
    if statement.claim == "at chance":
        return _explain_chance(statement)
    parts = []
    if row.wins is not None:
        parts.append(f"wins {row.wins} of {row.people}, advantage {format_decimals(row.advantage)}")
        if row.winning_rate >= 0.5 and result.blind is not None and result.blind.passes:
            parts[-1] += f", but so would {name_blind(result.blind)}"
    if statement.claim != "can replace" and row.ordered is not None:
        parts.append(_explain_order(row, result))
    if row.reason and not statement.needs:
        parts.append(row.reason)
    if statement.needs:
        parts.append(f"at least {join_names([_count_more(n, statement) for n in statement.needs])} needed")
    return "; ".join(parts)


def _count_more(name: str, statement: Statement) -> str:
    more = statement.needs[name] - statement.counts[name]
    return f"{more:,} more {_NEEDED[name] if more > 1 else _NEEDED[name].replace('pairs', 'pair').removesuffix('s')}"


def name_blind(blind: Blind) -> str:
    """Name the judge who looks at nothing and passes."""
    return f"a judge that always answers {blind.constant:g}" if blind.constant_passes else "one that answers at random"


def _explain_order(row: AssessedAssessor, result: JudgeTable) -> str:
    order = row.ordered
    if order is None or not order.pairs:
        return "people separate no pair of systems"
    if order.pairs < result.limits.order_pairs:
        return f"people separate {format_count(order.pairs, 'pair')} of systems"
    interval = format_interval_percent(order.low, order.high, result.confidence)
    return f"orders {format_percent(order.value)} of {format_count(order.pairs, 'pair')}{interval}"


def _warnings(result: JudgeTable) -> list[str]:
    """Say where the two forms of the test differ, and where a judge that looks at nothing would pass."""
    sentences = []
    for row in result.assessors:
        if row.wins is None or isnan(row.winning_rate_outputs):
            continue
        passes, authors = row.winning_rate >= 0.5, row.winning_rate_outputs >= 0.5
        if passes != authors:
            won = round(row.winning_rate_outputs * (row.people or 0))
            verbs = ("passes", "fails") if authors else ("fails", "passes")
            sentences.append(
                f"{row.assessor} {verbs[0]} the test as published ({won} of {row.people}), which takes "
                f"{row.outputs:,} outputs as independent, and {verbs[1]} it on the means of {result.items:,} items "
                f"({row.wins} of {row.people}): the second is right."
            )
    if result.blind is not None and result.blind.passes:
        name = name_blind(result.blind)
        sentences.append(
            f"{name[0].upper()}{name[1:]} passes the alt-test on {result.dimension}: passing it says nothing "
            "here, so that no judge is said to replace a rater. Texts that people rate more differently would tell."
        )
    return sentences


def _verdict_table(result: JudgeTable) -> Table:
    rows = [row for row in result.assessors if row.verdict is not None]
    if not rows:
        return Table([])
    columns = [
        text_column("judge", [row.assessor for row in rows]),
        text_column("kind", [row.assessor_kind for row in rows]),
        text_column("verdict", [str(row.verdict) for row in rows]),
        Column("wins", [MISSING if row.wins is None else f"{row.wins} of {row.people}" for row in rows]),
        Column("as published", [_format_wins(row) for row in rows]),
        Column("advantage", [format_decimals(row.advantage) for row in rows]),
        Column("in order", [format_percent(row.ordered.value) if row.ordered else MISSING for row in rows]),
        Column(f"{100 * result.confidence:g}% CI", [_order_range(row) for row in rows]),
        Column("pairs", [f"{row.ordered.pairs:,}" if row.ordered else MISSING for row in rows]),
    ]
    return Table(columns, "What each judge can be used for")


def _format_wins(row: AssessedAssessor) -> str:
    if row.people is None or isnan(row.winning_rate_outputs):
        return MISSING
    return f"{round(row.winning_rate_outputs * row.people)} of {row.people}"


def _order_range(row: AssessedAssessor) -> str:
    if row.ordered is None or isnan(row.ordered.low):
        return MISSING
    return f"{format_percent(row.ordered.low)} to {format_percent(row.ordered.high)}"


def _agreement_table(result: JudgeTable) -> Table:
    rows = result.assessors
    columns = [
        text_column("assessor", [row.assessor for row in rows]),
        Column("outputs", [f"{row.outputs:,}" for row in rows]),
        Column("r with rest", [format_decimals(row.agreement) for row in rows]),
        Column("alpha", [format_decimals(row.alpha) for row in rows]),
        *(_interval_columns(name, [getattr(row, name) for row in rows], 2) for name in ("segment", "item", "system")),
    ]
    if any(row.twice for row in rows):
        columns.append(Column("same twice", [format_percent(row.same_twice) for row in rows]))
        columns.append(Column("self alpha", [format_decimals(row.self_alpha) for row in rows]))
    return Table(columns, "Agreement with people")


def _bias_table(result: JudgeTable) -> Table:
    rows = [row for row in result.assessors if row.level is not None]
    columns = [
        text_column("assessor", [row.assessor for row in rows]),
        _interval_columns("level", [row.level for row in rows], 2, signed=True),
        _interval_columns("spread", [row.spread for row in rows], 2),
        Column("scale used", [format_percent(row.scale_used) for row in rows]),
        _interval_columns("length", [row.length for row in rows], 2, signed=True),
        Column("uncorrected", [_format_value(row.length_uncorrected) for row in rows]),
    ]
    if any(row.own_family for row in rows):
        columns.append(_interval_columns("own family", [row.own_family for row in rows], 2, signed=True))
    return Table(columns, "Bias")


def _cost_table(result: JudgeTable) -> Table:
    rows = [row for row in result.assessors if row.failures is not None]
    if not rows:
        return Table([])
    columns = [
        text_column("assessor", [row.assessor for row in rows]),
        Column("seconds", [format_number_cell(row.seconds) for row in rows]),
        Column("cost", [format_number_cell(row.cost) for row in rows]),
        Column("failures", [f"{row.failures:,}" for row in rows]),
    ]
    return Table(columns, "What judging took: seconds of a judgment, cost of all, failures")


def _test_table(result: JudgeTable) -> Table:
    tests = [test for test in result.tests if test.unit == "items"]
    if not tests:
        return Table([])
    columns = [text_column("judge", [test.judge for test in tests])]
    for person in result.people:
        by_test = [next((h for h in test.humans if h.rater == person), None) for test in tests]
        cells = [format_p_cell(h.adjusted, significant=h.won) if h else MISSING for h in by_test]
        columns.append(Column(f"p, {person}", cells))
    return Table(columns, "Alt-test against each person", summary="p of the alt-test against each person")


def _interval_columns(head: str, values: Sequence[HasInterval | None], places: int, *, signed: bool = False) -> Column:
    """Return a column of values with their intervals behind them."""
    cells = []
    for value in values:
        if value is None or isnan(value.value):
            cells.append(MISSING)
            continue
        number = format_signed(value.value, places) if signed else format_decimals(value.value, places)
        ends = format_range(value.low, value.high, places)
        cells.append(number if ends == MISSING else f"{number} ({ends})")
    return Column(head, cells)


def _format_value(value: HasInterval | None) -> str:
    return MISSING if value is None else format_signed(value.value, 2)


def _notes(result: JudgeTable) -> list[str]:
    limits = result.limits
    measured = "t test" if limits.alt_test == "t" else "Wilcoxon test"
    return [
        f"{format_count(result.items, 'item')}, {format_count(result.systems, 'system')}, "
        f"{format_count(len(result.people), 'person').replace('persons', 'people')}. One person agrees with the others "
        f"at r = {format_decimals(result.ceiling)}, which is the ceiling for r with rest; alpha of people is "
        f"{format_decimals(result.alpha.value)}. Figures in brackets: {100 * result.confidence:g}% CI.",
        f"wins: people against whom the judge wins the alt-test (Calderon et al. 2025), epsilon {limits.epsilon:g}, "
        f"{measured} on item means; as published: over outputs, as if they were independent. in order: of the pairs of "
        f"systems that people separate (Wilcoxon, Holm, p < {limits.alpha:g}), those in the same order; "
        f"ranking takes {format_percent(limits.order_share)}, a lower bound above {format_percent(limits.order_bound)} "
        f"and {limits.order_pairs} pairs.",
        "r with rest: with the mean of people, each left out in turn. alpha: of people together with the judge; for a "
        "person, of the others. segment, item, system: r with the mean of people over all outputs, within items, of "
        "system means; for a person, with the others.",
        "level: points above people. spread: standard deviation over that of one person. length: points for a text 2.7 "
        "times as long at the same quality and system, corrected for the noise of people (uncorrected next to it).",
        f"Intervals: {result.resamples:,} bootstrap samples of systems and items (correlations, order), otherwise by "
        f"item; seed {result.seed}.",
    ]


def _chart(result: JudgeTable) -> Chart:
    """Chart the agreement of each assessor with people at segment level, with its interval."""
    known = [row for row in result.assessors if not isnan(row.segment.value) and not isnan(row.segment.low)]
    rows = [
        {
            "assessor": row.assessor,
            "kind": row.assessor_kind,
            "r": row.segment.value,
            "low": row.segment.low,
            "high": row.segment.high,
        }
        for row in known
    ]
    y = {"field": "assessor", "type": "nominal", "sort": None, "title": None}
    color = {"field": "kind", "type": "nominal", "title": "kind"}
    x = {"type": "quantitative", "title": f"r with people ({result.dimension})"}
    tooltip = vega.tooltip(assessor="assessor", kind="kind", r="r", low="low", high="high")
    layers = [
        {
            "mark": {"type": "rule"},
            "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": y, "color": color},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 60},
            "encoding": {"x": {**x, "field": "r"}, "y": y, "color": color, "tooltip": tooltip},
        },
    ]
    spec = {"data": {"values": rows}, "width": "container", "layer": layers}
    columns = (
        text_column("assessor", [str(row["assessor"]) for row in rows]),
        text_column("kind", [str(row["kind"]) for row in rows]),
        Column("r", [format_decimals(row.segment.value) for row in known]),
        Column("CI", [format_range(row.segment.low, row.segment.high) for row in known]),
    )
    return Chart(spec, columns, f"Agreement with people on {result.dimension}, by assessor")
