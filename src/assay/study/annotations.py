"""What annotators of a study made: pyramids of topics, and marks in peers, from their answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..data.content_units import PeerAnnotation, Pyramid, add_pyramid, read_pyramid
from ..data.evalset import EvalSet
from ..data.item import Item
from ..errors import InputError, UnknownName
from .content import StudyContent
from .protocols.pyramid import PyramidProtocol
from .state import TaskRecord
from .task import Task

UnitAnswer = tuple[str, Task, TaskRecord]  # the annotator, the task, and what was answered


def pyramid_protocol(content: StudyContent) -> PyramidProtocol:
    """Return the protocol of a study of content units; an error for another study."""
    if not isinstance(content.protocol, PyramidProtocol):
        raise InputError(f"{content.folder.path} is a study of {content.protocol.name}, not of pyramid")
    return content.protocol


def pyramids_made(content: StudyContent, answers: Iterable[UnitAnswer]) -> dict[str, dict[str, Pyramid]]:
    """Return the pyramids of each item by annotator; a second one of the same annotator is named NAME#2."""
    protocol, pyramids = pyramid_protocol(content), dict[str, dict[str, Pyramid]]()
    for name, task, record in answers:
        if record.answer is not None:
            annotator = _name_occasion(name, task)
            pyramid = protocol.pyramid_made(record.answer, content.item_of(task), annotator)
            pyramids.setdefault(task.item, {})[annotator] = pyramid
    return pyramids


def peers_marked(content: StudyContent, answers: Iterable[UnitAnswer]) -> dict[str, list[PeerAnnotation]]:
    """Return what was marked in the peers of each item."""
    protocol, peers = pyramid_protocol(content), dict[str, list[PeerAnnotation]]()
    for name, task, record in answers:
        if record.answer is not None:
            item = content.item_of(task)
            peers.setdefault(task.item, []).extend(
                protocol.annotations(record.answer, item, task, _name_occasion(name, task))
            )
    return peers


def _name_occasion(name: str, task: Task) -> str:
    return name if task.occasion == 1 else f"{name}#{task.occasion}"


def add_pyramids(data: EvalSet, pyramids: Mapping[str, Mapping[str, Pyramid]], annotator: str | None) -> EvalSet:
    """Return items with the units that one annotator made: the named one, else the first who made units of the item.

    Without a name, where several made units of an item, all are under `pyramids`, by annotator. Items without a pyramid
    are left out.
    """
    names = list(dict.fromkeys(name for by_name in pyramids.values() for name in by_name))
    if annotator is not None and annotator not in names:
        raise UnknownName("annotator", annotator, names, hint=f"(units were made by {', '.join(names) or 'nobody'})")
    items = []
    for item in data:
        by_name = pyramids.get(item.id, {})
        choice = next(iter(by_name), None) if annotator is None else annotator
        if choice is not None and choice in by_name:
            items.append(_with_pyramids(item, by_name if annotator is None else {choice: by_name[choice]}, choice))
    return EvalSet(items, allow_missing=True)


def _with_pyramids(item: Item, pyramids: Mapping[str, Pyramid], choice: str) -> Item:
    bare = replace(item, extra={key: value for key, value in item.extra.items() if key != "pyramids"})
    with_units = add_pyramid(bare, pyramids[choice])
    if len(pyramids) == 1:
        return with_units
    all_units = {name: add_pyramid(bare, pyramid).extra["units"] for name, pyramid in pyramids.items()}
    return replace(with_units, extra={**with_units.extra, "pyramids": all_units})


def add_peers(item: Item, peers: Iterable[PeerAnnotation], annotator: str | None = None) -> Item:
    """Return an item with the marks of a study in its peers; with `annotator`, only theirs.

    Marks that the item had before the study are kept apart, as `earlier_peers`: names may be the same.
    """
    pyramid = read_pyramid(item)
    assert pyramid is not None  # checked when the study was made
    selection = tuple(peer for peer in peers if annotator in (None, peer.annotator))
    earlier = {"earlier_peers": item.extra["peers"]} if pyramid.peers and "peers" in item.extra else {}
    bare = replace(item, extra={name: value for name, value in item.extra.items() if name != "peers"} | earlier)
    return add_pyramid(bare, replace(pyramid, peers=selection))


def only_annotation(item: Item) -> Item:
    """Return an item as DucView's files can hold it: models, annotated peers, units and marks."""
    pyramid = read_pyramid(item)
    annotated = {peer.peer for peer in pyramid.peers} if pyramid else set()
    extra = {key: item.extra[key] for key in ("units", "peers", "annotator", "ducview") if key in item.extra}
    outputs = {name: text for name, text in item.outputs.items() if name in annotated}
    return replace(item, sources=(), judgments=(), outputs=outputs, extra=extra)
