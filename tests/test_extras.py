"""Extras: what is missing is named with the line that installs it, in a checkout and elsewhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from assay import extras
from assay.errors import MissingExtra
from assay.extras import MODELS, RESEARCH, find_data, find_model, import_extra, install_line

ROOT = Path(__file__).parent.parent
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
READ_ABOUT = ("parse", "text", "vectors", "tables", "logs", "study", "judges", "dask", "figures", "all")


@pytest.fixture
def released(monkeypatch):
    """Assay as it is installed from an index."""
    monkeypatch.setattr(extras, "_find_checkout", lambda: None)


def test_the_line_of_a_released_package(released):
    assert install_line("tables") == "pip install 'assay-eval[tables]'"
    assert install_line("text") == "pip install 'assay-eval[text]'"
    assert install_line() == "pip install assay-eval-models"
    assert install_line(package=RESEARCH) == "pip install assay-eval-research"


def test_the_line_in_a_checkout(monkeypatch, tmp_path):
    monkeypatch.setattr(extras, "_find_checkout", lambda: tmp_path)
    monkeypatch.chdir(tmp_path)
    assert install_line("tables") == "pip install '.[tables]'"
    assert install_line("text") == "pip install ./models/base '.[text]'"
    assert install_line(package=RESEARCH) == "pip install ./models/research"
    monkeypatch.chdir("/")
    assert install_line("text") == f"pip install {tmp_path}/models/base '{tmp_path}[text]'"


def test_this_checkout_is_found():
    assert extras._find_checkout.__wrapped__() == ROOT


def test_what_is_missing_is_named_in_one_line(released):
    with pytest.raises(
        MissingExtra, match=r"^x needs no_such, which is not installed: pip install 'assay-eval\[dask\]'$"
    ):
        import_extra("no_such.part", "dask", "x")
    nowhere = MODELS._replace(module="no_such_models")
    with pytest.raises(
        MissingExtra, match=r"^x needs assay-eval-models, which is not installed: pip install assay-eval-models$"
    ):
        find_model("words.npz", "x", package=nowhere)
    with pytest.raises(MissingExtra, match=r"but the one installed has no words: pip install 'assay-eval\[text\]'$"):
        find_model("words", "x", extra="text")


def test_files_of_the_package_are_found():
    assert find_data("text/data/smart.txt").read_text("utf-8").split().count("the") == 1
    assert find_model("parser/en.safetensors", "the parser").is_file()


def test_pages_name_packages_and_extras_that_exist():
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    lines = [line for page in pages for line in re.findall(r"pip install ([^`#\n]+)", page.read_text("utf-8"))]
    own = [word.strip("'\"") for line in lines for word in line.split() if re.search(r"assay|^'?\.", word)]
    assert "assay-eval[study]" in own
    packages = {"assay-eval", "assay-eval-models", "assay-eval-research", "assay-it", "."}
    folders = {f"./{MODELS.folder}", f"./{RESEARCH.folder}"}
    for word in own:
        name, _, extras_named = word.rstrip(":;,]").partition("[")
        assert name in packages | folders, word
        assert set(filter(None, extras_named.split(","))) <= set(EXTRAS), word


def test_ten_extras_to_read_about_come_first():
    """The others are for single tasks; `all` has every one but Ray, torch and what developers need."""
    names = list(EXTRAS)
    assert tuple(names[:10]) == READ_ABOUT
    inside = set(re.findall(r"[\w-]+", EXTRAS["all"][0].partition("[")[2]))
    assert set(names) - inside == {"all", "ray", "train", "test", "docs", "dev"}
    assert not any("research" in requirement for requirements in EXTRAS.values() for requirement in requirements)


def test_the_readme_names_no_research_system():
    words = set(re.findall(r"[\w-]+", (ROOT / "README.md").read_text("utf-8")))
    assert "compress" in words
    assert not words & {
        "--abstractive",
        "abstractive",
        "conservative",
        "edit",
        "namas",
        "seq2seq",
        "t3",
        RESEARCH.distribution,
    }
