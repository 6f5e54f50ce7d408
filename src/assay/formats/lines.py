"""Line-aligned text files, as in machine translation: line k of every file belongs to item k."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote

from ..data.evalset import EvalSet, Item, Reference
from ..errors import AlignmentError, FormatError, InputError
from ._io.chunks import Stream
from ._io.format import Format
from ._io.line_write import write_line_files
from ._io.pipes import rereadable
from ._io.text_file import ReadProgress, StrPath, read_blocks, read_texts

PACKED = (".txt", ".txt.gz")
# What a name loses: kind of file, or language.
_ENDING = re.compile(r"\.(txt|hyp|out|mt|sys|csv|tsv|jsonl|ndjson|json|parquet|xlsx|xlsm|eval|[a-z]{2})$")


def from_lines(
    systems: Mapping[str, StrPath],
    references: Sequence[StrPath] = (),
    sources: StrPath | None = None,
    *,
    ids: StrPath | None = None,
    strip_tags: bool = False,
) -> EvalSet:
    """Read an EvalSet from one file per system, one per reference, and optionally files of sources and item ids.

    Without `ids` the items are called "1", "2", ... Only the newline is taken off a line; with `strip_tags` markup too.
    """
    return stream_lines(systems, references, sources, ids=ids, strip_tags=strip_tags).read()


def stream_lines(
    systems: Mapping[str, StrPath],
    references: Sequence[StrPath] = (),
    sources: StrPath | None = None,
    *,
    ids: StrPath | None = None,
    batch: int = 4096,
    strip_tags: bool = False,
) -> Stream:
    """Read the files in chunks. All lines are counted before the first chunk, so pipes are kept in files."""
    systems = {name: rereadable(path) for name, path in systems.items()}
    references = [rereadable(path) for path in references]
    sources, ids = (path if path is None else rereadable(path) for path in (sources, ids))
    first = next(iter(systems.values()), "no files")

    def read_items(progress: ReadProgress) -> Iterator[Item]:
        return zip_files(systems, references, sources, ids, progress)

    return Stream(read_items, path=first, batch=batch, markup="strip" if strip_tags else "warn")


def name_systems(paths: Sequence[str]) -> dict[str, str]:
    """Return the files by the names of their systems: file names without ending, with it or the folder if they clash.

    >>> list(name_systems(["out/bart.txt", "t5.txt.gz"])), list(name_systems(["test.online-1", "test.online-2"]))
    (['bart', 't5'], ['test.online-1', 'test.online-2'])
    >>> list(name_systems(["a/hyp.txt", "b/hyp.txt"]))
    ['a/hyp', 'b/hyp']
    """
    whole = [Path(path).name.removesuffix(".gz") for path in paths]
    short = [_ENDING.sub("", name) or name for name in whole]
    long = [_ENDING.sub("", str(Path(path)).removesuffix(".gz")) for path in paths]
    for names in (short, whole, long):
        if len(set(names)) == len(paths):
            return dict(zip(names, paths, strict=True))
    twice = next(path for path in paths if list(paths).count(path) > 1)
    raise InputError(f"{twice} is given twice; give each system's file once")


class Lines(Format):
    """Line-aligned text files; a folder of them, or the file of one system."""

    name: ClassVar[str] = "lines"
    endings = (".txt",)

    def recognizes(self, path: Path) -> bool:
        """Check if this is a folder with a folder `out` in it."""
        return path.is_dir() and (path / "out").is_dir()

    def read_items(
        self,
        path: StrPath,
        *,
        references: Sequence[StrPath] | StrPath = (),
        sources: StrPath | None = None,
        ids: StrPath | None = None,
        progress: ReadProgress | None = None,
    ) -> Iterator[Item]:
        """Read one system's file, named after the file; or a folder as `write_items` makes it."""
        reference_paths = [references] if isinstance(references, str | os.PathLike) else list(references)
        folder = Path(path)
        if not folder.is_dir():
            return zip_files(
                {next(iter(name_systems([str(path)]))): path}, reference_paths, sources, ids, progress or ReadProgress()
            )
        systems = {_system(file): file for file in sorted((folder / "out").glob("*")) if file.name.endswith(PACKED)}
        reference_paths = reference_paths or _reference_files(folder)
        sources, ids = sources or _optional(folder, "source"), ids or _optional(folder, "ids")
        if not systems and not reference_paths:
            raise FormatError("the folder holds no out/<system>.txt", path=path)
        return zip_files(systems, reference_paths, sources, ids, progress or ReadProgress())

    def lacks(self, path: StrPath) -> tuple[str, ...]:
        """Name what lines of text cannot hold."""
        return (
            *("judgments", "groups", "clusters", "runs", "scales", "extra"),
            *("reference ids", "alternatives", "several sources"),
            *("line breaks", "outputs of some items", "uneven references", "uneven sources"),
        )

    def write_items(self, items: Iterable[Item], path: StrPath) -> None:
        """Write a folder of out/<system>.txt, ref0.txt, ..., source.txt and, unless ids are 1, 2, ..., ids.txt."""
        write_line_files(items, path)


def zip_files(
    systems: Mapping[str, StrPath],
    references: Sequence[StrPath],
    sources: StrPath | None,
    ids: StrPath | None,
    progress: ReadProgress,
) -> Iterator[Item]:
    """Yield the items of line-aligned files; unequal numbers of lines are an error before the first."""
    optional = [path for path in (sources, ids) if path is not None]
    paths = [*systems.values(), *references, *optional]
    refuse_unequal(paths)
    columns = [read_texts(path, progress if n == 0 else progress.companion()) for n, path in enumerate(paths)]
    k, r = len(systems), len(systems) + len(references)
    for number, texts in enumerate(zip(*columns, strict=True), 1):
        yield Item(
            texts[-1] if ids is not None else str(number),
            tuple(map(Reference, texts[k:r])),
            dict(zip(systems, texts[:k], strict=True)),
            (texts[r],) if sources is not None else (),
            where=f"{paths[0]}:{number}",
        )


def refuse_unequal(paths: Sequence[StrPath]) -> None:
    """Count the lines of all files before any is read, so that nothing is scored when they differ."""
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
    for block in read_blocks(path):
        count += block.count(b"\n")
        last = block
    return count + (not last.endswith(b"\n"))


def _system(file: Path) -> str:
    return unquote(file.name.removesuffix(".gz").removesuffix(".txt"))


def _reference_files(folder: Path) -> list[StrPath]:
    """List ref0.txt, ref1.txt, ... up to the first that does not exist."""
    files: list[StrPath] = []
    while file := _optional(folder, f"ref{len(files)}"):
        files.append(file)
    return files


def _optional(folder: Path, name: str) -> Path | None:
    return next((folder / f"{name}{s}" for s in PACKED if (folder / f"{name}{s}").exists()), None)
