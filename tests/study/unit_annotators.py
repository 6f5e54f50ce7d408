"""Annotators of content units without a screen: they make the units of the example set, and mark them as it does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import assay
from assay.data.content_units import model_texts, read_pyramid
from assay.data.item import Item
from assay.study.task import LETTERS

EXAMPLE = Path(assay.__file__).parent / "examples" / "content-units.jsonl"


def annotated_set(topics: int = 1) -> assay.EvalSet:
    """The example: topics with units, and peers that ann and bob marked."""
    return assay.EvalSet(assay.read(EXAMPLE, allow_missing=True).entries[:topics], allow_missing=True)


def bare_set(topics: int = 1) -> assay.EvalSet:
    """The same texts before anybody annotated them."""
    return assay.EvalSet([replace(item, extra={}) for item in annotated_set(topics)], allow_missing=True)


def units_only(topics: int = 1) -> assay.EvalSet:
    """The same texts with units, before anybody marked a peer."""
    items = [replace(item, extra={"units": item.extra["units"]}) for item in annotated_set(topics)]
    return assay.EvalSet(items, allow_missing=True)


def units_of(item: Item) -> list[dict[str, Any]]:
    """The units of an item as the workbench holds them."""
    pyramid = read_pyramid(item)
    assert pyramid is not None
    letters = dict(zip(model_texts(item), LETTERS, strict=False))
    return [
        {
            "id": str(number),
            "label": unit.label,
            "contributors": [
                {"text": letters[c.text], "spans": [list(span) for span in c.spans]} for c in unit.contributors
            ],
            **({"aspects": list(unit.aspects)} if unit.aspects else {}),
        }
        for number, unit in enumerate(pyramid.units, 1)
    ]


def marks_of(item: Item, peer: str, annotator: str) -> list[dict[str, Any]]:
    """What an annotator of the example marked in a peer, as the workbench holds it."""
    pyramid = read_pyramid(item)
    assert pyramid is not None
    numbers: dict[str | None, str | None] = {unit.id: str(n) for n, unit in enumerate(pyramid.units, 1)} | {None: None}
    (annotation,) = [one for one in pyramid.peers if (one.peer, one.annotator) == (peer, annotator)]
    marks = [(numbers[unit.unit], contributor) for unit in annotation.units for contributor in unit.contributors]
    return [
        {"id": str(n), "unit": number, "spans": [list(span) for span in contributor.spans]}
        for n, (number, contributor) in enumerate(marks, 1)
    ]


def send_edits(rater, entries: list[dict[str, Any]]) -> None:
    """Send an edit for each unit or mark, as the workbench does while somebody works."""
    for entry in entries:
        rest = {key: value for key, value in entry.items() if key != "id"}
        rater.do("edited", {"deltas": [[5, entry["id"], rest]]}, task=rater.screen["task"])


def make_units(rater, served, number: int, data: assay.EvalSet, change=lambda units: units) -> None:
    """Answer every topic with the units of the annotated set, changed."""
    rater.start()
    tasks = served.service.state.rater(number).tasks
    while rater.stage == "task":
        units = change(units_of(data[tasks[rater.screen["task"] - 1].item]))
        send_edits(rater, units)
        rater.answer({"units": units})
    rater.do("submitted")


def mark_peers(rater, served, number: int, data: assay.EvalSet, annotator: str, **more: Any) -> None:
    """Answer every peer with the marks of an annotator of the example."""
    rater.start()
    tasks = served.service.state.rater(number).tasks
    while rater.stage == "task":
        task = tasks[rater.screen["task"] - 1]
        marks = marks_of(data[task.item], task.systems[0], annotator)
        send_edits(rater, marks)
        rater.answer({"marks": marks, **more})
    rater.do("submitted")
