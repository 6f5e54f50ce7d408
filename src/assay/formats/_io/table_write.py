"""Write items as long tables: a folder of four, or one flat table where that loses nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Protocol

import msgspec

from ...data.evalset import Item, Reference
from ...errors import FormatError
from ...files import whole_file, whole_folder
from .columns import CLUSTER, GROUP, ITEM, RUN, SOURCE, SOURCES, SYSTEM, TableColumn
from .json_items import refuse_no_number
from .text_file import StrPath

OUTPUTS = (ITEM, SYSTEM, TableColumn("text", "text"))
REFERENCES = (ITEM, TableColumn("id", "name"), TableColumn("text", "text"))
JUDGMENTS = (
    ITEM,
    SYSTEM,
    TableColumn("rater", "name"),
    TableColumn("dimension", "name"),
    TableColumn("score", "number"),
)
OCCASION = TableColumn("occasion", "count")
KIND = TableColumn("kind", "name")
EXTRA = TableColumn("extra", "name")
REFERENCE = TableColumn("reference", "name")
REFERENCE_LIST = TableColumn("references", "texts")


class RowWriter(Protocol):
    """Takes rows."""

    def add(self, row: Sequence[Any]) -> None: ...
    def close(self) -> None: ...


OpenWriter = Callable[[BinaryIO, Sequence[TableColumn], StrPath], RowWriter]


class SetShape(NamedTuple):
    """What the items hold, known before anything is written."""

    groups: bool
    clusters: bool
    runs: bool
    references: int
    empty_reference: bool
    sources: int
    empty_source: bool
    extras: bool
    judged: bool
    repeated: bool
    kinds: bool
    named: bool
    bare: bool


def write_tables(items: Iterable[Item], path: StrPath, endings: tuple[str, ...], sink: OpenWriter) -> None:
    """Write one table if the name has one of the endings, else a folder. `items` is iterated twice."""
    name = Path(path).name.removesuffix(".gz")
    if Path(name).suffix in endings:
        _write_flat(items, path, sink)
    else:
        write_folder(items, path, endings[0], sink)


def write_folder(items: Iterable[Item], path: StrPath, suffix: str, sink: OpenWriter) -> None:
    """Write a folder of tables: items and outputs, and references and judgments where there are any."""
    shape = _shape(items)
    about = _item_columns(shape)
    plan: dict[str, Sequence[TableColumn]] = {"items": about, "outputs": OUTPUTS}
    if shape.references:
        plan["references"] = REFERENCES
    if shape.judged:
        more = [column for column, there in ((OCCASION, shape.repeated), (KIND, shape.kinds)) if there]
        plan["judgments"] = (*JUDGMENTS, *more)
    with whole_folder(path) as folder, ExitStack() as files:
        sinks = {}
        for role, columns in plan.items():
            file = files.enter_context(whole_file(folder / f"{role}{suffix}"))
            sinks[role] = files.enter_context(closing(sink(file, columns, f"{path}/{role}{suffix}")))
        for item in items:
            for role, row in _rows(item, about, shape):
                sinks[role].add(row)


def _rows(item: Item, about: Sequence[TableColumn], shape: SetShape) -> Iterator[tuple[str, Sequence[Any]]]:
    yield "items", [_cell(item, column) for column in about]
    for system, text in item.outputs.items():
        yield "outputs", (item.id, system, text)
    for reference in item.references:
        _refuse_alternatives(item, reference)
        yield "references", (item.id, reference.id, reference.text)
    for judgment in item.judgments:
        refuse_no_number(item, judgment)
        occasion = (judgment.occasion,) if shape.repeated else ()
        yield "judgments", (item.id, *judgment[:4], *occasion, *((judgment.kind,) if shape.kinds else ()))


def _write_flat(items: Iterable[Item], path: StrPath, sink: OpenWriter) -> None:
    shape = _shape(items)
    for wrong, what in (
        (shape.judged, "judgments"),
        (shape.named, "ids of references"),
        (shape.extras, "extra keys"),
        (shape.bare, "items without outputs"),
    ):
        if wrong:
            raise FormatError(f"one table has no place for {what}; write a folder of tables or JSON Lines", path=path)
    wide = [*_item_columns(shape)[1:], *_reference_columns(shape)]
    with whole_file(path) as file, closing(sink(file, [*OUTPUTS, *wide], path)) as table:
        for item in items:
            for reference in item.references:
                _refuse_alternatives(item, reference)
            cells = [_cell(item, column) for column in wide]
            for system, text in item.outputs.items():
                table.add((item.id, system, text, *cells))


def _refuse_alternatives(item: Item, reference: Reference) -> None:
    if reference.alternatives:
        raise FormatError(f"{item.place} has a reference with alternatives, for which JSON Lines alone has a place")


def _item_columns(shape: SetShape) -> list[TableColumn]:
    """Return the columns about the item itself."""
    labels = ((GROUP, shape.groups), (CLUSTER, shape.clusters), (RUN, shape.runs))
    columns = [ITEM, *(column for column, there in labels if there)]
    if shape.sources > 1 or shape.empty_source:
        columns.append(SOURCES)
    elif shape.sources:
        columns.append(SOURCE)
    return [*columns, EXTRA] if shape.extras else columns


def _reference_columns(shape: SetShape) -> list[TableColumn]:
    if not shape.references:
        return []
    return [REFERENCE if shape.references == 1 and not shape.empty_reference else REFERENCE_LIST]


def _cell(item: Item, column: TableColumn) -> Any:
    match column.name:
        case "item":
            return item.id
        case "group" | "cluster" | "run":
            return getattr(item, column.name)
        case "source":
            return item.sources[0] if item.sources else None
        case "sources":
            return list(item.sources) or None
        case "reference":
            return item.references[0].text if item.references else None
        case "references":
            return [reference.text for reference in item.references] or None
        case _:
            return _json(item) if item.extra else None


def _json(item: Item) -> str:
    try:
        return msgspec.json.encode(item.extra).decode()
    except (TypeError, ValueError, RecursionError) as error:
        raise FormatError(f"the extra keys of item {item.id!r} cannot be written as JSON: {error}") from error


def _shape(items: Iterable[Item]) -> SetShape:
    groups = clusters = runs = extras = judged = repeated = kinds = named = bare = hollow = empty = False
    references = sources = 0
    for item in items:
        groups |= item.group is not None
        clusters |= item.cluster is not None
        runs |= item.run is not None
        references = max(references, len(item.references))
        hollow |= any(not reference.text for reference in item.references)
        sources = max(sources, len(item.sources))
        empty |= "" in item.sources
        extras |= bool(item.extra)
        judged |= bool(item.judgments)
        repeated |= any(judgment.occasion != 1 for judgment in item.judgments)
        kinds |= any(judgment.kind is not None for judgment in item.judgments)
        named |= any(reference.id is not None for reference in item.references)
        bare |= not item.outputs
    return SetShape(
        *(groups, clusters, runs, references, hollow, sources, empty, extras, judged, repeated, kinds, named, bare)
    )
