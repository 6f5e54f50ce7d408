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

import assay
from child import Usage, usage
from measure import Row, Scale, Target, compare, compare_with_ceiling, cpu, main
from peers import HOME, TextItem
from scoring import CEILING
from workload import workload

PLACE = HOME.parent
Writer = Callable[[Path, Sequence[TextItem], int], None]
BLOCK = 20_000  # different items; longer files repeat them under new ids
SMALL = 10_000
SIZES = {"100 thousand": 100_000, "1 million": 1_000_000, "10 million": 10_000_000}
FLAT = Target(1.2, most=True)
MEMORY = Target(500, most=True)
SCORE = [str(Path(sys.executable).parent / "assay"), "score"]
NAMES = ("rouge1", "rouge2", "rougeL")
OPTIONS = [*(word for name in NAMES for word in ("-m", name)), "--quiet", "--json"]
WHOLE = Target(1.4, most=True)
MIDDLE = 200_000  # items of which one thread takes more than a second
NOTES = (
    "assay score FILE -m rouge1 -m rouge2 -m rougeL --quiet --json, --threads 1: items of workload (a), 4 references.",
    "per item: CPU time of the whole process minus that for a file of one item, divided by the number of items.",
    "ratio: cost per item relative to 10 thousand items, measured before and after. peak: resident memory.",
    "from memory: CPU time per item of assay.score on a set that is there, of the same items, in the same rounds.",
    "2 threads: what --threads 2 gains in wall time beyond the start of the command, as a share of what two processes "
    "of plain arithmetic gain in the same rounds.",
    "10 million items are measured with --full.",
)


@dataclass(frozen=True)
class Files:
    """Files of one format and several sizes, with the small ones that the others are compared with."""

    folder: Path
    format: str
    write: Writer
    items: Sequence[TextItem]

    def used(self, n: int, threads: int = 1) -> Usage:
        """What scoring n items takes; a large file is gone afterwards."""
        file = self.folder / f"{n}.{self.format}"
        if not file.exists():
            self.write(file, self.items, n)
        used = usage([*SCORE, str(file), *OPTIONS, "--threads", str(threads)])
        if n > MIDDLE:
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
            yield from whole_command(files, scale)
            for words, n in list(SIZES.items())[: 3 if scale.full else scale.pick(1, 2)]:
                yield from large_rows(f"{name}, {words}", files, n, scale)


def small_rows(files: Files, scale: Scale) -> Iterator[Row]:
    """What others are compared with."""
    files.small()
    seen = [files.small() for _ in range(scale.pick(2, 5))]
    yield Row(f"{files.format}, 1 item", statistics.median(start for start, _ in seen), "s")
    yield Row(f"{files.format}, 10 thousand: per item", 1e6 * statistics.median(cost for _, cost in seen), "µs")
    yield Row(f"{files.format}, 10 thousand: peak", files.used(SMALL).peak / 1e6, "MB")


def whole_command(files: Files, scale: Scale) -> Iterator[Row]:
    """The whole command beside scoring alone, and two threads beside one."""
    data = assay.EvalSet.from_texts([out for out, _ in files.items], [refs for _, refs in files.items])
    n = scale.pick(SMALL, MIDDLE)

    def from_file(threads: int = 1) -> Usage:
        start, used = files.used(1, threads), files.used(n, threads)
        return Usage((used.cpu - start.cpu) / n, used.wall - start.wall, used.peak)

    def from_memory() -> float:
        return cpu(lambda: assay.score(data, NAMES, threads=1)) / len(data)

    scored = compare(from_memory, lambda _: from_file().cpu, scale.pick(2, 7))
    what = f"{files.format}, whole command: per item"
    yield Row(what, 1e6 * scored.theirs, "µs", "from memory", 1e6 * scored.ours, scored.ratio, WHOLE)
    gain = compare_with_ceiling(lambda: from_file(1).wall, lambda: from_file(2).wall, scale.pick(2, 7))
    what = f"{files.format}, 2 threads"
    yield Row(what, gain.ours, "x", "2 processes of arithmetic", gain.theirs, gain.ratio, CEILING)


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
