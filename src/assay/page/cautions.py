"""The section about what could be wrong: leaks, blind metrics that win, odd data."""

from __future__ import annotations

from dataclasses import replace

from ..data._phrases import plural
from ..views._view import Column, View
from .findings import Findings
from .parts import Choice, Section, block


def cautions(found: Findings) -> Section:
    """Leaks, sentinels and what was odd about the data."""
    blocks: list[View | Choice] = []
    if found.leaks is not None:
        blocks.append(replace(found.leaks.view(), title="Outputs among their own references"))
    rankings = [(t.human.name, t.ranking.view()) for t in found.trials if t.ranking is not None]
    title = "Do sentinels win?"
    blocks += [Choice("Judged", [(name, [replace(view, title=title)]) for name, view in rankings])] if rankings else []
    blocks.append(found.check.view())
    if found.notes:
        notes = (Column("note", found.notes, right=False),)
        said = f"{plural(len(found.notes), 'number')} could not be computed; they are dashes in the tables."
        blocks.append(block("Numbers that do not exist", (said,), columns=notes, folded="Which, and why"))
    return Section("cautions", "Cautions", "What could be wrong with all this?", tuple(blocks))
