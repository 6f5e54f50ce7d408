"""Derive the state of a study from its log anew, and check it: missing events, double or invalid answers.

assay study replay study/
assay study replay study/ --database sqlite:///study/backups/20260102T030405000000Z.db
"""

from __future__ import annotations

import argparse

from ._options import add
from ._show import show
from ._study_folder import add_folder, open_study

SUMMARY = "derive everything from the log anew"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_folder(parser)
    add(parser, "json")


def run(args: argparse.Namespace) -> int:
    from ..study.replay import replay_log

    with open_study(args) as (content, database):
        result = replay_log(content, database)
    show([result], as_json=args.json)
    return 0 if result.is_sound else 2
