"""Show lists of components, and the help of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.view import Table, View, text_column
from ._format import shorten_text

if TYPE_CHECKING:
    from ..data.component_list import ComponentHelp, ComponentList, MetricFamilies

_WIDTH = 100  # of the whole table
_TITLES = {
    "metric": "",
    "compressor": "Systems that shorten a text:",
    "fuser": "Systems that make one text of several sentences:",
}
_METRIC_NOTE = (
    "A number in a name can be another number: rouge5, rougeS9, bleu2. Parameters go in brackets: "
    "rouge2(measure=recall, stem=true). `assay metrics NAME` explains one metric."
)
_FAMILY_NOTES = [
    "assay metrics FAMILY lists a family, with a line on each metric; assay metrics all lists everything.",
    "-m rouge scores rouge1, rouge2 and rougeL, -m grid all metrics of the grid.",
    _METRIC_NOTE,
]
_FEW = 16  # names of a family; of more, the first are shown


def view_components(result: ComponentList) -> View:
    """Show what there is, a line each; systems with all their parameters under the table."""
    names = [f"{c.name} (default)" if c.default else c.name for c in result.components]
    room = _WIDTH - 2 - max(map(len, names), default=0)
    summaries = [shorten_text(c.summary, room) for c in result.components]
    columns = [text_column(result.of, names), text_column("what it does", summaries)]
    if result.of == "metric":
        table = Table([columns[0], text_column("what it measures", summaries)])
        return View([result.about] if result.about else [], [table], notes=[_METRIC_NOTE])
    notes = ["With all parameters and their defaults:", *(c.signature for c in result.components)]
    return View([_TITLES[result.of]], [Table(columns)], notes=notes)


def view_metric_families(result: MetricFamilies) -> View:
    """Show the families, a line each; variants with parameters and the grid are only counted."""
    names_by_family: dict[str, list[str]] = {}
    for metric in result.metrics:
        names_by_family.setdefault(metric.family, []).append(metric.name)
    lines = [_join_family(names) for names in names_by_family.values()]
    table = Table([text_column("family", list(names_by_family)), text_column("metrics", lines)])
    return View(tables=[table], notes=_FAMILY_NOTES)


def _join_family(names: list[str]) -> str:
    plain = list(dict.fromkeys(name.partition("(")[0] for name in names))
    return ", ".join(plain) if len(plain) <= _FEW else f"{len(plain)} metrics: {', '.join(plain[:2])}, ..."


def view_component_help(result: ComponentHelp) -> View:
    """Show the text of a metric, what it needs and its signature."""
    direction = "higher" if result.higher_is_better else "lower"
    text = f"{result.text}\n\nneeds: {result.needs}; {direction} is better\nsignature: {result.signature}"
    return View(text=text)
