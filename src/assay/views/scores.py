"""Show scores: a table with a row per system, or per output, and the exact settings of every metric under it."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan
from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._format import find_best, format_scores, shorten_names
from ._inputs import leak_notes

if TYPE_CHECKING:
    from ..data.scores import Scores
    from ..scoring.tables import ItemScores, ScoredMetric, SystemScores

_MAX_METRICS = 12  # next to each other; more stand below each other, where systems are fewer
_MAX_ROWS = 1000  # of a table of outputs; more is for a program to read


def view_scores(scores: Scores) -> View:
    """Show the scores of one metric: a row per system, the best first."""
    means, counts = scores.means().tolist(), scores.counts().tolist()
    order = _sort_best_first(means, scores.systems, higher_is_better=scores.higher_is_better)
    columns = [
        text_column("system", [scores.systems[i] for i in order]),
        _score_column(scores.name, [means[i] for i in order], scores),
        Column("items", [f"{counts[i]:,}" for i in order]),
    ]
    notes = [] if scores.signature in ("", scores.name) else [f"{scores.name} = {scores.signature}"]
    return View(tables=[Table(columns)], notes=[*leak_notes(scores.leaked, scores.signature), *notes])


def view_system_scores(result: SystemScores) -> View:
    """Show every system's score by every metric, the best by the first metric first."""
    by_place = {(row.metric, row.system): row for row in result.scores}
    systems = list(dict.fromkeys(row.system for row in result.scores))
    rows = [[by_place.get((m.signature, s)) for s in systems] for m in result.metrics]
    scores = [[row.score if row else nan for row in column] for column in rows]
    order = _sort_best_first(scores[0], systems, higher_is_better=result.metrics[0].higher_is_better)
    heads = shorten_names([m.name for m in result.metrics])
    if len(heads) > max(_MAX_METRICS, len(systems)):
        cells = [format_scores([column[i] for i in order]) for column in scores]
        columns = [text_column("metric", [m.name for m in result.metrics])]
        columns += [Column(systems[i], [row[place] for row in cells]) for place, i in enumerate(order)]
    else:
        columns = [text_column("system", [systems[i] for i in order])]
        columns += [
            _score_column(head, [column[i] for i in order], metric)
            for head, column, metric in zip(heads, scores, result.metrics, strict=True)
        ]
        columns.append(Column("items", [f"{row.n:,}" if (row := rows[0][i]) else "0" for i in order]))
    return View(
        tables=[Table(columns)],
        notes=[*leak_notes(result.leaked, result.metrics[0].signature), *_settings(result.metrics, heads)],
    )


def view_item_scores(result: ItemScores) -> View:
    """Show the scores of single outputs; a note counts those that are left out."""
    heads = shorten_names([m.name for m in result.metrics])
    columns = [text_column("item", result.items[:_MAX_ROWS]), text_column("system", result.systems[:_MAX_ROWS])]
    columns += [
        Column(head, format_scores(values[:_MAX_ROWS])) for head, values in zip(heads, result.values, strict=True)
    ]
    notes = []
    if result.total > _MAX_ROWS:
        notes = [f"The first {_MAX_ROWS:,} of {result.total:,} rows; --out FILE writes all, --json prints all."]
    return View(tables=[Table(columns)], notes=notes)


def _score_column(head: str, values: Sequence[float], metric: Scores | ScoredMetric) -> Column:
    return Column(head, format_scores(values), best=find_best(values, higher_is_better=metric.higher_is_better))


def _sort_best_first(scores: Sequence[float], names: Sequence[str], *, higher_is_better: bool) -> list[int]:
    sign = -1 if higher_is_better else 1
    return sorted(range(len(scores)), key=lambda i: (isnan(scores[i]), sign * scores[i], names[i]))


def _settings(metrics: Sequence[ScoredMetric], heads: Sequence[str]) -> list[str]:
    return [
        f"{head} = {metric.signature}" + (f": {metric.summary}" if metric.summary else "")
        for head, metric in zip(heads, metrics, strict=True)
    ]
