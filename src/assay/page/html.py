"""The page: one HTML file that holds everything, needs no network and runs nothing that a text brings along."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ..extras import import_extra
from ..printable import escape_hidden
from ..views._chart import COLOURS, Chart
from .blocks import Block, Choice, Section
from .findings import Findings
from .headline import cautions, headline
from .items import LIMIT, packed
from .sections import sections

if TYPE_CHECKING:
    from jinja2 import Environment

_VEGA = ("vega.min.js", "vega-lite.min.js", "vega-embed.min.js")
_SCRIPTS = ("match.js", "items.js", "page.js")


@dataclass(frozen=True)
class Origin:
    """Where the page comes from, so that it can be made again."""

    title: str = "Evaluation"
    command: str = ""
    source: str = ""
    version: str = ""


def page(found: Findings, origin: Origin | None = None, *, limit: int = LIMIT) -> str:
    """The page as a string, the same for the same findings.

    Texts, names and judgments come from files that anybody may have written. They reach the page as escaped text, or
    as JSON in a data block that the page's script writes with `textContent`; a content security policy lets only the
    page's own scripts run, by their hashes, and nothing be loaded. `limit` bounds the packed texts, in bytes.
    """
    origin = origin or Origin()
    made = sections(found)
    charts: dict[str, Any] = {}
    stem = any("stem=" in s and "stem=none" not in s and "stem=false" not in s for s in found.signatures.values())
    texts = packed(found.data, found.metrics, [t.human for t in found.trials], stem=stem, limit=limit)
    return _environment().get_template("page.html").render(
        origin=origin,
        found=found,
        facts=_facts(found),
        headline=headline(found),
        cautions=cautions(found),
        sections=[_numbered(section, charts) for section in made],
        settings=_settings(found),
        without_text=texts.without_text,
        names={"groups": texts.payload["groups"], "systems": found.data.systems, "scores": texts.payload["scores"]},
        unit=_unit(next(iter(found.metrics), "")),
        stem=stem,
        charts=_json({"charts": charts, "colours": list(COLOURS)}),
        items=_json(texts.payload),
        **_code(items=True),
    )  # fmt: skip


def chart_page(chart: Chart) -> str:
    """One chart and its table as a page of its own."""
    charts: dict[str, Any] = {}
    shown = Section("chart", chart.description, "", (Block("", (), chart, tuple(chart.columns)),))
    section = _numbered(shown, charts)
    return (
        _environment()
        .get_template("chart.html")
        .render(
            title=chart.description,
            section=section,
            charts=_json({"charts": charts, "colours": list(COLOURS)}),
            **_code(items=False),
        )
    )


def _numbered(section: Section, charts: dict[str, Any]) -> dict[str, Any]:
    """The section for the template, each chart put aside under a number."""

    def block(b: Block) -> dict[str, Any]:
        key = None
        if b.chart is not None:
            key = f"chart{len(charts) + 1}"
            charts[key] = {"description": b.chart.description, **b.chart.spec}
        return {"block": b, "chart": key, "rows": b.rows()}

    blocks = []
    for k, part in enumerate(section.blocks):
        if isinstance(part, Choice):
            options = [(name, [block(b) for b in inner]) for name, inner in part.options]
            blocks.append({"choice": f"{section.id}-{k}", "label": part.label, "options": options})
        else:
            blocks.append(block(part))
    return {"id": section.id, "title": section.title, "question": section.question, "blocks": blocks}


def _facts(found: Findings) -> list[tuple[str, str]]:
    data = found.data
    references = [len(item.references) for item in data]
    few, many = min(references), max(references)
    facts = [("items", f"{len(data):,}"), ("systems", f"{len(data.systems) - len(data.people):,}")]
    facts += [("references per item", f"{few}" if few == many else f"{few}–{many}")] if many else []
    facts += [("people among the systems", str(len(data.people)))] if data.people else []
    if found.trials:
        facts += [("raters", f"{len(data.raters):,}"), ("judged", ", ".join(t.human.name for t in found.trials))]
    return facts


def _settings(found: Findings) -> list[tuple[str, str]]:
    return [*found.signatures.items(), *((f"{t.human.name} (people)", t.human.signature) for t in found.trials)]


def _unit(metric: str) -> str:
    """What the first metric counts, to be marked at first: words, pairs of words or the longest common sequence."""
    name = metric.lower()
    if name.startswith(("rouge2", "lr-2", "bleu-2")):
        return "2"
    if name.startswith(("rougel", "rougew")):
        return "lcs"
    return "skip" if "skip" in name or name.startswith("rouges") else "1"


def _json(value: Any) -> Any:
    """JSON that ends no script and opens no comment."""
    from markupsafe import Markup

    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c").encode("utf-8", "replace").decode())  # the policy runs no data block


@cache
def _environment() -> Environment:
    jinja2 = import_extra("jinja2", "report", "the report")
    where = jinja2.FileSystemLoader(str(files("assay.page") / "templates"))
    environment: Environment = jinja2.Environment(
        loader=where, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        finalize=_shown,
    )  # fmt: skip
    return environment


def _shown(value: Any) -> Any:
    """Names and sentences without what would hide or turn the words around them; the page's own code as it is."""
    from markupsafe import Markup

    return escape_hidden(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _code(*, items: bool) -> dict[str, Any]:
    """Scripts, style and the policy that lets these scripts run and no other."""
    from markupsafe import Markup

    room = files("assay.page")
    vega = [(room / "assets" / "vega" / name).read_text("utf-8") for name in _VEGA]
    own = [(room / "templates" / name).read_text("utf-8") for name in (_SCRIPTS if items else _SCRIPTS[-1:])]
    scripts = ["\n".join(own), *vega]
    hashes = " ".join(f"'sha256-{_hash(script)}'" for script in scripts)
    policy = (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; "
        "form-action 'none'"
    )
    style = (room / "templates" / "page.css").read_text("utf-8")
    return {
        "policy": Markup(policy),
        "style": Markup(style),
        "script": Markup(scripts[0]),
        "libraries": [Markup(script) for script in vega],
    }


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
