"""Who may import whom: the layers, read from the imports; `python tests/test_layers.py` writes CONTRIBUTING's table."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "assay"
BOTTOM = (
    "errors",
    "lazy",
    "registry",
    "cores",
    "printable",
    "extras",
    "_component_table",
    "plugins",
    "component",
    "files",
    "arrays",
    "patterns",
)

# A room: what it is for, and the rooms that it imports, no more and no fewer. Rooms stand below those that import them.
ROOMS: dict[str, tuple[str, set[str]]] = {
    "errors": ("every exception; the tree is its docstring", set()),
    "lazy": ("names of a package that are imported when first used", set()),
    "registry": ("services that a room uses from one above it, imported when they are first used", set()),
    "cores": ("how many cores may be used", set()),
    "printable": ("escapes what a terminal would obey or hide", set()),
    "extras": ("packages of extras, models and data files, or how to install them", {"errors"}),
    "_component_table": ("which file holds which component; made by tools/components.py", set()),
    "plugins": ("components of other installed packages, by entry points", {"errors"}),
    "component": ("name and parameters to and from text; listing a folder", {"_component_table", "errors", "plugins"}),
    "files": ("atomic writes, locks, safe paths", {"errors"}),
    "arrays": ("reads arrays from files that may be damaged or forged", {"errors"}),
    "patterns": ("regular expressions that cannot take forever", {"errors"}),
    "engines": (
        "how work is spread: threads, dask; tasks and manifests of large runs",
        {"arrays", "errors", "extras", "files", "lazy"},
    ),
    "data": ("evaluation sets, scores, ratings, results, views", {"errors", "files", "registry"}),
    "formats": (
        "one file per format; `_io` holds what they share",
        {"component", "data", "errors", "extras", "files", "lazy", "patterns"},
    ),
    "text": (
        "tokens, sentences, stems, parses, lexicons, vectors, language models, alignment",
        {"arrays", "component", "cores", "data", "errors", "extras", "files", "lazy"},
    ),
    "units": ("what is counted", {"errors", "text"}),
    "matching": (
        "batches, pooling, lattices, soft matching: the callers of the core's matching functions",
        {"data", "errors", "text", "units"},
    ),
    "metrics": (
        "one file per family, named as the metric",
        {"arrays", "component", "data", "errors", "files", "lazy", "matching", "text", "units"},
    ),
    "scoring": (
        "evaluation set x metrics to scores; streaming",
        {"cores", "data", "engines", "errors", "formats", "lazy", "matching", "metrics", "text"},
    ),
    "stats": ("pure functions on arrays", {"errors", "lazy"}),
    "comparison": ("which system is better", {"data", "errors", "lazy", "stats"}),
    "raters": ("can I trust the judges", {"data", "errors", "lazy", "stats"}),
    "pyramid": (
        "content units and the scores made of them",
        {"data", "errors", "lazy", "matching", "stats", "text"},
    ),
    "planning": ("how many items, raters and references", {"data", "errors", "raters", "stats"}),
    "corpus": (
        "questions about texts: describe, edits, fusion pairs",
        {"data", "errors", "formats", "lazy", "stats", "text"},
    ),
    "systems": (
        "compressors, fusers, summarizers, paraphrasers, compound splitters; never metrics: a system is given one",
        {"arrays", "component", "data", "engines", "errors", "extras", "files", "formats", "lazy", "patterns", "text"},
    ),
    "meta": (
        "can I trust the metric",
        {"comparison", "data", "errors", "lazy", "matching", "metrics", "scoring", "stats", "systems", "text"},
    ),
    "learning": (
        "fitting scorers to judges, with cross-validation",
        {"component", "data", "errors", "extras", "lazy", "meta", "metrics", "raters", "scoring", "stats", "text"},
    ),
    "study": (
        "the web app that collects judgments from people",
        {"component", "data", "errors", "extras", "files", "formats", "pyramid", "raters", "text"},
    ),
    "llm": (
        "LLM judges: prompts, endpoint client, cache, parsing, judge card",
        {"data", "engines", "errors", "extras", "files", "formats"},
    ),
    "testing": (
        "checks that must hold for every metric, format, system and learner",
        {"component", "data", "errors", "formats", "lazy", "learning", "metrics", "scoring", "systems"},
    ),
    "views": (
        "one file per question: from a result to what is shown of it",
        {
            "comparison",
            "corpus",
            "data",
            "errors",
            "extras",
            "files",
            "lazy",
            "learning",
            "llm",
            "meta",
            "planning",
            "pyramid",
            "printable",
            "raters",
            "scoring",
            "study",
            "systems",
            "text",
        },
    ),
    "page": (
        "the HTML report",
        {"comparison", "corpus", "data", "errors", "files", "meta", "planning", "pyramid", "raters", "text", "views"},
    ),
    "cli": ("one file per command; everything may be imported", set()),
}
# Sub-packages and modules that may import less, or are the only ones that may import something.
_PROBE = {"meta/probe.py"}
ONLY = {
    ("meta", "systems"): _PROBE,
    ("meta", "scoring"): _PROBE,
    ("meta", "metrics"): _PROBE,
    ("pyramid", "text"): {
        "pyramid/evidence.py",
        "pyramid/find_words.py",
    },  # suggestions are found by words, all else by annotation
}


def room_of(path: Path) -> str:
    room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    return "cli" if room == "__main__" else room  # it only calls the command line


def imports_of(path: Path) -> Iterator[str]:
    """The rooms that a file imports, those inside functions too."""
    package = ["assay", *path.relative_to(SOURCE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            full = [*base, *(node.module.split(".") if node.module else [])]
            if full[:1] == ["assay"]:
                yield from [full[1]] if len(full) > 1 else [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            yield from (a.name.split(".")[1] for a in node.names if a.name.startswith("assay."))


def private_imports(path: Path) -> Iterator[str]:
    """The modules and names beginning with _ that a file imports from another room."""
    package = ["assay", *path.relative_to(SOURCE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            full = [*package[: len(package) - node.level + 1], *(node.module.split(".") if node.module else [])]
            if len(full) > 1 and full[1] not in (room_of(path), *BOTTOM, "_core"):
                private = [part for part in [*full[2:], *(a.name for a in node.names)] if part.startswith("_")]
                yield from (f"{'.'.join(full)}: {part}" for part in private)


def imported_rooms(path: Path) -> set[str]:
    return set(imports_of(path)) - {"_core", "__version__", room_of(path)}


FILES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def test_every_room_is_listed():
    assert {room_of(path) for path in FILES} == set(ROOMS)


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_follow_the_layers(path):
    room = room_of(path)
    if room == "cli":
        return
    imported = imported_rooms(path)
    assert imported <= ROOMS[room][1]
    for other in imported:
        assert str(path.relative_to(SOURCE)) in ONLY.get((room, other), {str(path.relative_to(SOURCE))})


def test_no_permission_is_unused():
    for room, (_, allowed) in ROOMS.items():
        used = set().union(*(imported_rooms(path) for path in FILES if room_of(path) == room))
        assert room == "cli" or used == allowed, f"{room} may import {allowed - used}, but does not"


def test_no_room_reaches_into_the_private_modules_of_another():
    """What rooms share is public: a module without _, or a name that the package offers."""
    offences = {str(path.relative_to(SOURCE)): list(private_imports(path)) for path in FILES}
    assert {place: names for place, names in offences.items() if names} == {}


def test_no_room_has_the_name_of_a_public_function():
    import assay

    assert not set(ROOMS) & set(assay.__all__)
    for path in FILES:
        __import__(".".join(["assay", *path.relative_to(SOURCE).with_suffix("").parts]).removesuffix(".__init__"))
    assert all(callable(getattr(assay, name)) for name in assay.__all__)


def test_import_is_light():
    """`import assay` loads nothing heavy."""
    heavy = "{'numpy', 'scipy', 'pyarrow', 'msgspec', 'tqdm', 'Stemmer', 'spacy', 'pandas'}"
    code = f"import sys, assay; print(sorted({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def imports_above(room: str) -> set[str]:
    """The rooms that a room imports, those at the bottom aside; the command line imports those that no other does."""
    if room == "cli":
        return {name for name in ROOMS if name not in BOTTOM and name != "cli"}
    return ROOMS[room][1] - set(BOTTOM)


def reachable(room: str) -> set[str]:
    return {room}.union(*(reachable(other) for other in imports_above(room)))


def picture() -> str:
    """The rooms as a Mermaid graph: an arrow leads to each room that is not reached through another."""
    lines = ["```mermaid", "graph LR"]
    for room in ROOMS:
        direct = imports_above(room)
        through = set().union(*(reachable(other) - {other} for other in direct))
        lines += [f"  {other} --> {room}" for other in ROOMS if other in direct - through]
    return "\n".join([*lines, "```"])


def table() -> str:
    """The table of CONTRIBUTING; the rooms at the bottom, which all may import, in one row."""
    rows = [f"| {' '.join(f'`{room}`' for room in BOTTOM)} | see the first line of each | |"]
    for room, (purpose, _) in ROOMS.items():
        if room not in BOTTOM:
            names = ", ".join(f"`{name}`" for name in ROOMS if name in imports_above(room))
            rows.append(f"| `{room}` | {purpose} | {'everything' if room == 'cli' else names} |")
    return "\n".join(["| room | what is in it | imports, next to the first row |", "|---|---|---|", *rows])


def with_table(text: str) -> str:
    begin, end = "<!-- rooms -->\n", "<!-- /rooms -->"
    before, _, rest = text.partition(begin)
    return before + begin + picture() + "\n\n" + table() + "\n" + end + rest.partition(end)[2]


def test_contributing_has_the_table():
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert text == with_table(text), "run: python tests/test_layers.py"


if __name__ == "__main__":
    page = ROOT / "CONTRIBUTING.md"
    page.write_text(with_table(page.read_text("utf-8")), "utf-8")
