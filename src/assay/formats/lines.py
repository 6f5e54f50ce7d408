"""Line-aligned text files, as in machine translation: line k of every file belongs to item k."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from pathlib import Path
from urllib.parse import unquote

from ..data.evalset import EvalSet, Item, Reference
from ..errors import AlignmentError, FormatError, InputError
from ._io import linewrite
from ._io.chunks import Stream
from ._io.spool import rereadable
from ._io.textfile import Progress, StrPath, blocks, decoded, lines

NAMES = ("lines",)
SUFFIXES = (".txt",)
PACKED = (".txt", ".txt.gz")


def from_lines(
    systems: Mapping[str, StrPath],
    references: Sequence[StrPath] = (),
    sources: StrPath | None = None,
    *,
    ids: StrPath | None = None,
) -> EvalSet:
    """An EvalSet from one file per system, one per reference, and perhaps one of sources and one of item ids.

    Without `ids` the items are called "1", "2", ... Only the newline is taken off a line.
    """
    return stream_lines(systems, references, sources, ids=ids).read()


def stream_lines(
    systems: Mapping[str, StrPath],
    references: Sequence[StrPath] = (),
    sources: StrPath | None = None,
    *,
    ids: StrPath | None = None,
    batch: int = 4096,
) -> Stream:
    """The same in chunks. The lines of all files are counted before the first chunk, so pipes are kept in files."""
    systems = {name: rereadable(path) for name, path in systems.items()}
    references = [rereadable(path) for path in references]
    sources, ids = (path if path is None else rereadable(path) for path in (sources, ids))
    first = next(iter(systems.values()), "no files")
    return Stream(lambda progress: _aligned(systems, references, sources, ids, progress), path=first, batch=batch)


def source_chunks(
    path: StrPath,
    *,
    of: str = "line",
    columns: int | None = None,
    batch: int = 64,
    progress: Progress | None = None,
) -> Iterator[EvalSet]:
    """Sets of at most `batch` items with sources: of a line, of a cluster of lines up to an empty one, or of a row.

    A row is a line with a source in each column, tabs between; `columns` takes the first few of them. "-" is standard
    input. A file without lines gives no set.
    """
    texts = ((number, text.rstrip("\r")) for number, text in enumerate(_texts(path, progress or Progress()), 1))
    sources: Iterable[tuple[int, tuple[str, ...]]]
    if of == "cluster":
        sources = _paragraphs(texts)
    elif of == "row":
        sources = ((number, tuple(text.split("\t")[:columns])) for number, text in texts)
    else:
        sources = ((number, (text,)) for number, text in texts)
    items = (
        Item(str(count), sources=some, where=f"{path}:{number}") for count, (number, some) in enumerate(sources, 1)
    )
    while chunk := list(islice(items, batch)):
        yield EvalSet(chunk)


def _paragraphs(texts: Iterable[tuple[int, str]]) -> Iterator[tuple[int, tuple[str, ...]]]:
    for filled, group in groupby(texts, key=lambda numbered: bool(numbered[1].strip())):
        if filled:
            lines_of = list(group)
            yield lines_of[0][0], tuple(text for _, text in lines_of)


def recognises(path: Path) -> bool:
    """A folder with a folder `out` in it."""
    return path.is_dir() and (path / "out").is_dir()


def items(
    path: StrPath,
    *,
    references: Sequence[StrPath] | StrPath = (),
    sources: StrPath | None = None,
    ids: StrPath | None = None,
    progress: Progress | None = None,
) -> Iterator[Item]:
    """The items of one system's file, named after the file; or of a folder as `write` makes it."""
    given = [references] if isinstance(references, str | os.PathLike) else list(references)
    folder = Path(path)
    if not folder.is_dir():
        return _aligned({folder.name.split(".")[0]: path}, given, sources, ids, progress or Progress())
    systems = {_system(file): file for file in sorted((folder / "out").glob("*")) if file.name.endswith(PACKED)}
    given = given or _numbered(folder)
    sources, ids = sources or _optional(folder, "source"), ids or _optional(folder, "ids")
    if not systems and not given:
        raise FormatError("the folder holds no out/<system>.txt", path=path)
    return _aligned(systems, given, sources, ids, progress or Progress())


def write(items: Iterable[Item], path: StrPath) -> None:
    """A folder of out/<system>.txt, ref0.txt, ref1.txt, ..., source.txt and, unless they are 1, 2, ..., ids.txt."""
    linewrite.write(items, path)


def _aligned(
    systems: Mapping[str, StrPath],
    references: Sequence[StrPath],
    sources: StrPath | None,
    ids: StrPath | None,
    progress: Progress,
) -> Iterator[Item]:
    optional = [path for path in (sources, ids) if path is not None]
    paths = [*systems.values(), *references, *optional]
    _refuse_unequal(paths)
    columns = [_texts(path, progress if n == 0 else progress.beside()) for n, path in enumerate(paths)]
    k, r = len(systems), len(systems) + len(references)
    for number, texts in enumerate(zip(*columns, strict=True), 1):
        yield Item(
            texts[-1] if ids is not None else str(number),
            tuple(map(Reference, texts[k:r])),
            dict(zip(systems, texts[:k], strict=True)),
            (texts[r],) if sources is not None else (),
            where=f"{paths[0]}:{number}",
        )


def _texts(path: StrPath, progress: Progress) -> Iterator[str]:
    for number, line in lines(path, progress):
        text = decoded(line, path, number, progress)
        yield text[:-2] if text.endswith("\r\n") else text.removesuffix("\n")


def _refuse_unequal(paths: Sequence[StrPath]) -> None:
    """Counts the lines of all files before any is read, so that nothing is scored when they differ."""
    if not paths:
        raise InputError("no files: give at least one system=file")
    counts = [(path, _count(path)) for path in paths]
    if len({count for _, count in counts}) > 1:
        most = max(count for _, count in counts)
        short = next(path for path, count in counts if count < most)
        each = ", ".join(f"{path} has {count}" for path, count in counts)
        raise AlignmentError(f"{short} is short: the files differ in their number of lines ({each}); line k is item k")


def _count(path: StrPath) -> int:
    count, last = 0, b"\n"
    for block in blocks(path):
        count += block.count(b"\n")
        last = block
    return count + (not last.endswith(b"\n"))


def _system(file: Path) -> str:
    return unquote(file.name.removesuffix(".gz").removesuffix(".txt"))


def _numbered(folder: Path) -> list[StrPath]:
    """ref0.txt, ref1.txt, ... up to the first that is not there."""
    found: list[StrPath] = []
    while file := _optional(folder, f"ref{len(found)}"):
        found.append(file)
    return found


def _optional(folder: Path, name: str) -> Path | None:
    return next((folder / f"{name}{s}" for s in PACKED if (folder / f"{name}{s}").exists()), None)
