"""Hooks for MkDocs: pages made from the code, and formulas as MathML.

Metrics and commands get their pages from their own docstrings and options, so that a page cannot say otherwise than
the program. Formulas become MathML when the site is built: browsers draw it without a script or a network.
"""

from __future__ import annotations

import argparse
import dataclasses
import inspect
import re
import sys
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from assay.cli.main import commands, load, make_parser
from assay.cli.schema import read_schema
from assay.component import format_value
from assay.errors import AssayError
from assay.metrics import METRICS, Metric, metric

sys.path.insert(0, str(Path(__file__).parent))  # the other files of this folder
from worked import worked_section

ROOT = Path(__file__).parent.parent
RESULTS = sorted((ROOT / "reproduce" / "results").glob("*.md"))  # of the reproductions, a page each
_DISPLAY = re.compile(r"^\$\$(.+?)\$\$$", re.S | re.M)
_INLINE = re.compile(r"\$`(.+?)`\$")
_SHIM = "https://unpkg.com/iframe-worker/shim"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the pages made from the code to the contents."""
    metrics, names = metric_pages(), command_pages()
    assert config.nav is not None
    place = next(i for i, entry in enumerate(config.nav) if "Data and systems" in entry)
    config.nav.insert(place, {"Metrics": ["metrics/index.md", *(f"metrics/{name}.md" for name in metrics)]})
    config.nav.append({"Results of the reproductions": [f"results/{path.name}" for path in RESULTS]})
    config.nav.insert(place + 1, {"Commands": [f"commands/{name}.md" for name in names]})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages themselves."""
    pages = {f"metrics/{name}.md": text for name, text in metric_pages().items()}
    pages |= {f"commands/{name}.md": text for name, text in command_pages().items()}
    pages["metrics/index.md"] = metric_list()
    pages["index.md"] = from_root("README.md")
    pages["changelog.md"] = from_root("CHANGELOG.md")
    pages["contributing.md"] = from_root("CONTRIBUTING.md")
    pages |= {f"results/{path.name}": path.read_text("utf-8") for path in RESULTS}
    for path, text in pages.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Turn formulas between dollar signs, as GitHub writes them, into MathML; results are pages of the site."""
    if page.file.src_uri == "json.md":
        markdown += record_kinds()
    markdown = markdown.replace("](../reproduce/results/", "](results/")
    markdown = _DISPLAY.sub(lambda m: "\n" + convert(_number_formula(m[1].strip()), display="block") + "\n", markdown)
    return _INLINE.sub(lambda m: f"<span>{convert(m[1])}</span>", markdown)  # a line may begin with it


def _number_formula(formula: str) -> str:
    """Move the number of an equation away from the formula; the converter would set it directly beside."""
    return re.sub(r"\\tag\{(\w+)\}", r"\\qquad\\qquad (\1)", formula)


def on_post_page(output: str, page: Page, **_: Any) -> str:
    """Take the script that lets the search run from disk from the site, not from a network."""
    ours = get_relative_url("assets/iframe-worker.js", page.file.url)
    return output.replace(_SHIM, ours)


def on_post_template(output_content: str, **_: Any) -> str:
    """Do the same for the page of errors (404)."""
    return output_content.replace(_SHIM, "assets/iframe-worker.js")


def from_root(name: str) -> str:
    """Return a page of the root folder as a page of the site: links into docs/ lose the folder."""
    text = (ROOT / name).read_text("utf-8")
    text = re.sub(r"\]\(docs/([^)]+)\)", r"](\1)", text)
    return re.sub(r"\]\((CHANGELOG|CONTRIBUTING)\.md\)", lambda m: f"]({m[1].lower()}.md)", text)


def record_kinds() -> str:
    """List the kinds of records with what each is."""
    rows = [f"| `{kind}` | {entry['description']} |" for kind, entry in read_schema()["$defs"].items()]
    return "\n".join(["", "| kind | what it is |", "|---|---|", *rows]) + "\n"


def families() -> dict[str, list[str]]:
    """Return the names that `assay metrics` lists, by the page that explains them."""
    names_by_family: dict[str, list[str]] = {}
    for name, _ in METRICS.examples():
        names_by_family.setdefault(type(metric(name)).__name__.lower(), []).append(name)
    return names_by_family


def metric_pages() -> dict[str, str]:
    """Make a page per metric class: what it is, its parameters, its names."""
    return {page: metric_page(names) for page, names in families().items()}


def metric_list() -> str:
    """List all metrics in one table."""
    lines = ["# All metrics", "", "| metric | |", "|---|---|"]
    for page, names in families().items():
        lines += [f"| [`{name}`]({page}.md) | {metric(name).summary()} |" for name in names]
    return "\n".join(lines) + "\n"


def metric_page(names: list[str]) -> str:
    """Make the page of one metric from its docstring and fields."""
    first = metric(names[0])
    own = inspect.cleandoc(type(first).__doc__ or "")
    text = [f"# {title(first)}", prose(own), *(prose(text, shared=True) for text in first.shared_docstrings())]
    better = "Higher" if first.higher_is_better else "Lower"
    text += [f"Needs {first.needs}. {better} is better.", worked_section(names)]
    text += ["## Parameters", parameters(first), "## Names"]
    text += ["| name | | signature |\n|---|---|---|\n" + "\n".join(row(name) for name in names)]
    return "\n\n".join(part for part in text if part) + "\n"


TITLES = {
    "bleu{n}": "BLEU",
    "depeval": "DEPEVAL",
    "tokenf1": "Token F1",
    "overlap": "Overlap grid",
    "relations": "Relations",
}


def title(built: Metric) -> str:
    """Return what is before the colon of the first line (TER, METEOR), or the name of the metric."""
    return built.summary().partition(":")[0] if ":" in built.summary() else TITLES.get(built.name, built.title)


def row(name: str) -> str:
    """Make one line of the table of names."""
    built = metric(name)
    return f"| `{name}` | {built.summary()} | `{built.signature()}` |"


def prose(text: str, *, shared: bool = False) -> str:
    """Return a docstring as Markdown: doctests fenced, equations with a number on lines of their own."""
    text = re.sub(r"(?m)^(\(\d+\w?\)) ", r"\n**\1** ", text)
    text = re.sub(r"(?m)^(\w+): ", r"\n`\1`: ", text) if shared else text
    blocks = re.split(r"\n\n+", text)
    return "\n\n".join(f"```python\n{b}\n```" if b.lstrip().startswith(">>>") else escape_cell(b) for b in blocks)


def escape_cell(text: str) -> str:
    """Signs that Markdown would take for its own."""
    return re.sub(r"(?<!\*)\*(?!\*)|(?<=\w)_(?=\w)|[<]", lambda m: "\\" + m[0], text)


def parameters(built: Metric) -> str:
    """List the fields with their defaults and the values that they take, as they are typed."""
    rows = [
        f"| `{f.name.rstrip('_')}` | `{format_value(getattr(built, f.name))}` | {escape_cell(allowed)} |"
        for f in dataclasses.fields(built)
        for allowed in (allowed_values(built, f.name),)
    ]
    return "| parameter | default | allowed |\n|---|---|---|\n" + "\n".join(rows) if rows else "None."


# What a parameter takes that any text is right for until it is used.
OPEN_VALUES = {
    "encoder": "minilm, or a folder with another model",
    "idf": "set, or a file with a document a line",
    "lexicon": "a file",
    "model": "en, a file that `assay lm train` wrote, or an ARPA file",
    "parser": "en, accurate, spacy:NAME (an installed pipeline or its folder), stanza:LANGUAGE or conllu:FILE",
    "stages": "exact, exact+stem, or with +synonym",
    "unit": "LR-n, SKIP-2, skipG, suG, PARSE-2, PARSE-2:NAME",
    "vectors": "distilled, glove, or a file of word vectors",
    "weights": "none, numbers as subj:2;obj:1, or a .json file",
}
_TRIED: dict[type, tuple[object, ...]] = {str: ("?",), int: (-7, 0, 10**7), float: (-7.0, 0.0, 1e8)}


def allowed_values(built: Metric, name: str) -> str:
    """Return what a parameter takes, as the error says it that refuses something else."""
    default = getattr(built, name)
    if isinstance(default, bool):
        return "true, false"
    for value in _TRIED[type(default)]:
        try:
            dataclasses.replace(built, **{name: value})  # type: ignore[arg-type]
        except AssayError as error:
            if allowed := read_allowed(str(error), name):
                return allowed
    return OPEN_VALUES.get(name, "any number" if not isinstance(default, str) else "")


def read_allowed(message: str, name: str) -> str:
    """Read the values that an error lists for a parameter.

    >>> read_allowed("unknown own of bleu '?' (there are skip, keep)", "own")
    'skip, keep'
    >>> read_allowed("meteor needs alpha and gamma between 0 and 1 and beta of 0 or more; got -1, 0, 0", "alpha")
    'between 0 and 1'
    """
    if listed := re.search(r"\((?:there are )?([^()]+)\)$", message):
        return listed[1]
    named = re.search(rf"needs? .*?\b{name}\b(?: and \w+)? (between \S+ and \d+|of 0 or more)", message)
    limits = re.search(r"must be (.+?); got", message)
    return named[1].removeprefix("of ") if named else limits[1] if limits else ""


def command_pages() -> dict[str, str]:
    """Make a page per command from its docstring and options."""
    return {name: command_page(name) for name in commands()}


def command_page(name: str) -> str:
    """Make the page of one command."""
    command = load(name)
    summary, _, examples = inspect.cleandoc(command.__doc__ or "").partition("\n\n")
    text = [f"# assay {name}", summary]
    if examples:
        text.append(f"```console\n{examples}\n```")
    actions = [a for a in make_parser(name, command)._actions if not isinstance(a, argparse._HelpAction)]
    rows = [f"| `{spelling(a)}` | {describe_option(a)} |" for a in actions]
    return "\n\n".join([*text, "| option | |\n|---|---|\n" + "\n".join(rows)]) + "\n"


def spelling(action: argparse.Action) -> str:
    """Return an option as it is typed."""
    value = action.metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest.upper())
    value = " ".join(value) if isinstance(value, tuple) else value
    if not action.option_strings:
        return str(value).replace("|", "\\|")
    return (", ".join(action.option_strings) + ("" if action.nargs == 0 else f" {value}")).replace("|", "\\|")


def describe_option(action: argparse.Action) -> str:
    """Return the help of an option."""
    return escape_cell((action.help or "").replace("%%", "%").replace("|", "\\|"))
