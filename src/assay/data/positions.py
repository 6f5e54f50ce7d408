"""Texts by position: items or columns made of plain sequences of outputs, references and sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from typing import Any

from ..errors import AlignmentError
from .columns import ItemColumns
from .item import Item, Reference, pause_garbage_collection
from .sequences import is_table, list_values, refuse_no_text


def place_texts(
    outputs: Mapping[str, Iterable[str | None]] | Iterable[str | None],
    references: Iterable[str | Reference | Iterable[str | Reference]] = (),
    sources: Iterable[str] = (),
) -> list[Item] | ItemColumns:
    """Return the items of texts by position, as columns where nothing is missing and references have no ids.

    >>> place_texts({"A": ["a", None]}, ["x", "y"])[1]
    Item(id='2', references=(Reference(text='y', id=None),), outputs={}, sources=(), group=None, judgments=(), \
extra={}, cluster=None, run=None)
    """
    systems = _by_system(outputs)
    n = len(next(iter(systems.values()), ()))
    for name, texts in systems.items():
        if len(texts) != n:
            first = next(iter(systems))
            raise AlignmentError(f"system {name!r} has {len(texts)} outputs but {first!r} has {n}; give one per item")
    by_item, texts = list_values(references, "references"), list_values(sources, "sources")
    if (len(by_item) == n or not _is_present(references, by_item)) and len(texts) in (n, 0) and n:
        columns = list_columns(systems, by_item, texts)
        if columns is not None and (texts or not _is_present(sources, texts)):
            return columns
    with pause_garbage_collection():
        refs = [_as_references(r, i) for i, r in enumerate(by_item, 1)]
    if len(refs) != n and _is_present(references, refs):
        raise AlignmentError(_references_mismatch(n, refs))
    if len(texts) != n and _is_present(sources, texts):
        raise AlignmentError(f"{len(texts)} sources for {n} outputs; give one per item")
    with pause_garbage_collection():
        return [
            Item(
                str(i + 1),
                refs[i] if refs else (),
                {name: text for name, texts in systems.items() if (text := texts[i]) is not None},
                (texts[i],) if texts else (),
            )
            for i in range(n)
        ]


def _by_system(outputs: Any) -> dict[str, list[Any]]:
    """Return the outputs of each system as a list."""
    if is_table(outputs):
        systems = {name: outputs[name] for name in outputs.columns}
    else:
        systems = dict(outputs) if isinstance(outputs, Mapping) else {"system": outputs}
    for name in systems:
        refuse_no_text(name, "the name of a system")
    return {name: list_values(texts, f"the outputs of system {name!r}") for name, texts in systems.items()}


_STRINGS = {str}


def _as_references(references: Any, number: int) -> tuple[Reference, ...]:
    """Return the references of one item, given as a text or several."""
    if type(references) is str:
        return (Reference(references),)
    if type(references) is list and set(map(type, references)) == _STRINGS:  # as nearly always, and quick to see
        return tuple(map(Reference, references))
    one = isinstance(references, str | Reference)
    if references is None or isinstance(references, bytes | int | float):
        refuse_no_text(references, f"item {str(number)!r}: its reference", hint=" (a list where there are several)")
    texts = [references] if one else list_values(references, f"item {str(number)!r}: its references")
    for text in texts:
        if not isinstance(text, Reference):
            refuse_no_text(text, f"item {str(number)!r}: a reference")
    return tuple(text if isinstance(text, Reference) else Reference(text) for text in texts)


def _is_present(values: Any, listed: Sequence[Any]) -> bool:
    """Check if there is something to align; an empty list means no, but an exhausted iterator is a mistake."""
    return bool(listed) or not hasattr(values, "__len__")


def _references_mismatch(n: int, refs: list[tuple[Reference, ...]]) -> str:
    message = f"references for {len(refs)} items but outputs for {n}"
    if refs and all(len(r) == n for r in refs):
        return (
            f"{message}: these look like {len(refs)} lists of {n} references; "
            "give one list of references per item instead (list(zip(*references)))"
        )
    return message


def list_columns(systems: dict[str, list[Any]], references: list[Any], sources: list[Any]) -> ItemColumns | None:
    """Return texts by position as columns; None where something is missing, no plain text, or has an id.

    >>> columns = list_columns({"A": ["a", "b"]}, [["x", "y"], ["z"]], [])
    >>> columns.references, columns.reference_ends, columns[1].references
    (['x', 'y', 'z'], [0, 2, 3], (Reference(text='z', id=None),))
    """
    kinds = set(map(type, references))
    if kinds <= {list, tuple}:
        texts = list(chain.from_iterable(references))
        ends = list(accumulate(map(len, references), initial=0)) if references else [0] * (_count(systems) + 1)
    elif kinds == {str}:
        texts, ends = list(references), list(range(len(references) + 1))
    else:
        return None
    outputs = list(chain.from_iterable(zip(*systems.values(), strict=True)))
    if not outputs or not all(set(map(type, each)) <= {str} for each in (texts, outputs, sources)):
        return None
    names, width = tuple(systems), len(systems)

    def build(places: Iterable[int]) -> Iterator[Item]:
        for i in places:
            yield Item(
                str(i + 1),
                tuple(map(Reference, texts[ends[i] : ends[i + 1]])),
                dict(zip(names, outputs[i * width : (i + 1) * width], strict=True)),
                (sources[i],) if sources else (),
            )

    sources = list(sources)
    return ItemColumns(list(map(str, range(1, _count(systems) + 1))), names, outputs, texts, ends, build)


def _count(systems: dict[str, list[Any]]) -> int:
    return len(next(iter(systems.values()), ()))
