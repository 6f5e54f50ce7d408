"""Models for research are used only where a user names them: the others work without the package, and never open it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import assay
from assay import extras
from assay.errors import MissingExtra
from assay.systems.compress import COMPRESSORS, compress
from assay.systems.compress.neural import tagger as _tagger
from assay.systems.fuse import FUSERS, fuse

TEXTS = [
    "The White House said on Monday that it would not rule out a meeting between the two presidents in New York.",
    "After a long absence, the shop on Main Street (once a bank) is returning to the area next year, owners said.",
]
PAIR = ["The mayor of Rome opened the new bridge on Friday.", "The bridge, which cost $5m, was opened by the mayor."]
RESEARCH = ("edit", "namas", "seq2seq", "t3")
LIMITS = [{}, *({"ratio": ratio} for ratio in (0.4, 0.5, 0.6, 0.7, 0.8))]
# Modules that look for a file of the package; each does so only for a system or a tagger that is named.
OPENERS = {"edits/model.py", "neural/sequence_model.py", "neural/tagger.py", "t3.py"}

USE_ALL = f"""
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
import assay
from assay.systems.compress import COMPRESSORS
from assay.systems.fuse import FUSERS
for name in COMPRESSORS.names:
    if name not in {RESEARCH!r}:
        for limit in {LIMITS!r}:
            assay.compress({TEXTS!r}, name, **limit)
assay.compress({TEXTS!r}, average_ratio=0.7)
for name in FUSERS.names:
    for limit in ({{}}, {{"ratio": 0.4}}):
        assay.fuse([{PAIR!r}], name, **limit)
assert any("headline.npz" in path for path in opened)
print(*sorted({{path for path in opened if "assay_research" in path}}), sep="\\n")
"""


@pytest.fixture
def no_research(monkeypatch):
    """Hide the package of models for research, and forget what was loaded from it."""
    locate = extras._locate
    monkeypatch.setattr(extras, "_locate", lambda module: [] if module == extras.RESEARCH.module else locate(module))
    _tagger._load.cache_clear()
    yield
    _tagger._load.cache_clear()


@pytest.mark.parametrize("name", [name for name in COMPRESSORS.names if name not in RESEARCH])
@pytest.mark.parametrize("faithful", [True, False])
def test_compressors_work_without_the_research_package(name, faithful, no_research):
    for limit in LIMITS:
        assert all(c.text for c in compress(TEXTS, name, faithful=faithful, **limit))


@pytest.mark.parametrize("ratio", [0.4, 0.5, 0.6, 0.7, 0.8])
def test_an_average_ratio_works_without_the_research_package(ratio, no_research):
    assert all(c.text for c in compress(TEXTS, average_ratio=ratio))


@pytest.mark.parametrize("name", FUSERS.names)
def test_fusers_work_without_the_research_package(name, no_research):
    for limit in LIMITS:
        [fused] = fuse([PAIR], name, **limit)
        assert fused.text


@pytest.mark.parametrize("name", [*RESEARCH, "tagger-tree(tagger=conservative)"])
def test_research_systems_name_the_package_in_one_line(name, no_research):
    with pytest.raises(MissingExtra, match=r"needs assay-eval-research, which is not installed: pip install ") as error:
        compress(TEXTS, name, ratio=0.7)
    assert "\n" not in str(error.value)


def test_files_of_the_research_package_are_not_opened_where_it_is_installed():
    done = subprocess.run([sys.executable, "-c", USE_ALL], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""


def test_the_modules_that_look_into_the_research_package_are_known():
    package = Path(assay.__file__).parent
    naming = {path for path in package.rglob("*.py") if "package=RESEARCH" in path.read_text("utf-8")}
    assert naming == {package / "systems" / "compress" / name for name in OPENERS}
