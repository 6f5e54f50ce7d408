"""Join files that hold parts of one evaluation set: a file for each system, and files of references and sources.

Items meet by their ids. Where a file has none (lines of text, tables without a column of ids), all files meet by
position, and those with ids must have the same ones in the same order. Ids, sources and references that disagree are
an error with three examples.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from ..data.item import Item
from ..data.reading import Reading
from ..errors import AlignmentError, InputError
from ._io.chunks import BATCH, Stream
from ._io.pipes import rereadable
from ._io.text_file import ReadProgress, StrPath
from ._parts import FilePart, Source, read_role, read_run, role_texts, run_name
from .lines import name_systems

EXAMPLES = 3
SHOWN = 40  # characters of a text in an error
SINGLES = ("group", "cluster", "run")  # what an item has one of


def stream_joined(
    runs: Mapping[str, Source] | Sequence[Source],
    references: Sequence[StrPath] = (),
    sources: StrPath | None = None,
    *,
    format: str | None = None,
    columns: Mapping[str, Any] | None = None,
    batch: int = BATCH,
    allow_missing: bool = False,
    strip_tags: bool = False,
) -> Stream:
    """Join runs of systems, and files of references and sources, into one stream; all of it is held in memory.

    `runs` are files or objects, by the names of their systems or without: then a system is called as its file says, or
    after the file where the file does not say it or two files say the same.
    """
    entries: Iterable[Any] = runs.values() if isinstance(runs, Mapping) else runs
    files = [rereadable(run) if isinstance(run, str | os.PathLike) else run for run in entries]
    names = list(runs) if isinstance(runs, Mapping) else None
    references, sources = [rereadable(path) for path in references], None if sources is None else rereadable(sources)
    joined: list[tuple[list[Item], Reading]] = []

    def read_items(progress: ReadProgress) -> Iterator[Item]:
        if not joined:  # a second pass finds what the first one read
            parts = [read_run(run, format, columns, allow_missing) for run in files]
            texts = _read_references(references, columns)
            texts += [read_role(sources, "source", columns)] if sources is not None else []
            items = join_parts(parts, texts, names, allow_missing=allow_missing)
            joined.append((items, _join_readings([*parts, *texts])))
        merged, progress.reading = joined[0]
        return iter(merged)

    path = " and ".join(str(run_name(file)) for file in files[:2]) + (", ..." if len(files) > 2 else "")
    markup: Any = "strip" if strip_tags else "warn"
    return Stream(read_items, path=path, batch=batch, allow_missing=allow_missing, markup=markup)


def join_parts(
    runs: Sequence[FilePart],
    texts: Sequence[FilePart] = (),
    names: Sequence[str] | None = None,
    *,
    allow_missing: bool = False,
) -> list[Item]:
    """Return the items of all parts; `texts` have references and sources, and no outputs."""
    runs = _rename(runs, names)
    parts = [*runs, *texts]
    rows = _align(parts, allow_missing)
    _refuse_other_texts(parts, rows)
    return [_merge(parts, row) for row in rows]


def _join_readings(parts: Iterable[FilePart]) -> Reading:
    first, *others = (part.reading for part in parts)
    for other in others:
        first = first.join(other)
    return first


def _read_references(paths: Sequence[StrPath], columns: Mapping[str, Any] | None) -> list[FilePart]:
    """Return all files of references as one part, the references of each file in turn."""
    parts = [read_role(path, "reference", columns) for path in paths]
    if len(parts) < 2:
        return parts
    rows = _align(parts, allow_missing=False)
    items = [
        replace(next(filter(None, row)), references=tuple(r for item in row if item for r in item.references))
        for row in rows
    ]
    name = " and ".join(part.name for part in parts)
    return [FilePart(name, tuple(items), any(part.named for part in parts), _join_readings(parts))]


# Names of systems


def _rename(runs: Sequence[FilePart], names: Sequence[str] | None) -> list[FilePart]:
    """Give each system the name that is stated, else its own, else that of its file where two have the same."""
    if names is not None:
        for part in runs:
            if len(part.systems) != 1:
                raise InputError(f"{part.name} holds {len(part.systems)} systems, and is named as the file of one")
        return [_with_systems(part, {part.systems[0]: name}) for part, name in zip(runs, names, strict=True)]
    counts = Counter(system for part in runs for system in part.systems)
    files = list(name_systems([part.name for part in runs])) if _are_files(runs) else _number(runs)
    renamed = []
    for part, file in zip(runs, files, strict=True):
        single = len(part.systems) == 1
        mapping = {s: (file if single else f"{file}/{s}") for s in part.systems if counts[s] > 1}
        renamed.append(_with_systems(part, mapping))
    counts = Counter(system for part in renamed for system in part.systems)
    if twice := next((system for system, n in counts.items() if n > 1), None):
        raise InputError(f"two files hold a system {twice!r}; name them with --outputs NAME=FILE")
    return renamed


def _are_files(runs: Sequence[FilePart]) -> bool:
    return len({part.name for part in runs}) == len(runs) or not runs[0].name.startswith("the ")


def _number(runs: Sequence[FilePart]) -> list[str]:
    return [f"run{number}" for number, _ in enumerate(runs, 1)]


def _with_systems(part: FilePart, mapping: Mapping[str, str]) -> FilePart:
    """Return a part in which the systems have other names."""
    if all(old == new for old, new in mapping.items()):
        return part

    def rename(system: str) -> str:
        return mapping.get(system) or "+".join(mapping.get(each, each) for each in system.split("+"))

    def change(item: Item) -> Item:
        judgments = tuple(judgment._replace(system=rename(judgment.system)) for judgment in item.judgments)
        outputs = {mapping.get(system, system): text for system, text in item.outputs.items()}
        return replace(item, outputs=outputs, judgments=judgments)

    return replace(part, items=tuple(map(change, part.items)))


# Which items belong together


def _align(parts: Sequence[FilePart], allow_missing: bool) -> list[tuple[Item | None, ...]]:
    """Return the items of all parts that belong together; None where a part does not have the item."""
    if not all(part.named for part in parts):
        return _align_positions(parts)
    tables = [{item.id: item for item in part.items} for part in parts]
    ids = dict.fromkeys(key for table in tables for key in table)
    if not allow_missing:
        for part, table in zip(parts, tables, strict=True):
            missing = [key for key in ids if key not in table]
            if missing:
                raise _other_ids(part, missing, len(ids), parts, tables)
    return [tuple(table.get(key) for table in tables) for key in ids]


def _other_ids(
    part: FilePart, missing: Sequence[str], total: int, parts: Sequence[FilePart], tables: Sequence[Mapping[str, Item]]
) -> AlignmentError:
    other = next(p for p, table in zip(parts, tables, strict=True) if missing[0] in table)
    return AlignmentError(
        f"{part.name} lacks {len(missing):,} of the {total:,} items: {_list(missing)} in {other.name}; its own ids are "
        f"{_list([item.id for item in part.items])}; files are joined by id (--allow-missing leaves outputs empty)"
    )


def _align_positions(parts: Sequence[FilePart]) -> list[tuple[Item | None, ...]]:
    """Return the items by position: of files without ids, and files with the same ids in the same order."""
    sizes = {part.name: len(part.items) for part in parts}
    if len(set(sizes.values())) > 1:
        counts = ", ".join(f"{name} has {size:,}" for name, size in sizes.items())
        nameless = next(part.name for part in parts if not part.named)
        raise AlignmentError(f"the files differ in their number of items ({counts}); {nameless} is joined by position")
    named = [part for part in parts if part.named]
    for part in named[1:]:
        pairs = zip(named[0].items, part.items, strict=True)
        other = [(n, a.id, b.id) for n, (a, b) in enumerate(pairs, 1) if a.id != b.id]
        if other:
            examples = "; ".join(f"{n}: {a!r} and {b!r}" for n, a, b in other[:EXAMPLES])
            nameless = next(each.name for each in parts if not each.named)
            raise AlignmentError(
                f"{named[0].name} and {part.name} have different ids at {len(other):,} of {len(part.items):,} places "
                f"({examples}), and {nameless}, which has no ids, is joined by position; give it ids"
            )
    ids = [item.id for item in (named or parts)[0].items]
    columns = [[replace(item, id=key) for item, key in zip(part.items, ids, strict=True)] for part in parts]
    return list(zip(*columns, strict=True))


def _list(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:EXAMPLES])) + (", ..." if len(names) > EXAMPLES else "")


# What the files say of one item


def _refuse_other_texts(parts: Sequence[FilePart], rows: Sequence[Sequence[Item | None]]) -> None:
    """Raise where two files have another source or reference of the same item."""
    for role, texts_of in (("source", _source_words), ("reference", _reference_words)):
        for at, part in enumerate(parts):
            for before in range(at):
                pairs = ((a, b) for row in rows if (a := row[before]) is not None and (b := row[at]) is not None)
                other = [(a, b) for a, b in pairs if texts_of(a) and texts_of(b) and texts_of(a) != texts_of(b)]
                if other:
                    raise _other_texts(role, parts[before], part, other, len(rows))


def _source_words(item: Item) -> list[list[str]]:
    return [text.split() for text in item.sources]


def _reference_words(item: Item) -> list[list[str]]:
    return [reference.text.split() for reference in item.references]


def _other_texts(role: str, a: FilePart, b: FilePart, other: Sequence[tuple[Item, Item]], total: int) -> AlignmentError:
    examples = "; ".join(f"{x.id!r}: {_show(x, role)} and {_show(y, role)}" for x, y in islice(other, EXAMPLES))
    return AlignmentError(
        f"{a.name} and {b.name} have other {role}s for {len(other):,} of {total:,} items ({examples}); "
        "files that are joined are of the same items"
    )


def _show(item: Item, role: str) -> str:
    texts = [text if isinstance(text, str) else text.text for text in role_texts(item, role)]
    first = texts[0] if len(texts[0]) <= SHOWN else f"{texts[0][: SHOWN - 1]}…"
    return f"{first!r}" + (f" and {len(texts) - 1} more" if texts[1:] else "")


def _merge(parts: Sequence[FilePart], row: Sequence[Item | None]) -> Item:
    """Return one item of all that the files have of it."""
    items = [item for item in row if item is not None]
    names = [part.name for part, item in zip(parts, row, strict=True) if item is not None]
    singles = {}
    for single in SINGLES:
        values = dict.fromkeys(value for item in items if (value := getattr(item, single)) is not None)
        if len(values) > 1:
            raise AlignmentError(f"{items[0].place} is in {single} {_list(list(values))} by {' and '.join(names[:2])}")
        singles[single] = next(iter(values), None)
    named = [item.references for item in items if any(reference.id is not None for reference in item.references)]
    return Item(
        items[0].id,
        references=next(iter(named), ()) or next((item.references for item in items if item.references), ()),
        outputs={system: text for item in items for system, text in item.outputs.items()},
        sources=next((item.sources for item in items if item.sources), ()),
        judgments=tuple(judgment for item in items for judgment in item.judgments),
        extra=_merge_extra(items, names),
        where=items[0].where,
        **singles,
    )


def _merge_extra(items: Sequence[Item], names: Sequence[str]) -> dict[str, Any]:
    """Return the other keys of an item; a key that differs between files holds a value for each file."""
    extra: dict[str, Any] = {}
    for key in dict.fromkeys(key for item in items for key in item.extra):
        values = {name: item.extra[key] for name, item in zip(names, items, strict=True) if key in item.extra}
        first = next(iter(values.values()))
        if key == "scales" and all(isinstance(value, Mapping) for value in values.values()):
            extra[key] = _merge_scales(items[0], values)
        else:
            extra[key] = first if all(value == first for value in values.values()) else values
    return extra


def _merge_scales(item: Item, values: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    scales: dict[str, Any] = {}
    for name, stated in values.items():
        for dimension, scale in stated.items():
            if scales.setdefault(dimension, scale) != scale:
                raise AlignmentError(
                    f"{item.place}: {name} states another scale of {dimension!r} than a file before it"
                )
    return scales
