"""What `--json` prints is the records of the results that are shown otherwise, line by line."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from assay.cli._show import drop_repeated_notes, json_line
from assay.cli.main import load, main
from assay.data.result import Result
from assay.views import draw_text

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "src" / "assay" / "examples" / "compressions.jsonl"
PAIRS = ROOT / "tests" / "text" / "data" / "aligned.tsv"
UNITS = EXAMPLE.with_name("factoids.csv")

FIT = ("-d", "meaning", "--features", "rouge1", "rouge2", "--learner", "ridge", "--resamples", "5")
PROBE = ("--against", "ter", "--items", "2", "--words", "60", "--population", "10", "--generations", "3")

# What follows the command's name; the name may have an option in it, to be told from another line of the command.
COMMANDS: dict[str, tuple[str, ...]] = {
    "agree": (str(EXAMPLE), "--leave-out", "1", "-m", "rouge1", "--experts", "r1", "--resamples", "5"),
    "align": ("The mayor resigned.", "The mayor stepped down."),
    "align --score": (str(PAIRS), "--score"),
    "describe": (str(EXAMPLE), "--by-group", "--systems"),
    "edits": (str(EXAMPLE), "--per-output"),
    "compare": (str(EXAMPLE), "-m", "rouge1", "--resamples", "5"),
    "fuse pairs": (str(EXAMPLE),),
    "learn": (str(EXAMPLE), *FIT),
    "learn --validation": (str(EXAMPLE), "--validation", str(EXAMPLE), "--test-set", str(EXAMPLE), *FIT),
    "meta": (str(EXAMPLE), "-m", "rouge1", "-m", "rouge2", "--question", "all", "--resamples", "5"),
    "metrics": (),
    "probe": (str(EXAMPLE), "-m", "rouge1", *PROBE),
    "pyramid score": (str(UNITS), "--gold", "Ref", "--pyramid", "Ref,Ann"),
}


def module_of(command: str) -> str:
    """The module that shows the results of a command: its own, or that of its subcommand."""
    name, *rest = command.split()
    subcommands: dict[str, str] = getattr(load(name), "SUBCOMMANDS", {})
    return f"assay.cli.{subcommands.get(rest[0], name) if rest else name}"


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a command; return what it printed and the results that it showed."""

    def run_command(command: str, *more: str) -> tuple[str, list[Result]]:
        module = importlib.import_module(module_of(command))
        printer = "show" if hasattr(module, "show") else "show_stream"
        original, collected = getattr(module, printer), []

        def collect(results: Iterable[Any], **options: Any) -> None:
            results = list(results)
            collected.extend(results)
            original(results, **options)

        monkeypatch.setattr(module, printer, collect)
        words = [word for word in command.split() if not word.startswith("-")]
        assert main([*words, *COMMANDS[command], *more, "--quiet"]) == 0
        return capsys.readouterr().out, collected

    return run_command


@pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")
@pytest.mark.parametrize("command", COMMANDS)
def test_json_is_the_records(command, run):
    out, collected = run(command, "--json")
    printed = [json.loads(line) for line in out.splitlines()]
    assert printed == [json.loads(json_line(record)) for result in collected for record in result.records()]
    assert printed
    assert all(record["kind"] for record in printed)


@pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")
@pytest.mark.parametrize("command", ["compare", "learn", "learn --validation", "meta", "probe"])
def test_without_json_it_is_the_views(command, run):
    out, collected = run(command)
    views = drop_repeated_notes(result.view() for result in collected)
    assert out.rstrip("\n") == "\n\n\n".join(draw_text(view) for view in views)
