"""From findings to the sections of the page; the systems themselves."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from ..comparison.compare import Comparison
from ..comparison.pair import PairComparison
from ..data._phrases import pvalue
from ..views import charts
from ..views._draw.terminal import Column
from ..views._format import decimals, percent, scaled
from ..views._names import test_name
from .blocks import Block, Choice, Section
from .cautions import cautions
from .edited import edited
from .findings import Findings
from .raters import raters
from .trial import stability, trial


def sections(found: Findings) -> list[Section]:
    """Those that have something to say, in order; the items and the way to get it again are the page's own."""
    made = [systems(found), edited(found), trial(found), stability(found), raters(found), cautions(found)]
    return [section for section in made if section is not None]


def systems(found: Findings) -> Section:
    """Systems with intervals and groups, by each metric and each judged dimension."""
    ranked = [(name, c) for name, c in found.comparisons.items()]
    ranked += [(f"{t.human.name} (people)", t.people) for t in found.trials if t.people is not None]
    options = tuple((name, (_ranking(c),)) for name, c in ranked)
    every = [Block(title="All scores", columns=_all_scores(found, ranked))] if len(ranked) > 1 else []
    return Section("systems", "Systems", "Which system is better?", (Choice("By", options), *every))


def _ranking(c: Comparison) -> Block:
    by_name = {name: p for p in c.against for name in (p.better, p.worse) if name != c.reference}
    pairs = [by_name.get(r.system) for r in c.ranking]
    after: list[PairComparison | None] = [*c.neighbours, None]
    columns = (
        Column("system", [r.system for r in c.ranking], right=False),
        *([Column("score", scaled([r.score for r in c.ranking]))] if c.corpus else []),
        Column("mean", scaled([r.mean for r in c.ranking])),
        Column(f"{100 * c.confidence:.0f}% interval", charts.intervals([(r.low, r.high) for r in c.ranking])),
        Column("items", [f"{r.n:,}" for r in c.ranking]),
        Column("group", [str(r.group) if r.group else "–" for r in c.ranking]),
        Column("against the best", [_p(p) for p in pairs]),
        Column("effect", [_effect(p, c.reference) for p in pairs]),
        Column("wins", [_wins(p, c.reference) for p in pairs]),
        Column("against the next", [_p(p) for p in after]),
        Column("more items to tell them", [_more(p) for p in after]),
    )
    shown = f"The first {charts.MOST_ROWS} of {len(c.ranking)} are drawn; all are in the table."
    notes = (
        f"Systems of one group cannot be told apart: a new group begins where a system is significantly worse than a "
        f"member of the group above ({test_name(c.test)} test paired by item, two-sided, at {c.alpha:g}). "
        f"Intervals: {c.resamples:,} bootstrap samples of items, seed {c.seed}. Effect: mean "
        "difference in standard deviations of the differences. Wins: share of items on which the system is ahead of "
        "the best. * significant.",
        *c.notes,
        *([shown] if len(c.ranking) > charts.MOST_ROWS else []),
    )
    return Block("", (c.sentence(),), charts.ranking(c), columns, notes)


def _all_scores(found: Findings, ranked: Sequence[tuple[str, Comparison]]) -> tuple[Column, ...]:
    order = [r.system for r in ranked[0][1].ranking]
    order += [s for s in found.data.systems if s not in set(order)]
    people = set(found.data.people)
    columns = [Column("system", [f"{s} (a person)" if s in people else s for s in order], right=False)]
    for name, scores in [*found.metrics.items(), *((f"{t.human.name} (people)", t.human) for t in found.trials)]:
        means = dict(zip(scores.systems, scores.means().tolist(), strict=True))
        columns.append(Column(name, scaled([means.get(s, float("nan")) for s in order])))
    return tuple(columns)


def _p(pair: PairComparison | None) -> str:
    if pair is None:
        return ""
    return pvalue(pair.adjusted).replace("p ", "").replace("= ", "") + ("*" if pair.significant else "")


def _effect(pair: PairComparison | None, reference: str) -> str:
    if pair is None or isnan(pair.effect):
        return ""
    return decimals(-pair.effect if pair.better == reference else pair.effect, 2)


def _wins(pair: PairComparison | None, reference: str) -> str:
    return "" if pair is None else percent(pair.lost if pair.better == reference else pair.won)


def _more(pair: PairComparison | None) -> str:
    if pair is None or pair.significant or isnan(pair.further):
        return ""
    return "no effect" if pair.further == float("inf") else f"{pair.further:,.0f}"
