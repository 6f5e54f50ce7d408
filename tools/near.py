"""Find the tests of a module, and run those of what changed since main: `make near`.

    python tools/near.py             the files that git says changed since main
    python tools/near.py FILE ...    these files

A module is tested by the file that mirrors it; where its room has tests of every component (test_contract.py), they
run for the components that the changed files declare. A change of one metric, view or format takes seconds.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = Path("src", "assay")
OPTIONS = ("-q", "-m", "not slow", "-p", "no:cacheprovider")
_NAME = re.compile(r"^    name(?:: ClassVar\[str\])? = \"([\w.+-]+)", re.MULTILINE)  # of a component
NO_TESTS = 5  # pytest's exit code where nothing was selected


def mirrored_tests(root: Path, module: Path) -> list[Path]:
    """Return the test files that mirror a module, nearest first.

    `a/_b.py` is tested by `test_b.py`, or by what tests the package that it helps: `a/_b/c.py` by `a/test_b.py`.
    """
    inside = module.relative_to(SOURCE)
    folder, stem = root / "tests" / inside.parent, inside.stem
    names = [stem, stem.strip("_")] if stem != "__init__" else []
    places = [folder / f"test_{name}.py" for name in names]
    if inside.parent != Path():
        above = inside.parent.name
        places += [folder.parent / f"test_{name}.py" for name in (above, above.strip("_"))]
    return [path for path in dict.fromkeys(places) if path.exists()]


def room_tests(root: Path, module: Path) -> list[Path]:
    """Return the test files of a module's room, those that name the module most often first, then the smallest."""
    room = module.relative_to(SOURCE).parts[0]
    folder = root / "tests" / room
    files = folder.rglob("test_*.py") if folder.is_dir() else root.glob(f"tests/test_{room.removesuffix('.py')}.py")
    stem = module.stem if module.stem != "__init__" else module.parent.name
    return sort_by_mentions(files, stem.strip("_"))


def sort_by_mentions(files: Iterable[Path], name: str) -> list[Path]:
    """Sort files by how often they hold a name, then by size."""
    texts = {path: path.read_text("utf-8") for path in files}
    pattern = re.compile(rf"(?<![a-z]){re.escape(name)}(?![a-z])")
    return sorted(texts, key=lambda path: (-len(pattern.findall(texts[path])), len(texts[path]), path))


def changed_files(root: Path) -> list[Path]:
    """List the Python files that differ from main, those that git does not know yet included."""
    base = _git(root, "merge-base", "HEAD", "main")[0]
    files = {*_git(root, "diff", "--name-only", base), *_git(root, "ls-files", "--others", "--exclude-standard")}
    return sorted(path for path in map(Path, files) if path.suffix == ".py" and (root / path).exists())


def _git(root: Path, *arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


def near_tests(root: Path, files: Iterable[Path]) -> list[Path]:
    """List the test files among these files, and those that mirror the modules among them."""
    tests: list[Path] = []
    for path in files:
        if path.parts[0] == "tests" and path.name.startswith("test_"):
            tests.append(root / path)
        elif path.is_relative_to(SOURCE):
            tests += mirrored_tests(root, path)
    return list(dict.fromkeys(tests))


def contract_tests(root: Path, files: Iterable[Path]) -> dict[Path, list[str]]:
    """Return the contract tests of the folders of changed components, with the names to select in each."""
    selected: dict[Path, list[str]] = {}
    for path in files:
        if not path.is_relative_to(SOURCE) or path.name.startswith("_"):
            continue
        contract = root / "tests" / path.relative_to(SOURCE).parent / "test_contract.py"
        names = re.findall(
            r"^    name(?:: ClassVar\[str\])? = \"([\w.+-]+)", (root / path).read_text("utf-8"), re.MULTILINE
        )
        if contract.exists() and names:
            selected.setdefault(contract, []).extend(names)
    return selected


def main(arguments: Sequence[str]) -> int:
    files = [Path(name).resolve().relative_to(ROOT) for name in arguments] or changed_files(ROOT)
    tests, contracts = near_tests(ROOT, files), contract_tests(ROOT, files)
    tests = [test for test in tests if test not in contracts]
    runs = [[*map(str, tests)]] if tests else []
    runs += [[str(path), "-k", " or ".join(names)] for path, names in contracts.items()]
    if not runs:
        print("nothing that has a test changed since main")
    codes = [subprocess.run([sys.executable, "-m", "pytest", *OPTIONS, *run], cwd=ROOT).returncode for run in runs]
    return max((code for code in codes if code != NO_TESTS), default=0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
