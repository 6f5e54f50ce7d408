"""Read the evaluation set that the options of a command name."""

from __future__ import annotations

import argparse
import os
import stat
import sys
import warnings
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InputError, UnknownName
from ._screen import one_line

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..formats import Stream


# What each option states about the scale of a dimension.
SCALE_OPTIONS: dict[str, dict[str, Any]] = {
    "lower_is_better": {"best": "low"},
    "higher_is_better": {"best": "high"},
    "ranking": {"best": "low", "kind": "ranking"},
}

_FILES_OF_PARTS = ("parquet", "jsonl", "csv", "tsv", "json")


FIRST_ITEMS = 100  # of a file, which show if another one holds the same


class Files(NamedTuple):
    """The files that the options of a command name: a run for each system, by its name where that is stated."""

    runs: dict[str, str] | list[str]
    references: list[str]
    source: str | None

    @property
    def paths(self) -> list[str]:
        """The files of runs."""
        return list(self.runs.values() if isinstance(self.runs, dict) else self.runs)


def open_input(args: argparse.Namespace, *, passes: int = 1) -> Stream:
    """Open what the options name, in chunks; `passes` above 1 keeps what comes from a pipe, to read it again.

    Files of lines are zipped; one evaluation set is streamed; several files, of any format, are joined.
    """
    from .. import formats

    files = find_files(args)
    options: dict[str, Any] = {"strip_tags": args.strip_tags}
    if _are_lines(files, args.format):
        if stated_columns(args):
            raise InputError("--columns is for tables and JSON; these files are read as lines of text")
        chunks = formats.stream_lines(_name_runs(files.runs), files.references, files.source, **options)
    elif _is_one_set(files, args.format):
        options |= {"allow_missing": args.allow_missing, "strict": args.strict, **judgment_options(args)}
        if files.references:
            options["references"] = files.references[0]
        return formats.stream(files.paths[0], format=args.format, passes=passes, **options)
    else:
        stated = judgment_options(args).get("columns")
        options |= {"allow_missing": args.allow_missing, "format": args.format, "columns": stated}
        chunks = formats.stream_joined(files.runs, files.references, files.source, **options)
    judgments = getattr(args, "judgments", None)
    return chunks if judgments is None else formats.with_judgments(chunks, judgments)


def wants_parts(args: argparse.Namespace) -> bool:
    """Check if the input is to be read part by part: an engine is asked for, or several tables are given."""
    if args.engine is not None:
        return True
    if not args.more or args.refs or args.input or args.outputs:
        return False
    from ..formats import format_of

    tables = all(os.path.isfile(f) and format_of(f) in _FILES_OF_PARTS for f in (args.file, *args.more))
    return tables and not _hold_same_items(args.file, args.more[0], args)


def _hold_same_items(file: str, other: str, args: argparse.Namespace) -> bool:
    """Check if the first items of two files meet: then they are runs of systems, and not parts of one set."""
    from ..formats import stream

    stated: dict[str, Any] = {"columns": columns} if (columns := stated_columns(args)) else {}
    stated["allow_missing"] = True
    with warnings.catch_warnings():  # who reads the files will say them
        warnings.simplefilter("ignore")
        items = (islice(chain.from_iterable(stream(path, **stated)), FIRST_ITEMS) for path in (file, other))
        first, second = ({item.id for item in own} for own in items)
    return not first.isdisjoint(second)


def find_files(args: argparse.Namespace) -> Files:
    """Return the files of runs, references and sources that the options name.

    They are given as `set.jsonl`, `a.csv b.csv`, `hyp.txt --refs ref.txt`, `ref.txt -i hyp.txt`, a pipe with --refs, or
    --outputs NAME=FILE.
    """
    files = [args.file, *args.more] if args.file else []
    if args.outputs:
        if files or args.input:
            raise InputError(f"give either {(files or args.input)[0]} or --outputs and --refs, not both")
        systems = dict(_split_name(text) for text in args.outputs)
        if len(systems) < len(args.outputs):
            raise InputError("two --outputs options have the same name")
        return Files(systems, args.refs, args.source)
    if args.input:
        if files and args.refs:
            raise InputError(f"the references are given twice: {files[0]} and --refs {args.refs[0]}; give one of them")
        return Files(args.input, files or args.refs, args.source)
    if not files and not args.refs:
        raise InputError("no input: give a file, or outputs and references: assay score hyp.txt --refs ref.txt")
    return Files(files or {"stdin": _piped_outputs()}, args.refs, args.source)


def _are_lines(files: Files, format: str | None) -> bool:
    """Check if every file is one of lines; --input-format decides where it is given."""
    from .. import formats

    every = [*files.paths, *files.references, *([files.source] if files.source else [])]
    one = len(every) == 1 and isinstance(files.runs, list)
    if format is not None:
        return format == "lines" and not one
    lines = not one and all(formats.holds_lines(path) for path in every)
    if lines and not files.references and isinstance(files.runs, list):
        raise InputError(f"{every[0]} and {every[1]}: outputs of several systems by line need --refs")
    return lines


def _is_one_set(files: Files, format: str | None) -> bool:
    """Check if this is one evaluation set, alone or a table with a table of references as we write them.

    References from a pipe, which cannot be looked at, are such a table where the format is stated.
    """
    if isinstance(files.runs, dict) or len(files.runs) > 1 or files.source:
        return False
    if not files.references:
        return True
    if format is not None and len(files.references) == 1 and _is_fifo(files.references[0]):
        return True
    from ..formats import joins_on_disk

    return len(files.references) == 1 and joins_on_disk(files.runs[0], files.references[0])


def _is_fifo(path: str) -> bool:
    return os.path.exists(path) and stat.S_ISFIFO(os.stat(path).st_mode)


def _name_runs(runs: dict[str, str] | list[str]) -> dict[str, str]:
    from ..formats import name_systems

    return runs if isinstance(runs, dict) else name_systems(runs)


def _piped_outputs() -> str:
    """Return the name of standard input where something is piped or redirected into it."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, OSError, ValueError):
        mode = 0
    if not (stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)):
        raise InputError("--refs needs outputs: a file before it, a pipe, or --outputs NAME=FILE")
    return "-"


def stated_columns(args: argparse.Namespace) -> dict[str, list[str]]:
    """Return what --columns, --cluster and --run say about columns; two of them that differ are an error."""
    from .. import formats

    columns = formats.parse_columns(args.columns) if getattr(args, "columns", None) else {}
    for role in ("cluster", "run"):
        name = getattr(args, f"{role}_column", None)
        if name is None:
            continue
        stated = formats.parse_columns(f"{role}={name}")[role]
        if columns.setdefault(role, stated) != stated:
            other = "+".join(columns[role]) or "none"
            raise InputError(f"--{role} {name} and --columns {role}={other} differ; give one of them")
    return columns


def judgment_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return what --columns, --cluster, --run and --judgments say, as `formats.stream` takes it."""
    options: dict[str, Any] = {}
    if columns := stated_columns(args):
        options["columns"] = columns
    if getattr(args, "judgments", None):
        options["judgments"] = args.judgments
    return options


def read_input(args: argparse.Namespace, *, units: bool = False) -> EvalSet:
    """Read everything that the options name; with `units`, scores of content units are judgments too."""
    stream = open_input(args)
    data = stream.read()
    say_recognized(args, stream.recognized, len(data), len(data.systems))
    return state_scales(args, add_unit_scores(args, data) if units else data)


def add_unit_scores(args: argparse.Namespace, data: EvalSet) -> EvalSet:
    """Return the set with the Pyramid scores of annotated outputs as judgments, unless it has such judgments."""
    if not any(item.extra for item in data):
        return data  # units are under keys of items that are kept there
    from ..data.content_units import DIMENSION, carries_units

    if DIMENSION in data.dimensions or not carries_units(data):
        return data
    from ..pyramid.annotated import add_judgments

    judged = add_judgments(data)
    if not args.quiet:
        count = sum(judgment.dimension == DIMENSION for item in judged for judgment in item.judgments)
        words = f"{count:,} modified Pyramid scores of content units are judgments in the dimension {DIMENSION}"
        print(f"assay: {words}", file=sys.stderr)
    return judged


def say_recognized(args: argparse.Namespace, recognized: str, items: int, systems: int) -> None:
    """Print in a line on stderr which columns were taken for what, where that had to be found out."""
    if recognized and not args.quiet:
        counts = f"{items:,} item{'s' * (items != 1)}, {systems:,} system{'s' * (systems != 1)}"
        print(f"assay: read {counts}: {one_line(recognized)}", file=sys.stderr)


def state_scales(args: argparse.Namespace, data: EvalSet) -> EvalSet:
    """Return the set with the scales and kinds of raters that the options state."""
    from dataclasses import replace

    from ..data.scale import Scale

    data = _state_kinds(args, data)
    scales: dict[str, Scale] = {}
    for option, changes in SCALE_OPTIONS.items():
        for name in getattr(args, option, ()):
            if name in scales:
                raise InputError(f"two options state the scale of {name!r}; give one")
            if name in data.dimensions:
                scales[name] = replace(data.scales.get(name, Scale()), **changes)
            elif not getattr(args, "scores", ()) or option == "ranking":
                flag = f"--{option.replace('_', '-')}"
                raise UnknownName("dimension", name, data.dimensions, hint=f"(given as {flag})")
    return data.with_scales(scales) if scales else data


def _state_kinds(args: argparse.Namespace, data: EvalSet) -> EvalSet:
    """Return the set with the raters of --llm stated to be LLMs, and the assessors of --kind to be asked."""
    names = [name.strip() for names in getattr(args, "llm", ()) for name in names.split(",")]
    if names:
        data = data.with_kinds({name: "llm" for name in names if name})
    kind = getattr(args, "kind", "human")
    return data if kind == "human" else data.use_assessors(kind)


def _split_name(text: str) -> tuple[str, str]:
    name, equals, file = text.partition("=")
    if not equals or not name or not file:
        raise InputError(f"--outputs takes NAME=FILE; got {text!r}")
    return name, file
