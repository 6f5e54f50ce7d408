"""Documents with their abstracts: a folder of NAME.doc and NAME.abstract, or an evaluation set with sources."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..data.evalset import Item
from ..errors import FormatError
from ._io.markup import strip_markup
from ._io.text_file import ReadProgress, StrPath, decode_line, read_whole


class Document(NamedTuple):
    """A text and what was written about it."""

    name: str
    text: str
    abstracts: tuple[str, ...]


def documents(path: StrPath, *, strip_tags: bool = False) -> Iterator[Document]:
    """Yield documents one after another, in the order of names or lines.

    A folder holds NAME.doc and NAME.abstract (UTF-8, .gz too). A file is an evaluation set: the source (or sources)
    and the references, or `summary` where there are none. A document without an abstract is an error in a folder; items
    without source or references are passed over.
    """
    if Path(path).is_dir():
        in_folder = _folder(Path(path))
        yield from map(_strip, in_folder) if strip_tags else in_folder
        return
    from . import stream

    for item in stream(path, allow_missing=True, strip_tags=strip_tags).entries():
        abstracts = _abstracts(item)
        if item.sources and abstracts:
            yield Document(item.id, "\n".join(item.sources), abstracts)


def _folder(folder: Path) -> Iterator[Document]:
    names = sorted(file for file in folder.iterdir() if file.name.removesuffix(".gz").endswith(".doc"))
    if not names:
        raise FormatError("holds no NAME.doc; documents were expected, each with its NAME.abstract", path=folder)
    for file in names:
        stem = file.name.removesuffix(".gz").removesuffix(".doc")
        beside = [folder / f"{stem}.abstract{end}" for end in ("", ".gz")]
        abstract = next((each for each in beside if each.exists()), None)
        if abstract is None:
            raise FormatError(f"{beside[0].name} is missing: every document needs its abstract", path=file)
        yield Document(stem, _text(file), (_text(abstract),))


def _strip(document: Document) -> Document:
    return Document(document.name, strip_markup(document.text), tuple(map(strip_markup, document.abstracts)))


def _text(path: Path) -> str:
    return decode_line(read_whole(path), path, 1, ReadProgress())


def _abstracts(item: Item) -> tuple[str, ...]:
    summary = item.extra.get("summary")
    written = tuple(reference.text for reference in item.references)
    return written or ((summary,) if isinstance(summary, str) else ())
