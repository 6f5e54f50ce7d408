"""From findings to the sections of the page; the systems themselves."""

from __future__ import annotations

from collections.abc import Sequence

from ..comparison.compare import Comparison
from ..views._format import format_scores as scaled
from ..views._view import Column
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
    view = c.view()
    return Block("", tuple(view.sentences), view.charts[0], tuple(view.tables[0].columns), tuple(view.notes))


def _all_scores(found: Findings, ranked: Sequence[tuple[str, Comparison]]) -> tuple[Column, ...]:
    order = [r.system for r in ranked[0][1].ranking]
    order += [s for s in found.data.systems if s not in set(order)]
    people = set(found.data.people)
    columns = [Column("system", [f"{s} (a person)" if s in people else s for s in order], right=False)]
    for name, scores in [*found.metrics.items(), *((f"{t.human.name} (people)", t.human) for t in found.trials)]:
        means = dict(zip(scores.systems, scores.means().tolist(), strict=True))
        columns.append(Column(name, scaled([means.get(s, float("nan")) for s in order])))
    return tuple(columns)
