"""Commands on the pages print what the pages say. `python tests/cli/test_pages.py` writes the pages anew."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from assay.cli.main import load, make_parser

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
# Pages whose commands read the files that the page names, and pages that a reader follows from an empty folder.
PAGES = (
    "../README.md",
    "which-system.md",
    "which-metric.md",
    "how-many-items.md",
    "edits.md",
    "learning.md",
    "translation.md",
    "llm-judges.md",
    "replace-raters.md",
    "abstractive.md",
)
FROM_NOTHING = (
    "tour.md",
    "examples.md",
    "pipelines.md",
    "pyramid.md",
    "planning.md",
    "coming-from.md",
    "dataframes.md",
    "study.md",
    "json.md",
)
EXAMPLES = ROOT / "src" / "assay" / "examples"
OURS = {
    "example.jsonl": EXAMPLES / "compressions.jsonl",
    "aligned.tsv": ROOT / "tests" / "text" / "data" / "aligned.tsv",
    "factoids.csv": EXAMPLES / "factoids.csv",
    "factoids-two.csv": ROOT / "docs" / "factoids-two.csv",
    "judge.toml": ROOT / "docs" / "judge.toml",
    "few_labels.py": ROOT / "docs" / "few_labels.py",
    "abstractive.jsonl": ROOT / "docs" / "abstractive.jsonl",
}
BLOCK = re.compile(r"```console\n(?P<body>\$ (?:.*\n)*?)```\n")
STEP = re.compile(r"^\$ (?P<command>.*)\n(?P<said>(?:(?!\$ ).*\n)*)", re.M)
# The programs of a page: Assay, and those that it is compared with.
PROGRAMS = {
    "assay": "import sys; from assay.cli.main import main; sys.exit(main())",
    "sacrebleu": "import sys; from sacrebleu.sacrebleu import main; sys.exit(main())",
    "python": "",
}


@pytest.fixture(scope="session")
def programs(tmp_path_factory) -> Path:
    return write_programs(tmp_path_factory.mktemp("bin"))


def write_programs(folder: Path) -> Path:
    """Write a script for each program, as `pip install` would."""
    for name, code in PROGRAMS.items():
        run = f"-c {shlex.quote(code)} " if code else ""
        (folder / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {run}"$@"\n')
        (folder / name).chmod(0o755)
    return folder


def printed(command: str, folder: Path, programs: Path) -> str:
    """The sentences and tables of the command's output: what stands before the notes."""
    variables = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "NO_COLOR": "1"}
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    blocks = done.stdout.rstrip().split("\n\n")
    tables = [at for at, block in enumerate(blocks) if "───" in block]
    said = (
        blocks[: tables[-1] + 1] + [block for block in blocks[tables[-1] + 1 :] if LAST.match(block)]
        if tables
        else blocks
    )
    return "\n\n".join(said)


LAST = re.compile(r"\s*(Passed|Failed): ")  # the answer of --fail-if, which is printed last


def steps(page: str) -> list[re.Match[str]]:
    """The commands of a page, each with what the page says that it prints."""
    blocks = BLOCK.finditer((ROOT / "docs" / page).read_text("utf-8"))
    return [step for block in blocks for step in STEP.finditer(block["body"])]


def put_files(page: str, folder: Path) -> list[Path]:
    """Put the files that the commands of a page name into the folder, and return those that are not there."""
    absent = []
    for part in {part for step in steps(page) for part in shlex.split(step["command"])}:
        origin = OURS.get(part) or (DATA / part if part.endswith((".jsonl.gz", "valid.tsv")) else None)
        if origin is not None and origin.exists():
            (folder / part).parent.mkdir(parents=True, exist_ok=True)
            (folder / part).symlink_to(origin)
        elif origin is not None:
            absent.append(origin)
    return absent


# Pages whose commands take long: they parse a whole corpus, or fit scorers.
LONG = ("edits.md", "learning.md", "replace-raters.md")


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=pytest.mark.slow) if page in LONG else page for page in PAGES]
)
def test_every_example_prints_what_the_page_says(page, tmp_path, programs):
    assert steps(page)
    if absent := put_files(page, tmp_path):
        pytest.skip(f"needs {absent[0].name} in ../shared/data (or the folder named by ASSAY_DATA)")
    for step in steps(page):
        assert printed(step["command"], tmp_path, programs) + "\n" == step["said"]


INDENTED = re.compile(r"^    (?P<command>assay .*)$", re.M)


@pytest.mark.parametrize("page", FROM_NOTHING)
def test_a_reader_can_copy_the_page_from_an_empty_folder(page, tmp_path, programs):
    """Every command and every line of Python, in the order of the page."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    parts = re.compile(f"{BLOCK.pattern}|{INDENTED.pattern}|```python\\n(?P<python>(?:.*\\n)*?)```", re.M)
    names: dict[str, Any] = {"__name__": page}
    for part in parts.finditer(text):
        if part["python"]:
            run_python(part["python"], page, tmp_path, names)
        elif part["command"]:
            printed(part["command"], tmp_path, programs)
        else:
            for step in STEP.finditer(part["body"]):
                assert printed(step["command"], tmp_path, programs) + "\n" == step["said"]


def run_python(code: str, page: str, folder: Path, names: dict[str, Any]) -> None:
    """Run the lines of a page: what they print is what the page says where they are written as for the interpreter."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        if code.startswith(">>>"):
            runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
            lines = doctest.DocTestParser().get_doctest(code, names, page, page, 0)
            runner.run(lines, clear_globs=False)
            names.update(lines.globs)
            assert runner.tries
            assert not runner.failures
        else:
            exec(code, names)
    finally:
        os.chdir(before)


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
        name, *rest = shlex.split(re.split(r"; | \| | > | && ", line)[0], comments=True)
        command = load(name)
        if rest and rest[0] in getattr(command, "SUBCOMMANDS", {}):
            command = load(command.SUBCOMMANDS[rest.pop(0)])
        make_parser(name, command).parse_args(rest)


def rewrite(page: str, programs: Path) -> None:
    path = ROOT / "docs" / page

    with tempfile.TemporaryDirectory() as folder:
        put_files(page, Path(folder))

        def step(match: re.Match[str]) -> str:
            return f"$ {match['command']}\n{printed(match['command'], Path(folder), programs)}\n"

        def part(match: re.Match[str]) -> str:
            if match["command"]:
                printed(match["command"], Path(folder), programs)
                return match[0]
            return f"```console\n{STEP.sub(step, match['body'])}```\n"

        parts = re.compile(f"{BLOCK.pattern}|{INDENTED.pattern if page in FROM_NOTHING else '(?P<command>(?!))'}", re.M)
        path.write_text(parts.sub(part, path.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        for name in sys.argv[1:] or [*PAGES, *FROM_NOTHING]:
            rewrite(name, write_programs(Path(place)))
