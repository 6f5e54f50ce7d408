"""Files made to fill memory or the stack end in one line of error."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import subprocess
import sys
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assay import formats
from assay.errors import AssayError, FormatError
from assay.formats import documents, read_scores, read_units, text_lines, text_pairs
from assay.formats._io import text_file
from assay.metrics import metric

DEEP = 100_000


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds of a megabyte, so that a small bomb is enough to pass them."""
    monkeypatch.setattr(text_file, "LINE_LIMIT", 1 << 20)
    monkeypatch.setattr(text_file, "WHOLE_LIMIT", 1 << 20)


def bomb(path: Path, head: bytes, fill: bytes, size: int = 64 << 20) -> Path:
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(head)
        block = fill * ((1 << 20) // len(fill))
        for _ in range(size // len(block)):
            file.write(block)
    return path


READERS = {
    "x.jsonl": (formats.read, b'{"id": "', b"a"),
    "array.jsonl": (formats.read, b'[{"id": "1"}', b',{"id": "1"}\n'),
    "x.csv": (formats.read, b"item,system,text\n1,A,", b"a"),
    "quotes.csv": (formats.read, b'item,system,text\n1,A,"', b"a\n"),
    "fields.csv": (formats.read, b'item,system,text\n1,A,"a', b'\n","\n'),
    "x.tsv": (formats.read, b"item\tsystem\ttext\n1\tA\t", b"a"),
    "x.txt": (formats.read, b"", b"a"),
    "scores.jsonl": (read_scores, b'{"system": "', b"a"),
    "scores.csv": (read_scores, b"system,item,metric,score\n", b"a"),
    "units.jsonl": (read_units, b'{"id": "', b"a"),
    "units.csv": (read_units, b"unit,A\n", b"a"),
    "pairs.tsv": (lambda path: list(text_pairs(path)), b"a\t", b"b"),
    "plain.txt": (lambda path: list(text_lines(str(path))), b"", b"b"),
}


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", READERS)
def test_a_small_file_that_unpacks_to_a_large_one(name: str, tmp_path: Path) -> None:
    read, head, fill = READERS[name]
    path = bomb(tmp_path / f"{name}.gz", head, fill)
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match=r"longer than 1 MiB|larger than 1 MiB when unpacked") as error:
            read(path)
        assert tracemalloc.get_traced_memory()[1] < 32 << 20
    finally:
        tracemalloc.stop()
    assert "\n" not in str(error.value)


@pytest.mark.usefixtures("small")
def test_a_document_is_read_whole(tmp_path: Path) -> None:
    bomb(tmp_path / "a.doc.gz", b"", b"word ", 8 << 20)
    (tmp_path / "a.abstract").write_text("words")
    with pytest.raises(FormatError, match=r"a\.doc\.gz: is larger than 1 MiB when unpacked"):
        list(documents(tmp_path))


@pytest.mark.usefixtures("small")
def test_what_is_within_the_bound_is_read(tmp_path: Path) -> None:
    text = "a" * ((1 << 20) - 100)
    (tmp_path / "x.jsonl").write_text(f'{{"id": "1", "outputs": {{"A": "{text}"}}}}\n' * 1)
    assert formats.read(tmp_path / "x.jsonl")["1"].outputs["A"] == text
    rows = "".join(f"{i},A,{text}\n" for i in range(4))
    (tmp_path / "x.csv").write_text("item,system,text\n" + rows)
    assert len(formats.read(tmp_path / "x.csv")) == 4


def test_the_bounds_are_those_that_are_documented() -> None:
    assert (text_file.LINE_LIMIT, text_file.WHOLE_LIMIT) == (256 << 20, 1 << 30)


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")], ids=["arrays", "objects"])
def test_deep_json(opening: str, closing: str, tmp_path: Path) -> None:
    nest = opening * DEEP + ("1" if opening != "[" else "") + closing * DEEP
    quoted = '"' + nest.replace('"', '""') + '"'
    files = {
        "bare.jsonl": (formats.read, nest),
        "extra.jsonl": (formats.read, f'{{"id": "1", "more": {nest}}}'),
        "outputs.jsonl": (formats.read, f'{{"id": "1", "outputs": {nest}}}'),
        "array.json": (formats.read, f'[{{"id": "1", "more": {nest}}}]'),
        "open.jsonl": (formats.read, opening * DEEP),
        "x.csv": (formats.read, f"item,system,text,references\n1,A,x,{quoted}\n"),
        "scores.jsonl": (read_scores, nest),
        "score.jsonl": (read_scores, f'{{"system": "A", "item": "1", "metric": "m", "score": 1, "more": {nest}}}'),
        "units.jsonl": (read_units, f'{{"id": "1", "units": {nest}}}'),
        "weights.json": (lambda path: metric(f"depeval(weights={path})"), nest),
    }
    for name, (read, text) in files.items():
        path = tmp_path / name
        path.write_text(text)
        with pytest.raises(AssayError) as error:
            read(path)
        assert "\n" not in str(error.value), name
        assert name in str(error.value)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "outputs.csv").write_text("item,system,text\n1,A,x\n")
    (tmp_path / "folder" / "items.csv").write_text(f"item,extra\n1,{quoted}\n")
    with pytest.raises(FormatError, match="column 'extra' is not a JSON object"):
        formats.read(tmp_path / "folder")


MEMORY = 1 << 30  # bytes of address space beyond what the program takes itself
SECONDS = 5  # of the processor, for each
READ_ALL = f"""
import resource, sys, time
import pyarrow.parquet, openpyxl, assay
own = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (own + {MEMORY}, own + {MEMORY}))
for path in sys.argv[1:]:
    start = time.process_time()
    try:
        answer = str(assay.read(path))
    except assay.errors.AssayError as error:
        answer = str(error)
    print(path.rpartition("/")[2], time.process_time() - start, answer, sep="\\t", flush=True)
"""


def shares(text: str, rows: int) -> pa.Array:
    """Return texts that are one entry of a dictionary, as Parquet stores them."""
    return pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array([text]))


def make_parquet_bombs(folder: Path) -> None:
    one, rows = shares("A", 400), shares("a" * 560_000, 400)
    tables = {
        "texts": {"system": one, "text": rows},
        "records": {"system": one, "out": pa.StructArray.from_arrays([rows], ["text"])},
        "list": {"text": ["a b"], "references": pa.ListArray.from_arrays([0, len(rows)], rows)},
        "ids": {"item": rows, "system": one, "text": ["t"] * len(rows)},
        "page": {"system": ["A"], "text": ["a" * (65 << 20)]},
    }
    for name, columns in tables.items():
        pq.write_table(pa.table(columns), folder / f"{name}.parquet", compression="zstd", store_schema=False)
    categories = {"system": one, "text": rows}  # as pandas writes them: they stay dictionaries when they are read
    pq.write_table(pa.table(categories), folder / "categories.parquet", compression="zstd")


def make_workbook(path: Path, rows: str) -> None:
    """Write a workbook with a sheet of these rows of XML."""
    import openpyxl

    plain = io.BytesIO()
    openpyxl.Workbook().save(plain)
    sheet = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "xl/worksheets/sheet1.xml":
                content = f"{sheet}{rows}</sheetData></worksheet>".encode()
            new.writestr(name, content)


def cell(place: str, text: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def make_other_bombs(folder: Path) -> None:
    head = f"<row>{cell('A1', 'prediction')}{cell('B1', 'reference')}</row>"
    make_workbook(folder / "cell.xlsx", f"{head}<row>{cell('A2', 'a' * (65 << 20))}{cell('B2', 'b')}</row>")
    right = "".join(f'<row r="{n}">{cell(f"XFD{n}", "x")}</row>' for n in range(2, 20_000))
    make_workbook(folder / "right.xlsx", head + right)
    make_workbook(folder / "columns.xlsx", "<row>" + "".join(cell("", f"h{n}") for n in range(16_000)) + "</row>")
    make_workbook(folder / "missing.xlsx", f'{head}<row><c r="A2" t="s"><v>7</v></c></row>')
    bomb(folder / "lists.jsonl.gz", b'{"prediction": "a", "more": [', b"[],", 30 << 20)
    bomb(folder / "objects.json.gz", b"[", b"{},", 30 << 20)
    (folder / "spaces.jsonl.gz").write_bytes(gzip.compress(b" " * (66 << 20), 6))
    names = [f"h{n}" for n in range(200_000)]
    (folder / "columns.csv").write_text(f"{','.join(names)}\n{','.join('1' * len(names))}\n")
    (folder / "keys.jsonl").write_text(json.dumps({"prediction": "a", **dict.fromkeys(names, 1)}) + "\n")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits the memory of a process")
def test_bombs_are_refused_in_seconds_and_little_memory(tmp_path: Path) -> None:
    """In a process of their own, as one that is not refused would end it, or the machine."""
    make_parquet_bombs(tmp_path)
    make_other_bombs(tmp_path)
    files = sorted(map(str, tmp_path.iterdir()))
    run = subprocess.run([sys.executable, "-c", READ_ALL, *files], capture_output=True, text=True, timeout=600)
    answers = {name: (float(time), answer) for name, time, answer in map(split_tabs, run.stdout.splitlines())}
    assert [name for name in map(os.path.basename, files) if name not in answers] == [], run.stderr[-500:]
    refusal = re.compile(
        r"unpacks to [\d,]+ MiB or more|at most 4,096 are read|empty lists and objects|not a readable Excel workbook"
    )
    assert {name: answer for name, (_, answer) in answers.items() if not refusal.search(answer)} == {}
    assert {name: time for name, (time, _) in answers.items() if time > SECONDS} == {}


def test_a_list_of_millions_of_equal_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They take no place in the file but a count."""
    monkeypatch.setattr(text_file, "PACKED_LIMIT", 1 << 20)
    numbers = pa.ListArray.from_arrays([0, 2 << 20], np.zeros(2 << 20, np.int8))
    pq.write_table(pa.table({"text": ["a b"], "fluency": numbers}), tmp_path / "x.parquet")
    with pytest.raises(FormatError, match="unpacks to 2 MiB or more"):
        formats.read(tmp_path / "x.parquet")


def split_tabs(line: str) -> list[str]:
    return line.split("\t", 2)


def test_tightly_packed_files_that_are_small_are_read(tmp_path: Path) -> None:
    """Repeated texts are packed well by any program, and are not refused for that."""
    rows = 4000
    table = {"item": [str(n) for n in range(rows)], "system": shares("A", rows), "text": shares("a " * 8000, rows)}
    pq.write_table(pa.table(table), tmp_path / "x.parquet", compression="zstd")
    assert (tmp_path / "x.parquet").stat().st_size * 2000 < rows * 16_000 <= text_file.PACKED_LIMIT
    assert len(formats.read(tmp_path / "x.parquet")) == rows
