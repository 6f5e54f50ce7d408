"""The section about raters."""

from __future__ import annotations

from math import isnan

from ..views import charts
from ..views._format import format_decimals as decimals
from ..views._format import format_percent as percent
from ..views._view import Column, View
from .findings import Findings, Panel
from .parts import Choice, Section, block


def raters(found: Findings) -> Section | None:
    """Agreement, consistency and severity of raters, and what becomes of the ranking without each."""
    if not found.panels:
        return None
    blocks: list[View | Choice] = []
    several = [p.agreement for p in found.panels if len(p.agreement.raters) > 1]
    if several:
        drawn = charts.raters(several)
        note = ("Alpha is 1 for perfect agreement and 0 for chance; rely on .8 and more, tentatively on .667 "
                "(Krippendorff).",)  # fmt: skip
        sentences = tuple(a.sentence() for a in several)
        blocks.append(block("Do the raters agree?", sentences, drawn, tuple(drawn.columns), note))
    else:
        blocks.append(block("Do the raters agree?", tuple(p.agreement.sentence() for p in found.panels)))
    options = tuple((p.agreement.dimension, tuple(made)) for p in found.panels if (made := _panel_blocks(found, p)))
    blocks += [Choice("Judged", options)] if options else []
    return Section("raters", "Raters", "May I believe the judges?", tuple(blocks))


def _panel_blocks(found: Findings, p: Panel) -> list[View]:
    if p.positional:
        why = "Raters are places in the file (first, second, ...) and not people, so nothing can be said of each."
        return [block(sentences=(why, p.needed.sentence()))]
    said = [p.needed.sentence()]
    said += [p.consistency.sentence()] if p.consistency is not None else []
    blocks = []
    if p.severity is not None:
        drawn = charts.severities(p.severity)
        own = p.consistency
        rows = sorted(p.severity.raters, key=lambda r: (isnan(r.rest), r.rest))
        twice = [own.of(r.rater) if own is not None else None for r in rows]
        columns = (
            Column("rater", [r.rater for r in rows], right=False),
            Column("ratings", [f"{r.n:,}" for r in rows]),
            Column("mean", [decimals(r.mean, 2) for r in rows]),
            Column("severity", [decimals(r.severity, 2) for r in rows]),
            Column("spread", [decimals(r.spread, 2) for r in rows]),
            Column("scale used", [percent(r.used) for r in rows]),
            Column("r with the others", [decimals(r.rest) for r in rows]),
            Column("same text twice", [str(t.pairs) if t else "" for t in twice]),
            Column("self-consistency (alpha)", [decimals(t.alpha.value) if t else "" for t in twice]),
        )
        notes = (
            "Severity: how much less than the others on the same outputs. Spread: standard deviation over that of the "
            "others. Self-consistency: the same text judged twice by one rater. Largest dots: most ratings.",
        )
        blocks.append(block("The raters one by one", (p.severity.sentence(), *said), drawn, columns, notes))
    elif said:
        blocks.append(block("", tuple(said)))
    if p.left_out:
        blocks.append(_left_out(found, p))
    return blocks


def _left_out(found: Findings, p: Panel) -> View:
    metric = next(iter(found.metrics), "")
    rows = sorted(p.left_out, key=lambda d: (isnan(d.pearson), d.pearson))
    columns = [
        Column("without", [d.raters[0] for d in rows], right=False),
        Column("alpha", [decimals(d.alpha_after) for d in rows]),
        Column("change", [_signed(d.alpha_after - d.alpha_before) for d in rows]),
        Column("r of system means with all raters'", [decimals(d.pearson) for d in rows]),
        Column("Spearman", [decimals(d.spearman) for d in rows]),
    ]
    if metric and rows[0].metrics:
        columns += [
            Column(f"r of {metric} with people", [decimals(d.metrics[0].systems_after) for d in rows]),
            Column("was", [decimals(d.metrics[0].systems_before) for d in rows]),
        ]
    few = len(p.left_out) < len(p.agreement.raters)
    note = (f"The {len(p.left_out)} raters who agree least with the rest.",) if few else ()
    return block("What if a rater is left out?", (rows[0].sentence(),), None, tuple(columns), note)


def _signed(value: float) -> str:
    return "–" if isnan(value) else f"{value:+.3f}"
