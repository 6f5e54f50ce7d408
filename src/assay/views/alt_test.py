"""Show whether a judge can replace a human rater."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._format import format_p_cell, format_percent, join_names
from .judges import name_blind

if TYPE_CHECKING:
    from ..raters.alt_test import AltTest


def view_alt_test(result: AltTest) -> View:
    """Show the judge against each human left out."""
    rows = result.humans
    columns = [
        text_column("rater left out", [h.rater for h in rows]),
        Column(result.unit, [f"{h.n:,}" for h in rows]),
        Column("judge as close", [format_percent(h.judge_advantage) for h in rows]),
        Column("rater as close", [format_percent(h.human_advantage) for h in rows]),
        Column("p", [format_p_cell(h.adjusted, significant=h.won) for h in rows]),
        Column("judge wins", ["yes" if h.won else "no" for h in rows]),
    ]
    measure = "root mean squared difference" if result.score == "rmse" else "share of equal ratings"
    notes = [
        "The alt-test (Calderon et al. 2025): each rater is left out in turn, and the judge and that rater are "
        f"compared by how close they are to the other raters ({measure}). judge as close: share of outputs on which "
        f"the judge is at least as close as the rater. p: over {result.unit}, adjusted (Benjamini-Yekutieli, "
        f"q = {result.q:g}); * the judge wins. The judge can replace a rater if it wins against half of them."
    ]
    if result.skipped:
        notes.append(f"Skipped, with too few outputs: {join_names(result.skipped)}.")
    return View([_headline(result)], [Table(columns)], notes=notes, title=f"{result.dimension}: {result.judge}")


def _headline(result: AltTest) -> str:
    (statement,) = result.statements()
    numbers = (
        f"it wins against {result.wins} of {len(result.humans)} raters (epsilon {result.epsilon:g}) and is at least as "
        f"close to the other raters as the rater left out on {format_percent(result.advantage)} of outputs"
    )
    if statement.claim == "undecided" and result.blind is not None:
        return (
            f"Whether {result.judge} can replace a human rater of {result.dimension} is undecided: {numbers}, but "
            f"{name_blind(result.blind)} passes the test too, so that passing says nothing. Texts that people rate "
            "more differently would tell."
        )
    verb = "can" if statement.claim == "can replace" else "cannot"
    return f"{result.judge} {verb} replace a human rater of {result.dimension}: {numbers}."
