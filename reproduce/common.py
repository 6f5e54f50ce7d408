"""Shared by the reproductions: the data, and a table of published figures with ours beside them."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tarfile
import tempfile
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from assay import EvalSet, read
from assay.errors import SkippedWarning
from assay.views._draw.terminal import Column, draw_table

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "reproduced.md"
RESULTS = ROOT / "reproduce" / "results"


@dataclass(frozen=True)
class Figure:
    """One published number with ours. `within` is how near it must be; None where it cannot be, and `note` says why."""

    where: str
    published: float | None
    ours: float
    within: float | None = None
    note: str = ""

    @property
    def difference(self) -> float | None:
        """Ours minus the published."""
        return None if self.published is None else self.ours - self.published

    @property
    def reached(self) -> bool:
        """Near enough, or not asked to be."""
        return self.within is None or (self.difference is not None and abs(self.difference) <= self.within)

    def cells(self) -> list[str]:
        """Return the cells of its row in the table."""
        off = self.difference
        verdict = "" if self.within is None else "yes" if self.reached else "NO"
        published = "–" if self.published is None else f"{self.published:.4f}"
        return [self.where, published, f"{self.ours:.4f}", "–" if off is None else f"{off:+.4f}", verdict, self.note]


HEADS = ("figure", "published", "ours", "difference", "near enough", "note")


def data_folder() -> Path:
    """Return the folder of the research data: ASSAY_DATA, or ../shared/data."""
    return Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))


def data(name: str) -> EvalSet:
    """Read a set of the research data, or exit with one line where there is none."""
    path = data_folder() / name
    if not path.exists():
        sys.exit(f"{name} is not in {data_folder()}: it may not be passed on; set ASSAY_DATA to where you keep it")
    return read(path)


@cache
def duc2007(task: str) -> EvalSet:
    """Read mainPyramidEval or updateEval of DUC 2007, or exit with one line where NIST's archive is not there."""
    path = data_folder() / "duc2007.tar.xz"
    if not path.exists():
        sys.exit(
            f"{path.name} is not in {data_folder()}: ask NIST for DUC 2007, and set ASSAY_DATA to where you keep it"
        )
    with tempfile.TemporaryDirectory() as folder, tarfile.open(path) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore", SkippedWarning)  # judgments of systems that were not annotated
        archive.extractall(folder, [m for m in archive if f"/{task}/" in m.name], filter="data")
        return read(Path(folder) / "duc2007" / task, allow_missing=True)


# Sentences of the 9,000 pairs that are also in the 180,000 + 20,000 of google-compression-200k, which models saw.
SEEN_GOOGLE_PAIRS = frozenset({"google01217", "google01947", "google04438"})


def google_pairs() -> EvalSet:
    """Read the 9,000 Google pairs without those that models were trained on."""
    pairs = data("google-compression-9k.jsonl.gz")
    return EvalSet([item for item in pairs if item.id not in SEEN_GOOGLE_PAIRS])


def main(name: str, title: str, notes: Sequence[str], figures: Callable[[], list[Figure]]) -> None:
    """Print the figures; --json as records, --write also into reproduce/results."""
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")
    parser.add_argument("--write", action="store_true", help="write the table into reproduce/results too")
    args = parser.parse_args()
    results = figures()
    if args.json:
        for figure in results:
            print(json.dumps({**asdict(figure), "difference": figure.difference, "reached": figure.reached}))
    else:
        print(f"{title}\n\n{_plain(results)}\n\n" + "\n".join(notes))
    if args.write:
        write(name, title, notes, results)
    sys.exit(0 if all(figure.reached for figure in results) else 1)


def _plain(figures: Sequence[Figure]) -> str:
    rows = [figure.cells() for figure in figures]
    columns = [Column(h, [row[i] for row in rows], right=i not in (0, 5)) for i, h in enumerate(HEADS)]
    return draw_table([c for c in columns if any(c.cells)], width=140)


def write(name: str, title: str, notes: Sequence[str], figures: Sequence[Figure]) -> None:
    """Write the script's own page of results, and the list of all of them in docs/reproduced.md."""
    rows = ["| " + " | ".join(cells) + " |" for cells in (HEADS, ["---"] * len(HEADS), *(f.cells() for f in figures))]
    text = "\n\n".join([f"# {title}", f"`python reproduce/{name}.py`", *notes, "\n".join(rows)])
    (RESULTS / f"{name}.md").write_text(f"{text}\n", "utf-8")
    PAGE.write_text(list_results(), "utf-8")


def list_results() -> str:
    """Return the page that lists the results: how many figures each script prints, and how many are near enough."""
    rows = ["| what | figures | must be near | are near |", "|---|--:|--:|--:|"]
    for path in sorted(RESULTS.glob("*.md")):
        title, *lines = path.read_text("utf-8").splitlines()
        figures = [row for line in lines if (row := ROW.match(line))]
        asked = [row for row in figures if row["near"]]
        rows.append(
            f"| [{title[2:]}](../reproduce/results/{path.name}) | {len(figures)} | {len(asked) or ''} "
            f"| {sum(row['near'] == 'yes' for row in asked) or ''} |"
        )
    heads = ["| paper | recomputed | in kind | not possible |", "|---|---|---|---|"]
    papers = [f"| {' | '.join((paper, *cells))} |" for paper, cells in PAPERS.items()]
    return HEAD + "\n".join([*rows, EVERY, *heads, *papers]) + "\n"


# A row of the table that `write` makes.
ROW = re.compile(r"\| .* \| (?:–|-?[\d.]+) \| (?:nan|-?[\d.]+) \| (?:–|[+-](?:nan|[\d.]+)) \| (?P<near>yes|NO|) \|")
HEAD = """# Reproduced

Published figures and those of Assay. Each page is printed by the script that it names (`--write` writes it) and has
every figure, with what could not be recomputed and why. A figure must be near the published one where data and method
are the same; the script states how near. Others (other data, another parser) have a note that says why.

"""
EVERY = """
## Every table and figure

*Recomputed*: on the paper's data. *In kind*: the same experiment on other data, or with other resources.
"""
# Every table (T) and figure (F) of the papers: what was recomputed, what in kind, what is not possible and why.
PAPERS = {
    "Clarke and Lapata 2006": (
        "T2, F1, T4",
        "",
        "T5, T6: ratings not published; T1, T3: no figures",
    ),
    "Daumé III and Marcu 2004": (
        "T2",
        "T3, T4: open pairs",
        "F1, T1: examples from Ziff-Davis",
    ),
    "Owczarzak et al. 2006": (
        "",
        "T1, T2: WMT17",
        "T3 to T6: judgments not published",
    ),
    "Owczarzak et al. 2007a": (
        "",
        "T1: own sentences; T3 to T5: WMT17",
        "T2: 100 by design",
    ),
    "Owczarzak et al. 2007b": (
        "",
        "T1, T2: own sentences; T3: WMT17",
        "",
    ),
    "Owczarzak 2009": (
        "",
        "T1, T2: Assay's parser, no update topics",
        "T3, T4: main-task peers of DUC 2007",
    ),
    "Owczarzak and Dang 2009": (
        "T1, T3, T6, T7, T9; F2, F3, F4, F6 show them",
        "T1, T3, T7, T9, F1: DUC 2007 update",
        "T2, T4, T8, T10, F5, F7: update topics of TAC 2008; T5, T11: main-task peers of DUC 2007",
    ),
    "Owczarzak and Dang 2011": (
        "",
        "T3, T4, T6, T7 and F1: `pyramid analyze` on DUC 2007",
        "T2, T5, T8, F2: annotations of TAC 2010; T1: no figures",
    ),
    "Owczarzak et al. 2012, accuracy": (
        "",
        "T2, T3, F1 to F3: TAC 2008 of its four years",
        "T1: counts of data; F4, F5: AESOP 2011",
    ),
    "Owczarzak et al. 2012, assessors": (
        "",
        "F1, mP-aP of T2 to T4, readability of T5: DUC 2007; T5: TAC 2008",
        "T1 and the rest of T2 to T4: identical summaries of TAC 2011",
    ),
    "Owczarzak et al. 2014": (
        "",
        "T3, T5, T6: open lexicons and gold",
        "T1, T4: settings; T2, T7, T8: corpora and outputs of the authors",
    ),
    "Peyrard et al. 2017": (
        "T1, T3: TAC 2008, lexical rows",
        "ROUGE-WE, S3, Frame rows of T1",
        "rows that need sources; TAC 2009; T2, T4: DBS corpus",
    ),
    "Toutanova et al. 2016": (
        "T3 to T6: published part",
        "T9: compressions, SummEval; T8: own runs",
        "T1: examples; T2, T7: unpublished corpus",
    ),
}
