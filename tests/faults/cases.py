"""What is made to fail: each command that writes something, with what stood there before and a small input."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import assay
from assay.cli.main import main
from assay.errors import AssayError, AssayWarning
from assay.text.cache import Cache

sys.path.insert(0, str(Path(__file__).parents[1] / "learning"))
from learning_made import made_set

TEXTS = [f"text {i} of some that were parsed" for i in range(20)]


@dataclass(frozen=True)
class Case:
    """`run` is given the input and the target and says how it ended: 0 or 2, as the command line does."""

    name: str
    target: str
    run: Callable[[Path, Path], int]
    input: str = "in.jsonl"
    old: bytes | None = b"old\n"
    allocations: tuple[str, ...] = ()


def command(*arguments: str) -> Callable[[Path, Path], int]:
    """A command line with IN and OUT filled in."""

    def run(given: Path, target: Path) -> int:
        return main([a.replace("IN", str(given)).replace("OUT", str(target)) for a in arguments])

    return run


def call(work: Callable[[Path, Path], object]) -> Callable[[Path, Path], int]:
    """A function of the library: its error as the command line would show it."""

    def run(given: Path, target: Path) -> int:
        try:
            work(given, target)
        except (AssayError, MemoryError) as error:
            print(f"assay: {error or 'not enough memory'}", file=sys.stderr)
            return 2
        return 0

    return run


def use_cache(given: Path, target: Path) -> int:
    """Puts and gets with one Cache, then gets with another: what comes out is right or not there, with a note."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        values = {text: text.upper().encode() for text in TEXTS}
        first = Cache(target)
        first.put("m", "1", values.items())
        answers = first.get("m", "1", TEXTS)
        first.close()
        second = Cache(target)
        answers_again = second.get("m", "1", TEXTS)
        second.put("m", "2", values.items())
        second.close()
    for got in (answers, answers_again):
        if any(values[text] != value for text, value in got.items()):
            raise AssertionError("the cache gave a wrong value")
    return 0


_WRITE = (
    "assay.files._Part.write",
    "assay.files._Part.take_place",
    "assay.files._hidden_name",
    "assay.files._sync_folder",
    "assay.formats._io.text_file._raw",
)
_SCORE = (*_WRITE, "assay.formats._scores.ScoreWriter.add", "assay.scoring.stream.score_stream")
_LEARN = ["learn", "IN", "--dimension", "content", "--features", "rouge1", "--learner", "ridge", "--resamples", "5"]
_TRAIN = ("lm", "train", "IN", "--order", "2", "--quiet", "--out", "OUT")
_PARQUET = "assay.formats._io.parquet_rows"
_REPORT = ("report", "IN", "-m", "rouge1", "--resamples", "10", "--out", "OUT")

CASES = (
    Case(
        "score, jsonl",
        "out.jsonl",
        command("score", "IN", "-m", "rouge1", "--out", "OUT"),
        allocations=(*_SCORE, "assay.formats._scores._JsonWriter.add"),
    ),
    Case(
        "score, csv.gz",
        "out.csv.gz",
        command("score", "IN", "-m", "rouge1", "--per-item", "--out", "OUT"),
        allocations=(*_SCORE, "assay.formats._io.csv_rows.CsvWriter.add"),
    ),
    Case(
        "score, parquet",
        "out.parquet",
        command("score", "IN", "-m", "rouge1", "--out", "OUT"),
        allocations=(*_SCORE, f"{_PARQUET}.ParquetWriter.add", f"{_PARQUET}.ParquetWriter._flush"),
    ),
    Case(
        "score of a parquet file",
        "out.jsonl",
        command("score", "IN", "-m", "rouge1", "--out", "OUT"),
        input="in.parquet",
        allocations=(*_SCORE, f"{_PARQUET}.ParquetReader.arrow_batches"),
    ),
    Case(
        "learn, folder",
        "scorer",
        command(*_LEARN, "--out", "OUT"),
        old=None,
        allocations=(*_WRITE, "assay.metrics._scorer_files._arrays", "assay.metrics._scorer_files._checksum"),
    ),
    Case(
        "report",
        "out.html",
        command(*_REPORT),
        allocations=(*_WRITE, "assay.page.html.draw_page", "assay.page.report.report"),
    ),
    Case(
        "write, jsonl",
        "out.jsonl",
        call(lambda i, o: assay.write(assay.read(i), o)),
        allocations=(*_WRITE, "assay.formats.jsonl.item_to_json"),
    ),
    Case(
        "write, csv folder",
        "out",
        call(lambda i, o: assay.write(assay.read(i), o, format="csv")),
        old=None,
        allocations=(*_WRITE, "assay.formats._io.csv_rows.CsvWriter.add", "assay.formats._io.table_write._shape"),
    ),
    Case(
        "write, lines",
        "out",
        call(lambda i, o: assay.write(assay.read(i), o, format="lines")),
        old=None,
        input="plain.jsonl",
        allocations=(*_WRITE, "assay.formats._io.line_write._write_line"),
    ),
    Case(
        "write, parquet",
        "out.parquet",
        call(lambda i, o: assay.write(assay.read(i), o)),
        input="plain.jsonl",
        allocations=(*_WRITE, f"{_PARQUET}.ParquetWriter.add"),
    ),
    Case(
        "lm train, npz",
        "out.npz",
        command(*_TRAIN),
        input="in.txt",
        allocations=(*_WRITE, "assay.text.lm.files._write_zip", "assay.text.lm.files._steps"),
    ),
    Case(
        "lm train, arpa",
        "out.arpa",
        command(*_TRAIN),
        input="in.txt",
        allocations=(*_WRITE, "assay.text.lm.files._arpa_line"),
    ),
    Case("parse cache", "cache", use_cache, input="in.txt", old=None),
)


def make_inputs(folder: Path) -> None:
    """The inputs of all cases."""
    judged = made_set(people=True)
    assay.write(judged, folder / "in.jsonl")
    plain = assay.EvalSet.from_texts({"A": ["a b", "c"], "B": ["a", "d"]}, ["a b", "c d"])
    assay.write(plain, folder / "plain.jsonl")
    assay.write(plain, folder / "in.parquet")
    (folder / "in.txt").write_text("\n".join(TEXTS), "utf-8")
