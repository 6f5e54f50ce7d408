"""Back a study up to a file in its folder. Safe while it is served; of PostgreSQL the backup is SQLite as well.

assay study backup study/
"""

from __future__ import annotations

import argparse

from ._options import add
from ._show import show
from ._study_folder import add_folder, open_study

SUMMARY = "back a study up"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_folder(parser)
    add(parser, "json")


def run(args: argparse.Namespace) -> int:
    from ..data.written_file import WrittenFile
    from ..study.backup import back_up

    with open_study(args) as (content, database):
        path = back_up(content.folder, database)
    show([WrittenFile("backup", str(path), path.stat().st_size)], as_json=args.json)
    return 0
