"""Show which example sets there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.view import Table, View, text_column

if TYPE_CHECKING:
    from ..data.example_sets import ExampleSets


def view_examples(result: ExampleSets) -> View:
    """Show the sets, a line each, with a command to try."""
    columns = [
        text_column("name", [example.name for example in result.sets]),
        text_column("what it holds", [example.content for example in result.sets]),
    ]
    commands = [f"assay example {example.name} && {example.command}" for example in result.sets]
    return View(tables=[Table(columns)], notes=["Written here, then used:", *commands])
