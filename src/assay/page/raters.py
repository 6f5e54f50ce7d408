"""The section about raters."""

from __future__ import annotations

from dataclasses import replace

from ..raters import AgreementTable
from ..views import View
from .findings import Findings, Panel
from .parts import Choice, Section


def raters(findings: Findings) -> Section | None:
    """Make the section about agreement, consistency and severity of raters, and the ranking without each of them."""
    if not findings.panels:
        return None
    table = AgreementTable(tuple(panel.agreement for panel in findings.panels))
    choice = Choice("Judged", [(panel.agreement.dimension, _panel_views(panel)) for panel in findings.panels])
    agreement = replace(table.view(), title="Do the raters agree?")
    return Section("raters", "Raters", "Can I trust the judges?", [agreement, choice])


def _panel_views(panel: Panel) -> list[View]:
    views = [replace(panel.raters.view(), title="The raters one by one")]
    if panel.left_out is not None:
        views.append(replace(panel.left_out.view(), title="What if a rater is left out?"))
    return views
