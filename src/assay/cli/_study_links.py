"""Print the links of a study, make them anew, or sign links for people of a crowd platform.

assay study links study/ --address https://study.example.org
assay study links study/ --renew admin            (or: room, all, or the name of a rater)
assay study links study/ --ids ids.txt            (of a study made with --signed-links; one id a line)

The old link is not valid any more then, and the sessions that it opened end. The study must not be served meanwhile;
the admin page makes links anew as well.
"""

from __future__ import annotations

import argparse

from ..errors import InputError
from ._options import add
from ._show import show
from ._study_folder import add_folder, open_study

SUMMARY = "print the links of a study, or make them anew"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_folder(parser)
    parser.add_argument("--renew", metavar="WHAT", help="links to make anew: all, admin, room, or the name of a rater")
    parser.add_argument("--ids", metavar="FILE", help="ids of a crowd platform to sign links for, one a line")
    parser.add_argument(
        "--address",
        default="http://127.0.0.1:8000",
        metavar="URL",
        help="address that raters use (default: http://127.0.0.1:8000)",
    )
    add(parser, "json")


def run(args: argparse.Namespace) -> int:
    from ..formats import text_lines
    from ..study.backup import bring_to_present, find_rater
    from ..study.server.run import describe_study_links
    from ..study.service import StudyService

    with (
        open_study(args, writes=True) as (content, database),
        content.folder.lock("reading and renewing links"),
        database.hold(),
    ):
        bring_to_present(content.folder, database)
        service = StudyService(content.folder, database)
        try:
            purposes: list[str] = []
            if args.renew == "all":
                purposes = ["admin", "join", *(f"rater:{number}" for number in service.raters)]
            elif args.renew is not None:
                names = {"admin": "admin", "room": "join"}
                purposes = [names.get(args.renew) or f"rater:{find_rater(database, args.renew)}"]
            service.run(lambda: service.renew_links(purposes)).result()
            ids = [line.strip() for line in text_lines(args.ids) if line.strip()] if args.ids else []
            if ids and not (content.settings.crowd and content.settings.crowd.signed):
                raise InputError("--ids is for a study with signed links: assay study new --signed-links")
            show([describe_study_links(service, args.address.rstrip("/"), ids, len(purposes))], as_json=args.json)
        finally:
            service.close()
    return 0
