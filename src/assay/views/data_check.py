"""Show what is missing or odd in an evaluation set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.view import View
from ._format import format_count, join_names

if TYPE_CHECKING:
    from ..corpus.check import DataCheck


def view_data_check(result: DataCheck) -> View:
    """Show a sentence for each thing to know, or that there is none."""
    sentences = []
    if result.empty_outputs:
        verb = "is" if result.empty_outputs == 1 else "are"
        sentences.append(f"{format_count(result.empty_outputs, 'output')} {verb} empty.")
    if result.missing_outputs:
        verb = "is" if result.missing_outputs == 1 else "are"
        sentences.append(f"{format_count(result.missing_outputs, 'output')} {verb} missing and not scored.")
    if result.people:
        names = join_names(result.people, 8)
        sentences.append(f"Some of the systems are people ({names}). They are left out of rankings and correlations.")
    return View(sentences or ["Every system has an output for every item, and none is empty."], title="The data")


def list_facts(result: DataCheck) -> list[tuple[str, str]]:
    """List the size of the set as pairs of name and value."""
    few, many = result.fewest_references, result.most_references
    facts = [("items", f"{result.items:,}"), ("systems", f"{result.systems:,}")]
    facts += [("references per item", f"{few}" if few == many else f"{few} to {many}")] if many else []
    facts += [("people among the systems", f"{len(result.people)}")] if result.people else []
    if result.dimensions:
        facts += [("raters", f"{result.raters:,}"), ("judged", ", ".join(result.dimensions))]
    return facts
