"""Serve a study: prints the address for raters and the admin link, and runs until Ctrl-C.

assay study serve study/
assay study serve study/ --host 0.0.0.0 --port 8080 --allowed-host study.example.org --address https://study.example.org
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import _numbers as numbers
from ._options import add
from ._show import show
from ._signals import report_interrupt

SUMMARY = "serve a study to raters"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", help="folder of the study")
    parser.add_argument("--host", default="127.0.0.1", metavar="HOST", help="address to listen on (default: 127.0.0.1)")
    parser.add_argument(
        "--port", type=numbers.whole_number(0, 65535), default=8000, metavar="N", help="port (default: 8000; 0: any)"
    )
    parser.add_argument(
        "--allowed-host",
        action="append",
        default=[],
        metavar="NAME",
        help="host name that requests may use; repeat for more (default: those of --host and --address)",
    )
    parser.add_argument(
        "--address",
        default="",
        metavar="URL",
        help="address that raters use, if a proxy stands in front (default: none)",
    )
    parser.add_argument("--database", metavar="URL", help="database (default: the one it was made with)")
    add(parser, "json")


def run(args: argparse.Namespace) -> int:
    from ..extras import import_extra
    from ..study.folder import StudyFolder

    for package in ("litestar", "uvicorn"):
        import_extra(package, "study", "serving a study")
    from ..study.server.run import default_hosts, serve
    from ..study.status import ServedStudy

    def announce(study: ServedStudy) -> None:
        show([study], as_json=args.json)
        sys.stdout.flush()

    try:
        serve(
            StudyFolder(Path(args.folder)),
            host=args.host,
            port=args.port,
            database=args.database,
            allowed_hosts=args.allowed_host or default_hosts(args.host, args.address),
            public_address=args.address,
            on_start=announce,
        )
    except KeyboardInterrupt as error:  # uvicorn has answered the last requests and raises the signal again
        return report_interrupt(error, "the study is no longer served, and what was judged is kept")
    return 0
