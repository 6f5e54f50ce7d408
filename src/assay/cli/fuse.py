"""Make one text of several sentences that overlap: one line out for each cluster in.

assay fuse pairs.tsv --words 15
assay fuse clusters.txt --system "wordgraph(language=fr)"
assay fuse set.jsonl --system longer --out with-longer.jsonl
assay fuse --list
assay fuse pairs folder/                       (finds sentences made from two, to train or test fusion with)

A cluster is an item of an evaluation set with its sources: "sources" in JSON Lines (or a "source" of several lines); in
a table a row for each source (columns item and source), or a column "sources" of JSON arrays. In a .tsv without these
columns it is a line with a sentence in each column (--sentence-columns N takes the first N); in a .txt and on
standard input, the lines up to an empty line.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Literal, NotRequired, TypedDict

from ..errors import InputError
from . import _numbers as numbers
from ._show import show
from ._systems import add_system_options, input_chunks, input_format, list_systems, run_system

if TYPE_CHECKING:
    from ..systems.apply import SystemOutput

SUMMARY = "make one text of several sentences"
SUBCOMMANDS = {"pairs": "_fuse_pairs"}


class FusionRecord(TypedDict):
    """One text made of several sentences; `pieces` tell where its words come from: sentence, start and end."""

    id: NotRequired[str | int]
    kind: Literal["fusion"]
    system: str
    sources: list[str]
    text: str
    words: int
    pieces: list[tuple[int, int, int]]
    notes: list[str]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        nargs="?",
        help="clusters: an evaluation set or table, a .tsv with a sentence per column, a .txt with empty lines between "
        "clusters, or - for stdin",
    )
    parser.add_argument(
        "--sentence-columns",
        type=numbers.words,
        metavar="N",
        help="number of columns of a .tsv that are sentences (default: all)",
    )
    add_system_options(parser, default="joint")


def run(args: argparse.Namespace) -> int:
    from ..systems.budget import Budget
    from ..systems.fuse import DEFAULT, FUSERS, FusedText
    from ..systems.system import check_patterns

    if args.list:
        show([list_systems("fuser", FUSERS, DEFAULT)], as_json=args.json)
        return 0
    if not args.file:
        raise InputError("nothing to fuse: give a file, or - for standard input")
    if args.sentence_columns is not None and args.sentence_columns < 1:
        raise InputError(f"--sentence-columns must be 1 or more; got {args.sentence_columns}")
    system = FUSERS.build(args.system or DEFAULT)
    Budget(args.ratio, args.words, args.chars)  # an impossible length is an error before anything is read
    check_patterns(system, [*args.keep, *args.drop], FUSERS)
    form = input_format(args)
    rows = form == "csv" and (args.sentence_columns is not None or _holds_rows(args.file, args.format))
    chunks = input_chunks(args, form, of="row" if rows else "cluster")

    def record(output: SystemOutput) -> FusionRecord:
        fusion = output.result
        assert isinstance(fusion, FusedText)  # of a fuser
        return {
            "kind": "fusion",
            "system": system.signature(),
            "sources": list(fusion.sentences),
            "text": fusion.text,
            "words": fusion.words,
            "pieces": list(fusion.pieces),
            "notes": list(fusion.notes),
        }

    return run_system(args, system, chunks, "rows" if rows else form, record)


def _holds_rows(path: str, form: str | None) -> bool:
    """Whether a .tsv is sentences with tabs between and not a table: its first line does not name a column of items."""
    from ..formats import names_items

    if form == "csv" or not path.removesuffix(".gz").endswith(".tsv"):
        return False
    return not names_items(path)
