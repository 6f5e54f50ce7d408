"""Hooks for MkDocs: the API reference, a page per room, made by mkdocstrings from the docstrings.

As a griffe extension it writes docstrings as Markdown: doctests in code blocks, signs that Markdown would take for its
own escaped.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

# Page -> what it is for; the names on it are those that the module exports.
PAGES = {
    "assay": "What `import assay` gives. Each result has `.records()`, `.to_pandas()`, `.to_polars()`, prints as the "
    "command does, and is shown as tables in a notebook.",
    "assay.data.result": "What all results have in common.",
    "assay.comparison": "Which system is better?",
    "assay.meta": "Can I trust the metric?",
    "assay.raters": "Can I trust the judges?",
    "assay.corpus": "What is in the texts?",
    "assay.pyramid": "Content units.",
    "assay.learning": "Metrics trained on judgments.",
    "assay.scoring": "Scoring in pieces, for sets that do not fit into memory.",
    "assay.systems.compress": "Compressors.",
    "assay.systems.fuse": "Fusers.",
    "assay.metrics": "Metrics as objects; [all metrics](../metrics/index.md) have pages of their own.",
    "assay.testing": "Checks of components in [packages of your own](../add-your-own.md).",
    "assay.stats": "The statistics behind it, as functions on arrays.",
    "assay.errors": "What is raised.",
}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the pages to the contents, before the background."""
    assert config.nav is not None
    place = next(i for i, entry in enumerate(config.nav) if "Background" in entry)
    config.nav.insert(place, {"Python": ["dataframes.md", *(f"api/{module}.md" for module in PAGES)]})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages themselves."""
    for module, purpose in PAGES.items():
        files.append(File.generated(config, f"api/{module}.md", content=api_page(module, purpose)))
    return files


def api_page(module: str, purpose: str) -> str:
    """Make the page of a module: functions first, then classes."""
    objects = dict(public_objects(module))
    order = sorted(objects, key=lambda name: (isinstance(objects[name], type), name.lower()))
    paths = [f"{objects[name].__module__}.{objects[name].__qualname__}" for name in order]
    return "\n\n".join([f"# {module}", purpose, *map(_directive, paths)]) + "\n"


def _directive(path: str) -> str:
    """Write what mkdocstrings replaces; `score` is called in two ways, which only its overloads show."""
    return f"::: {path}" + ("\n    options:\n      show_overloads: true" if path == "assay.scoring.score.score" else "")


def public_objects(module: str) -> Iterator[tuple[str, Any]]:
    """List the functions and classes that a module exports, or that it and its parts define where it exports none."""
    loaded = importlib.import_module(module)
    exported = getattr(loaded, "__all__", None)
    for name in exported or vars(loaded):
        value = getattr(loaded, name)
        own = exported or getattr(value, "__module__", "") == module
        if own and not name.startswith("_") and (inspect.isclass(value) or inspect.isfunction(value)):
            yield name, value
    for part in () if exported else pkgutil.iter_modules(getattr(loaded, "__path__", ())):
        if not part.name.startswith("_"):
            yield from public_objects(f"{module}.{part.name}")


class MarkdownDocstrings(griffe.Extension):
    """Writes every docstring as Markdown."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of an object, where it has one."""
        if obj.docstring is not None:
            obj.docstring.value = "\n\n".join(map(_block, re.split(r"\n\n+", obj.docstring.value)))


def _block(text: str) -> str:
    """Return a paragraph, a doctest or a drawing of a docstring as Markdown."""
    if text.lstrip().startswith((">>>", "AssayError ", "AssayWarning ")):
        return f"```{'pycon' if '>>>' in text else 'text'}\n{inspect.cleandoc(text)}\n```"
    text = re.sub(r"(?m)^(\(\d+\w?\)) ", r"\n**\1** ", text)  # equations with a number
    text = re.sub(r"(?m)^(\w+): ", r"\n`\1`: ", text)  # parameters
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"[*_<\[\]|]", r"\\\g<0>", part) for part in parts)
