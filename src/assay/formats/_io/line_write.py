"""Write line-aligned text files, where that loses nothing."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from typing import BinaryIO
from urllib.parse import quote

from ...data.evalset import Item
from ...errors import FormatError
from ...files import whole_file, whole_folder
from .text_file import BOM, StrPath


def write_line_files(items: Iterable[Item], path: StrPath) -> None:
    """Write items as a folder of files; `items` is iterated three times."""
    first = next(iter(items), None)
    if first is None:
        raise FormatError("there are no items to write", path=path)
    with whole_folder(path) as folder, ExitStack() as files:
        (folder / "out").mkdir()
        names = _names(first, all(item.id == str(n) for n, item in enumerate(items, 1)))
        sinks = [files.enter_context(whole_file(folder / name)) for name in names]
        for number, item in enumerate(items):
            _refuse_loss(item, first, path)
            texts = [item.outputs[system] for system in first.outputs]
            texts += [*(reference.text for reference in item.references), *item.sources, item.id]
            for sink, text in zip(sinks, texts, strict=False):  # the id is left over where it is only a count
                _write_line(sink, text, number, item, path)


def _names(first: Item, counted: bool) -> list[str]:
    names = [f"out/{quote(system, safe=' ()+,=@')}.txt" for system in first.outputs]
    names += [f"ref{k}.txt" for k in range(len(first.references))]
    return [*names, *(["source.txt"] if first.sources else []), *([] if counted else ["ids.txt"])]


def _write_line(sink: BinaryIO, text: str, number: int, item: Item, path: StrPath) -> None:
    if "\n" in text or "\0" in text or text.endswith("\r"):
        what = "a NUL character" if "\0" in text else "a newline"
        raise FormatError(f"item {item.id!r} has {what} in a text, which line-aligned files cannot hold", path=path)
    try:
        line = text.encode()
    except UnicodeEncodeError as error:
        raise FormatError(f"item {item.id!r} has a lone surrogate in a text", path=path) from error
    # A reader takes one byte order mark off the start of a file, so a text that begins with one gets a second.
    sink.write((BOM if number == 0 and line.startswith(BOM) else b"") + line + b"\n")


def _refuse_loss(item: Item, first: Item, path: StrPath) -> None:
    for wrong, what in (
        (item.judgments, "judgments"),
        (item.group is not None, "groups"),
        (item.cluster is not None, "clusters"),
        (item.run is not None, "runs"),
        (item.extra, "extra keys"),
        (any(r.id is not None for r in item.references), "ids of references"),
        (any(r.alternatives for r in item.references), "alternatives in references"),
        (len(item.sources) > 1, "more than one source an item"),
        (len(item.references) != len(first.references), "different numbers of references"),
        (len(item.sources) != len(first.sources), "items with and without a source"),
        (item.outputs.keys() != first.outputs.keys(), "missing outputs"),
        (not item.outputs and not item.references, "items with neither outputs nor references"),
    ):
        if wrong:
            message = f"line-aligned files have no place for {what} (item {item.id!r}); use JSON Lines or tables"
            raise FormatError(message, path=path)
