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


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["metrics", "--format", "word"], "got 'word'"),
        (["metrics", "--format", "csv"], "got 'csv'"),
        (["score", "SET", "--format", "csv"], "got 'csv'; a file of this format is read with --input-format csv"),
        (
            ["score", "SET", "--format", "json"],
            "got 'json'; records are printed with --json; a file of this format is read with --input-format json",
        ),
    ],
)
def test_format_is_of_tables_and_of_nothing_else(words, message, example_file, capsys):
    assert main([word.replace("SET", str(example_file)) for word in words]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert f"--format is how tables are printed: text, markdown, latex; {message} (see" in line


@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_the_format_of_the_input(name, example_file, capsys):
    assert main(["score", str(example_file), "--json"]) == 0
    first = capsys.readouterr().out
    assert main(["score", str(example_file), "--input-format", name, "--json"]) == 0
    assert capsys.readouterr().out == first
