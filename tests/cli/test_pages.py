"""Commands on the pages print what the pages say. `python tests/cli/test_pages.py` writes the pages anew."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from assay.cli.main import load, make_parser

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
PAGES = (
    "../README.md",
    "tour.md",
    "which-system.md",
    "which-metric.md",
    "how-many-items.md",
    "edits.md",
    "learning.md",
)
OURS = {
    "example.jsonl": ROOT / "src" / "assay" / "examples" / "compressions.jsonl",
    "aligned.tsv": ROOT / "tests" / "text" / "data" / "aligned.tsv",
    "example.txt": ROOT / "tests" / "cli" / "example.txt",
    "example-pairs.tsv": ROOT / "tests" / "cli" / "example-pairs.tsv",
    "factoids.csv": ROOT / "docs" / "factoids.csv",
    "factoids-two.csv": ROOT / "docs" / "factoids-two.csv",
}
BLOCK = re.compile(r"```console\n\$ assay (?P<command>.*)\n(?P<said>(?:.*\n)*?)```\n")


def printed(command: str) -> str:
    """The sentences and tables of the command's output: what stands before the notes."""
    arguments = [str(path) if (path := place(part)) else part for part in shlex.split(command)]
    code = "import sys; from assay.cli.main import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    blocks = done.stdout.rstrip().split("\n\n")
    tables = [at for at, block in enumerate(blocks) if "───" in block]
    return "\n\n".join(blocks[: tables[-1] + 1] if tables else blocks)


def place(part: str) -> Path | None:
    """Where a file named on a page is; None for what is no file."""
    return OURS.get(part) or (DATA / part if part.endswith((".jsonl.gz", "valid.tsv")) else None)


def examples(page: str) -> list[re.Match[str]]:
    return list(BLOCK.finditer((ROOT / "docs" / page).read_text("utf-8")))


@pytest.mark.parametrize("page", PAGES)
def test_every_example_prints_what_the_page_says(page):
    found = examples(page)
    assert found
    for example in found:
        files = [place(part) for part in shlex.split(example["command"]) if place(part)]
        if not all(path.exists() for path in files):
            pytest.skip(f"needs {files[0].name} in ../shared/data (or the folder named by ASSAY_DATA)")
        assert printed(example["command"]) + "\n" == example["said"]


def test_the_python_of_the_tour_runs():
    import doctest

    failed, tried = doctest.testfile(str(ROOT / "docs" / "tour.md"), module_relative=False)
    assert tried
    assert not failed


def test_the_python_of_the_readme_runs(tmp_path, monkeypatch, capsys):
    shutil.copy(OURS["example.jsonl"], tmp_path / "example.jsonl")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.S)
    exec("\n".join(blocks), {})
    assert "Krippendorff's alpha" in capsys.readouterr().out


COMMAND = re.compile(r"^(?:    |\$ )?assay ([a-z].*)$", re.M)


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))], ids=lambda page: page.name
)
def test_every_command_on_a_page_has_only_options_that_exist(page):
    text = re.sub(
        r"```text\n.*?```", "", (ROOT / "docs" / page).read_text("utf-8"), flags=re.S
    )  # what programs printed
    for line in COMMAND.findall(text):
        name, *rest = shlex.split(line, comments=True)
        command = load(name)
        if rest and rest[0] in getattr(command, "SUBCOMMANDS", {}):
            command = load(command.SUBCOMMANDS[rest.pop(0)])
        make_parser(name, command).parse_args(rest)


def rewrite(page: str) -> None:
    path = ROOT / "docs" / page

    def block(match: re.Match[str]) -> str:
        return f"```console\n$ assay {match['command']}\n{printed(match['command'])}\n```\n"

    path.write_text(BLOCK.sub(block, path.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    for name in PAGES:
        rewrite(name)
