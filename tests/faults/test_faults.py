"""Every operation on files fails once, and the power fails after each: the old or the new content stays, whole."""

from __future__ import annotations

import ast
import importlib.util
import re
import shutil
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src" / "assay"

_spec = importlib.util.spec_from_file_location("faults_count", HERE / "count.py")
assert _spec is not None
assert _spec.loader is not None
count = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(count)

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or not (shutil.which("gcc") or shutil.which("cc")),
    reason="needs Linux and a C compiler",
)
# Faster ones for every run of the tests; `python tests/faults/count.py` and the slow test run all.
FEW = ("score, jsonl", "score, csv.gz", "score, parquet", "score of a parquet file", "write, lines", "lm train, npz")


def cases(*names: str) -> list[str]:
    return [argument for name in names for argument in ("--case", name)]


def test_every_fault_is_survived():
    found = count.run(*cases(*FEW))
    assert found["failures"] == []
    for row in found["rows"]:
        kinds = ("open", "write", "read", "fsync", "rename", "link", "close", "crash")
        assert all(row[kind] > 0 for kind in kinds), row
        assert row["allocation"] > 5


def test_every_fault_is_survived_where_files_need_a_name():
    found = count.run("--named", *cases("score, jsonl", "write, lines"))
    assert found["failures"] == []
    assert {row["link"] for row in found["rows"]} == {0}


@pytest.mark.slow
def test_every_fault_of_every_command_is_survived():
    found = count.run()
    assert found["failures"] == []
    assert sum(sum(n for n in row.values() if isinstance(n, int)) for row in found["rows"]) > 1500


@pytest.mark.parametrize(
    ("without", "said"), [("file", "leaves a torn file"), ("folder", "it is not on disk yet")], ids=["file", "folder"]
)
def test_a_missing_fsync_is_noticed(without, said):
    """The model of the disk sees it if the content, or the name, is not brought to disk."""
    found = count.run("--without-fsync", without, *cases("score, jsonl", "write, lines"))
    for case in ("score, jsonl", "write, lines"):
        assert any(failure.startswith(case) and said in failure for failure in found["failures"]), found["failures"]


def test_the_page_has_every_command():
    page = (HERE.parents[1] / "docs" / "robustness.md").read_text("utf-8")
    names = re.findall(r'Case\(\s*"([^"]+)"', (HERE / "cases.py").read_text("utf-8"))
    rows = re.findall(r"^\| ([^|*]+) \| \d", page, re.M)
    assert len(names) > 10
    assert rows == names, "run: .venv/bin/python tests/faults/count.py --write docs/robustness.md"


# Scratch files that no one keeps may be written otherwise.
SCRATCH = {"formats/_io/disk_sort.py", "formats/_io/pipes.py", "text/align/eflomal.py"}
# SQLite writes the copy itself, which gets its name when it is whole; a lock file holds nothing.
SCRATCH |= {"study/backup.py", "study/folder.py"}
# A journal grows by whole lines and is read again to its last whole one; an answer is on disk before it counts.
SCRATCH |= {"llm/journal.py"}
# What a format must refuse is put into the folder that its author gave for the check.
SCRATCH |= {"testing/formats.py"}


def written_by_hand(path: Path) -> list[str]:
    """Calls that write a file by its name: all of them belong in files.py."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        owner = (
            function.value.id if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) else ""
        )
        modes = [
            a.value
            for a in (*node.args, *(k.value for k in node.keywords))
            if isinstance(a, ast.Constant) and isinstance(a.value, str)
        ]
        if name == "open" and any(set(mode) <= set("rwaxbt+") and set(mode) & set("wax+") for mode in modes):
            found.append(f"line {node.lineno}: open for writing")
        elif name in ("write_text", "write_bytes", "mkstemp", "NamedTemporaryFile") or (
            owner == "os" and name in ("replace", "rename", "fsync", "write")
        ):
            found.append(f"line {node.lineno}: {name}")
        elif name in ("savez", "savez_compressed", "save") and owner == "np":
            target = node.args[0]
            if not (isinstance(target, ast.Name) and target.id in ("file", "packed", "held")):
                found.append(f"line {node.lineno}: {name} to a path")
    return found


def test_the_check_of_writing_sees_it(tmp_path):
    calls = ("open(p, 'w')", "os.replace(a, b)", "Path(p).write_text(t)", "open(p)", "np.savez(path, a=a)")
    (tmp_path / "x.py").write_text("\n".join(calls))
    assert len(written_by_hand(tmp_path / "x.py")) == 4


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda p: str(p.relative_to(SOURCE)))
def test_files_are_written_in_one_place(path):
    if str(path.relative_to(SOURCE)) not in SCRATCH | {"files.py"}:
        assert written_by_hand(path) == [], "use assay.files.whole_file, whole_folder or write_whole"
