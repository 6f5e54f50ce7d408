"""Every bad input gets one line and its exit code, and leaves everything as it was.

`python tests/bad_input/test_bad_input.py` writes answers.md, which has every answer, and docs/bad-input.md anew.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import pytest
from bad_commands import all_cases
from bad_files import GOOD, Case, Content

from assay.cli.main import main
from assay.printable import HIDDEN, escape_hidden

PAGE = Path(__file__).parents[2] / "docs" / "bad-input.md"  # a sample for readers: each fault once
RECORD = Path(__file__).parent / "answers.md"  # every answer
MAX_ROWS = 3  # of a category on the page
CASES = all_cases()
LONG_RUN = re.compile(r"(.)\1{30,}")


class Answer(NamedTuple):
    """What a case got, and what it changed in its folder."""

    code: int
    out: str
    err: str
    changed: list[str]

    @property
    def first(self) -> str:
        return (self.err or self.out).split("\n")[0]


def write(path: Path, content: Content) -> None:
    if callable(content):
        content(path)
    elif isinstance(content, str):
        path.write_text(content, "utf-8", newline="")
    else:
        path.write_bytes(content)


def listed(folder: Path) -> dict[str, bytes | None]:
    """Everything in a folder; None for what is no file."""
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None for p in folder.rglob("*")}


def answer(case: Case) -> Answer:
    """Run a case in a folder of its own."""
    before, environment = os.getcwd(), dict(os.environ)
    with tempfile.TemporaryDirectory() as made, contextlib.ExitStack() as stack:
        folder = Path(made)
        for name, content in {**GOOD, **case.files}.items():
            write(folder / name, content)
        there = listed(folder)
        os.environ["ASSAY_CACHE"] = "off"
        os.environ.pop("ASSAY_DEBUG", None)
        os.chdir(folder)
        stdin, out, err = sys.stdin, io.StringIO(), io.StringIO()
        stream = stack.enter_context(open(case.stdout, "w")) if case.stdout else out
        try:
            sys.stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(case.stdin or b"")))  # type: ignore[arg-type]
            with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(err):
                code = main(list(case.arguments))
        finally:
            sys.stdin = stdin
            os.chdir(before)
            os.environ.clear()
            os.environ.update(environment)
        now = listed(folder)
    changed = [name for name in {*there, *now} if there.get(name, 0) != now.get(name, 0)]
    said = err.getvalue().replace(str(folder), "FOLDER")  # its name is another in every run
    return Answer(code, out.getvalue(), said, changed)


@pytest.fixture(scope="module")
def answers() -> dict[str, Answer]:
    return {f"{case.category}: {case.name}": answer(case) for case in CASES}


def test_there_are_many_and_no_two_are_alike():
    assert len(CASES) >= 250
    assert [key for key, n in Counter((c.category, c.name) for c in CASES).items() if n > 1] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: escape_hidden(f"{case.category}: {case.name}"))
def test_one_line_and_nothing_changed(case, answers):
    got = answers[f"{case.category}: {case.name}"]
    assert (got.code, got.out) == (case.code, ""), got.err
    assert got.err.startswith("assay: ")
    assert got.err.count("\n") == 1
    assert got.err.endswith("\n")
    assert "Traceback" not in got.err
    assert "internal error" not in got.err
    assert HIDDEN.findall(got.err) == []
    assert got.changed == []


def test_the_record_and_the_page_say_what_happens(answers):
    assert RECORD.read_text("utf-8") == write_record(answers)
    assert PAGE.read_text("utf-8") == write_page(answers)


def write_record(answers: dict[str, Answer]) -> str:
    """The text of answers.md."""
    return "# Every bad input and its answer\n" + write_tables(CASES, answers)


def write_page(answers: dict[str, Answer]) -> str:
    """The text of docs/bad-input.md: what each category is, by its first faults."""
    lines = [
        "# Bad input",
        "",
        "Every answer to a bad input is one line on standard error that says what is wrong, where, what was found and",
        f"what to do; no file is written or changed. The tests try {len(CASES)} bad inputs: below are some of each,",
        "all are in `tests/bad_input/answers.md` (`python tests/bad_input/test_bad_input.py` writes both).",
        "",
        "| exit code | meaning |",
        "|---|---|",
        "| 0 | success; also if the reader of a pipe stops early (`assay ... \\| head`) |",
        "| 1 | `--fail-if` of `assay compare` holds; or an error in Assay itself: `assay: internal error: ...`; "
        "`ASSAY_DEBUG=1` prints the traceback |",
        "| 2 | bad input, a bad option, a file that cannot be read or written, a full disk, no memory |",
        "| 130, 143 | interrupted (Ctrl-C), terminated (SIGTERM) |",
        "",
        "Names and texts can come from untrusted files. When they are printed, characters that a terminal would",
        "execute or hide (controls, escape sequences, direction marks, zero-width characters) are escaped as in",
        "JSON, `\\u001b`; in JSON output too. Texts that are the result, one per line (`assay compress`, `assay",
        "fuse`, `assay lm score --per-line`), are written unchanged to a pipe or file, except for line breaks,",
        "and escaped on a terminal. If the output is not UTF-8, characters that it cannot represent are escaped:",
        "`\\u6771`.",
    ]
    sample = [case for _, cases in groupby(CASES, key=lambda case: case.category) for case in first_faults(cases)]
    return "\n".join(lines) + "\n" + write_tables(sample, answers)


def first_faults(cases: Iterable[Case]) -> list[Case]:
    """Return the first cases of a category that differ in more than the command."""
    faults: dict[str, Case] = {}
    for case in cases:
        faults.setdefault(case.name.partition(": ")[2] or case.name.split(" ")[1 if " " in case.name else 0], case)
    return list(faults.values())[:MAX_ROWS]


def write_tables(cases: Sequence[Case], answers: dict[str, Answer]) -> str:
    """A table for each category."""
    lines: list[str] = []
    for category, own in groupby(cases, key=lambda case: case.category):
        lines += ["", f"## {category}", "", "| input | command | exit | answer |", "|---|---|---|---|"]
        for case in own:
            got = answers[f"{case.category}: {case.name}"]
            lines.append(f"| {cell(case.name)} | {code(command(case))} | {got.code} | {code(got.first)} |")
    return "\n".join(lines) + "\n"


def command(case: Case) -> str:
    typed = " ".join(["assay", *(shlex.quote(cut(part)) for part in case.arguments)])
    return f"{typed}{' < pipe' if case.stdin is not None else ''}{f' > {case.stdout}' if case.stdout else ''}"


def cut(text: str, most: int = 40) -> str:
    return text if len(text) <= most else f"{text[:10]}…{text[-10:]}"


def cell(text: str) -> str:
    return escape_hidden(text, breaks=True).replace("|", "\\|").replace("<", "&lt;").replace("_", "\\_")


def code(text: str) -> str:
    shown = LONG_RUN.sub(r"\1\1\1…", escape_hidden(text, breaks=True))
    shown = cut_long(shown).replace("|", "\\|")
    ticks = "``" if "`" in shown else "`"
    return f"{ticks} {shown} {ticks}" if ticks == "``" else f"`{shown}`"


def cut_long(text: str, most: int = 300) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


if __name__ == "__main__":
    every = {f"{case.category}: {case.name}": answer(case) for case in CASES}
    RECORD.write_text(write_record(every), "utf-8")
    PAGE.write_text(write_page(every), "utf-8")
