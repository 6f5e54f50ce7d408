"""Remove a person's data from a study: what they answered, and who they are. The log keeps that there were events.

assay study erase study/ ann
assay study erase study/ 5f3c0a1b...           (an id of the crowd platform)

The study must not be served meanwhile; the admin page erases as well, and so does a rater who leaves. The files of the
database are written anew. Backups are named that still hold the person.
"""

from __future__ import annotations

import argparse

from ._options import add
from ._show import show
from ._study_folder import add_folder, open_study

SUMMARY = "remove a person's data"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_folder(parser)
    parser.add_argument("rater", help="name, platform id or number of the rater")
    add(parser, "json")


def run(args: argparse.Namespace) -> int:
    from ..study.backup import backups_with, bring_to_present, find_rater
    from ..study.service import StudyService
    from ..study.status import ErasedRater

    with open_study(args, writes=True) as (content, database), content.folder.lock("erasing"), database.hold():
        number = find_rater(database, args.rater)
        bring_to_present(content.folder, database)
        service = StudyService(content.folder, database)
        try:
            service.run(lambda: service.erase(number)).result()
            seconds = service.run(service.forget_deleted).result()
        finally:
            service.close()
    backups = tuple(str(path) for path in backups_with(content.folder, number))
    kind = "sqlite" if database.is_sqlite else "postgresql"
    show([ErasedRater(number, backups, kind, seconds)], as_json=args.json)
    return 0
