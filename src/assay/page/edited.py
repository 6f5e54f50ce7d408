"""The section about edits: how outputs came from their sources (Toutanova et al. 2016, 3.3)."""

from __future__ import annotations

from ..corpus import Edits
from ..views._format import format_percent as percent
from ..views._view import Column
from .findings import Findings
from .parts import Section, block


def edited(found: Findings) -> Section | None:
    """What each system did to the sources; nothing where there are none, or too long ones."""
    if found.edits is None:
        return None
    every: list[tuple[str, Edits]] = [("all", found.edits)]
    every += [(s, found.edits.of(lambda e, s=s: e.system == s)) for s in found.edits.systems]  # type: ignore[misc]
    names = [name for name, _ in every]
    kinds, rates = [e.kinds() for _, e in every], [e.rates() for _, e in every]
    columns = (
        Column("system", names, right=False),
        Column("only delete", [percent(k["delete"]) for k in kinds]),
        Column("delete and reorder", [percent(k["reorder"]) for k in kinds]),
        Column("rephrase", [percent(k["rephrase"]) for k in kinds]),
        Column("words copied", [percent(r.copied) for r in rates]),
        Column("paraphrased", [percent(r.paraphrased) for r in rates]),
        Column("inserted", [percent(r.inserted) for r in rates]),
        Column("of the source deleted", [percent(r.deleted) for r in rates]),
    )
    note = "Shares of outputs, then of their words; words are linked by a monolingual aligner (assay edits says more)."
    view = block("", (found.edits.sentence(),), None, columns, (note,))
    return Section("edits", "Edits", "How did they come from their sources?", (view,))
