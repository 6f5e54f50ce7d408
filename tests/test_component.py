"""Components: names with parameters to and from text, folders, aliases, and what naming one imports."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from assay._component_table import TABLE
from assay.component import Component, Folder, convert_arguments, format_value, plain_name, split_call
from assay.errors import FormatError, InputError, UnknownName
from assay.learning.models import MODELS
from assay.metrics import METRICS, metric
from assay.systems.compress import COMPRESSORS
from assay.systems.fuse import FUSERS
from assay.text.align.bitext import ALIGNERS

OWN_METRIC = """
from dataclasses import dataclass
from assay.component import Component

@dataclass(frozen=True)
class WordsIn(Component):
    name = "words-in2"
    most: int = 5
"""
FOLDERS: list[Folder[Component]] = [METRICS, MODELS, COMPRESSORS, FUSERS, ALIGNERS]  # type: ignore[list-item]
KINDS = [folder.kind for folder in FOLDERS]


@pytest.mark.parametrize("folder", FOLDERS, ids=KINDS)
def test_a_signature_builds_the_same_component(folder):
    for name, _ in folder.examples():
        if "FILE" in name:
            continue
        built = folder.build(name)
        assert folder.build(built.signature()) == built
        assert folder.build(built) is built


@pytest.mark.parametrize("folder", FOLDERS, ids=KINDS)
def test_a_wrong_name_gets_the_nearest_right_one(folder):
    name = folder.names[-1].partition("{")[0]
    with pytest.raises(UnknownName, match=f"unknown {folder.kind} '{name}x'; did you mean '{name}"):
        folder.build(f"{name}x")
    with pytest.raises(UnknownName, match=f"unknown {folder.kind}"):
        folder.build_named("nothing-like-it-qqq")


@pytest.mark.parametrize("folder", FOLDERS, ids=KINDS)
@pytest.mark.parametrize("value", [None, 3, b"lead", ["lead"]])
def test_what_is_no_text_is_refused(folder, value):
    with pytest.raises(InputError, match=f"an? {folder.kind} is a text such as"):
        folder.build(value)


def test_names_are_folded_and_parameters_converted():
    assert plain_name("Drop-Stop_Words") == "dropstopwords"
    assert COMPRESSORS.build("DROP_STOP_WORDS") == COMPRESSORS.build("drop-stop-words")
    assert COMPRESSORS.build("ilp(lambda=1.5)").lambda_ == 1.5  # type: ignore[attr-defined]
    assert split_call("a (b = 1, c='x')", "thing", "a") == ("a", {"b": "1", "c": "x"})
    assert [format_value(v) for v in (False, 0.5, 3, "x")] == ["false", "0.5", "3", "x"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lead(ratio=x)", "ratio of lead must be a number; got 'x'"),
        ("lead(ratio=nan)", "ratio of lead must be a number between"),
        ("random(seed=1.5)", "seed of random must be a whole number; got '1.5'"),
        ("lead(ratio)", "'ratio' in 'lead\\(ratio\\)' is not a parameter: write name=value"),
        ("lead(rate=1)", "unknown parameter of lead 'rate'; did you mean 'ratio'"),
        ("lead)", "is not a compressor: write a name and its parameters"),
    ],
)
def test_errors_say_what_to_write(text, message):
    with pytest.raises((InputError, UnknownName), match=message):
        COMPRESSORS.build(text)


def test_true_and_false():
    cls = type(MODELS.build("svr"))
    assert convert_arguments(cls, "svr", {"within": "no"}) == {"within": False}
    with pytest.raises(InputError, match="within of svr must be true or false; got 'maybe'"):
        convert_arguments(cls, "svr", {"within": "maybe"})


def test_a_path_is_read_as_a_file_and_a_feature_never_is(tmp_path):
    with pytest.raises(FormatError, match="there is no scorer here"):
        metric(f"{tmp_path}/scorer")
    with pytest.raises(UnknownName):
        METRICS.build_named(f"{tmp_path}/scorer")


def test_the_table_has_every_component():
    """`python tools/components.py` writes it; test_house finds every folder there is."""
    tool = runpy.run_path(str(Path(__file__).parent.parent / "tools" / "components.py"))
    assert tool["build_table"]() == TABLE, "run python tools/components.py"
    assert {folder.package for folder in FOLDERS} <= set(TABLE)


def test_a_file_that_the_table_does_not_have_is_found(tmp_path, monkeypatch):
    (tmp_path / "own_metrics").mkdir()
    (tmp_path / "own_metrics" / "__init__.py").write_text("")
    (tmp_path / "own_metrics" / "words_in.py").write_text(OWN_METRIC)
    monkeypatch.syspath_prepend(tmp_path)
    folder = Folder("own_metrics", Component, kind="metric", example="words-in2")
    assert folder.build("words-in2(most=3)").signature() == "words-in2(most=3)"
    with pytest.raises(UnknownName, match="did you mean 'words-in2'"):
        folder.build("words-in")


@pytest.mark.parametrize(
    ("package", "folder", "text", "own"),
    [
        ("assay.systems.compress", "COMPRESSORS", "lead", {"baselines"}),
        ("assay.systems.fuse", "FUSERS", "longer", {"baselines"}),
        ("assay.metrics", "METRICS", "chrf", {"chrf"}),
        ("assay.systems.apply", "build_system", "longer", {"baselines"}),
    ],
)
def test_naming_one_component_imports_only_its_file(package, folder, text, own):
    call = folder if folder == "build_system" else f"{folder}.build"
    code = f"import sys; from {package} import {folder}; {call}({text!r}); print(*sys.modules)"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    packages = [folder.package for folder in (METRICS, COMPRESSORS, FUSERS)]
    listed = {cls.__module__ for folder in (METRICS, COMPRESSORS, FUSERS) for cls in folder.classes}
    assert {name.split(".")[-1] for name in loaded & listed if name.rpartition(".")[0] in packages} == own
    assert not loaded & {"spacy", "assay.systems.compress.neural.tagger", "scipy.optimize"}
