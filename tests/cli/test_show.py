"""--format: every command prints its tables as text, Markdown or LaTeX."""

from __future__ import annotations

import re

import pytest

import assay
from assay.cli.main import commands, load, main, make_parser

EXAMPLES = {
    "score": ["score", "{set}"],
    "compare": ["compare", "{set}"],
    "meta": ["meta", "{set}", "--question", "all", "--resamples", "50"],
    "agree": ["agree", "{set}", "--resamples", "50"],
    "describe": ["describe", "{set}"],
    "edits": ["edits", "{set}"],
    "metrics": ["metrics"],
    "cache": ["cache"],
    "compress": ["compress", "--list"],
    "fuse": ["fuse", "--list"],
}


@pytest.fixture(scope="module")
def example_file(judged, tmp_path_factory):
    path = tmp_path_factory.mktemp("format") / "set.jsonl"
    assay.write(judged, path)
    return path


@pytest.mark.parametrize("command", commands())
def test_every_command_takes_it(command):
    flags = {flag for action in make_parser(command, load(command))._actions for flag in action.option_strings}
    assert {"--format", "--json"} <= flags


@pytest.mark.parametrize("command", sorted(EXAMPLES))
def test_every_table_is_drawn(command, example_file, capsys, tmp_path, monkeypatch):
    """As many tables in each form, and no table drawn as text in the others."""
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path))
    words = [word.format(set=example_file) for word in EXAMPLES[command]]
    printed = {}
    for form in ("text", "markdown", "latex"):
        assert main([*words, "--format", form, "--quiet"]) == 0
        printed[form] = capsys.readouterr().out
    rules = re.findall(r"^─+$", printed["text"], re.MULTILINE)
    assert rules or command == "cache"
    markdown = re.findall(r"^\|(?:--:\||:--\|)+$", printed["markdown"], re.MULTILINE)
    latex = re.findall(r"^\\begin\{tabular\}", printed["latex"], re.MULTILINE)
    assert len(markdown) == len(latex) <= max(1, len(rules))
    assert bool(latex) == bool(rules)
    assert "───" not in printed["markdown"] + printed["latex"]


def test_an_unknown_format(capsys):
    assert main(["metrics", "--format", "word"]) == 2
    assert "--format must be one of text, markdown, latex; got 'word'" in capsys.readouterr().err


def test_the_name_of_an_input_format_is_understood(example_file, capsys):
    assert main(["score", str(example_file), "--format", "jsonl", "--json"]) == 0
    first = capsys.readouterr().out
    assert main(["score", str(example_file), "--input-format", "jsonl", "--json"]) == 0
    assert capsys.readouterr().out == first
