"""Shared by the reproductions: the data, and a table of published figures with ours beside them."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from assay import EvalSet, read
from assay.views._draw.terminal import Column, draw_table

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "reproduced.md"


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


# Sentences of the 9,000 pairs that are also in the 180,000 + 20,000 of google-compression-200k, which models saw.
SEEN_GOOGLE_PAIRS = frozenset({"google01217", "google01947", "google04438"})


def google_pairs() -> EvalSet:
    """Read the 9,000 Google pairs without those that models were trained on."""
    pairs = data("google-compression-9k.jsonl.gz")
    return EvalSet([item for item in pairs if item.id not in SEEN_GOOGLE_PAIRS])


def main(name: str, title: str, notes: Sequence[str], figures: Callable[[], list[Figure]]) -> None:
    """Print the figures; --json as records, --write also into docs/reproduced.md."""
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")
    parser.add_argument("--write", action="store_true", help="write the table into docs/reproduced.md too")
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
    """Put the table between the script's markers on the page; everything else on the page stays."""
    rows = ["| " + " | ".join(cells) + " |" for cells in (HEADS, ["---"] * len(HEADS), *(f.cells() for f in figures))]
    text = "\n\n".join(notes)
    block = f"<!-- begin {name} -->\n## {title}\n\n`python reproduce/{name}.py`\n\n{text}\n\n" + "\n".join(rows)
    block += f"\n<!-- end {name} -->"
    page = PAGE.read_text("utf-8") if PAGE.exists() else _HEAD
    pattern = re.compile(f"<!-- begin {re.escape(name)} -->.*?<!-- end {re.escape(name)} -->", re.S)
    page = pattern.sub(lambda _: block, page) if pattern.search(page) else f"{page.rstrip()}\n\n{block}\n"
    PAGE.write_text(page, "utf-8")


_HEAD = """# Reproduced

Published figures with ours beside them, each printed by the script that is named; `--write` puts it here. A figure is
*near enough* if it lies within the distance the script states. Figures without a verdict are not asked to be near: the
note says why.
"""
