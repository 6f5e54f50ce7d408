"""Make one text of several sentences that overlap: one line out for each cluster in.

assay fuse pairs.tsv --words 15
assay fuse clusters.txt --system "wordgraph(language=fr)"
assay fuse set.jsonl --system longer --out with-longer.jsonl
assay fuse --list

A cluster is a line of a .tsv with a sentence in each column (--columns N takes the first N), an item of JSON Lines with
"sources" (or a "source" of several lines), or, in any other file, lines up to an empty line.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import FormatError, InputError
from . import _numbers as numbers
from ._answer import json_line, show
from ._lines import text_lines
from ._shorter import Notes, listed, output, shorter_arguments

if TYPE_CHECKING:
    from ..systems.fuse import Fuser, Fusion

SUMMARY = "make one text of several sentences"
_BATCH = 64


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", nargs="?", help="clusters: .tsv, .jsonl, or lines with empty lines between; - for stdin"
    )
    parser.add_argument(
        "--ratio", type=numbers.ratio, metavar="R", help="the share of all the words of a cluster, as 0.3"
    )
    parser.add_argument(
        "--columns", type=numbers.words, metavar="N", help="of a .tsv: the columns that are sentences (all)"
    )
    shorter_arguments(parser, "JSON Lines: text, where its words come from, notes")


def run(args: argparse.Namespace) -> int:
    from ..systems.fuse import DEFAULT, Budget, Cluster, check_patterns, families, fuser

    if args.list:
        said = "Systems that make one text of several sentences:"
        show([listed("fuser", said, families(), DEFAULT)], as_json=args.json)
        return 0
    if not args.file:
        raise InputError("nothing to fuse: give a file, or - for standard input")
    if args.columns is not None and args.columns < 1:
        raise InputError(f"--columns must be 1 or more; got {args.columns}")
    chosen = fuser(args.system or DEFAULT)
    budget = Budget(args.ratio, args.words, args.chars)
    check_patterns(chosen, [*args.keep, *args.drop])
    notes, entries = Notes(), _entries(args)
    keep, drop = tuple(args.keep), tuple(args.drop)
    with output(args.out) as write:
        while some := list(islice(entries, _BATCH)):
            made = chosen.fuse([Cluster(entry.sentences, budget, keep, drop) for entry in some])
            for entry, one in zip(some, made, strict=True):
                write(_spelled(entry, one, args, chosen))
                notes.add(one.notes)
    if not args.quiet:
        notes.say()
    return 0


class Entry(NamedTuple):
    """The sentences of one cluster, and the JSON object they came in, if they did."""

    sentences: tuple[str, ...]
    record: dict[str, Any] | None = None


def _entries(args: argparse.Namespace) -> Iterator[Entry]:
    name = args.file.removesuffix(".gz")
    lines = text_lines(args.file, quiet=args.quiet)
    if name.endswith((".jsonl", ".ndjson")):
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _item(line, args.file, number)
    elif name.endswith(".tsv"):
        for line in lines:
            yield Entry(tuple(line.split("\t")[: args.columns]))
    else:
        yield from _paragraphs(lines)


def _paragraphs(lines: Iterator[str]) -> Iterator[Entry]:
    sentences: list[str] = []
    for line in lines:
        if line.strip():
            sentences.append(line)
        elif sentences:
            yield Entry(tuple(sentences))
            sentences = []
    if sentences:
        yield Entry(tuple(sentences))


def _item(line: str, path: str, number: int) -> Entry:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise FormatError(f"this line is no JSON ({error})", path=path, line=number) from None
    found = record.get("sources", record.get("source")) if isinstance(record, dict) else None
    found = found.split("\n") if isinstance(found, str) else found
    if not isinstance(found, list) or not all(isinstance(s, str) for s in found):
        raise FormatError('an item needs "sources", a list of sentences', path=path, line=number)
    return Entry(tuple(found), record)


def _spelled(entry: Entry, made: Fusion, args: argparse.Namespace, chosen: Fuser) -> str:
    """One line: the text; with --json a record; an item of JSON Lines with the output added to it."""
    if entry.record is None and not args.json:
        return made.text.replace("\n", " ") + "\n"
    if entry.record is None or args.json:
        known = {} if entry.record is None or "id" not in entry.record else {"id": entry.record["id"]}
        pieces = [list(piece) for piece in made.pieces]
        details = {"text": made.text, "words": made.words, "pieces": pieces, "notes": list(made.notes)}
        return json_line({**known, "system": chosen.signature(), "sources": list(made.sentences), **details})
    record = dict(entry.record)
    record["outputs"] = {**(record.get("outputs") or {}), args.name or chosen.name: made.text}
    return json.dumps(record, ensure_ascii=False) + "\n"
