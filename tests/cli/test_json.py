"""What `--json` prints is the records of the results that are shown otherwise, line by line."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from assay.cli._show import json_line
from assay.cli.main import load, main

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "src" / "assay" / "examples" / "compressions.jsonl"
PAIRS = ROOT / "tests" / "text" / "data" / "aligned.tsv"
UNITS = ROOT / "docs" / "factoids.csv"

COMMANDS: dict[str, tuple[str, ...]] = {
    "agree": (str(EXAMPLE), "--leave-out", "1", "-m", "rouge1", "--experts", "r1", "--resamples", "5"),
    "align": ("The mayor resigned.", "The mayor stepped down."),
    "align --score": (str(PAIRS), "--score"),
    "describe": (str(EXAMPLE), "--by-group", "--systems"),
    "edits": (str(EXAMPLE), "--per-output"),
    "fuse pairs": (str(EXAMPLE),),
    "pyramid score": (str(UNITS), "--gold", "Ref", "--pyramid", "Ref,Ann"),
}


def module_of(command: str) -> str:
    """The module that shows the results of a command: its own, or that of its subcommand."""
    name, *rest = command.split()
    subcommands: dict[str, str] = getattr(load(name), "SUBCOMMANDS", {})
    return f"assay.cli.{subcommands.get(rest[0], name) if rest else name}"


@pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")
@pytest.mark.parametrize("command", COMMANDS)
def test_json_is_the_records(command, capsys, monkeypatch):
    module = importlib.import_module(module_of(command))
    printer = "show" if hasattr(module, "show") else "show_stream"
    original, collected = getattr(module, printer), []

    def collect(results: Iterable[Any], **options: Any) -> None:
        results = list(results)
        collected.extend(results)
        original(results, **options)

    monkeypatch.setattr(module, printer, collect)
    words = [word for word in command.split() if not word.startswith("-")]
    assert main([*words, *COMMANDS[command], "--json", "--quiet"]) == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert printed == [json.loads(json_line(record)) for result in collected for record in result.records()]
    assert printed
    assert all(record["kind"] for record in printed)
