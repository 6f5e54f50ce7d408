"""Parts on an engine: CPU time by the number of rows with the fit, what Dask adds, and what 10^9 rows would take."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from math import log
from pathlib import Path
from typing import NamedTuple

from child import Usage, usage
from measure import Row, Scale, Target, main
from streaming import BLOCK, PLACE, write_parquet
from workload import workload

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
PART = 250_000  # rows of a part
MANY = 1e9
MACHINES = (1, 10, 100, 1000)
METRICS = ("rouge1", "rouge2", "rougeL", "bleu", "chrf")
SCORE = [str(Path(sys.executable).parent / "assay"), "score"]
OPTIONS = [*(word for name in METRICS for word in ("-m", name)), "--quiet", "--json"]
OVERHEAD = Target(1.15, most=True)
LINEAR = Target(1.05, most=True)
NOTES = (
    f"assay score parts/*.parquet -m {' -m '.join(METRICS)} --engine ... --out scores/",
    f"Items of workload (a), a row with 4 references each, in parts of {PART:,} rows.",
    "per row: CPU of all processes beyond that of a run of 1 row. threads: two threads; Dask: two processes.",
    "elapsed: the same in wall time, the start of the cluster left out.",
    "ratio: per row to that of threads. fit: CPU = start + cost x rows, by least squares of relative errors.",
    "growth: the exponent of rows between the smallest and the largest size.",
    "1e9 rows: by the fit, on machines of two cores that are never idle. read: the bytes of the parts.",
    "moved: the entries of parts, which is all that workers send beside their scores. 10^7 rows: with --full.",
)


class Measured(NamedTuple):
    """A run over some rows."""

    rows: int
    threads: Usage
    dask: Usage
    read: int  # bytes of the parts
    moved: int  # bytes of the entries and the manifest


def rows(scale: Scale) -> Iterator[Row]:
    """All sizes, then the fit and what it says of more."""
    PLACE.mkdir(exist_ok=True)
    items = workload("a", BLOCK)
    start = measure(items, 1)
    yield Row("1 row, threads: start", start.threads.cpu, "s CPU")
    yield Row("1 row, Dask: start of the cluster", start.dask.cpu - start.threads.cpu, "s CPU")
    yield Row("1 row, Dask: start of the cluster", start.dask.wall - start.threads.wall, "s elapsed")
    runs = []
    for n in SIZES[: 4 if scale.full else scale.pick(2, 3)]:
        runs.append(measure(items, n))
        yield from describe(runs[-1], start)
    yield from project(runs)


def describe(run: Measured, start: Measured) -> Iterator[Row]:
    """What a size took, and what Dask added."""
    ours, theirs = ((a.cpu - b.cpu) / run.rows for a, b in ((run.threads, start.threads), (run.dask, start.dask)))
    yield Row(f"{run.rows:,} rows, threads: per row", 1e6 * ours, "µs")
    target = OVERHEAD if run.rows == SIZES[-1] else None
    yield Row(f"{run.rows:,} rows, Dask: per row", 1e6 * theirs, "µs", "threads", 1e6 * ours, theirs / ours, target)
    waits = [(a.wall - b.wall) / run.rows for a, b in ((run.threads, start.threads), (run.dask, start.dask))]
    what = f"{run.rows:,} rows, Dask: elapsed, per row"
    yield Row(what, 1e6 * waits[1], "µs", "threads", 1e6 * waits[0], waits[1] / waits[0])
    yield Row(f"{run.rows:,} rows: read", run.read / run.rows, "bytes a row")
    yield Row(f"{run.rows:,} rows: moved", run.moved / run.rows, "bytes a row")


def project(runs: Sequence[Measured]) -> Iterator[Row]:
    """The fit, and 10^9 rows by it."""
    start, cost = fit([(run.rows, run.threads.cpu) for run in runs])
    first, last = runs[0], runs[-1]
    growth = log((last.threads.cpu - start) / (first.threads.cpu - start)) / log(last.rows / first.rows)
    yield Row("fit: start", start, "s CPU")
    yield Row("fit: per row", 1e6 * cost, "µs")
    yield Row("growth of CPU with rows: exponent", growth, "", target=LINEAR)
    hours = cost * MANY / 3600
    parts = MANY / PART
    yield Row("1e9 rows: CPU", hours, "hours")
    yield Row("1e9 rows: read", last.read / last.rows * MANY / 1e12, "TB")
    moved = last.moved / -(-last.rows // PART)
    yield Row("1e9 rows: moved", moved * parts / 1e6, "MB")
    for machines in MACHINES:
        what = f"1e9 rows on {machines:,} machine{'s' if machines > 1 else ''}"
        yield Row(what, hours / (2 * machines), "hours")


def fit(points: Sequence[tuple[int, float]]) -> tuple[float, float]:
    """Return start and cost per row: least squares of relative errors, as large runs would drown small ones.

    >>> [round(v, 9) for v in fit([(10, 2.0), (100, 11.0), (1000, 101.0)])]
    [1.0, 0.1]
    """
    weights = [1 / y**2 for _, y in points]
    total = sum(weights)
    x0, y0 = (sum(w * p[i] for w, p in zip(weights, points, strict=True)) / total for i in (0, 1))
    covariance = sum(w * (x - x0) * (y - y0) for w, (x, y) in zip(weights, points, strict=True))
    cost = covariance / sum(w * (x - x0) ** 2 for w, (x, _) in zip(weights, points, strict=True))
    return y0 - cost * x0, cost


def measure(items: Sequence[tuple[str, list[str]]], n: int) -> Measured:
    """Score n rows by both engines, in parts that are gone afterwards."""
    with tempfile.TemporaryDirectory(dir=PLACE) as place:
        folder = Path(place)
        files = []
        for number, begin in enumerate(range(0, n, PART)):
            files.append(folder / f"p{number:04d}.parquet")
            write_parquet(files[-1], items, min(PART, n - begin))
        names, threads = [str(file) for file in files], str(min(2, os.cpu_count() or 1))
        runs = {}
        for engine in ("threads", "dask"):
            out = folder / engine
            more = ["--engine", engine, "--threads", threads, "--out", str(out)]
            runs[engine] = usage([*SCORE, *names, *OPTIONS, *more])
        moved = sum(file.stat().st_size for file in (folder / "dask").iterdir())
        return Measured(n, runs["threads"], runs["dask"], sum(file.stat().st_size for file in files), moved)


if __name__ == "__main__":
    main("scale", rows, NOTES)
