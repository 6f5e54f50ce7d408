"""Show lists of components, and the help of one."""

from __future__ import annotations

from ..data.component_list import ComponentHelp, ComponentList
from ._format import shorten_text
from ._view import Table, View, text_column

_WIDTH = 100  # of the whole table
_TITLES = {
    "metric": "",
    "compressor": "Systems that shorten a text by deleting words:",
    "fuser": "Systems that make one text of several sentences:",
}
_METRIC_NOTE = (
    "A number in a name can be another number: rouge5, rougeS9, bleu2. Parameters go in brackets: "
    "rouge2(measure=recall, stem=true). `assay metrics NAME` explains one metric."
)


def view_components(result: ComponentList) -> View:
    """Show what there is, a line each; systems with all their parameters under the table."""
    names = [f"{c.name} (default)" if c.default else c.name for c in result.components]
    room = _WIDTH - 2 - max(map(len, names), default=0)
    summaries = [shorten_text(c.summary, room) for c in result.components]
    columns = [text_column(result.of, names), text_column("what it does", summaries)]
    if result.of == "metric":
        return View(tables=[Table([columns[0], text_column("what it measures", summaries)])], notes=[_METRIC_NOTE])
    notes = ["With all parameters and their defaults:", *(c.signature for c in result.components)]
    return View([_TITLES[result.of]], [Table(columns)], notes=notes)


def view_component_help(result: ComponentHelp) -> View:
    """Show the text of a metric, what it needs and its signature."""
    direction = "higher" if result.higher_is_better else "lower"
    text = f"{result.text}\n\nneeds: {result.needs}; {direction} is better\nsignature: {result.signature}"
    return View(text=text)
