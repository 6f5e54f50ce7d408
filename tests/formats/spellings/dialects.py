"""Cases by file: delimiters, quoting, line ends, encodings, orders, missing cells, and what pandas and polars write."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from .canon import FIRST, IDS, OUTPUTS, SECOND, SYSTEMS, Case, Expected, N
from .tables import (
    WAYS,
    Rows,
    csv_file,
    csv_text,
    expect,
    json_file,
    jsonl_file,
    lists,
    long,
    pandas_frame,
    rated,
    ratings,
    raw_text,
    single,
    text_file,
    wide,
)

BASES: dict[str, tuple[Rows, Expected]] = {
    "single": (single(), expect()),
    "single with ids": (single("hyp", "ref", "src", "id"), expect(ids=True)),
    "long": (long(), expect(SYSTEMS, ids=True)),
    "wide": (wide({s: s for s in SYSTEMS}, source="source"), expect(SYSTEMS, ids=True)),
    "rated": (rated(), expect(("bart", "t5"), source=False, ids=True, ratings=ratings())),
}


def dialect_cases() -> Iterator[Case]:
    """Every base table in every dialect of CSV."""
    for base, (rows, expected) in BASES.items():
        for delimiter, name in ((",", "comma"), (";", "semicolon"), ("\t", "tab"), ("|", "pipe")):
            for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC):
                make = csv_file(rows, delimiter=delimiter, quoting=quoting)
                yield Case(f"{base}: {name}, quoting {int(quoting)}, .csv", make, expected)
        for ending, end in (("CRLF", "\r\n"), ("CR", "\r")):
            yield Case(f"{base}: {ending}", csv_file(rows, end=end), expected, remedy="line")
        for encoding in ("utf-8-sig", "utf-16", "utf-16-le"):
            remedy = {"utf-8-sig": "--columns", "utf-16": "UTF-8", "utf-16-le": "NUL"}[encoding]
            yield Case(f"{base}: {encoding}", csv_file(rows, encoding=encoding), expected, remedy=remedy)
        yield Case(
            f"{base}: UTF-16 tabs", csv_file(rows, "t.txt", encoding="utf-16", delimiter="\t"), expected, remedy="UTF-8"
        )
        yield Case(f"{base}: Latin-1", csv_file(rows, encoding="latin-1"), expected, remedy="UTF-8")
        yield Case(f"{base}: no line end", text_file(csv_text(rows).rstrip("\n"), "table.csv"), expected)
        yield Case(f"{base}: empty lines at the end", text_file(csv_text(rows) + "\n\n", "table.csv"), expected)
        blank = ",".join("" for _ in rows[0])
        yield Case(
            f"{base}: blank rows at the end", text_file(f"{csv_text(rows)}{blank}\n{blank}\n", "table.csv"), expected
        )
        yield Case(f"{base}: comma in .tsv", csv_file(rows, "table.tsv"), expected)
        yield Case(f"{base}: tabs in .tsv.gz", csv_file(rows, "table.tsv.gz", delimiter="\t"), expected)
        spaced = [{f" {name} ": value for name, value in row.items()} for row in rows]
        yield Case(f"{base}: spaces around headers", csv_file(spaced), expected)


def way_cases() -> Iterator[Case]:
    """Every base table in every way."""
    for base, (rows, expected) in BASES.items():
        for name, write in WAYS.items():
            yield Case(f"{base}: {name}", write(rows), expected)


def tsv_cases() -> Iterator[Case]:
    """Tab-separated, with quotation marks in texts: raw, as most scripts write it, and quoted, as pandas does."""
    for base in ("single", "single with ids", "long", "wide"):
        rows, expected = BASES[base]
        yield Case(f"{base}: raw tabs", text_file(raw_text(rows), "table.tsv"), expected)
        yield Case(f"{base}: raw tabs, CRLF", text_file(raw_text(rows), "table.tsv", end="\r\n"), expected)
        yield Case(f"{base}: raw tabs in .csv", text_file(raw_text(rows), "table.csv"), expected)
        yield Case(f"{base}: raw tabs in .txt", text_file(raw_text(rows), "table.txt"), expected, {"format": "csv"})
        yield Case(
            f"{base}: tabs, all quoted", csv_file(rows, "t.tsv", delimiter="\t", quoting=csv.QUOTE_ALL), expected
        )
        yield Case(f"{base}: tabs by pandas", _pandas_csv(rows, "t.tsv", sep="\t", index=False), expected)
        yield Case(f"{base}: tabs by polars", _polars_csv(rows, "t.tsv", separator="\t"), expected)
        broken = [{k: v.replace(", ", ",\n") if isinstance(v, str) else v for k, v in row.items()} for row in rows]
        yield Case(f"{base}: line breaks in cells", csv_file(broken), _break_lines(expected))
        yield Case(
            f"{base}: line breaks in cells, tabs", csv_file(broken, "t.tsv", delimiter="\t"), _break_lines(expected)
        )


def _break_lines(expected: Expected) -> Expected:
    def break_lines(texts: Any) -> tuple[str, ...]:
        return tuple(text.replace(", ", ",\n") for text in texts)

    return replace(
        expected,
        outputs={s: break_lines(texts) for s, texts in expected.outputs.items()},
        references=tuple(map(break_lines, expected.references)),
        sources=tuple(map(break_lines, expected.sources)),
    )


def _pandas_csv(rows: Rows, name: str = "table.csv", **options: Any) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        pandas_frame(rows)(folder).to_csv(folder / name, **options)
        return folder / name

    return make


def _polars_csv(rows: Rows, name: str = "table.csv", **options: Any) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        import polars as pl

        pl.DataFrame(rows).write_csv(folder / name, **options)
        return folder / name

    return make


def pandas_cases() -> Iterator[Case]:
    """What to_csv and to_json of pandas and polars write."""
    for base in ("single", "long", "wide", "rated"):
        rows, expected = BASES[base]
        yield Case(f"{base}: to_csv", _pandas_csv(rows), expected)
        yield Case(f"{base}: to_csv, no index", _pandas_csv(rows, index=False), expected)
        yield Case(f"{base}: to_csv, index_label", _pandas_csv(rows, index_label="row"), expected)
        yield Case(f"{base}: to_csv, semicolon", _pandas_csv(rows, sep=";", index=False), expected)
        yield Case(f"{base}: to_csv, gz", _pandas_csv(rows, "table.csv.gz", index=False), expected)
        yield Case(f"{base}: write_csv", _polars_csv(rows), expected)
        yield Case(f"{base}: write_csv, all quoted", _polars_csv(rows, quote_style="always"), expected)
        for orient in ("records", "split", "index", "columns", "table"):
            yield Case(f"{base}: to_json {orient}", _pandas_json(rows, orient=orient), expected)
        yield Case(f"{base}: to_json values", _pandas_json(rows, orient="values"), expected, remedy="")
        yield Case(f"{base}: to_json lines", _pandas_json(rows, "t.jsonl", orient="records", lines=True), expected)
        yield Case(f"{base}: to_json lines in .json", _pandas_json(rows, orient="records", lines=True), expected)
        for method in ("write_json", "write_ndjson"):
            yield Case(f"{base}: polars {method}", _polars_json(rows, method), expected)
        yield Case(f"{base}: to_dict", lambda folder, rows=rows: pandas_frame(rows)(folder).to_dict(), expected)
        yield Case(
            f"{base}: to_dict list", lambda folder, rows=rows: pandas_frame(rows)(folder).to_dict("list"), expected
        )
        yield Case(f"{base}: to_parquet", _pandas_parquet(rows), expected)


def _pandas_json(rows: Rows, name: str = "table.json", **options: Any) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        pandas_frame(rows)(folder).to_json(folder / name, **options)
        return folder / name

    return make


def _polars_json(rows: Rows, method: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        import polars as pl

        path = folder / ("table.jsonl" if method == "write_ndjson" else "table.json")
        getattr(pl.DataFrame(rows), method)(path)
        return path

    return make


def _pandas_parquet(rows: Rows) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        pandas_frame(rows)(folder).to_parquet(folder / "table.parquet")
        return folder / "table.parquet"

    return make


def order_cases() -> Iterator[Case]:
    """Columns and rows in other orders."""
    for base, (rows, expected) in BASES.items():
        headers = list(rows[0])
        for shift in range(1, len(headers)):
            turned = [{h: row[h] for h in (*headers[shift:], *headers[:shift])} for row in rows]
            yield Case(f"{base}: columns turned by {shift}", csv_file(turned), expected)
        backwards = [dict(reversed(row.items())) for row in rows]
        yield Case(f"{base}: columns backwards", jsonl_file(backwards), expected)
        if expected.ids is not None:
            yield Case(f"{base}: rows backwards", csv_file(rows[::-1]), expected)
            mixed = sorted(rows, key=lambda row: (str(row.get("system")), row.get("rater", "")))
            yield Case(f"{base}: rows by system", csv_file(mixed), expected)
            yield Case(f"{base}: rows by system (jsonl)", jsonl_file(mixed), expected)
            keys = [dict(sorted(row.items(), key=lambda pair: hash_place(pair[0], n))) for n, row in enumerate(rows)]
            yield Case(f"{base}: keys in any order", jsonl_file(keys), expected)
        upper = [{name.upper(): value for name, value in row.items()} for row in rows]
        if base != "wide":
            yield Case(f"{base}: headers in capitals", csv_file(upper), expected)


def hash_place(name: str, number: int) -> int:
    """Return a place for a key that differs from row to row."""
    return (len(name) * 7 + ord(name[0]) + number * 13) % 17


def missing_cases() -> Iterator[Case]:
    """Cells without a value, as each program writes them."""
    gap = 3
    spellings: dict[str, Any] = {"null": None, "NaN": float("nan")}
    for number, (word, value) in enumerate(spellings.items()):
        remedy = "NaN" if word == "NaN" else "--columns"  # json.dumps writes it, though it is not JSON
        rows = [{**row, "reference": value if n == gap else row["reference"]} for n, row in enumerate(single())]
        expected = replace(expect(), references=tuple(() if i == gap else (FIRST[i],) for i in range(N)))
        for style in ("jsonl", "json", "pandas", "dict", "list", "columns"):
            yield Case(f"reference {word} ({style}, {number})", WAYS[style](rows), expected, remedy=remedy)
        rows = [{**row, "source": value if n == gap else row["source"]} for n, row in enumerate(single())]
        sources = tuple(() if i == gap else texts for i, texts in enumerate(expect().sources))
        for style in ("jsonl", "pandas"):
            yield Case(f"source {word} ({style})", WAYS[style](rows), replace(expect(), sources=sources), remedy=remedy)
        rows = [{**row, "output": value if n == gap else row["output"]} for n, row in enumerate(long())]
        outputs = {s: _without(texts, 1) if s == SYSTEMS[0] else texts for s, texts in OUTPUTS.items()}
        for style in ("jsonl", "pandas", "list"):
            expected = replace(expect(SYSTEMS, ids=True), outputs=outputs)
            yield Case(f"output {word} ({style})", WAYS[style](rows), expected, {"allow_missing": True}, remedy)
        rows = [{**row, "fluency": value if n == gap else row["fluency"]} for n, row in enumerate(rated())]
        judged = replace(BASES["rated"][1], ratings=[r for n, r in enumerate(ratings()) if n != gap])
        for style in ("jsonl", "pandas", "dict"):
            yield Case(f"rating {word} ({style})", WAYS[style](rows), judged, remedy=remedy)
    yield from _empty_cells(gap)
    yield from _literal_words(gap)


def _without(texts: tuple[str, ...], place: int) -> tuple[str | None, ...]:
    return tuple(None if n == place else text for n, text in enumerate(texts))


def _empty_cells(gap: int) -> Iterator[Case]:
    """In CSV nothing stands for nothing; of ratings, NA and its like do too."""
    for style in ("csv", "tsv", "semicolon", "quoted", "xlsx", "csv.gz"):
        rows = [{**row, "reference": "" if n == gap else row["reference"]} for n, row in enumerate(single())]
        expected = replace(expect(), references=tuple(() if i == gap else (FIRST[i],) for i in range(N)))
        yield Case(f"reference empty ({style})", WAYS[style](rows), expected)
    for word in ("", "NA", "NaN", "nan", "N/A", "n/a", "null", "None", "-", "#N/A", "."):
        rows = [{**row, "fluency": word if n == gap else row["fluency"]} for n, row in enumerate(rated())]
        judged = replace(BASES["rated"][1], ratings=[r for n, r in enumerate(ratings()) if n != gap])
        yield Case(f"rating {word!r} (csv)", WAYS["csv"](rows), judged, remedy="not a number")
        second = [("" if i == gap else text) for i, text in enumerate(SECOND)]
        if word in ("", "NA"):
            rows = [{**row, "ref2": second[i] or word} for i, row in enumerate(single("hyp", "ref1", "src"))]
            expected = expect(references=2)
            if not word:
                both = tuple(texts[:1] if i == gap else texts for i, texts in enumerate(expected.references))
                expected = replace(expected, references=both)
                yield Case("second reference empty (csv)", WAYS["csv"](rows), expected)


def _literal_words(gap: int) -> Iterator[Case]:
    """A text that is one of these words stays a text."""
    for word in ("NA", "NaN", "None", "null", "N/A", "nan", "[]", "{}", "0", "[sic]", "['Yes']", "[1]"):
        for style in ("csv", "jsonl", "tsv", "pandas"):
            rows = [{**row, "prediction": word if n == gap else row["prediction"]} for n, row in enumerate(single())]
            texts = tuple(word if i == gap else text for i, text in enumerate(OUTPUTS["bart"]))
            yield Case(f"output {word!r} ({style})", WAYS[style](rows), replace(expect(), outputs={"": texts}))
    for word in ("NA", "None", "nan"):
        rows = [{**row, "reference": word if n == gap else row["reference"]} for n, row in enumerate(single())]
        expected = replace(expect(), references=tuple((word,) if i == gap else (FIRST[i],) for i in range(N)))
        yield Case(f"reference {word!r} stays (csv)", WAYS["csv"](rows), expected)


def id_value_cases() -> Iterator[Case]:
    """Ids of many kinds, and what looks like one."""
    kinds: dict[str, list[Any]] = {
        "from 0": list(range(N)),
        "from 1": list(range(1, N + 1)),
        "zero-padded": [f"{n:04d}" for n in range(N)],
        "scattered": [3 * n + 101 for n in range(N)],
        "negative": [-n for n in range(N)],
        "with colons": [f"news:{n}" for n in range(N)],
        "with spaces": [f"doc {n}" for n in range(N)],
        "long numbers": [9007199254740993 + n for n in range(N)],
        "unicode": [f"größe-{n}" for n in range(N)],
        "urls": [f"https://example.org/{n}" for n in range(N)],
    }
    for name, ids in kinds.items():
        texts = [str(value) for value in ids]
        for style in ("csv", "jsonl", "pandas", "quoted"):
            rows = long(("bart", "t5"))
            rows = [{**row, "id": ids[IDS.index(row["id"])]} for row in rows]
            expected = replace(expect(("bart", "t5"), ids=True), ids=texts)
            yield Case(f"ids {name} ({style})", WAYS[style](rows), expected)


def changing_cases() -> Iterator[Case]:
    """Records with keys that change on the way, read by what each has."""
    rows = single(id="id")
    later = [
        row if n < 5 else {("references" if k == "reference" else k): v for k, v in row.items()}
        for n, row in enumerate(rows)
    ]
    yield Case("reference, later references", jsonl_file(later), expect(ids=True))
    later = [row if n < 5 else {**row, "reference": [row["reference"]]} for n, row in enumerate(rows)]
    yield Case("reference, later a list", jsonl_file(later), expect(ids=True))
    later = [
        row if n < 5 else {("ref" if k == "reference" else k): v for k, v in row.items()} for n, row in enumerate(rows)
    ]
    yield Case("reference, later ref", jsonl_file(later), expect(ids=True))
    later = [
        row if n < 5 else {("output" if k == "prediction" else k): v for k, v in row.items()}
        for n, row in enumerate(rows)
    ]
    yield Case("prediction, later output", jsonl_file(later), expect(ids=True), remedy="both")
    some = [row if n % 2 else {k: v for k, v in row.items() if k != "source"} for n, row in enumerate(rows)]
    sources = tuple(texts if i % 2 else () for i, texts in enumerate(expect().sources))
    yield Case("sources of some", jsonl_file(some), replace(expect(ids=True), sources=sources))
    first = [row if n else {k: v for k, v in row.items() if k != "reference"} for n, row in enumerate(rows)]
    references = tuple((FIRST[i],) if i else () for i in range(N))
    yield Case("the first record has no reference", jsonl_file(first), replace(expect(ids=True), references=references))
    extra = [{**row, "note": "late"} if n == 6 else row for n, row in enumerate(rows)]
    yield Case("a key only once", jsonl_file(extra), expect(ids=True))
    yield Case(
        "empty lines between records", text_file(_jsonl(rows).replace("\n", "\n\n"), "table.jsonl"), expect(ids=True)
    )
    yield Case(
        "records with a byte order mark", text_file(_jsonl(rows), "t.jsonl", encoding="utf-8-sig"), expect(ids=True)
    )
    yield Case("records, CRLF", text_file(_jsonl(rows), "t.jsonl", end="\r\n"), expect(ids=True))
    yield Case("records in ASCII", jsonl_file(rows, ensure_ascii=True), expect(ids=True))
    yield Case(
        "records in UTF-16", text_file(_jsonl(rows), "t.jsonl", encoding="utf-16"), expect(ids=True), remedy="UTF-8"
    )
    yield Case("an indented array", json_file(rows, indent=2), expect(ids=True))
    yield Case("records called .txt", text_file(_jsonl(rows), "table.txt"), expect(ids=True), {"format": "jsonl"})
    yield Case("an array called .jsonl", json_file(rows, "table.jsonl"), expect(ids=True))
    yield Case("columns called .jsonl", json_file(lists(rows), "table.jsonl"), expect(ids=True))


def _jsonl(rows: Rows) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
