"""The page: one HTML file that holds everything, needs no network and runs nothing that a text brings along."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any

from ..data.view import View
from ..views import ChartData, escape_json, label_judges, make_environment, number_view, page_code
from ..views.data_check import list_facts
from ._parts import Choice, Section
from .answer import make_answer
from .items import LIMIT, pack_items
from .report import Report
from .sections import make_first_screen, make_sections

_SCRIPTS = ("match.js", "items.js")


@dataclass(frozen=True)
class Origin:
    """Where the page comes from, so that it can be made again."""

    title: str = "Evaluation"
    command: str = ""
    source: str = ""
    version: str = ""


def draw_page(report: Report, origin: Origin | None = None, *, limit: int = LIMIT) -> str:
    """Draw the page; the same report gives the same page.

    Texts, names and judgments come from files that anybody may have written. They reach the page as escaped text, or
    as JSON in a data block that the page's script writes with `textContent`; a content security policy lets only the
    page's own scripts run, by their hashes, and nothing be loaded. `limit` bounds the packed texts, in bytes.
    """
    folder = files("assay.page") / "templates"
    charts = ChartData()
    settings = {f"{name} = {signature}" for name, signature in _settings(report)}
    signatures = report.signatures.values()
    stem = any("stem=" in s and "stem=none" not in s and "stem=false" not in s for s in signatures)
    ordered = {name: report.metrics[name] for name in report.order}
    texts = pack_items(report.data, ordered, [t.human for t in report.trials], stem=stem, limit=limit)
    return (
        make_environment("assay.page")
        .get_template("page.html")
        .render(
            origin=origin or Origin(),
            report=report,
            facts=list_facts(report.check),
            answer=make_answer(report),
            first=_number_section(Section("answer", "", "", make_first_screen(report)), charts, settings)["parts"],
            sections=[_number_section(section, charts, settings) for section in make_sections(report)],
            settings=_settings(report),
            without_text=texts.without_text,
            names={
                "groups": texts.payload["groups"],
                "systems": report.data.systems,
                "scores": texts.payload["scores"],
            },
            unit=_unit(next(iter(report.order), "")),
            stem=stem,
            charts=charts.json(),
            items=escape_json(texts.payload),
            **page_code([(folder / name).read_text("utf-8") for name in _SCRIPTS]),
        )
    )


def _drop_settings(view: View, settings: Collection[str]) -> View:
    """Leave out the notes with the settings of metrics: the page lists them once, at its end."""
    return replace(view, notes=[note for note in view.notes if note not in settings])


def _number_section(section: Section, charts: ChartData, settings: Collection[str]) -> dict[str, Any]:
    """Return the section as the template draws it."""

    def number(part: View | Choice, k: int) -> dict[str, Any]:
        if isinstance(part, View):
            return number_view(_drop_settings(part, settings), charts)
        options = [
            (name, [number_view(_drop_settings(view, settings), charts) for view in views])
            for name, views in part.options
        ]
        return {"choice": f"{section.id}-{k}", "label": part.label, "options": options}

    parts = [number(part, k) for k, part in enumerate(section.parts)]
    return {"id": section.id, "title": section.title, "question": section.question, "parts": parts}


def _settings(report: Report) -> list[tuple[str, str]]:
    human = ((f"{t.human.name}{label_judges(t.human.judges)}", t.human.signature) for t in report.trials)
    return [*report.signatures.items(), *human]


def _unit(metric: str) -> str:
    """Return what the first metric counts, to be marked first: words, bigrams or the longest common subsequence."""
    name = metric.lower()
    if name.startswith(("rouge2", "lr-2", "bleu-2")):
        return "2"
    if name.startswith(("rougel", "rougew")):
        return "lcs"
    return "skip" if "skip" in name or name.startswith("rouges") else "1"
