"""Convert a set from one format to another, and refuse to lose anything unasked.

assay convert judged.jsonl folder/ --to mtme
assay convert results.json set.jsonl            (promptfoo's results; the format is found from the file)
assay convert outputs.jsonl set.jsonl --judgments export.csv
assay convert set.jsonl set.csv --lossy         (lists what a single table cannot hold, and leaves it out)
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..errors import FormatError
from ._options import add
from ._output import csv_options
from ._show import show

if TYPE_CHECKING:
    from ..data.conversion import Conversion
    from ..data.evalset import EvalSet

SUMMARY = "convert a set from one format to another"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="file or folder to read")
    parser.add_argument("to", metavar="out", help="file or folder to write")
    parser.add_argument(
        "--from", dest="from_format", metavar="FORMAT", help="format of the input (default: from the file)"
    )
    parser.add_argument(
        "--to", dest="to_format", metavar="FORMAT", help="format of the output (default: from the file name)"
    )
    parser.add_argument("--lossy", action="store_true", help="leave out what the new format cannot hold, and list it")
    add(parser, "judgments", "columns", "cluster", "run", "llm", "strip_tags", "escape_formulas", "json")


def run(args: argparse.Namespace) -> int:
    show([_convert(args)], as_json=args.json)
    return 0


def _convert(args: argparse.Namespace) -> Conversion:
    from ..data.conversion import Conversion, LostPart
    from ..formats import FORMATS, PARTS, drop_parts, drop_spellings, find_losses, format_of, write

    data = _read(args)
    name = args.to_format or format_of(args.to, look=False)
    if name is None:
        known = "jsonl, csv, parquet, tables, lines, mtme, label-studio"
        raise FormatError(f"the name does not tell the format; give --to, one of {known}", path=args.to)
    target = FORMATS.build(name)
    items = data.entries if target.name == "jsonl" else drop_spellings(data.entries)
    losses = find_losses(items, target.lacks(args.to))
    if losses and not args.lossy:
        lost = "; ".join(f"{PARTS[part].what} ({count:,})" for part, count in losses.items())
        raise FormatError(
            f"{target.name} has no place for {lost}; --lossy leaves them out, and JSON Lines hold everything",
            path=args.to,
        )
    result = type(data)(drop_parts(items, losses), allow_missing=True)
    write(result, args.to, format=name, **(csv_options(args) if target.name == "csv" else {}))
    return Conversion(
        source=args.file,
        source_format=FORMATS.build(_input_format(args)).name,
        target=args.to,
        target_format=target.name,
        items=len(result),
        systems=len(result.systems),
        judgments=sum(len(item.judgments) for item in result),
        losses=tuple(LostPart(PARTS[part].what, count) for part, count in losses.items()),
    )


def _read(args: argparse.Namespace) -> EvalSet:
    """Read the input, with all that its format by default leaves unread."""
    from ..formats import FORMATS, read
    from ._input import judgment_options, state_scales

    name = _input_format(args)
    if args.from_format is None:
        name = FORMATS.build(name).whole or name
    options = judgment_options(args)
    return state_scales(args, read(args.file, format=name, allow_missing=True, strip_tags=args.strip_tags, **options))


def _input_format(args: argparse.Namespace) -> str:
    """Return the format of the input; a file that is not there, or of no known format, is refused when it is read."""
    from ..formats import format_of

    return args.from_format or format_of(args.file) or "jsonl"
