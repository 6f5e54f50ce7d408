"""See who will see what, before anybody rates: ratings per output, balance, and overlap of raters.

assay study design study/
assay study design study/ --places 24      (as if that many raters came and stayed)
"""

from __future__ import annotations

import argparse
from pathlib import Path

from . import _numbers as numbers
from ._options import add
from ._show import show

SUMMARY = "print who sees what"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", help="folder of the study")
    parser.add_argument(
        "--places", type=numbers.words, metavar="N", help="number of raters (default: the design's, or one per list)"
    )
    add(parser, "rows", "json")


def run(args: argparse.Namespace) -> int:
    from ..study.folder import StudyFolder
    from ..study.status import describe_design

    show([describe_design(StudyFolder(Path(args.folder)), places=args.places)], as_json=args.json, rows=args.rows)
    return 0
