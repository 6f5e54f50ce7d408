"""Scoring many files on the command line: one set, the bits of one machine, and one line where something is wrong."""

from __future__ import annotations

import re
from functools import partial
from io import StringIO
from pathlib import Path

import pytest
import tqdm

from assay.cli.main import main


@pytest.fixture
def files(tmp_path) -> list[str]:
    names = []
    for part in range(3):
        lines = [
            f'{{"id": "{part}{i}", "references": ["the cat {i} sat on a mat"], "outputs": {{"A": "the cat {i} sat", '
            f'"B": "a mat {part}"}}}}\n'
            for i in range(4)
        ]
        (tmp_path / f"p{part}.jsonl").write_text("".join(lines))
        names.append(str(tmp_path / f"p{part}.jsonl"))
    (tmp_path / "all.jsonl").write_text("".join(Path(name).read_text() for name in names))
    return names


def test_many_files_are_one_set(files, tmp_path, capsys):
    scores = ["-m", "rouge2", "-m", "bleu", "--json"]
    assert main(["score", str(tmp_path / "all.jsonl"), *scores]) == 0
    one = capsys.readouterr().out
    assert main(["score", *files, *scores]) == 0
    assert capsys.readouterr().out == one
    assert main(["score", *files, *scores, "--out", str(tmp_path / "scores")]) == 0
    assert capsys.readouterr().out == one
    assert (
        main(["score", str(tmp_path / "p*.jsonl"), *scores, "--engine", "threads", "--out", str(tmp_path / "scores")])
        == 0
    )
    again = capsys.readouterr()
    assert again.out == one
    assert again.err == "assay: 3 of 3 parts were done before and are kept\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--engine", "dask"], "give --out with the name of one, as scores/"),
        (["--out", "scores.csv"], "--out scores/; got 'scores.csv'"),
        (["--out", "scores", "--refs", "r.txt", "--engine", "threads"], "--refs is for one set on one machine"),
        (["--out", "scores", "--engine", "spork"], "no engine is called 'spork'"),
        (["--out", "scores", "-m", "nist"], "nist reads the whole set before it scores"),
    ],
)
def test_what_does_not_go_together(files, options, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["score", *files, *options]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_notes_of_parts_are_few(files, tmp_path, capsys):
    for number, name in enumerate(files):
        with open(name, "a") as file:
            file.write(f'{{"id": "x{number}", "references": ["<b>a</b> cat"], "outputs": {{"A": "<b>a</b> dog"}}}}\n')
    assert main(["score", *files, "-m", "rouge1", "--allow-missing", "--out", str(tmp_path / "scores")]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert [("markup such as <b>" in line, line.endswith("of the parts")) for line in lines] == [
        (True, False),
        (True, False),
        (False, True),
    ]


def test_progress_has_parts_rows_a_second_and_the_time_left(monkeypatch):
    """The bar counts parts, of which it makes the time left; rows a second stand at its end."""
    from assay.cli import _parts
    from assay.engines.run import Finished

    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    screen, ticks = Terminal(), iter(range(0, 100, 2))
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(_parts, "bar_stream", lambda: screen)
    monkeypatch.setattr(_parts, "_SHOWN_AFTER", 0)
    monkeypatch.setattr("tqdm.tqdm", partial(tqdm.tqdm, mininterval=0))  # else a quick run is drawn once
    monkeypatch.setattr("assay.cli._parts.time.monotonic", lambda: float(next(ticks)))
    finished = [Finished(None, {"rows": 3000}) for _ in range(3)]
    assert list(_parts._follow(iter(finished), 3, 2)) == finished
    text = screen.getvalue()
    assert text.startswith("assay: 2 of 5 parts were done before and are kept")
    assert "3/3" in text
    assert "1,500 rows/s" in text
    assert re.search(r"\[\d\d:\d\d<\d\d:\d\d", text)
