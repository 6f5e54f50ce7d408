"""Languages of the interface: every file says everything, with the same places for numbers and names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import assay.study.server
from assay.study.protocols import PROTOCOLS

STATIC = Path(assay.study.server.__file__).parent / "static"
FILES = sorted((STATIC / "languages").glob("*.json"))
ENGLISH = json.loads((STATIC / "languages" / "en.json").read_text("utf-8"))
MODULES = [path.read_text("utf-8") for path in sorted(STATIC.rglob("*.js"))]


def forms(text) -> list[str]:
    return list(text.values()) if isinstance(text, dict) else [text]


def places(text) -> set[str]:
    return {name for form in forms(text) for name in re.findall(r"\{(\w+)\}", form)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_language_says_everything(path):
    words = json.loads(path.read_text("utf-8"))
    assert words.keys() == ENGLISH.keys()
    assert words["direction"] in ("ltr", "rtl")
    for name, text in words.items():
        assert places(text) == places(ENGLISH[name]), name
        assert all(form.strip() for form in forms(text)), name
        assert isinstance(text, dict) == isinstance(ENGLISH[name], dict), name
        assert "other" in text if isinstance(text, dict) else True, name


def test_english_and_german_are_there():
    assert {"en", "de"} <= {path.stem for path in FILES}


def test_everything_that_modules_say_is_in_the_files_and_nothing_else():
    literal = {name for module in MODULES for name in re.findall(r'\bsay\(\s*"(\w+)"', module)}
    assert literal - ENGLISH.keys() == set()
    composed = {name for module in MODULES for name in re.findall(r"\b(?:say|has)\(`(\w+_)\$\{", module)}
    quoted = {name for module in MODULES for name in re.findall(r'"(\w+)"', module)}
    own = {"direction", "language"}
    rest = {name for name in ENGLISH.keys() - literal - own - quoted if not name.startswith(tuple(composed))}
    assert rest == {f"{name}_{unit}" for name in ("length", "range") for unit in ("characters", "words")}


def test_every_protocol_has_a_screen_and_an_introduction():
    for name in PROTOCOLS.names:
        assert (STATIC / "screens" / f"{name}.js").exists()
        assert f"intro_{name}" in ENGLISH


def test_no_page_has_inline_script_or_style_or_asks_another_host():
    for path in STATIC.parent.rglob("*.html"):
        page = path.read_text("utf-8")
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|style=", page)
    for text in [*MODULES, *(path.read_text("utf-8") for path in STATIC.rglob("*.css"))]:
        assert not re.search(r"https?://|@import|eval\(", text)
