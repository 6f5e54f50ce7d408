"""Public names: listed once, loaded when first used, known to type checkers."""

from __future__ import annotations

import ast
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import assay
from assay import formats


@pytest.mark.parametrize("name", assay.__all__)
def test_every_public_name_resolves(name):
    assert getattr(assay, name).__name__ == name


SOURCE = Path(assay.__file__).parent
LAZY = [path.parent for path in sorted(SOURCE.rglob("__init__.py")) if "lazy_names(" in path.read_text("utf-8")]


@pytest.mark.parametrize("package", [".".join(["assay", *path.relative_to(SOURCE).parts]) for path in LAZY])
def test_type_checkers_read_the_same_names(package):
    """The block under TYPE_CHECKING and the table: the same names from the same modules."""
    module = importlib.import_module(package)
    tree = ast.parse(inspect.getsource(module))
    [block] = [node for node in tree.body if isinstance(node, ast.If)]
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    homes = {alias.name: "." * node.level + (node.module or "") for node in imports for alias in node.names}
    [call] = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and "lazy_names" in ast.unparse(node.func)]
    table = ast.literal_eval(call.args[1])
    assert {name: home for home, names in table.items() for name in names.split()} == homes
    assert module.__all__ == sorted(homes)


def test_dir_and_star_list_the_public_names():
    assert {"EvalSet", "score", "compare", "__version__"} <= set(dir(assay))
    namespace: dict[str, object] = {}
    exec("from assay import *", namespace)
    assert set(assay.__all__) <= set(namespace)


def test_what_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'assay' has no attribute 'scor'"):
        assay.scor  # type: ignore[attr-defined]  # noqa: B018


def test_names_of_a_room_resolve():
    for name in ("from_lines", "read_scores", "read_units", "documents", "text_pairs", "text_lines", "ScoreWriter"):
        assert getattr(formats, name).__name__ == name


@pytest.mark.parametrize("first", ["assay.meta.correlate", "assay.meta"])
def test_a_name_that_is_also_a_module_is_what_the_module_holds(first):
    code = f"import {first}; from assay.meta import correlate; import assay.meta.decisions; print(correlate.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "correlate\n"


def test_import_loads_no_room():
    """`import assay` costs nothing: only the package and what makes its names lazy."""
    code = "import sys, assay; print(sorted(name for name in sys.modules if name.startswith('assay')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['assay', 'assay.lazy']\n"


@pytest.mark.parametrize(
    ("name", "unneeded"),
    [
        ("correlate", {"numpy.random", "scipy", "assay._core", "assay.matching", "assay.units"}),
        ("compress", {"numpy", "assay._core", "assay.text.texts", "assay.text.sentences"}),
    ],
)
def test_a_name_loads_only_what_it_needs(name, unneeded):
    code = f"import sys, assay; assay.{name}; print(*({unneeded!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
