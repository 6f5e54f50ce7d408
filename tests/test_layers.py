"""Who may import whom: the layers of the design, read from the imports."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "assay"

# A room may import the rooms named here (and itself). The core stands below everything.
ALLOWED = {
    "errors": set(),
    "printable": set(),
    "component": {"errors"},
    "extras": {"errors"},
    "files": {"errors"},
    "arrays": {"errors"},
    "shown": {"errors"},
    "sequences": {"errors"},
    "scores": {"errors", "shown"},
    "ratings": {"errors"},
    "item": {"errors", "sequences"},
    "evalset": {"errors", "item", "ratings", "scores", "sequences", "shown"},
    "text": {"arrays", "errors", "evalset", "extras", "files"},
    "units": {"errors", "evalset", "text"},
    "metrics": {"component", "errors", "evalset", "scores", "text", "units"},
    "run": {"errors"},
    "systems": {"component", "arrays", "errors", "evalset", "extras", "files", "scores", "text"},
    "edits": {"errors", "evalset", "scores", "stats", "text"},
    "formats": {"errors", "evalset", "extras", "files", "scores"},
    "stats": {"errors"},
    "meta": {"errors", "scores", "shown", "stats"},
    "judges": {"errors", "ratings", "scores", "shown", "stats"},
    "learned": {
        "arrays",
        "component",
        "errors",
        "evalset",
        "extras",
        "files",
        "formats",
        "metrics",
        "scores",
        "text",
        "units",
    },
    "scoring": {"errors", "evalset", "scores", "text", "units", "metrics", "run", "formats", "learned"},
    "learning": {"errors", "evalset", "scores", "metrics", "learned", "scoring", "stats", "meta", "judges"},
    "probing": {"errors", "evalset", "scores", "text", "metrics", "learned", "scoring", "stats", "systems"},
    "describing": {"errors", "evalset", "text", "stats", "formats"},
    "report": {
        "extras",
        "errors",
        "printable",
        "files",
        "evalset",
        "scores",
        "ratings",
        "shown",
        "text",
        "meta",
        "judges",
        "stats",
        "edits",
    },
    "cli": None,  # sits on top
    "__init__": None,
}


def room(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    rooms: set[str] = set()
    package = ["assay", *path.relative_to(SOURCE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            full = [*base, *(node.module.split(".") if node.module else [])]
            if full[:1] == ["assay"]:
                rooms |= {full[1]} if len(full) > 1 else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            rooms |= {a.name.split(".")[1] for a in node.names if a.name.startswith("assay.")}
    return rooms - {"_core", "__version__"}


def test_every_room_is_named():
    rooms = {room(p) for p in SOURCE.rglob("*.py")}
    assert rooms <= set(ALLOWED), f"say in ALLOWED what {rooms - set(ALLOWED)} may import"


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_follow_the_layers(path):
    mine = room(path)
    allowed = ALLOWED[mine]
    if allowed is not None:
        assert imported_rooms(path) - {mine} <= allowed


def test_import_is_light():
    """`import assay` loads numpy at most, and in much less than 0.3 s of CPU."""
    code = (
        "import sys, time; t = time.process_time(); import assay; t = time.process_time() - t;"
        "heavy = {'scipy', 'pyarrow', 'msgspec', 'tqdm', 'Stemmer', 'spacy', 'pandas'} & set(sys.modules);"
        "print(t, sorted(heavy))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    seconds, heavy = out.split(" ", 1)
    assert heavy.strip() == "[]"
    assert float(seconds) < 0.3
