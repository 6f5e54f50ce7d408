"""Make texts shorter: one line out for each line in.

assay compress news.txt --ratio 0.43
assay compress news.txt --ratio 0.7 --abstractive         (shorter phrases for longer ones, too)
assay compress news.txt --average-ratio 0.7                (the mean of the file; each text as long as suits it)
assay compress news.txt --words 10 --keep "ACME|#[0-9]+"
assay compress set.jsonl --system "ilp(lambda=0)" --out with-ilp.parquet
assay compress sources.csv --words 8 > short.txt
assay compress news.txt --ratio 0.6 --json                (each deletion: entailed, unknown or not entailed)
tail -f log | assay compress - --chars 80 --system lead
assay compress parts/*.jsonl --ratio 0.6 --engine dask://scheduler:8786 --out short/
assay compress --list

A .txt and standard input are lines of text. Any other file is an evaluation set, and the text of an item is its source:
a table has a column item (or id) and a column source (or text), JSON Lines has "source" (or "text").
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict

from ..errors import InputError
from . import _numbers as numbers
from ._options import add
from ._show import show
from ._systems import BATCH, add_system_options, input_chunks, input_format, list_systems, requirements_of, run_system

if TYPE_CHECKING:
    from ..data.evalset import EvalSet, Item
    from ..systems.apply import SystemOutput
    from ..systems.compress import Compression, Compressor
    from ..systems.compress.edits.rewrite import TextEdit
    from ..text.logic.deletions import Deletion

SUMMARY = "shorten texts, to an exact length if asked"


# Records with names that cannot be attributes of a class: `from` is a word of Python, `kept` says nothing in code.
DeletionRecord = TypedDict(
    "DeletionRecord",
    {"text": str, "label": str, "reason": str, "from": str | None, "places": list[tuple[int, int]]},
)
SpanRecord = TypedDict("SpanRecord", {"kept": list[tuple[int, int]]})  # noqa: UP013


class EditRecord(TypedDict):
    """One step from the source to the text: what stands at a place of the source becomes `text`."""

    kind: str
    source: str
    text: str
    place: tuple[int, int]
    reason: str


class CompressionRecord(SpanRecord):
    """A shortened text: the spans of the source that are kept, rates, and what was deleted or rewritten."""

    id: NotRequired[str | int]
    kind: Literal["compression"]
    system: str
    source: str
    text: str
    words: int
    word_rate: float
    token_rate: float
    char_rate: float
    notes: list[str]
    deletions: list[DeletionRecord] | None
    edits: NotRequired[list[EditRecord]]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        nargs="?",
        help="lines of text (.txt), or an evaluation set: .jsonl, .csv, .tsv, .parquet (also .gz), or - for stdin",
    )
    parser.add_argument("more", nargs="*", metavar="file", help="further files, with --engine")
    add_system_options(parser, default="tagger-tree")
    parser.add_argument(
        "--abstractive",
        action="store_true",
        help="also replace phrases by shorter ones that say the same (the system edit)",
    )
    parser.add_argument(
        "--faithful",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="make no deletion that changes what is said while the length allows, and note each that was forced "
        "(tagger-tree, ilp and edit; default: --faithful)",
    )
    parser.add_argument(
        "--average-ratio",
        type=numbers.ratio,
        metavar="R",
        help="one threshold for the whole file, at which the mean share of tokens kept is R; each text has the length "
        "that suits it (tagger-tree; the file is read twice)",
    )
    parser.add_argument(
        "--diff",
        action=argparse.BooleanOptionalAction,
        help="print what was deleted and added in each text: [-old-]{+new+} (default: below each text on a terminal, "
        "for systems that write words of their own)",
    )
    add(parser, "engine", "threads", engine={"detail": "the parts of a large set"})
    add(parser, "model", model={"detail": "the system's tagger or language model", "shown": "the one of Assay"})


def run(args: argparse.Namespace) -> int:
    from ..systems.budget import Budget
    from ..systems.compress import COMPRESSORS, DEFAULT
    from ..systems.system import check_patterns

    if args.list:
        show([list_systems("compressor", COMPRESSORS, DEFAULT)], as_json=args.json)
        return 0
    if not args.file:
        raise InputError("nothing to compress: give a file, or - for standard input")
    if args.abstractive and args.system:
        raise InputError(
            f"--abstractive means --system edit; leave out one of --abstractive and --system {args.system}"
        )
    name = "edit" if args.abstractive else args.system or DEFAULT
    system = _set_model(COMPRESSORS.build(name), args.model)
    Budget(args.ratio, args.words, args.chars)  # an impossible length is an error before anything is read
    check_patterns(system, [*args.keep, *args.drop], COMPRESSORS)
    if args.average_ratio is not None:
        from ..systems.compress.length.average import check_average

        check_average(system, args.average_ratio, bool(Budget(args.ratio, args.words, args.chars)))
    if args.engine is not None:
        return _compress_parts(args, system)
    if args.more:
        raise InputError(f"{args.file} and {args.more[0]}: several files are worked on with --engine threads or dask")
    form = input_format(args)
    if args.average_ratio is not None:
        return _compress_to_average(args, system, form)
    return _compress_file(args, system, form, input_chunks(args, form))


def _compress_to_average(args: argparse.Namespace, system: Compressor, form: str) -> int:
    """Read the file twice: for the threshold that all its texts share, and to shorten them."""
    from ..systems.apply import average_threshold

    with _reread(args, form) as read:
        threshold = average_threshold(system, read(), requirements_of(args), args.average_ratio)
        args.threshold = threshold
        if threshold.mean > args.average_ratio + 1e-9 and not args.quiet:
            reason = f"{args.average_ratio:g} cannot be reached: no text can be shorter"
            print(f"assay: note: the mean share of tokens kept is {threshold.mean:.3f}; {reason}", file=sys.stderr)
        return _compress_file(args, system, form, read())


@contextmanager
def _reread(args: argparse.Namespace, form: str) -> Iterator[Callable[[], Iterable[EvalSet]]]:
    """Return what reads the items; those of a pipe are stored in a file meanwhile."""
    from ..formats import Stream, stream, write

    if args.file != "-" and (os.path.isfile(args.file) or os.path.isdir(args.file)):
        yield lambda: input_chunks(args, form)
        return
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        items = (item for chunk in input_chunks(args, form) for item in chunk)
        waiting = Path(folder) / "set.jsonl"
        write(Stream(lambda _: items, path=args.file, batch=BATCH, allow_missing=True, markup="keep"), waiting)

        def read() -> Iterable[EvalSet]:
            stored = stream(waiting, batch=BATCH, allow_missing=True)
            stored.markup = "keep"
            return stored

        yield read


def _compress_file(args: argparse.Namespace, system: Compressor, form: str, chunks: Iterable[EvalSet]) -> int:
    """Shorten the texts of one file."""

    def record(output: SystemOutput) -> dict[str, Any]:
        result = _compression(output)
        return {
            "kind": "compression",
            "system": system.signature(),
            "source": result.source,
            "text": result.text,
            **_details(result),
        }

    return run_system(args, system, chunks, form, record, _extra, _line_of(args, system))


def _line_of(args: argparse.Namespace, system: Compressor) -> Callable[[SystemOutput], str] | None:
    """Return how a text is printed where it is not printed alone: as a diff, or with one below it on a terminal."""
    from ..systems.compress.edits.rewrite import draw_diff

    below = args.diff is None and args.out is None and system.rewrites and sys.stdout.isatty()
    if not (args.diff or below):
        return None

    def write_line(output: SystemOutput) -> str:
        diff = draw_diff(_compression(output)).replace("\n", " ")
        return output.result.text.replace("\n", " ") + f"\n    {diff}" if below else diff

    return write_line


def _compress_parts(args: argparse.Namespace, system: Compressor) -> int:
    """Shorten the texts of many files; each becomes a part of the folder, in JSON Lines."""
    from ..systems.parts import plan_parts

    if args.average_ratio is not None:
        raise InputError("--average-ratio is for one file without --engine: one threshold needs all texts")
    if not args.out:
        raise InputError("what is made of several files is a folder of parts: give --out with the name of one")
    if args.json:
        raise InputError("--json prints what is made of one file; parts are JSON Lines in the folder of --out")
    from ._parts import part_files, run_parts

    entries = run_parts(args, plan_parts(part_files(args), system, requirements_of(args), args.name or ""))
    if not args.quiet and (noted := sum(entry["noted"] for entry in entries)):
        total = sum(entry["rows"] for entry in entries)
        print(f"assay: note: {noted:,} of {total:,} texts have notes", file=sys.stderr)
    return 0


def _compression(output: SystemOutput) -> Compression:
    from ..systems.compress import Compression

    assert isinstance(output.result, Compression)  # of a compressor
    return output.result


def _details(result: Compression) -> dict[str, Any]:
    from ..systems.compress.edits.rewrite import Rewrite

    edits = {"edits": [_edit(result, edit) for edit in result.edits]} if isinstance(result, Rewrite) else {}
    return {
        "kept": [list(span) for span in result.spans],
        "words": result.words,
        "word_rate": result.word_rate,
        "token_rate": result.token_rate,
        "char_rate": result.char_rate,
        "notes": list(result.notes),
        "deletions": None if result.deletions is None else [_deletion(result, d) for d in result.deletions],
        **edits,
    }


def _edit(result: Compression, edit: TextEdit) -> dict[str, Any]:
    source = result.source[edit.start : edit.end]
    place = [edit.start, edit.end]
    return {"kind": edit.kind, "source": source, "text": edit.text, "place": place, "reason": edit.reason}


def _deletion(result: Compression, deletion: Deletion) -> dict[str, Any]:
    words = [result.tokens[i] for i in deletion.words]
    return {
        "text": " ".join(token.text for token in words),
        "label": deletion.label,
        "reason": deletion.reason,
        "from": result.tokens[deletion.head].text if deletion.head >= 0 else None,
        "places": [[token.start, token.end] for token in words],
    }


def _extra(item: Item, output: SystemOutput, name: str) -> Mapping[str, Any]:
    """Return what a JSON Lines item stores of an output: the spans of kept words, the notes, the edits of a rewrite."""
    details = _details(_compression(output))
    earlier = item.extra.get("compressions")
    places = {key: details[key] for key in ("kept", "notes", "edits") if key in details}
    return {"compressions": {**(earlier if isinstance(earlier, dict) else {}), name: places}}


def _set_model(system: Compressor, model: str | None) -> Compressor:
    if not model:
        return system
    known = {f.name for f in fields(system)}
    for name in ("tagger", "model"):
        if name in known:
            return replace(system, **{name: model})
    raise InputError(f"{system.name} has no model to set with --model")
