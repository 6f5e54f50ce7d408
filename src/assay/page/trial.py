"""The sections that put metrics on trial, and say how many items and references a verdict takes."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from ..data._phrases import join_names, plural
from ..views import charts
from ..views._format import format_decimals as decimals
from ..views._format import format_percent as percent
from ..views._format import test_name
from ..views._view import Column, View
from .findings import Findings, Trial
from .parts import Choice, Section, block

_MOST_METRICS = 12  # in a matrix that can still be read
_MOST_LINES = 4  # curves that can be told apart
_DASHED = "The dashed line is the smallest difference from which people order 95% of the pairs alike."


def trial(found: Findings) -> Section | None:
    """Metrics on trial, by judged dimension."""
    if not found.metrics:
        return None
    options = tuple((t.human.name, tuple(blocks)) for t in found.trials if (blocks := _trial_blocks(found, t)))
    if not options:
        why = (
            "The set has no human judgments, so the metrics cannot be put on trial. Judgments of some of these outputs "
            "would show how far to believe the scores."
            if not found.trials
            else "Fewer than two systems were judged, so there is nothing on which metrics and people could agree."
        )
        return Section("metrics", "Metrics on trial", "May I believe the score?", (block(sentences=(why,)),))
    return Section("metrics", "Metrics on trial", "May I believe the score?", (Choice("Judged", options),))


def _trial_blocks(found: Findings, t: Trial) -> list[View]:
    blocks = []
    if t.correlations:
        first = t.correlations[0]
        blocks.append(
            block("Do metrics say what people say?", (_best(t),), charts.correlations(t.correlations),
                  _with_failures(t),
                  (f"Intervals: {first.resamples:,} bootstrap samples of systems and items, seed {first.seed}. "
                   "Systems: means over items are correlated; within items: the outputs of one item, averaged over "
                   "items; all outputs: every output is a point. Items failed: correlation within the item below .65 "
                   "(Peyrard et al. 2017).",))
        )  # fmt: skip
        if len(t.human.systems) > 2:
            best = max((c for c in t.correlations), key=lambda c: (c.level == "system", _low(c.value)))
            scores = found.metrics[best.metric]
            drawn = charts.scatter(scores, t.human)
            blocks.append(block(f"System by system: {best.metric} and {t.human.name}", (), drawn, tuple(drawn.columns)))
    if t.dominance is not None and len(t.dominance.metrics) > 1:
        blocks.append(_dominance(t))
    if t.agreements and any(a.n for a in t.agreements):
        ordered = sorted(t.agreements, key=lambda a: -_low(a.value))
        drawn = charts.agreements(ordered)
        contradicted = tuple(
            _contradicted(a.metric, a.automatic.contradicted) for a in ordered if a.automatic.contradicted
        )
        blocks.append(
            block("Would people have decided the same?", (ordered[0].sentence(),), drawn, tuple(drawn.columns),
                  (f"Every pair of systems is decided by a paired {test_name(ordered[0].test)} test over items at "
                   f"{ordered[0].alpha:g}, once by the metric and once by people (Owczarzak et al. 2012).",
                   *contradicted))
        )  # fmt: skip
    options = [n for n in t.noticeable if n.bins]
    if options:
        near = max(options, key=lambda n: (not isnan(n.value), _low(n.overall)))
        drawn = charts.noticeable(near)
        steps = (
            Column("metric", [n.metric for n in t.noticeable], right=False),
            Column("difference needed", [_short(n.value) for n in t.noticeable]),
            Column("95% interval", [_ends(n.low, n.high) for n in t.noticeable]),
            Column("pairs as far apart", [str(n.above) for n in t.noticeable]),
            Column("pairs", [str(n.n) for n in t.noticeable]),
            Column("ordered alike, all pairs", [percent(n.overall) for n in t.noticeable]),
        )  # fmt: skip
        blocks.append(
            block("How large must a difference be?", (near.sentence(),), drawn, tuple(drawn.columns),
                  (_DASHED,) if near.value == near.value else ())
        )  # fmt: skip
        blocks.append(block("The same for every metric", columns=steps))
    return blocks


def _best(t: Trial) -> str:
    level = (
        "system" if any(c.level == "system" and c.value == c.value for c in t.correlations) else t.correlations[0].level
    )
    return max((c for c in t.correlations if c.level == level), key=lambda c: _low(c.value)).sentence()


def _with_failures(t: Trial) -> tuple[Column, ...]:
    columns = tuple(charts.correlations(t.correlations).columns)
    failed = {f.metric: percent(f.value) for f in t.failures}
    if not failed:
        return columns
    return (*columns, Column("items failed", [failed[c.metric] if c.level == "item" else "" for c in t.correlations]))


def _dominance(t: Trial) -> View:
    found = t.dominance
    assert found is not None
    drawn = charts.dominance(found) if len(found.metrics) <= _MOST_METRICS else None
    columns = (
        Column("metric", [s.metric for s in found.ranking], right=False),
        Column("mean r", [decimals(s.value) for s in found.ranking]),
        Column("unbeaten on", [percent(s.unbeaten) for s in found.ranking]),
        Column("top group", ["yes" if s.top else "" for s in found.ranking], right=False),
        Column("dominated by", [_several(s.dominated_by) for s in found.ranking], right=False),
    )  # fmt: skip
    matrix = tuple(drawn.columns[1:]) if drawn is not None else ()
    notes = (
        f"Score differences of every pair of systems ({plural(len(found.pairs), 'pair')}, {found.items} items) are "
        f"correlated with people's; Williams' test at {found.alpha:g}. A metric dominates another if it is better on "
        f"{percent(found.needed)} of the pairs (Toutanova et al. 2016). Percentages in the table: pairs on which the "
        "row's metric is better than the column's.",
    )
    return block("Which metric is best on single items?", (found.sentence(),), drawn, (*columns, *matrix), notes)


def _contradicted(metric: str, pairs: Sequence[tuple[str, str]]) -> str:
    shown = "; ".join(f"{a} and {b}" for a, b in pairs[:5])
    return f"{metric} contradicts people on {shown}{f' and {len(pairs) - 5} more' if len(pairs) > 5 else ''}."


def stability(found: Findings) -> Section | None:
    """Curves against the number of items and references."""
    options = []
    for t in found.trials:
        blocks = []
        for title, curves in (("How many items?", t.by_items), ("How many references?", t.by_references)):
            if curves and any(not isnan(c.actual) for c in curves):
                best = sorted(curves, key=lambda c: -_low(c.actual))
                drawn = charts.stability(best[:_MOST_LINES])
                table = charts.stability(curves).columns
                said = [best[0].sentence()] + ([t.halves.sentence()] if curves is t.by_items and t.halves else [])
                note = (
                    f"Mean correlation of system scores over {curves[0].draws:,} random draws (standard deviation), "
                    f"seed {curves[0].seed}; the band holds 95% of them. The metric sees a part, people all "
                    "(Owczarzak and Dang 2009)."
                )
                corpus = [c.metric for c in curves if found.metrics[c.metric].corpus is not None]
                also = (
                    f"By means over items, also for {join_names(corpus)}, elsewhere by corpus scores." if corpus else ""
                )
                blocks.append(block(title, tuple(said), drawn, tuple(table), (note, *([also] if also else []))))
        if blocks:
            options.append((t.human.name, tuple(blocks)))
    if not options:
        return None
    return Section("stability", "Stability", "How many items and references does it take?",
                   (Choice("Judged", tuple(options)),))  # fmt: skip


def _short(value: float) -> str:
    return "–" if isnan(value) else f"{value:.3g}"


def _ends(low: float, high: float) -> str:
    return "–" if isnan(low) else f"{_short(low)}–{_short(high)}"


def _several(names: Sequence[str]) -> str:
    return join_names(names, 3) if names else ""


def _low(value: float) -> float:
    """For sorting: no number comes last."""
    return -2.0 if isnan(value) else value
