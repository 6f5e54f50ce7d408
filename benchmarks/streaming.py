"""Scoring files of any length: CPU time per item and peak memory of `assay score` from ten thousand items up."""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from child import Usage, usage
from measure import Row, Scale, Target, main
from peers import HOME, TextItem
from workload import workload

BLOCK = 20_000  # different items; longer files repeat them under new ids
SIZES = {"10 thousand": 10_000, "100 thousand": 100_000, "1 million": 1_000_000, "10 million": 10_000_000}
FLAT = Target(1.2, most=True)
MEMORY = Target(500, most=True)
SCORE = [str(Path(sys.executable).parent / "assay"), "score"]
METRICS = ["-m", "rouge1", "-m", "rouge2", "-m", "rougeL", "--quiet", "--json"]
NOTES = (
    "assay score FILE -m rouge1 -m rouge2 -m rougeL --quiet --json, one thread: items of workload (a), 4 references.",
    "per item: CPU time of the process (reading, scoring, all) less that of a file of one item, by the items.",
    "ratio: cost per item against that of 10 thousand items. peak: largest resident memory of the process.",
    "10 million items are measured with --full.",
)


def rows(scale: Scale) -> Iterator[Row]:
    """Both formats at all sizes."""
    sizes = list(SIZES.items())[: 4 if scale.full else scale.pick(2, 3)]
    items = workload("a", BLOCK)
    HOME.parent.mkdir(exist_ok=True)
    for name, write in (("jsonl", write_jsonl), ("parquet", write_parquet)):
        start = measured(write, name, items, 1).cpu
        first: float | None = None
        for words, n in sizes:
            used = measured(write, name, items, n)
            cost = 1e6 * (used.cpu - start) / n
            yield _cost_row(f"{name}, {words}: per item", cost, first)
            yield Row(f"{name}, {words}: peak", used.peak / 1e6, "MB", target=MEMORY if n >= 1_000_000 else None)
            first = first or cost
        yield Row(f"{name}: start and end", start, "s")


def measured(
    write: Callable[[Path, Sequence[TextItem], int], None], name: str, items: Sequence[TextItem], n: int
) -> Usage:
    """What scoring n items takes, the median of several runs where they are short."""
    with tempfile.TemporaryDirectory(dir=HOME.parent) as folder:
        file = Path(folder, f"set.{name}")
        write(file, items, n)
        runs = [usage([*SCORE, str(file), *METRICS]) for _ in range(5 if n <= 10_000 else 3 if n <= 100_000 else 1)]
    return Usage(*map(statistics.median, zip(*runs, strict=True)))


def write_jsonl(file: Path, items: Sequence[TextItem], n: int) -> None:
    """Items one after another, from the beginning again when they are used up."""
    encode = msgspec.json.encode
    tails = [encode({"references": refs, "outputs": {"system": out}})[1:] + b"\n" for out, refs in items]
    with file.open("wb") as out:
        for start in range(0, n, len(tails)):
            part = tails[: n - start]
            out.writelines(b'{"id":"%d",%s' % (number, tail) for number, tail in enumerate(part, start))


def write_parquet(file: Path, items: Sequence[TextItem], n: int) -> None:
    """The same as one table: item, system, text, references."""
    texts, references = pa.array([out for out, _ in items]), pa.array([refs for _, refs in items])
    system = pa.array(["system"] * len(items))
    names = ["item", "system", "text", "references"]
    schema = pa.schema([*((name, pa.string()) for name in names[:3]), (names[3], references.type)])
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for start in range(0, n, len(items)):
            size = min(len(items), n - start)
            ids = pa.array([str(number) for number in range(start, start + size)])
            columns = [ids, *(column.slice(0, size) for column in (system, texts, references))]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))


def _cost_row(what: str, cost: float, first: float | None) -> Row:
    if first is None:
        return Row(what, cost, "µs")
    return Row(what, cost, "µs", "10 thousand", first, cost / first, FLAT)


if __name__ == "__main__":
    main("streaming", rows, NOTES)
