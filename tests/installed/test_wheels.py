"""What is released: the files of the packages, their licences, versions and sizes; and other ways to hold the code."""

from __future__ import annotations

import hashlib
import os
import py_compile
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from email.parser import Parser
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import packages
from packages import ROOT, find_sdist, find_wheel, hash_file, list_sources

import assay
from assay.extras import BRINGS_MODELS

PACKAGES = {
    "assay_eval": ("assay", ROOT / "src"),
    "assay_eval_models": ("assay_models", ROOT / "models" / "base"),
    "assay_eval_research": ("assay_research", ROOT / "models" / "research"),
}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LARGEST = {"assay_eval": 8e6, "assay_eval_models": 65e6, "assay_eval_research": 20e6}  # bytes
BASE_SIZE, BASE_PACKAGES = 190e6, 10  # bytes without .pyc files; packages beside Assay


@pytest.fixture(scope="module", autouse=True)
def what_is_released():
    """Build before the tests: the time limit of a test is not meant for that."""
    packages.make_environment("base")


@cache
def read_wheel(name: str) -> zipfile.ZipFile:
    return zipfile.ZipFile(find_wheel(name))


def read_metadata(name: str) -> dict[str, list[str]]:
    [path] = [path for path in read_wheel(name).namelist() if path.endswith(".dist-info/METADATA")]
    message = Parser().parsestr(read_wheel(name).read(path).decode())
    return {key: [str(value) for value in message.get_all(key) or ()] for key in set(message.keys())}


def package_files(name: str) -> list[str]:
    """List the files of the package in a wheel, beside its metadata."""
    return [path for path in read_wheel(name).namelist() if ".dist-info/" not in path and not path.endswith("/")]


@pytest.mark.parametrize("name", PACKAGES)
def test_a_wheel_holds_the_files_of_the_repository(name):
    """By name and bytes; the compiled core is the only file that is added."""
    package, folder = PACKAGES[name]
    tracked = list_sources(str((folder / package).relative_to(ROOT)))
    expected = {path.relative_to(folder).as_posix(): hash_file(path) for path in tracked}
    held = {path: hashlib.sha256(read_wheel(name).read(path)).hexdigest() for path in package_files(name)}
    built = {path for path in held if re.fullmatch(r"assay/_core\.[\w-]*(\.so|\.pyd)", path)}
    assert len(built) == (name == "assay_eval")
    assert {path: value for path, value in held.items() if path not in built} == expected


@pytest.mark.parametrize("name", PACKAGES)
def test_a_wheel_is_small(name):
    assert find_wheel(name).stat().st_size < LARGEST[name]


def test_the_source_package_builds_the_wheel_and_no_more():
    with tarfile.open(find_sdist()) as archive:
        top = {path.split("/")[1] for path in archive.getnames()}
    described = {"CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "NOTICE", "README.md"}
    assert top == described | {"CMakeLists.txt", "PKG-INFO", "pyproject.toml", "src"}


def read_notice(name: str) -> Iterator[tuple[list[str], str]]:
    """Read the NOTICE in a wheel: the patterns of each entry and its licence."""
    [path] = [path for path in read_wheel(name).namelist() if path.endswith("licenses/NOTICE")]
    text = read_wheel(name).read(path).decode()
    for entry in re.finditer(r"^((?:\S.*\n)+)((?:    .*\n)*?)    Licence: (.+)$", text, re.M):
        yield re.split(r",\s+", entry[1].strip()), entry[3]


@pytest.mark.parametrize("name", PACKAGES)
def test_every_file_has_a_licence(name):
    entries = list(read_notice(name))
    package = PACKAGES[name][0]
    for path in package_files(name):
        inside = path.removeprefix(f"{package}/")
        licences = {licence for patterns, licence in entries if any(fnmatch(inside, p) for p in patterns)}
        assert licences, f"NOTICE of {name} does not say what {inside} is under"
        if not inside.endswith(".md"):  # cards, and templates in Markdown, match the line of their folder too
            assert len(licences) == 1, f"NOTICE of {name} says different things of {inside}: {licences}"
    for patterns, _ in entries:
        insides = [path.removeprefix(f"{package}/") for path in package_files(name)]
        unused = [pattern for pattern in patterns if not any(fnmatch(inside, pattern) for inside in insides)]
        assert not unused, f"NOTICE of {name} names files that are not there: {unused}"


@pytest.mark.parametrize("name", PACKAGES)
def test_the_licence_of_a_package_is_that_of_its_files(name):
    licences = {part for _, licence in read_notice(name) for part in licence.split(" AND ")}
    [expression] = read_metadata(name)["License-Expression"]
    own = {"Apache-2.0"} if name == "assay_eval_research" else set()  # cards; the package as a whole is for research
    assert set(expression.split(" AND ")) | own == licences
    assert {"LICENSE", "NOTICE"} <= set(read_metadata(name)["License-File"])


@pytest.mark.parametrize("name", ["assay_eval_models", "assay_eval_research"])
def test_every_model_has_a_card_that_says_what_it_was_trained_on(name):
    files = package_files(name)
    cards = {path for path in files if path.endswith(".md")}
    shared = {"words": "headline"} | dict.fromkeys(("de", "da", "sv", "hu"), "weights")
    for path in files:
        folder, _, file = path.rpartition("/")
        if path in cards or not folder.partition("/")[2] or file == "LICENSE.txt":
            continue
        stem = "lexicons" if file.endswith(".lex") else shared.get(file.partition(".")[0], file.partition(".")[0])
        assert f"{folder}/{stem}.md" in cards, f"{path} has no card"
    for card in cards:
        text = read_wheel(name).read(card).decode().lower()
        assert "licence" in text, card
        assert re.search(r"trained on|made from|data and licence", text), card
        assert ("for research only" in text) == (name == "assay_eval_research"), card


def test_one_version():
    """`assay.__version__` is the one; extras ask for models of exactly the version that lies beside them."""
    for name in PACKAGES:
        assert read_metadata(name)["Version"] == [assay.__version__]
    pins = [r for rs in PROJECT["optional-dependencies"].values() for r in rs if r.startswith("assay-eval-")]
    assert set(pins) == {f"assay-eval-models=={assay.__version__}"}
    assert f"version: {assay.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    [latest, *_] = re.findall(r"^## (\S+) \((\S+)\)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert latest[0] == assay.__version__
    assert f"date-released: {latest[1]}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_extras_that_bring_the_models_are_known():
    """The line that installs an extra from a checkout names the folder of models with these."""
    extras = PROJECT["optional-dependencies"]

    def brings(extra: str) -> bool:
        inner = [e for r in extras[extra] if r.startswith("assay-eval[") for e in re.findall(r"[\w-]+", r[11:-1])]
        return any(r.startswith("assay-eval-models") for r in extras[extra]) or any(map(brings, inner))

    assert {extra for extra in extras if brings(extra)} - {"dev"} == BRINGS_MODELS


def test_the_base_environment_is_small():
    [folder] = (packages.make_environment("base") / "lib").glob("python*/site-packages")
    installed = [path.name.partition("-")[0] for path in folder.glob("*.dist-info")]
    assert "assay_eval" in installed
    assert len(installed) - 1 <= BASE_PACKAGES, installed
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    assert sum(path.stat().st_size for path in files) <= BASE_SIZE


SCRIPT = """
import sys
sys.path[:0] = sys.argv[1:2]
import assay
assay.__path__.extend(sys.argv[2:])  # a compiled module cannot be loaded from a zip file
assert assay.__file__.startswith(sys.argv[1]), assay.__file__
from assay.cli.main import main
assert main(["example", "compressions", "--out", "x.jsonl"]) == 0
metrics = ["rouge2(stem=true, stop=true)", "meteor", "SKIP-2+Recall+MULT-PROB"]
assert main(["score", "x.jsonl", *(part for metric in metrics for part in ("-m", metric))]) == 0
assert main(["compare", "x.jsonl", "-m", "bleu"]) == 0
assert main(["report", "x.jsonl", "--out", "x.html"]) == 0
assert main(["metrics"]) == 0 and main(["compress", "--list"]) == 0 and main(["demo"]) == 0
print(assay.score(["the cat sat"], ["the cat sat down"], "rouge1").means().round(3).tolist(), sorted(assay.__all__)[0])
"""


def run_script(folder: Path, *places: Path) -> str:
    command = [str(packages.make_environment("base") / "bin" / "python"), "-P", "-c", SCRIPT, *map(str, places)]
    variables = packages.environment_variables(folder)
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()[-1]


def test_compiled_files_are_enough(tmp_path):
    """Without source text: only .pyc files, as some systems install them."""
    read_wheel("assay_eval").extractall(tmp_path / "compiled")
    for path in (tmp_path / "compiled").rglob("*.py"):
        py_compile.compile(str(path), cfile=str(path.with_suffix(".pyc")), doraise=True)
        path.unlink()
    assert run_script(tmp_path, tmp_path / "compiled") == "[0.857] AssayError"


def test_a_zip_file_is_enough_but_for_the_compiled_core(tmp_path):
    archive = tmp_path / "assay.zip"
    with zipfile.ZipFile(archive, "w") as target:
        for path in package_files("assay_eval"):
            if path.startswith("assay/_core."):
                (tmp_path / "core").mkdir(exist_ok=True)
                (tmp_path / "core" / os.path.basename(path)).write_bytes(read_wheel("assay_eval").read(path))
                if path.endswith(".pyi"):
                    continue
            else:
                target.writestr(path, read_wheel("assay_eval").read(path))
    assert run_script(tmp_path, archive, tmp_path / "core") == "[0.857] AssayError"


def test_the_wheel_runs_on_other_linux_systems():
    """auditwheel: no library is needed beyond those of the manylinux policy."""
    pytest.importorskip("auditwheel", reason="auditwheel is not installed")
    command = [sys.executable, "-m", "auditwheel", "show", str(find_wheel("assay_eval"))]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert re.search(r'consistent with the\s+following\s+platform tag:\s+"manylinux_2_\d+_', shown), shown
