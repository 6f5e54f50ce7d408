"""Write what raters answered: an evaluation set with judgments that every command reads.

assay study export study/ --out judged.jsonl
assay study export study/ --out judged.jsonl --anonymize
assay study export study/ --out judged.jsonl --units marks.jsonl    (then: assay pyramid score marks.jsonl)
assay study export study/ --out ann.jsonl --annotator ann           (of pyramid; or .pyr, .pan, or a folder of them)
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InputError
from ._options import add
from ._show import show
from ._study_folder import add_folder, open_study, refuse_study_file

if TYPE_CHECKING:
    from ..data.evalset import EvalSet

SUMMARY = "write the judgments"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_folder(parser)
    add(parser, "out", out={"required": True, "detail": "the judged set, .jsonl"})
    parser.add_argument(
        "--anonymize", action="store_true", help="replace the names of raters and leave out times of day"
    )
    parser.add_argument("--only-complete", action="store_true", help="leave out raters who did not submit")
    parser.add_argument("--units", metavar="FILE", help="file to write the marks of content units to, .jsonl")
    parser.add_argument(
        "--annotator", metavar="NAME", help="annotator of the content units to write, of pyramid (default: all)"
    )
    add(parser, "json")


def run(args: argparse.Namespace) -> int:
    from ..files import write_whole
    from ..study.export import export_study, unit_lines
    from ..study.status import describe_export

    for name in filter(None, (args.out, args.units)):
        refuse_study_file(Path(args.folder), name)
    with open_study(args) as (content, database):
        if args.units and content.protocol.name != "factoids":
            raise InputError(f"--units needs a study of factoids; {args.folder} is of {content.protocol.name}")
        is_pyramid = content.protocol.name == "pyramid"
        if args.annotator is not None and not is_pyramid:
            raise InputError(f"--annotator needs a study of pyramid; {args.folder} is of {content.protocol.name}")
        options = {"anonymize": args.anonymize, "only_complete": args.only_complete, "annotator": args.annotator}
        data = export_study(content, database, **options)
    _write(data, args.out, is_pyramid=is_pyramid)
    if args.units:
        lines = (json.dumps(line, ensure_ascii=False) for line in unit_lines(data))
        write_whole(args.units, "".join(f"{line}\n" for line in lines))
    show([describe_export(data, args.out)], as_json=args.json)
    return 0


def _write(data: EvalSet, path: str, *, is_pyramid: bool) -> None:
    """Write the set; of content units to DucView's files too, in which a topic has one pyramid."""
    from ..data.evalset import EvalSet
    from ..formats import format_of, write
    from ..study.annotations import only_annotation

    target = format_of(path, look=False) or ("ducview" if is_pyramid else None)
    if target in ("ducview", "pyreval") and is_pyramid:
        names = dict.fromkeys(name for item in data for name in item.extra.get("pyramids", ()))
        if names:
            people = ", ".join(names)
            raise InputError(f"{path}: a topic has one pyramid in DucView's files; give one of {people}: --annotator")
        data = EvalSet([only_annotation(item) for item in data], allow_missing=True)
    write(data, path, format=target)
