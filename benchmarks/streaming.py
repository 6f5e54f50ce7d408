"""Scoring files of any length: CPU time per item and peak memory of `assay score` from ten thousand items up."""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from child import Usage, usage
from measure import Row, Scale, Target, main
from peers import HOME, TextItem
from workload import workload

PLACE = HOME.parent
Writer = Callable[[Path, Sequence[TextItem], int], None]
BLOCK = 20_000  # different items; longer files repeat them under new ids
SMALL = 10_000
SIZES = {"100 thousand": 100_000, "1 million": 1_000_000, "10 million": 10_000_000}
FLAT = Target(1.2, most=True)
MEMORY = Target(500, most=True)
SCORE = [str(Path(sys.executable).parent / "assay"), "score"]
METRICS = ["-m", "rouge1", "-m", "rouge2", "-m", "rougeL", "--quiet", "--json"]
NOTES = (
    "assay score FILE -m rouge1 -m rouge2 -m rougeL --quiet --json, one thread: items of workload (a), 4 references.",
    "per item: CPU time of the whole process minus that for a file of one item, divided by the number of items.",
    "ratio: cost per item relative to 10 thousand items, measured before and after. peak: resident memory.",
    "10 million items are measured with --full.",
)


@dataclass(frozen=True)
class Files:
    """Files of one format and several sizes, with the small ones that the others are compared with."""

    folder: Path
    format: str
    write: Writer
    items: Sequence[TextItem]

    def used(self, n: int) -> Usage:
        """What scoring n items takes; a large file is gone afterwards."""
        file = self.folder / f"{n}.{self.format}"
        if not file.exists():
            self.write(file, self.items, n)
        used = usage([*SCORE, str(file), *METRICS])
        if n > SMALL:
            file.unlink()
        return used

    def small(self) -> tuple[float, float]:
        """CPU seconds of a file of one item, and per item of one of ten thousand beyond that."""
        start = self.used(1).cpu
        return start, (self.used(SMALL).cpu - start) / SMALL


def rows(scale: Scale) -> Iterator[Row]:
    """Both formats at all sizes."""
    items = workload("a", BLOCK)
    PLACE.mkdir(exist_ok=True)
    for name, write in (("jsonl", write_jsonl), ("parquet", write_parquet)):
        with tempfile.TemporaryDirectory(dir=PLACE) as folder:
            files = Files(Path(folder), name, write, items)
            yield from small_rows(files, scale)
            for words, n in list(SIZES.items())[: 3 if scale.full else scale.pick(1, 2)]:
                yield from large_rows(f"{name}, {words}", files, n, scale)


def small_rows(files: Files, scale: Scale) -> Iterator[Row]:
    """What others are compared with."""
    files.small()
    seen = [files.small() for _ in range(scale.pick(2, 5))]
    yield Row(f"{files.format}, 1 item", statistics.median(start for start, _ in seen), "s")
    yield Row(f"{files.format}, 10 thousand: per item", 1e6 * statistics.median(cost for _, cost in seen), "µs")
    yield Row(f"{files.format}, 10 thousand: peak", files.used(SMALL).peak / 1e6, "MB")


def large_rows(what: str, files: Files, n: int, scale: Scale) -> Iterator[Row]:
    """A large file between small ones, so that they are taken under the same load."""
    repeats = scale.pick(1, 3)
    before = [files.small() for _ in range(repeats)]
    used = files.used(n)
    starts, small = zip(*before, *(files.small() for _ in range(repeats)), strict=True)
    cost, base = (used.cpu - statistics.median(starts)) / n, statistics.median(small)
    yield Row(f"{what}: per item", 1e6 * cost, "µs", "10 thousand", 1e6 * base, cost / base, FLAT)
    yield Row(f"{what}: peak", used.peak / 1e6, "MB", target=MEMORY if n >= 1_000_000 else None)


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


if __name__ == "__main__":
    main("streaming", rows, NOTES)
