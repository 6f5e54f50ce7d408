"""Write what raters answered: an evaluation set with judgments that every command reads.

assay study export study/ --out judged.jsonl
assay study export study/ --out judged.jsonl --anonymize
assay study export study/ --out judged.jsonl --units marks.jsonl    (then: assay pyramid score marks.jsonl)
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ..errors import InputError
from ._options import add
from ._show import show
from ._study_folder import add_folder, open_study, refuse_study_file

SUMMARY = "write the judgments"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_folder(parser)
    add(parser, "out", out={"required": True, "detail": "the judged set, .jsonl"})
    parser.add_argument(
        "--anonymize", action="store_true", help="replace the names of raters and leave out times of day"
    )
    parser.add_argument("--only-complete", action="store_true", help="leave out raters who did not submit")
    parser.add_argument("--units", metavar="FILE", help="file to write the marks of content units to, .jsonl")
    add(parser, "json")


def run(args: argparse.Namespace) -> int:
    from ..files import write_whole
    from ..formats import write
    from ..study.export import export_study, unit_lines
    from ..study.status import describe_export

    for name in filter(None, (args.out, args.units)):
        refuse_study_file(Path(args.folder), name)
    with open_study(args) as (content, database):
        if args.units and content.protocol.name != "factoids":
            raise InputError(f"--units needs a study of factoids; {args.folder} is of {content.protocol.name}")
        data = export_study(content, database, anonymize=args.anonymize, only_complete=args.only_complete)
    write(data, args.out)
    if args.units:
        lines = (json.dumps(line, ensure_ascii=False) for line in unit_lines(data))
        write_whole(args.units, "".join(f"{line}\n" for line in lines))
    show([describe_export(data, args.out)], as_json=args.json)
    return 0
