"""What a benchmark is made of: rows with a target, and ratios taken from interleaved rounds."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from assay.data.view import Column
from assay.views._draw.terminal import draw_table as table
from ceiling import Counters

BUSY = 0.15  # share of the cores above which somebody else is at work


@dataclass(frozen=True)
class Scale:
    """How much is measured: `quick` to see that it works, `full` with what takes gigabytes and minutes."""

    quick: bool = False
    full: bool = False

    def pick(self, quick: int, normal: int) -> int:
        """Return the number for this scale."""
        return quick if self.quick else normal


@dataclass(frozen=True)
class Target:
    """A bound, from below (a ratio to a slower peer) or from above (`most`)."""

    limit: float
    most: bool = False

    def missed_by(self, value: float) -> float:
        """Return the share by which the bound is missed; 0 or less is met.

        >>> Target(400).missed_by(300), Target(4, most=True).missed_by(5)
        (0.25, 0.25)
        """
        return value / self.limit - 1 if self.most else 1 - value / self.limit


@dataclass(frozen=True)
class Row:
    """One line of the table: a figure of ours, perhaps a peer's beside it, and what it should be."""

    what: str
    ours: float
    unit: str
    peer: str = ""
    theirs: float | None = None
    ratio: float | None = None
    target: Target | None = None

    def verdict(self) -> str:
        """Write "met", or by how much it is missed."""
        if self.target is None:
            return ""
        missed = self.target.missed_by(self.ours if self.ratio is None else self.ratio)
        return "met" if missed <= 0 else f"missed by {missed:.0%}"

    def cells(self, times: bool = False) -> tuple[str, ...]:
        """Return the cells of its row in the table; where there is a ratio, the two figures behind it with `times`."""
        shown = times or self.ratio is None
        ours = f"{_figure(self.ours)} {self.unit}" if shown else ""
        theirs = f"{_figure(self.theirs)} {self.unit}" if shown and self.theirs is not None else ""
        ratio = "" if self.ratio is None else f"{_figure(self.ratio)}x"
        return self.what, ours, self.peer, theirs, ratio, self._bound(), self.verdict()

    def _bound(self) -> str:
        if self.target is None:
            return ""
        return (
            f"{'≤' if self.target.most else '≥'} {self.target.limit:g}{f' {self.unit}' if self.ratio is None else 'x'}"
        )


@dataclass(frozen=True)
class Comparison:
    """Medians over rounds. `ratio` is the median of the rounds' own ratios, theirs / ours."""

    ours: float
    theirs: float
    ratio: float


def cpu(call: Callable[[], object]) -> float:
    """Return the CPU seconds of this process, all threads."""
    start = time.process_time()
    call()
    return time.process_time() - start


def wall(call: Callable[[], object]) -> float:
    """Return the seconds that pass."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def compare_with_ceiling(one: Callable[[], float], two: Callable[[], float], rounds: int) -> Comparison:
    """Return what two threads gain over one, what two processes of plain arithmetic gain, and the share of it.

    Wall times; each round measures one, two, one again, and the arithmetic.
    """
    gains = []
    with Counters() as counters:
        one(), two()
        for _ in range(rounds):
            before, both, after = one(), two(), one()
            gains.append(((before + after) / 2 / both, counters.gain()))
    return Comparison(
        statistics.median(gain for gain, _ in gains),
        statistics.median(ceiling for _, ceiling in gains),
        statistics.median(gain for gain, _ in gains) / statistics.median(ceiling for _, ceiling in gains),
    )


def compare(ours: Callable[[], float], theirs: Callable[[int], float], rounds: int) -> Comparison:
    """Time ours, theirs and ours again in each round, after a warm-up: what slows one round slows both."""
    ours(), theirs(0)
    times = []
    for number in range(1, rounds + 1):
        before, other, after = ours(), theirs(number), ours()
        times.append(((before + after) / 2, other))
    return Comparison(
        statistics.median(a for a, _ in times),
        statistics.median(b for _, b in times),
        statistics.median(b / a for a, b in times),
    )


def main(name: str, rows: Callable[[Scale], Iterable[Row]], notes: Sequence[str]) -> None:
    """Run the command line of a benchmark file."""
    parser = argparse.ArgumentParser(description=f"The {name} benchmark.")
    parser.add_argument("--quick", action="store_true", help="fewer items and rounds")
    parser.add_argument("--full", action="store_true", help="ten million items too")
    parser.add_argument("--json", action="store_true", help="one record a row, with the figures behind the ratios")
    parser.add_argument("--times", action="store_true", help="the figures behind the ratios too")
    args = parser.parse_args()
    if busy := describe_load():
        print(busy, file=sys.stderr)
    measured = []
    for row in rows(Scale(args.quick, args.full)):
        measured.append(row)
        print(f"{name}: {' · '.join(filter(None, row.cells(times=True)))}", file=sys.stderr)
    print("\n".join(_record(name, row) for row in measured) if args.json else _table(measured, notes, args.times))


def describe_load() -> str:
    """Return a warning if others are at work on this machine, else an empty text."""
    used, cores = used_cores(), os.cpu_count() or 1
    busy = used > BUSY * cores
    return f"the machine is busy ({used:.1f} of {cores} cores in use): figures are less exact" if busy else ""


def used_cores(seconds: float = 1.0) -> float:
    """Return how many cores others use while this process waits: the load average would count its own past minute."""
    try:
        before = _ticks()
        time.sleep(seconds)
        after = _ticks()
    except OSError:  # no Linux
        return os.getloadavg()[0]
    used, idle = (b - a for a, b in zip(before, after, strict=True))
    return (os.cpu_count() or 1) * used / max(used + idle, 1)


def _ticks() -> tuple[int, int]:
    """Return the time that all cores have worked and waited since the machine was started."""
    user, nice, system, idle, waiting, *rest = map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9])
    return user + nice + system + sum(rest), idle + waiting


def _record(name: str, row: Row) -> str:
    return json.dumps({"benchmark": name, **asdict(row), "verdict": row.verdict()}, ensure_ascii=False)


def _table(rows: Sequence[Row], notes: Sequence[str], times: bool) -> str:
    heads = ("what", "assay", "peer", "peer takes", "ratio", "target", "")
    columns = zip(heads, zip(*(row.cells(times) for row in rows), strict=True), strict=True)
    left = ("what", "peer", "")
    return table([Column(head, cells, right=head not in left) for head, cells in columns if any(cells)], notes=notes)


def _figure(value: float) -> str:
    """Three digits that mean something.

    >>> [_figure(v) for v in (0.0123, 1.234, 56.78, 1234.5)]
    ['0.0123', '1.23', '56.8', '1,234']
    """
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:#.3g}" if value >= 0.001 else f"{value:.4f}"
