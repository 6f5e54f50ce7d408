"""Make texts shorter by deleting words: one line out for each line in.

assay compress news.txt --ratio 0.43
assay compress news.txt --words 10 --keep "ACME|#[0-9]+"
assay compress set.jsonl --system "ilp(lambda=0)" --out with-ilp.jsonl
tail -f log | assay compress - --chars 80 --system lead
assay compress --list
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import FormatError, InputError
from . import _numbers as numbers
from ._answer import json_line, show
from ._lines import text_lines
from ._shorter import Notes, listed, output, shorter_arguments

if TYPE_CHECKING:
    from ..systems.compress import Budget, Compression, System

SUMMARY = "make texts shorter, to an exact length if asked"
_BATCH = 64
Write = Callable[[str], object]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", nargs="?", help="lines of text, or JSON Lines with a source each (.gz too); - for stdin"
    )
    parser.add_argument(
        "--ratio", type=numbers.ratio, metavar="R", help="the share of each text's words to keep, as 0.43"
    )
    parser.add_argument(
        "--model", metavar="FILE", help="the system's tagger or language model, if not the one in Assay"
    )
    shorter_arguments(parser, "JSON Lines: text, kept spans, rates and notes of each")


def run(args: argparse.Namespace) -> int:
    from ..systems.compress import DEFAULT, Budget, check_patterns, families, system

    if args.list:
        said = "Systems that shorten a text by deleting words:"
        show([listed("system", said, families(), DEFAULT)], as_json=args.json)
        return 0
    if not args.file:
        raise InputError("nothing to compress: give a file, or - for standard input")
    chosen = _with_model(system(args.system or DEFAULT), args.model)
    budget = Budget(args.ratio, args.words, args.chars)
    check_patterns(chosen, [*args.keep, *args.drop])
    notes = Notes()
    with output(args.out) as write:
        batch = 1 if args.file == "-" and sys.stdin.isatty() else _BATCH
        for some in _batches(_entries(args.file, quiet=args.quiet), batch):
            made = _compress(chosen, budget, some, args)
            for entry, one in zip(some, made, strict=True):
                write(_spelled(entry, one, args, chosen))
                notes.add(one.notes)
    if not args.quiet:
        notes.say()
    return 0


class Entry(NamedTuple):
    """One text, and the JSON object it came in, if it did."""

    number: int
    text: str
    context: tuple[str, ...] = ()
    record: dict[str, Any] | None = None


def _entries(path: str, *, quiet: bool = False) -> Iterator[Entry]:
    """The texts of a file: JSON Lines if its name says so or its first line is an object."""
    named = path.removesuffix(".gz").endswith((".jsonl", ".ndjson"))
    as_json = named
    for number, line in enumerate(text_lines(path, quiet=quiet), 1):
        if number == 1 and not named:
            as_json = _is_object(line)
        if not as_json:
            yield Entry(number, line)
        elif line.strip():
            yield _entry(line, path, number)


def _is_object(line: str) -> bool:
    if not line.lstrip().startswith("{"):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _entry(line: str, path: str, number: int) -> Entry:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise FormatError(f"this line is no JSON ({error})", path=path, line=number) from None
    source = record.get("source", record.get("text")) if isinstance(record, dict) else None
    if isinstance(source, list) and len(source) == 1:
        source = source[0]
    if not isinstance(source, str):
        raise FormatError('an item needs a "source" (or "text") that is one text', path=path, line=number)
    context = record.get("context", ())
    if not isinstance(context, (list, tuple)) or not all(isinstance(c, str) for c in context):
        raise FormatError('"context" must be a list of sentences', path=path, line=number)
    return Entry(number, source, tuple(context), record)


def _batches(entries: Iterator[Entry], size: int) -> Iterator[list[Entry]]:
    while some := list(islice(entries, size)):
        yield some


def _compress(chosen: System, budget: Budget, entries: Sequence[Entry], args: argparse.Namespace) -> list[Compression]:
    from ..systems.compress import Source

    keep, drop = tuple(args.keep), tuple(args.drop)
    return chosen.compress([Source(entry.text, budget, entry.context, keep, drop) for entry in entries])


def _spelled(entry: Entry, made: Compression, args: argparse.Namespace, chosen: System) -> str:
    """One line: the text; with --json a record; an item of JSON Lines with the output added to it."""
    if entry.record is None and not args.json:
        return made.text.replace("\n", " ") + "\n"
    details = {
        "kept": [list(span) for span in made.spans],
        "words": made.words,
        "word_rate": made.word_rate,
        "token_rate": made.token_rate,
        "char_rate": made.char_rate,
        "notes": list(made.notes),
    }
    if entry.record is None or args.json:
        known = {} if entry.record is None or "id" not in entry.record else {"id": entry.record["id"]}
        return json_line({**known, "system": chosen.signature(), "source": made.source, "text": made.text, **details})
    name = args.name or chosen.name
    record = dict(entry.record)
    record["outputs"] = {**(record.get("outputs") or {}), name: made.text}
    said = {key: details[key] for key in ("kept", "notes")}
    record["compressions"] = {**(record.get("compressions") or {}), name: said}
    return json.dumps(record, ensure_ascii=False) + "\n"


def _with_model(chosen: System, model: str | None) -> System:
    if not model:
        return chosen
    known = {f.name for f in fields(chosen)}
    for name in ("tagger", "model"):
        if name in known:
            return replace(chosen, **{name: model})
    raise InputError(f"{chosen.name} has no model to choose")
