"""The documentation builds offline, holds every command, option and metric, and its code runs."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from types import ModuleType

import pytest

import assay
from assay.cli.main import commands, load, make_parser
from assay.matching.batch import Batch
from assay.metrics import METRICS
from assay.metrics._base import Metric

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    assert done.returncode == 0, done.stderr
    return folder


def text_of(path: Path) -> str:
    return unescape(re.sub(r"<[^>]+>", "", path.read_text("utf-8")))


def test_every_metric_has_its_page(site):
    pages = "".join(text_of(path) for path in (site / "metrics").glob("*.html"))
    assert [name for name, _ in METRICS.examples() if name not in pages] == []


@pytest.mark.parametrize("name", commands())
def test_every_option_is_on_the_page_of_its_command(site, name):
    page = text_of(site / "commands" / f"{name}.html")
    options = [o for a in make_parser(name, load(name))._actions for o in a.option_strings if o not in ("-h", "--help")]
    assert [o for o in options if o not in page] == []


@pytest.mark.parametrize("name", commands())
def test_every_command_is_spoken_of_in_a_page_written_by_hand(name):
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    assert any(f"assay {name}" in path.read_text("utf-8") for path in pages), f"no page says what assay {name} is for"


def test_pages_fetch_nothing_from_the_network(site):
    for path in site.rglob("*.html"):
        page = path.read_text("utf-8")
        fetched = re.findall(
            r"<(?:script|img|iframe)[^>]+src=\"(https?:)?//|<link[^>]+stylesheet[^>]+href=\"https?:", page
        )
        assert not fetched, path


def test_formulas_are_drawn_without_a_script(site):
    page = (site / "mathematics.html").read_text("utf-8")
    assert page.count("<math") > 40
    assert "$`" not in page


def test_the_page_on_plugins_shows_the_example_package():
    page = (ROOT / "docs" / "add-your-own.md").read_text("utf-8")
    example = ROOT / "examples" / "plugin"
    metric, test = re.findall(r"```python\n(.*?)```", page, re.S)
    assert metric == (example / "assay_example" / "same_start.py").read_text("utf-8")
    assert test in (example / "test_components.py").read_text("utf-8")
    assert re.search(r"```toml\n(.*?)```", page, re.S)[1] in (example / "pyproject.toml").read_text("utf-8")


def test_the_metric_of_the_how_to_works(monkeypatch):
    page = (ROOT / "docs" / "adding-a-metric.md").read_text("utf-8")
    code = re.findall(r"```python\n(.*?)```", page, re.S)[0]
    module = ModuleType("assay.metrics.words_in")
    module.__package__ = "assay.metrics"
    monkeypatch.setitem(sys.modules, module.__name__, module)  # dataclasses look their module up
    exec(compile(code, "words_in.py", "exec", dont_inherit=True), vars(module))
    made = module.WordsIn
    assert issubclass(made, Metric)
    data = assay.EvalSet.from_texts(["the cat sat"], [["The cat", "a cat sat down"]])
    assert made().values(Batch(data)).tolist() == [2 / 3]


def load_page_maker(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"docs_{name}", ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


WORKED = load_page_maker("worked")


@pytest.mark.parametrize("name", WORKED.WORKED)
def test_the_arithmetic_of_a_worked_example_gives_the_score(name):
    assert WORKED.arithmetic(name) == pytest.approx(WORKED.worked_score(name), abs=1e-9)


def test_every_metric_page_has_a_worked_number_and_the_values_of_every_parameter():
    pages = load_page_maker("site").metric_pages()
    assert [name for name, text in pages.items() if "## Worked example" not in text and ">>>" not in text] == []
    empty = re.compile(r"^\| `\w+` \| `[^|]*` \|\s*\|$", re.M)
    assert {name: empty.findall(text) for name, text in pages.items() if empty.search(text)} == {}


def test_every_public_name_is_in_the_reference(site):
    page = (site / "api" / "assay.html").read_text("utf-8")
    names = [name for name in assay.__all__ if f">{name}</span>" not in page]
    assert names == []
    assert ">>> " in text_of(site / "api" / "assay.comparison.html")


def test_the_install_page_has_every_extra_with_its_cost():
    costs = load_page_maker("install_costs")
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    for extra in costs.user_extras():
        assert re.search(rf"^\| `{extra}` \| .+ \| .+ \| (\d+|below 1) \|$", page, re.M), extra
    assert costs.packages(costs.requirements("")) >= {"jinja2", "markupsafe"}
