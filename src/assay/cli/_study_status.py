"""See how far a study is: who completed, who is rating, time per task, failed checks. Safe while it is served.

assay study status study/
"""

from __future__ import annotations

import argparse

from ._options import add
from ._show import show
from ._study_folder import add_folder, open_study

SUMMARY = "print how far a study is"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_folder(parser)
    add(parser, "rows", "json")


def run(args: argparse.Namespace) -> int:
    from ..study.status import read_progress

    with open_study(args) as (content, database):
        progress = read_progress(content, database)
    show([progress], as_json=args.json, rows=args.rows)
    return 0
