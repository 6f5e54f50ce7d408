"""Hooks for MkDocs: the notebooks as pages, with what their cells show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

FOLDER = Path(__file__).parent / "notebooks"
ORDER = ("scoring", "meta-evaluation", "judges")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the pages to the contents, before the Python reference."""
    assert config.nav is not None
    place = next(i for i, entry in enumerate(config.nav) if "Data and systems" in entry)
    config.nav.insert(place, {"Notebooks": [f"notebooks/{name}.md" for name in ORDER]})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages themselves."""
    for name in ORDER:
        files.append(File.generated(config, f"notebooks/{name}.md", content=notebook_page(FOLDER / f"{name}.ipynb")))
    return files


def notebook_page(path: Path) -> str:
    """Return a notebook as Markdown, with a link to the file."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    title, *rest = [cell_markdown(cell) for cell in cells]
    return "\n\n".join([title, f"[The notebook]({path.name}) to download and run.", *rest]) + "\n"


def cell_markdown(cell: dict[str, Any]) -> str:
    """Return a cell: its text, or its code and what it shows."""
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return source
    return "\n\n".join([f"```python\n{source}\n```", *map(output_markdown, cell["outputs"])])


def output_markdown(output: dict[str, Any]) -> str:
    """Return what a cell shows: a table as HTML, anything else as text."""
    data = output.get("data", {})
    if html := data.get("text/html"):
        lines = (line.strip() for line in "".join(html).splitlines())
        return '<div class="notebook">' + " ".join(line for line in lines if line) + "</div>"
    return f"```text\n{''.join(data.get('text/plain') or output.get('text') or '').rstrip()}\n```"
