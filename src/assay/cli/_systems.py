"""What `assay compress` and `assay fuse` share: options, what they read and write, notes, the list of systems."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import FormatError, InputError
from ._options import add
from ._progress import Progress
from ._screen import write_data

if TYPE_CHECKING:
    from ..component import Folder
    from ..data.component_list import ComponentList
    from ..data.evalset import EvalSet, Item
    from ..systems.apply import Requirements, SystemOutput
    from ..systems.system import System

BATCH = 64
_TABLES = ("csv", "parquet", "tables")
Write = Callable[[str], object]


_OUT = (
    "the set with the outputs added (.jsonl, .csv, .tsv, .parquet) or only the outputs, one per line (.txt); without "
    "--out, a JSON Lines set is printed as JSON Lines and everything else as one output per line"
)


def add_system_options(parser: argparse.ArgumentParser, default: str) -> None:
    """Add the options for the length, the system, patterns, the format, and where the texts go."""
    add(
        parser,
        *("ratio", "words", "chars", "system", "keep", "drop", "language", "input_format"),
        *("strip_tags", "name", "out", "list", "json"),
        system={"shown": default},
        language={"detail": "en takes all texts as English, whatever they look like"},
        input_format={"detail": "lines reads any file as lines of text"},
        out={"detail": _OUT},
        list={"detail": "the systems, with their parameters"},
    )


def input_format(args: argparse.Namespace) -> str:
    """Return the format of the file: as named, by its ending, or, on standard input, by its first line."""
    if args.format:
        from ..formats import names

        if args.format not in names():  # the reader says which there are
            return str(args.format)
        return "csv" if args.format == "tsv" else str(args.format)
    if args.file == "-":
        return "jsonl" if _begins_with_object() else "lines"
    if not os.path.exists(args.file):
        raise FormatError("there is no such file", path=args.file)
    if os.path.isfile(args.file) and args.file.lower().removesuffix(".gz").endswith(".txt"):
        return "lines"  # whatever is in them
    from ..formats import format_of

    form = format_of(args.file)
    if form is None:
        raise FormatError(
            "the name does not tell the format; use --input-format lines to read it as lines of text, or a name "
            "that ends in .txt, .jsonl, .csv, .tsv or .parquet",
            path=args.file,
        )
    return form


def _begins_with_object() -> bool:
    """Whether standard input begins with a JSON object; nothing is taken from it."""
    peek = getattr(sys.stdin.buffer, "peek", None)
    if peek is None:
        return False
    line, newline, _ = peek(1).partition(b"\n")
    if not line.lstrip().startswith(b"{"):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return not newline and line.lstrip().startswith(b'{"')  # an object longer than what is there yet


def input_chunks(args: argparse.Namespace, form: str, *, of: str = "line") -> Iterator[EvalSet]:
    """The file in sets of a few items, with a bar on a terminal; `of` says what in plain text is an item."""
    from ..formats import ReadProgress

    batch = 1 if args.file == "-" and sys.stdin.isatty() else BATCH
    read = ReadProgress()
    fraction: Callable[[], float | None] = read.fraction
    chunks: Iterable[EvalSet]
    if of == "row" or (form == "lines" and not os.path.isdir(args.file)):
        from ..formats import source_chunks

        columns = args.sentence_columns if of == "row" else None
        chunks = source_chunks(
            args.file, of=of, columns=columns, batch=batch, progress=read, strip_tags=args.strip_tags
        )
    else:
        from ..formats import stream

        options: dict[str, Any] = {"text_as_source": True} if form in ("csv", "parquet") else {}
        options["strip_tags"] = args.strip_tags
        opened = stream(args.file, format=args.format or form, batch=batch, allow_missing=True, **options)
        chunks, fraction = opened, opened.fraction
    with Progress(chunks, quiet=args.quiet, fraction=fraction) as parts:
        for part in parts:
            _refuse_no_source(part, args.file, form)
            yield part


def _refuse_no_source(chunk: EvalSet, path: str, form: str) -> None:
    """One error for what is easy to mistake: a set of outputs without the texts they were made from."""
    item = next((item for item in chunk if not item.sources and not isinstance(item.extra.get("text"), str)), None)
    if item is None:
        return
    if form in _TABLES and not os.path.isdir(path):
        from ..formats import open_table

        columns = ", ".join(map(repr, open_table(path).headers))
        raise InputError(
            f"{item.place} has no source; the columns are {columns}: call the column of texts to work on 'source', "
            "or use --input-format lines to take each line as a text"
        )
    raise InputError(f'{item.where}: an item needs a "source" (or "text") or "sources"; item {item.id!r} has none')


Details = Callable[["SystemOutput"], Mapping[str, Any]]


def run_system(
    args: argparse.Namespace,
    system: System,
    chunks: Iterable[EvalSet],
    form: str,
    record: Details,
    extra: Callable[[Item, SystemOutput, str], Mapping[str, Any]] | None = None,
    line: Callable[[SystemOutput], str] | None = None,
) -> int:
    """Applies the system to all chunks and writes what comes out; `record` is what --json says of an output.

    `extra` is what an item of JSON Lines keeps of it besides the text; `line` is what is printed instead of the text.
    """
    from ..systems.apply import apply_chunks

    requirements = requirements_of(args)
    target = "lines" if args.out is None else _output_format(args.out)
    notes = Notes()
    outputs = notes.count(apply_chunks(system, chunks, requirements))
    if args.json:
        _write_lines(args.out, (_json_line(form, output, record) for output in outputs))
    elif args.out is not None and target != "lines":
        _write_set(args, system, outputs, target, extra)
    elif args.out is None and form == "jsonl":
        _write_lines(None, (_item_line(item) for item in _items(args, system, outputs, extra)))
    else:
        write_line = line or (lambda output: output.result.text.replace("\n", " "))
        _write_lines(args.out, (write_line(output) + "\n" for output in outputs))
    if not args.quiet:
        notes.say()
    return 0


def requirements_of(args: argparse.Namespace) -> Requirements:
    """Return what the options ask of the texts."""
    from ..systems.apply import Requirements
    from ..systems.budget import Budget

    budget = Budget(args.ratio, args.words, args.chars)
    faithful, threshold = getattr(args, "faithful", True), getattr(args, "threshold", None)
    return Requirements(budget, tuple(args.keep), tuple(args.drop), faithful, threshold, args.language)


def _output_format(path: str) -> str:
    from ..formats import format_of

    form = format_of(path, look=False)
    if form is not None:
        return form
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        return "lines"  # a device or pipe
    raise FormatError(
        "the name does not tell what to write; use .txt for a text a line, or .jsonl, .csv, .tsv or .parquet for the "
        "set with the outputs added",
        path=path,
    )


def _items(
    args: argparse.Namespace,
    system: System,
    outputs: Iterable[SystemOutput],
    extra: Callable[[Item, SystemOutput, str], Mapping[str, Any]] | None,
) -> Iterator[Item]:
    from dataclasses import replace

    from ..systems.apply import add_output

    name = args.name or system.name
    for output in outputs:
        item = add_output(output, name)
        yield replace(item, extra={**item.extra, **extra(item, output, name)}) if extra else item


def _write_set(
    args: argparse.Namespace,
    system: System,
    outputs: Iterable[SystemOutput],
    target: str,
    extra: Callable[[Item, SystemOutput, str], Mapping[str, Any]] | None,
) -> None:
    """Write JSON Lines item by item; a table takes two passes, so the items are stored in a file meanwhile."""
    from ..formats import Stream, stream, write

    items = _items(args, system, outputs, extra if target == "jsonl" else None)
    # The input was read with a warning where it has markup; the same texts again are not news.
    chunks = Stream(lambda _: items, path=args.file, batch=BATCH, allow_missing=True, markup="keep")
    if target == "jsonl":
        write(chunks, args.out)
        return
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        waiting = Path(folder) / "set.jsonl"
        write(chunks, waiting)
        stored = stream(waiting, allow_missing=True)
        stored.markup = "keep"
        write(stored, args.out)


def _json_line(form: str, output: SystemOutput, record: Details) -> str:
    from ._show import json_line

    known = {} if form in ("lines", "rows") else {"id": output.item.extra.get("id", output.item.id)}
    return json_line({**known, **record(output)})


def _item_line(item: Item) -> str:
    from ..formats import item_to_json

    return json.dumps(item_to_json(item), ensure_ascii=False) + "\n"


def _write_lines(path: str | None, lines: Iterable[str]) -> None:
    with _standard() if path is None else _file(path) as write:
        for line in lines:
            write(line)


@contextmanager
def _standard() -> Iterator[Write]:
    yield write_data
    sys.stdout.flush()


@contextmanager
def _file(path: str) -> Iterator[Write]:
    from ..files import whole_file

    with whole_file(path) as file:
        yield lambda text: file.write(text.encode("utf-8", "surrogatepass"))


class Notes:
    """Notes about single texts, counted for one line at the end."""

    def __init__(self) -> None:
        self.texts = self.noted = 0
        self.first = ""

    def count(self, chunks: Iterable[Sequence[SystemOutput]]) -> Iterator[SystemOutput]:
        """Pass on the outputs one by one, and count them."""
        for chunk in chunks:
            for output in chunk:
                self.add(output.result.notes)
                yield output

    def add(self, notes: Sequence[str]) -> None:
        """Count one text and its notes."""
        self.texts += 1
        if notes:
            self.noted += 1
            self.first = self.first or f"line {self.texts}: {'; '.join(notes)}"

    def say(self) -> None:
        """Print the first note, and how many there are, on standard error."""
        if self.noted:
            more = "" if self.noted == 1 else f" ({self.noted:,} of {self.texts:,} texts have notes; --json shows all)"
            print(f"assay: note: {self.first}{more}", file=sys.stderr)


def list_systems(kind: str, folder: Folder[Any], default: str) -> ComponentList:
    """List the systems of a folder, with every parameter."""
    from ..data.component_list import ComponentList, ListedSystem

    systems = tuple(
        ListedSystem(
            name=cls.name,
            summary=system.summary(),
            signature=system.signature(),
            default=cls.name == default,
            patterns=cls.honours_patterns,
            english_only=cls.english_only,
        )
        for cls in folder.classes
        for system in [cls()]
    )
    return ComponentList(kind, systems)
