"""Rules of the house that a reader relies on; each is short, and its docstring gives the reason."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from assay.component import Folder

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "assay"
TESTS = ROOT / "tests"
FILES = sorted(SOURCE.rglob("*.py"))

# Names that do not say what a value, a function or a module is.
REFUSED = {"asked", "brought", "chosen", "done", "found", "given", "gone", "held", "kept", "made"}
REFUSED |= {"mine", "said", "seen", "shown", "taken", "told"}
REFUSED_MODULES = {"calls", "describing", "found", "given", "lesson", "material", "modern", "needed"}
REFUSED_MODULES |= {"nulls", "probing", "shown", "spec", "utils", "words", "years"}
PARTICIPLES = REFUSED - {"mine"} | {"built", "drawn", "known", "left", "sent", "sought", "thrown", "written"}
NOT_PARTICIPLES = {"embed", "feed", "need", "seed", "speed"}


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def place(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def is_participle(name: str) -> bool:
    """Whether a function's name is one word, and that a participle: `gathered`, `_shown`.

    >>> [is_participle(name) for name in ("gathered", "_shown", "pack_ratings", "embed", "means")]
    [True, True, False, False, False]
    """
    word = name.strip("_")
    return word in PARTICIPLES or (word.endswith("ed") and "_" not in word and word not in NOT_PARTICIPLES)


def is_property(node: ast.FunctionDef) -> bool:
    return any("property" in ast.unparse(decorator) for decorator in node.decorator_list)


def refused_names(path: Path) -> Iterator[str]:
    """Functions that are bare participles, and variables, parameters and functions with refused names."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef) and not is_property(node) and is_participle(node.name):
            yield f"{place(path)}:{node.lineno} def {node.name}"
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id.strip("_") in REFUSED:
            yield f"{place(path)}:{node.lineno} {node.id}"
        elif isinstance(node, ast.arg) and node.arg.strip("_") in REFUSED:
            yield f"{place(path)}:{node.lineno} parameter {node.arg}"


def test_functions_are_verbs_or_quantities_and_values_are_nouns():
    """A reader guesses what a name holds without opening its definition."""
    offences: dict[str, list[str]] = defaultdict(list)
    for path in FILES:
        offences[room_of(path)] += sorted(set(refused_names(path)))
    assert not {room: lines for room, lines in offences.items() if lines}


def test_modules_are_named_by_what_is_searched_for():
    """A module is found by the term for what is in it."""
    refused = {str(path.relative_to(SOURCE)) for path in FILES if path.stem.strip("_") in REFUSED_MODULES}
    assert refused <= {"text/vectors/words.py"}


def public_classes() -> dict[str, list[Path]]:
    classes: dict[str, list[Path]] = defaultdict(list)
    for path in FILES:
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes[node.name].append(path)
    return classes


def test_a_public_class_name_occurs_once():
    """Searching for a class finds one definition, and error messages name one type."""
    offences: dict[str, list[str]] = defaultdict(list)
    for name, paths in public_classes().items():
        for path in paths if len(paths) > 1 else ():
            offences[room_of(path)].append(f"{name} in {place(path)}")
    assert not {room: lines for room, lines in offences.items() if lines}


def test_formatting_is_left_to_the_formatter():
    """Nobody discusses layout; tables in tests that line up are the exception."""
    offences: dict[str, list[str]] = defaultdict(list)
    folders = ("src", "tests", "benchmarks", "reproduce", "training", "tools", "docs")
    for path in sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if re.search(r"#\s*fmt:\s*(skip|off)", line):
                key = room_of(path) if path.is_relative_to(SOURCE) else path.relative_to(ROOT).parts[0]
                offences[key].append(f"{place(path)}:{number}")
    assert not {room: lines for room, lines in offences.items() if lines}


OUTSIDE = re.compile(
    r"\b(DESIGN|STYLE)\.md|/work/|\.\./shared/(?!data\b|golden\b)|\b[Ii]ssue \d+\b"
    r"|\bspec(ification)? E\d|(?<![\w.])E[1-9]\d?(?= and E\d|[.:,;)]| and\b)(?!\d)"
)


def tracked() -> list[Path]:
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    endings = (".py", ".md", ".cpp", ".hpp", ".inc", ".toml", ".yml", ".yaml", ".cff", "Makefile")
    return [ROOT / name for name in names.splitlines() if name.endswith(endings) and (ROOT / name).exists()]


def test_nothing_cites_a_file_outside_the_repository():
    """A reader has the repository and the papers; the data folder is the one place outside that code looks at."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs the git checkout")
    lines = [
        f"{place(path)}:{number} {line.strip()[:80]}"
        for path in tracked()
        for number, line in enumerate(path.read_text("utf-8", errors="replace").splitlines(), 1)
        if OUTSIDE.search(line) and path != Path(__file__)
    ]
    assert lines == []


def module_name(path: Path) -> str:
    return ".".join(["assay", *path.relative_to(SOURCE).with_suffix("").parts]).removesuffix(".__init__")


def top_imports(path: Path, modules: set[str]) -> set[str]:
    """Modules of assay that importing this file imports, its own packages aside."""
    package = module_name(path).split(".")[: None if path.name == "__init__.py" else -1]
    imported = set()
    for node in tree_of(path).body:
        if isinstance(node, ast.ImportFrom):
            base = [*package[: len(package) - node.level + 1], *(node.module or "").split(".")] if node.level else []
            full = ".".join(part for part in base if part) or (node.module or "")
            imported |= {f"{full}.{a.name}" if f"{full}.{a.name}" in modules else full for a in node.names}
    return (imported & modules) - {module_name(path)}


def cycle_in(graph: dict[str, set[str]]) -> list[str]:
    """One cycle of imports, or nothing.

    >>> cycle_in({"a": {"b"}, "b": {"a"}, "c": {"a"}}), cycle_in({"a": {"b"}, "b": set()})
    (['a', 'b'], [])
    """
    left = {name: set(others) for name, others in graph.items()}
    while leaves := [name for name, others in left.items() if not others & left.keys()]:
        for name in leaves:
            del left[name]
    used = set().union(*left.values()) if left else set()
    return sorted(name for name in left if name in used)


def test_no_modules_import_each_other():
    """A module can be read, tested and loaded before those that use it."""
    names = {module_name(path) for path in FILES}
    assert cycle_in({module_name(path): top_imports(path, names) for path in FILES}) == []


# Tests of what holds for a whole room or between rooms, of things that are no modules, and of long modules in parts.
ACROSS = frozenset(
    [
        "consistency/test_consistency.py",
        "cli/test_hostile.py",
        "cli/test_json.py",
        "cli/test_terminal.py",
        "cli/test_pages.py",
        "formats/test_bounds.py",
        "formats/test_formats.py",
        "engines/test_faults.py",
        "engines/test_object_store.py",
        "engines/test_ray.py",
        "formats/test_formulas.py",
        "formats/test_bridge_fuzz.py",
        "formats/test_fuzz.py",
        "formats/test_pipes.py",
        "formats/test_roundtrip.py",
        "formats/test_spellings.py",
        "llm/test_real_model.py",
        "metrics/test_contract.py",
        "systems/compress/test_contract.py",
        "systems/test_default_models.py",
        "stats/test_default_tests.py",
        "stats/test_imports.py",
        "study/test_load.py",
        "study/test_protocols_over_http.py",
        "study/test_versions.py",
        "stats/test_simulations.py",
        "test_benchmarks.py",
        "test_core.py",
        "test_house.py",
        "test_layers.py",
        "test_platforms.py",
        "test_quotes.py",
        "test_reproduce.py",
        "test_roads.py",
        "test_training.py",
        "test_training_encoder.py",
    ]
)
OTHER_FOLDERS = frozenset(["bad_input", "browser", "docs", "faults", "fuzz", "installed", "tools"])


def modules_tested_by(path: Path) -> list[Path]:
    """Where the module that a test file tests may stand: b.py, its helper _b.py, or the package b."""
    inside = path.relative_to(TESTS)
    folder, stem = SOURCE / inside.parent, inside.stem.removeprefix("test_")
    return [folder / f"{stem}.py", folder / f"_{stem}.py", folder / stem, folder / f"_{stem}"]


def test_every_test_stands_where_its_module_does():
    """The test of a module is found without searching."""
    tests = (path for path in TESTS.rglob("test_*.py") if path.relative_to(TESTS).parts[0] not in OTHER_FOLDERS)
    homeless = {
        str(path.relative_to(TESTS)) for path in tests if not any(module.exists() for module in modules_tested_by(path))
    }
    assert {name for name in homeless if not name.endswith("/test_answers.py")} == ACROSS  # those are of a whole room


def test_every_public_module_has_its_test():
    """The test of a module is found without searching; helpers that start with _ are tested by those who use them."""
    offences: dict[str, list[str]] = defaultdict(list)
    for path in FILES:
        inside = path.relative_to(SOURCE)
        private = any(part.startswith("_") for part in inside.parts)
        if not private and not (TESTS / inside.parent / f"test_{path.name}").exists():
            offences[room_of(path)].append(str(inside))
    assert not {room: lines for room, lines in offences.items() if lines}


def component_folders() -> Iterator[Folder[Any]]:
    """Every Folder of components that a module of the package defines."""
    for path in FILES:
        for node in tree_of(path).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("Folder("):
                yield getattr(importlib.import_module(module_name(path)), ast.unparse(node.targets[0]))


FOLDERS = {folder.kind: folder for folder in component_folders()}
ALLOWED_MODULES = {"assay.metrics.learned"}


@pytest.mark.parametrize("kind", FOLDERS)
def test_a_listing_folder_holds_components_and_helpers(kind):
    """The files of a folder are the list of components."""
    folder = FOLDERS[kind]
    listed = {cls.__module__ for cls in folder.classes}
    public = {module for module in folder.modules if not module.split(".")[-1].startswith("_")}
    assert public - listed - ALLOWED_MODULES == set()


def test_every_file_of_the_command_line_is_a_command_or_a_helper():
    """The files of a folder are the list of components."""
    for path in (SOURCE / "cli").glob("[!_]*.py"):
        assert path.name == "main.py" or "SUMMARY = " in path.read_text("utf-8"), path.name


@pytest.mark.parametrize("kind", FOLDERS)
def test_every_component_has_a_test(kind):
    """Nothing is listed to users that no one tried."""
    folder = FOLDERS[kind]
    room = TESTS / folder.package.split(".")[1]
    text = "\n".join(path.read_text("utf-8") for path in room.rglob("test_*.py"))
    assert [name for name in folder.names if name.partition("{")[0] not in text] == []


# Who may open files: formats (what users give), files (writing), and those that read models, lexicons, templates and
# the example sets and the schema of the package.
READERS = re.compile(
    r"formats/.*|files\.py|arrays\.py|extras\.py|text/.*|page/html\.py|views/_draw/html\.py|systems/.*/_\w+\.py|systems/compress/\w+/\w+\.py"
    r"|metrics/_scorer_files\.py|metrics/_weights\.py|metrics/source\.py|units/frames\.py|cli/(?:example|schema)\.py"
    r"|study/folder\.py|engines/(?:storage|task)\.py|planning/components\.py|llm/rubric\.py"
)
OPENING = frozenset(["open", "read_text", "read_bytes"])


def opened_files(path: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in OPENING and not ast.unparse(node.func).startswith("os."):
                yield f"{place(path)}:{node.lineno} {ast.unparse(node.func)}"


def test_input_comes_in_through_formats():
    """Every format, gzip, standard input and the checks against hostile files then work for every command."""
    others = [path for path in FILES if not READERS.fullmatch(str(path.relative_to(SOURCE)))]
    assert [line for path in others for line in opened_files(path)] == []


def test_every_table_of_figures_names_its_command():
    """A reader can print each figure again."""
    performance = (ROOT / "docs" / "performance.md").read_text("utf-8")
    for name, first in re.findall(r"<!-- bench: (\w+) -->\n```text\n([^\n]*)", performance):
        assert name == "machine" or first.startswith(f"$ python benchmarks/run.py {name}"), name
        assert name == "machine" or (ROOT / "benchmarks" / f"{name}.py").exists(), name
    for path in (ROOT / "reproduce" / "results").glob("*.md"):
        assert f"`python reproduce/{path.stem}.py`" in path.read_text("utf-8"), path
        assert (ROOT / "reproduce" / f"{path.stem}.py").exists(), path
