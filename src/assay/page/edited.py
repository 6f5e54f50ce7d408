"""The section about edits: how outputs came from their sources (Toutanova et al. 2016, 3.3)."""

from __future__ import annotations

from .findings import Findings
from .parts import Section


def edits_section(findings: Findings) -> Section | None:
    """Show what each system did to the sources; nothing where there are none, or too long ones."""
    if findings.edits is None:
        return None
    return Section("edits", "Edits", "How did the outputs come from their sources?", [findings.edits.view()])
