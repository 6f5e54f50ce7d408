"""What is passed on: licences of everything in the wheel, its size, and the source package."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "assay"
MODELS = ROOT / "models" / "assay_models"  # a package of its own
LARGEST = 40e6  # bytes of models and word lists in the wheel
LARGEST_MODEL = 12e6  # bytes of a file of the package of models
CODE = (".py", ".pyi", ".pyc", ".so")


def data_files(folder: Path = PACKAGE) -> list[Path]:
    files = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return sorted(path for path in files if path.suffix not in CODE and path.name != "py.typed")


def test_data_is_small():
    assert sum(path.stat().st_size for path in data_files()) < LARGEST


def test_notice_names_every_data_file():
    """A file is named itself, or a folder above it is; pages, styles and scripts of our own need no notice."""
    notice = (ROOT / "NOTICE").read_text("utf-8")
    own = {"page/templates", "views/_draw/templates", "text/data/README.md", "study/server", "llm/prompts"}
    for path in data_files():
        inside = path.relative_to(PACKAGE)
        names = [str(inside), *(str(folder) for folder in inside.parents if str(folder) != ".")]
        if any(name in own for name in names) or "LICENSE" in path.name or path.name == "SHA256SUMS":
            continue
        folder_or_file = [n for n in names if n.endswith(("models/en", "examples/lines")) or n == str(inside)]
        named = any(n in notice for n in folder_or_file) or (str(inside.parent) in notice and path.name in notice)
        assert named or path.with_suffix(".npz").name in notice, f"NOTICE does not say whose {inside} is"


def test_notice_names_every_file_of_the_models():
    notice = (ROOT / "NOTICE").read_text("utf-8")
    for path in data_files(MODELS):
        inside = path.relative_to(MODELS)
        named = str(inside) in notice or (str(inside.parent) in notice and path.name in notice)
        assert named, f"NOTICE does not say whose {inside} of assay-models is"
        assert path.stat().st_size < LARGEST_MODEL


def test_install_page_lists_the_models():
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    for path in [*data_files(), *data_files(MODELS)]:
        if path.stat().st_size > 1_000_000:
            assert path.name in page or "text/models/en" in page, f"docs/install.md does not list {path.name}"


def test_source_package_builds_the_wheel_and_no_more(tmp_path, monkeypatch):
    build = pytest.importorskip("scikit_build_core.build")
    monkeypatch.chdir(ROOT)
    with tarfile.open(tmp_path / build.build_sdist(str(tmp_path))) as archive:
        top = {name.split("/")[1] for name in archive.getnames()}
    assert top == {
        "CHANGELOG.md",
        "CITATION.cff",
        "CMakeLists.txt",
        "CONTRIBUTING.md",
        "LICENSE",
        "NOTICE",
        "PKG-INFO",
        "README.md",
        "pyproject.toml",
        "src",
    }
