"""Names and texts that try to command the terminal: whatever the command, nothing of them gets through."""

from __future__ import annotations

import io
import json
import re
import sys
import unicodedata
from itertools import pairwise

import pytest

from assay.cli._screen import Screen
from assay.cli.main import commands, main
from assay.printable import HIDDEN, escape_hidden

EVIL = "E\x1b[2J\x1b]0;owned\x07\x9b31m\u202e\u2066\u200e\u061c\u200b\ufeff\x00\r\u2028\x85\U000e0041end"
# Characters of the categories Cc, Cf, Cs, Zl and Zp that are seen, or that lay out text.
SEEN = {
    "\t",
    "\n",
    *map(chr, range(0x600, 0x606)),
    "\u06dd",
    "\u070f",
    "\u0890",
    "\u0891",
    "\u08e2",
    "\U000110bd",
    "\U000110cd",
    *map(chr, range(0x13430, 0x13440)),
}


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A set whose every name and text is hostile, and the other files that commands read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_CACHE", "off")
    systems = [f"{EVIL}{k}" for k in range(3)]
    with open("set.jsonl", "w", encoding="utf-8") as file:
        for i in range(6):
            words = f"The {EVIL} mayor of town {i} resigned on Monday after 20 years".split(" ")
            item = {
                "id": f"{EVIL}\n{i}",
                "group": f"{EVIL}{i % 2}",
                "source": " ".join(words) + " in office.",
                "references": [{"id": f"{EVIL}ref{k}", "text": " ".join(words[: 6 + k]) + "."} for k in range(2)],
                "outputs": {s: " ".join(words[: 4 + (i + k) % 5]) + "." for k, s in enumerate(systems)},
                "judgments": [
                    {"system": s, "dimension": f"{EVIL}d", "rater": f"{EVIL}r{r}", "score": (i * k + k + r) % 5}
                    for k, s in enumerate(systems)
                    for r in range(3)
                ],
            }
            file.write(json.dumps(item) + "\n")
    texts = [json.loads(line)["source"] for line in (tmp_path / "set.jsonl").read_text("utf-8").split("\n") if line]
    lines = [re.sub(r"[\r\n\x85\u2028\x00]", "", text) for text in texts]
    evil = re.sub(r"[\r\x00]", "", EVIL)
    (tmp_path / "lines.txt").write_text("\n".join(lines) + "\n", "utf-8")
    (tmp_path / "pairs.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in pairwise(lines)), "utf-8")
    (tmp_path / "units.csv").write_text(f'unit,"{evil}a","{evil}b"\n"{evil}",1,0\n"x",1,1\n', "utf-8", newline="")
    return tmp_path


RUNS = {
    "agree": ["set.jsonl", "--resamples", "0"],
    "align": ["pairs.tsv"],
    "cache": [],
    "check": ["set.jsonl"],
    "compare": ["set.jsonl", "--resamples", "20"],
    "completion": ["bash"],
    "schema": ["--list"],
    "compress": ["lines.txt", "--system", "lead", "--words", "4"],
    "convert": ["set.jsonl", "other.jsonl"],
    "demo": ["--out", f"{EVIL}/demo.html".replace("\x00", "")],
    "describe": ["set.jsonl", "--by-group", "--systems"],
    "edits": ["set.jsonl", "--per-output"],
    "example": [EVIL],
    "fuse": ["pairs.tsv", "--system", "longer"],
    "judge": ["table", "set.jsonl", "--llm", "*r2", "--resamples", "20"],
    "learn": ["set.jsonl", "--dimension", f"{EVIL}d", "--features", "rouge1", "--learner", "ridge", "--resamples", "5"],
    "lm": ["score", "lines.txt", "--per-line"],
    "meta": ["set.jsonl", "-m", "rouge1", "--resamples", "20"],
    "metrics": [EVIL],
    "paraphrase": ["set.jsonl"],
    "plan": ["set.jsonl", "--dimension", f"{EVIL}d", "--components"],
    "probe": [
        "set.jsonl",
        "-m",
        "rouge1",
        "--items",
        "1",
        "--population",
        "4",
        "--generations",
        "2",
        "--pool",
        "outputs",
    ],
    "pyramid": ["score", "units.csv"],
    "report": ["set.jsonl", "-m", "rouge1", "--resamples", "5", "--title", EVIL],
    "score": ["set.jsonl", "--per-item"],
    "split": ["lines.txt", "--language", "de", "--running"],
    "study": ["new", "set.jsonl", "--title", EVIL, "--out", "study"],
}


class Terminal(io.StringIO):
    """Where a person looks."""

    def isatty(self) -> bool:
        return True


def leaks(text: str) -> set[str]:
    return set(HIDDEN.findall(text))


def test_every_command_is_run():
    assert set(RUNS) == set(commands())


@pytest.mark.parametrize("how", ["text", "json"])
@pytest.mark.parametrize("command", RUNS)
def test_nothing_hostile_reaches_a_terminal(files, command, how, monkeypatch):
    out, err = Terminal(), Terminal()
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    quiet = ["--quiet"]  # no progress bar, which moves the cursor
    code = main([command, *RUNS[command], *quiet, *(["--json"] if how == "json" else [])])
    assert code == (2 if command in ("metrics", "demo", "example") else 0), err.getvalue()
    assert leaks(out.getvalue()) == leaks(err.getvalue()) == set()
    if how == "json" and code == 0:
        assert all(json.loads(line) for line in out.getvalue().splitlines())


@pytest.mark.parametrize("command", sorted({*RUNS} - {"compress", "fuse", "lm"}))
def test_nothing_hostile_reaches_a_pipe_but_data(files, command, capsys):
    main([command, *RUNS[command]])
    said = capsys.readouterr()
    assert leaks(said.out) == leaks(said.err) == set()


@pytest.mark.parametrize("command", ["compress", "fuse"])
def test_data_to_a_pipe_are_as_they_were(files, command, capsys):
    assert main([command, *RUNS[command]]) == 0
    assert "\x1b[2J" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        [EVIL],
        ["score", EVIL.replace("\x00", "")],
        ["score", f"--{EVIL}"],
        ["score", "set.jsonl", "-m", EVIL],
        ["score", "set.jsonl", "--threads", EVIL],
        ["score", "set.jsonl", "--format", EVIL],
        ["score", "--system", EVIL],
        ["compare", "set.jsonl", "--baseline", EVIL],
        ["compare", "set.jsonl", "--test", EVIL],
        ["compress", "lines.txt", "--keep", f"({EVIL}"],
        ["compress", "lines.txt", "--system", EVIL],
        ["learn", "set.jsonl", "--dimension", EVIL],
        ["agree", "set.jsonl", "--experts", EVIL],
        ["score", "bad\udcff\x1b.jsonl"],
    ],
)
def test_errors_are_one_clean_line(files, arguments, capsys):
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("assay: ")
    assert leaks(said.err) == set()


def test_a_long_name_does_not_fill_the_screen(capsys):
    assert main(["x" * 100_000]) == 2
    assert len(capsys.readouterr().err) < 1100


def test_hidden_characters_are_those_of_unicode():
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            assert bool(HIDDEN.match(char)) == (char not in SEEN), hex(code)


def test_escapes_are_those_of_json():
    text = escape_hidden(EVIL)
    assert json.loads(f'"{text}"') == EVIL
    assert escape_hidden("a\tb\nc") == "a\tb\nc"
    assert escape_hidden("a\tb\nc", breaks=True) == "a\\tb\\nc"
    assert escape_hidden("\ud800") == "\\ud800"
    assert escape_hidden("naïve 東京 😀") == "naïve 東京 😀"


@pytest.mark.parametrize(("encoding", "seen"), [("ascii", "caf\\xe9 --- ..."), ("latin-1", "café --- ...")])
def test_a_stream_that_lacks_a_character_gets_another(encoding, seen):
    raw = io.BytesIO()
    screen = Screen(io.TextIOWrapper(raw, encoding=encoding))
    screen.write("café ─── …")
    screen.flush()
    assert raw.getvalue().decode(encoding) == seen
