"""The judge command: which raters are people, and what it refuses."""

from __future__ import annotations

import json

import pytest

from assay.cli.main import main


def test_the_command_is_given_first(capsys):
    assert main(["judge", "--json", "table"]) == 2
    assert "give the command first: assay judge table" in capsys.readouterr().err


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """40 items, two systems, three people and two judges, whose kind the file does not state."""
    path = tmp_path_factory.mktemp("judged") / "set.jsonl"
    lines = []
    for number in range(40):
        judgments = [
            {"system": system, "rater": rater, "dimension": "meaning", "score": 1 + (number * k + shift) % 5}
            for system, shift in (("A", 0), ("B", 1))
            for rater, k in (("ann", 1), ("bob", 1), ("cy", 2), ("gpt-x", 1), ("gpt-y", 3))
        ]
        lines.append({"id": str(number), "outputs": {"A": f"a {number}", "B": f"b {number}"}, "judgments": judgments})
    path.write_text("\n".join(map(json.dumps, lines)))
    return str(path)


def test_without_an_llm_there_is_no_table(judged, capsys):
    assert main(["judge", "table", judged]) == 2
    assert 'no rater is an LLM: say which with --llm "gpt*"' in capsys.readouterr().err
