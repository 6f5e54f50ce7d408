"""The HTML page of a large judged set: CPU time and peak memory of `assay report`, and how large the page is."""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from child import usage
from measure import Row, Scale, Target, main
from meta_memory import write_judged
from peers import HOME

PLACE = HOME.parent
SYSTEMS = 100
REPORT = [str(Path(sys.executable).parent / "assay"), "report"]
CPU = Target(15, most=True)
NOTES = (
    "assay report FILE on 100 systems with the default metrics (rouge1, rouge2, rougeL, bleu), one rater of one",
    "dimension: 4,950 pairs of systems. CPU time (median of the runs) and peak resident memory of the process.",
)


def rows(scale: Scale) -> Iterator[Row]:
    """The command on a file of its own size."""
    PLACE.mkdir(exist_ok=True)
    items = scale.pick(100, 1000)
    with tempfile.TemporaryDirectory(dir=PLACE) as folder:
        file, page = Path(folder) / "judged.jsonl", Path(folder) / "report.html"
        write_judged(file, SYSTEMS, items)
        runs = [usage([*REPORT, str(file), "--quiet", "--out", str(page)]) for _ in range(scale.pick(1, 3))]
        yield Row(f"{SYSTEMS} systems, {items} items: CPU", statistics.median(run.cpu for run in runs), "s", target=CPU)
        yield Row(f"{SYSTEMS} systems, {items} items: peak", max(run.peak for run in runs) / 1e6, "MB")
        yield Row(f"{SYSTEMS} systems, {items} items: page", page.stat().st_size / 1e6, "MB")


if __name__ == "__main__":
    main("report", rows, NOTES)
