"""Schemes of categories and aspects from files."""

from __future__ import annotations

import pytest

from assay.errors import FormatError
from assay.formats import read_scheme
from assay.pyramid.guided import GUIDED


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("scheme.json", '{"Launches": ["what", "when"], "Mergers": ["who"]}'),
        ("scheme.toml", 'Launches = ["what", "when"]\nMergers = ["who"]\n'),
    ],
)
def test_json_and_toml(tmp_path, name, content):
    (tmp_path / name).write_text(content, "utf-8")
    assert read_scheme(tmp_path / name) == {"Launches": ("what", "when"), "Mergers": ("who",)}


def test_the_scheme_of_the_paper_as_a_file(tmp_path):
    lines = [f"{name} = {list(aspects)!r}".replace("'", '"') for name, aspects in GUIDED.items()]
    (tmp_path / "guided.toml").write_text("\n".join(lines), "utf-8")
    assert read_scheme(tmp_path / "guided.toml") == dict(GUIDED)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", "[]", "a scheme is categories with lists of aspects"),
        ("a.json", "{}", "a scheme is categories with lists of aspects"),
        ("a.json", '{"A": "what"}', "the aspects of 'A' must be a list of names"),
        ("a.json", '{"A": ["x", "x"]}', "category 'A' has the aspect 'x' twice"),
        ("a.json", '{"A": ', "not a whole JSON document"),
        ("a.toml", "A = ", "not a TOML document"),
    ],
)
def test_bad_schemes(tmp_path, name, content, message):
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(FormatError, match=message) as error:
        read_scheme(tmp_path / name)
    assert name in str(error.value)
    assert "\n" not in str(error.value)
