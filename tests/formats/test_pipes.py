"""What comes out of a pipe scores as it would from a file, however often it is gone through."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from assay import formats
from assay.cli.main import main
from assay.data.evalset import EvalSet
from assay.errors import AlignmentError, InputError
from assay.formats import read_scores, read_units
from assay.formats._io.pipes import SpooledFile, is_pipe

N = 9000  # more than two chunks, so that a pass that breaks off after the first would be seen
DATA = EvalSet.from_texts(
    {"A": [f"the cat {i % 7} sat" for i in range(N)], "B": [f"a dog {i % 5}" for i in range(N)]},
    [f"the cat {i % 3} sat down" for i in range(N)],
)


@pytest.fixture
def pipe(tmp_path: Path) -> Callable[..., str]:
    """A FIFO through which a file goes once."""

    def make(source: Path, name: str = "fifo") -> str:
        fifo = tmp_path / name
        os.mkfifo(fifo)

        def feed() -> None:
            with suppress(BrokenPipeError), open(fifo, "wb") as file:  # a reader may have had enough
                file.write(source.read_bytes())

        threading.Thread(target=feed, daemon=True).start()
        return str(fifo)

    return make


@pytest.mark.parametrize("name", ["set.jsonl", "set.jsonl.gz", "set.csv", "set.tsv", "set.parquet"])
@pytest.mark.parametrize("passes", [1, 2])
def test_every_format_reads_a_pipe(name: str, passes: int, tmp_path: Path, pipe: Callable[..., str]) -> None:
    formats.write(DATA, tmp_path / name)
    chunks = formats.stream(pipe(tmp_path / name, f"fifo-{name}"), passes=passes)
    assert sum(len(chunk) for chunk in chunks) == N
    if passes > 1:
        assert chunks.read() == DATA


@pytest.mark.parametrize("name", ["set.jsonl", "set.csv", "set.parquet"])
@pytest.mark.parametrize("metrics", [[], ["-m", "rouge1"], ["-m", "nist"]], ids=["default", "one pass", "two passes"])
def test_score_says_the_same_of_a_pipe(
    name: str, metrics: list[str], tmp_path: Path, pipe: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    formats.write(DATA, tmp_path / name)
    assert main(["score", str(tmp_path / name), *metrics, "--json"]) == 0
    expected = capsys.readouterr().out
    assert main(["score", pipe(tmp_path / name), "--input-format", name.partition(".")[2], *metrics, "--json"]) == 0
    assert capsys.readouterr().out == expected


def test_line_aligned_files_and_references_from_pipes(
    tmp_path: Path, pipe: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_text("the cat\na dog\n")
    (tmp_path / "ref.txt").write_text("the cat\na cat\n")
    assert main(["score", "--outputs", f"A={tmp_path / 'a.txt'}", "--refs", str(tmp_path / "ref.txt"), "--json"]) == 0
    expected = capsys.readouterr().out
    system, refs = pipe(tmp_path / "a.txt", "one"), pipe(tmp_path / "ref.txt", "two")
    assert main(["score", "--outputs", f"A={system}", "--refs", refs, "--json"]) == 0
    assert capsys.readouterr().out == expected
    (tmp_path / "outputs.csv").write_text("item,system,text\n1,A,the cat\n2,A,a dog\n")
    (tmp_path / "references.csv").write_text("item,text\n1,the cat\n2,a cat\n")
    outputs, references = (pipe(tmp_path / f"{name}.csv", f"{name}-fifo") for name in ("outputs", "references"))
    assert main(["score", outputs, "--input-format", "csv", "--refs", references, "--json"]) == 0
    assert capsys.readouterr().out == expected


def test_tables_of_scores_and_units_from_pipes(tmp_path: Path, pipe: Callable[..., str]) -> None:
    (tmp_path / "s.csv").write_text("system,item,metric,score\nA,1,m,0.5\n")
    (tmp_path / "u.csv").write_text("unit,A,B\nfirst,1,0\n")
    assert read_scores(pipe(tmp_path / "s.csv", "scores.csv"))[0].values.tolist() == [[0.5]]
    assert read_units(pipe(tmp_path / "u.csv", "units.csv"))[0].present == {"A": (True,), "B": (False,)}


def test_standard_input_is_read_twice_where_that_is_needed(tmp_path: Path) -> None:
    formats.write(DATA, tmp_path / "set.jsonl")
    command = [sys.executable, "-c", "from assay.cli.main import main; raise SystemExit(main())", "score"]

    def scores(*arguments: str, given: bytes = b"") -> bytes:
        return subprocess.run([*command, *arguments, "--json"], input=given, capture_output=True, check=True).stdout

    raw = (tmp_path / "set.jsonl").read_bytes()
    expected = scores(str(tmp_path / "set.jsonl"))
    assert scores("-", given=raw) == expected
    assert scores("-", given=gzip.compress(raw)) == expected
    assert scores("/dev/stdin", "--input-format", "jsonl", given=raw) == expected


def test_a_second_pass_over_what_was_not_kept_is_refused(tmp_path: Path, pipe: Callable[..., str]) -> None:
    formats.write(DATA, tmp_path / "set.jsonl")
    chunks = formats.stream(pipe(tmp_path / "set.jsonl"), format="jsonl")
    next(iter(chunks))
    with pytest.raises(InputError, match="fifo: a pipe can be read only once"):
        chunks.read()
    with pytest.raises(InputError, match="a pipe can be read only once"):
        formats.write(chunks, tmp_path / "copy.csv")
    assert not (tmp_path / "copy.csv").exists()


def test_a_repeated_id_in_a_pipe(tmp_path: Path, pipe: Callable[..., str]) -> None:
    (tmp_path / "set.jsonl").write_text('{"id": "1"}\n{"id": "2"}\n{"id": "1"}\n')
    with pytest.raises(AlignmentError, match=r"fifo:3: item '1' was already used: ids must be unique"):
        list(formats.stream(pipe(tmp_path / "set.jsonl"), format="jsonl", batch=1))


def test_the_copy_goes_away_and_errors_name_the_pipe(tmp_path: Path, pipe: Callable[..., str]) -> None:
    (tmp_path / "set.csv").write_text("item,text\n1,x\n")
    fifo = pipe(tmp_path / "set.csv")
    assert is_pipe(fifo)
    assert not is_pipe(tmp_path / "set.csv")
    assert not is_pipe(tmp_path)
    assert not is_pipe(tmp_path / "none")
    kept = SpooledFile(fifo)
    folder = Path(os.fspath(kept)).parent
    assert folder.exists()
    assert not is_pipe(kept)
    with pytest.raises(InputError, match=f"^{fifo}: no column 'system'"):
        formats.read(kept, format="csv")
    del kept
    assert not folder.exists()
