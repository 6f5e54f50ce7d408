"""The set as rows of a table or records, under the names that a case gives, and the files and objects made of them."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .canon import FIRST, IDS, OUTPUTS, RATERS, SECOND, SOURCES, SYSTEMS, Expected, N, Rated, rating

Row = dict[str, Any]
Rows = list[Row]
Maker = Callable[[Path], Any]


def single(
    output: str = "prediction", reference: str = "reference", source: str = "source", id: str = "", system: str = "bart"
) -> Rows:
    """Return a row per item with the outputs of one system; a name of "" leaves a column out."""
    rows = []
    for i in range(N):
        row = {id: IDS[i], source: SOURCES[i], reference: FIRST[i], output: OUTPUTS[system][i]}
        rows.append({name: value for name, value in row.items() if name})
    return rows


def long(
    systems: Sequence[str] = SYSTEMS,
    *,
    id: str = "id",
    system: str = "system",
    output: str = "output",
    reference: str = "reference",
    source: str = "source",
) -> Rows:
    """Return a row per item and system."""
    rows = []
    for i in range(N):
        for name in systems:
            row = {id: IDS[i], system: name, source: SOURCES[i], reference: FIRST[i], output: OUTPUTS[name][i]}
            rows.append({name: value for name, value in row.items() if name})
    return rows


def wide(names: Mapping[str, str], *, id: str = "id", reference: str = "reference", source: str = "") -> Rows:
    """Return a row per item with a column per system: {system: header}."""
    rows = []
    for i in range(N):
        row = {id: IDS[i], source: SOURCES[i], reference: FIRST[i]}
        row |= {header: OUTPUTS[system][i] for system, header in names.items()}
        rows.append({name: value for name, value in row.items() if name})
    return rows


def rated(
    *,
    id: str = "id",
    system: str = "system",
    output: str = "output",
    reference: str = "reference",
    rater: str = "rater",
    dimensions: Mapping[str, str] = {"fluency": "fluency"},
    systems: Sequence[str] = ("bart", "t5"),
    raters: Sequence[str] = RATERS,
) -> Rows:
    """Return a row per item, system and rater, with a column per dimension: {dimension: header}."""
    rows = []
    for i in range(N):
        for name in systems:
            for who in raters:
                row: Row = {id: IDS[i], system: name, reference: FIRST[i], output: OUTPUTS[name][i], rater: who}
                row |= {header: rating(i, name, who, dimension) for dimension, header in dimensions.items()}
                rows.append({name: value for name, value in row.items() if name})
    return rows


def ratings(
    systems: Sequence[str] = ("bart", "t5"),
    raters: Sequence[str] = RATERS,
    dimensions: Sequence[str] = ("fluency",),
    *,
    names: Mapping[str, str | None] = {},
    label: Mapping[str, str] = {},
) -> list[Rated]:
    """Return the judgments of a table; `names` are systems and raters as the file has them, `label` dimensions."""
    return [
        Rated(i, names.get(s, s) or "", names.get(r, r), label.get(d, d), rating(i, s, r, d))
        for i in range(N)
        for s in systems
        for r in raters
        for d in dimensions
    ]


def expect(
    systems: Iterable[str] = ("bart",),
    *,
    names: Mapping[str, str] | None = None,
    references: int = 1,
    source: bool = True,
    ids: bool = False,
    ratings: Sequence[Rated] = (),
    raters: int | None = None,
) -> Expected:
    """Return what must be read of the set: of one system without `names` the name is free."""
    systems = tuple(systems)
    if names is None:
        names = {systems[0]: ""} if len(systems) == 1 else {s: s for s in systems}
    both = tuple(zip(FIRST, SECOND, strict=True))
    return Expected(
        outputs={names[s]: OUTPUTS[s] for s in systems},
        references=tuple(texts[:references] for texts in both),
        sources=tuple((text,) for text in SOURCES) if source else ((),) * N,
        ids=IDS if ids else None,
        ratings=tuple(ratings),
        raters=raters,
    )


# Files


def csv_text(rows: Rows, headers: Sequence[str] | None = None, **dialect: Any) -> str:
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, headers or list(rows[0]), **{"lineterminator": "\n", **dialect})
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def raw_text(rows: Rows, delimiter: str = "\t") -> str:
    """Return a table with nothing quoted."""
    lines = [list(rows[0]), *([str(value) for value in row.values()] for row in rows)]
    return "".join(delimiter.join(line) + "\n" for line in lines)


def text_file(text: str, name: str, *, encoding: str = "utf-8", end: str = "\n") -> Maker:
    """Return what writes a text to a file; gzipped, if its name says so."""

    def make(folder: Path) -> Path:
        content = text.replace("\n", end).encode(encoding)
        path = folder / name
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        return path

    return make


def csv_file(rows: Rows, name: str = "table.csv", *, encoding: str = "utf-8", end: str = "\n", **dialect: Any) -> Maker:
    return text_file(csv_text(rows, **dialect), name, encoding=encoding, end=end)


def jsonl_file(rows: Iterable[Any], name: str = "table.jsonl", **options: Any) -> Maker:
    return text_file("".join(json.dumps(row, **{"ensure_ascii": False, **options}) + "\n" for row in rows), name)


def json_file(value: Any, name: str = "table.json", **options: Any) -> Maker:
    return text_file(json.dumps(value, **{"ensure_ascii": False, **options}), name)


def lists(rows: Rows) -> dict[str, list[Any]]:
    return {name: [row.get(name) for row in rows] for name in rows[0]}


def parquet_file(rows: Rows) -> Maker:
    def make(folder: Path) -> Path:
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table(lists(rows)), folder / "table.parquet")
        return folder / "table.parquet"

    return make


def excel_file(rows: Rows) -> Maker:
    def make(folder: Path) -> Path:
        import openpyxl

        book = openpyxl.Workbook()
        book.active.append(list(rows[0]))
        for row in rows:
            book.active.append(list(row.values()))
        book.save(folder / "table.xlsx")
        return folder / "table.xlsx"

    return make


def pandas_frame(rows: Rows) -> Maker:
    def make(folder: Path) -> Any:
        import pandas as pd

        return pd.DataFrame(rows)

    return make


def polars_frame(rows: Rows) -> Maker:
    def make(folder: Path) -> Any:
        import polars as pl

        return pl.DataFrame(rows)

    return make


def arrow_table(rows: Rows) -> Maker:
    def make(folder: Path) -> Any:
        import pyarrow as pa

        return pa.table(lists(rows))

    return make


def value(thing: Any) -> Maker:
    return lambda folder: thing


# What any rows can be written as, by name.
WAYS: dict[str, Callable[[Rows], Maker]] = {
    "csv": csv_file,
    "jsonl": jsonl_file,
    "pandas": pandas_frame,
    "tsv": lambda rows: csv_file(rows, "table.tsv", delimiter="\t"),
    "dict": lambda rows: value(lists(rows)),
    "json": json_file,
    "semicolon": lambda rows: csv_file(rows, delimiter=";"),
    "list": lambda rows: value([dict(row) for row in rows]),
    "quoted": lambda rows: csv_file(rows, quoting=csv.QUOTE_ALL),
    "columns": lambda rows: json_file(lists(rows)),
    "polars": polars_frame,
    "parquet": parquet_file,
    "arrow": arrow_table,
    "xlsx": excel_file,
    "csv.gz": lambda rows: csv_file(rows, "table.csv.gz"),
    "wrapped": lambda rows: json_file({"data": rows}),
}
QUICK = ("csv", "jsonl", "pandas", "dict", "json", "tsv", "list", "quoted", "columns", "semicolon")


def way(number: int) -> tuple[str, Callable[[Rows], Maker]]:
    """Return one of the quick ways to write rows, in turn."""
    name = QUICK[number % len(QUICK)]
    return name, WAYS[name]
