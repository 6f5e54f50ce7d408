"""What raters answered, as an evaluation set that every command reads.

A judgment has, in addition to system, rater, dimension, score and occasion: id (its event), kind (human), position (of
the task), list, order (of the systems, where several were shown), shown, revealed and answered (server time, UTC),
seconds (from when the text could be read to the answer), active_seconds (as the browser measured), version (of
instructions and scales), and what the protocol adds (spans, units).
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..data.evalset import EvalSet
from ..data.item import Item, Judgment
from ..errors import InputError, UnknownName
from .annotations import UnitAnswer, add_peers, add_pyramids, peers_marked, pyramid_protocol, pyramids_made
from .content import StudyContent
from .events import read_time
from .protocols.pyramid import PyramidProtocol
from .protocols.shorten import source_text
from .state import RaterRecord, StudyState, TaskRecord
from .store import RATERS, StudyDatabase
from .task import Task

_OWN = frozenset(Judgment._fields)


def export_study(
    content: StudyContent,
    database: StudyDatabase,
    *,
    anonymize: bool = False,
    only_complete: bool = False,
    annotator: str | None = None,
) -> EvalSet:
    """Return the texts with everything that was answered. Who withdrew is not in it.

    `anonymize` replaces the names of raters and leaves out times of day; `only_complete` leaves out who did not submit.
    Of content units, `annotator` takes those of one annotator.
    """
    state = content.derive_state(database)
    codes = {row["number"]: row["code"] for row in database.rows(RATERS)}
    names = _anonymous_names(content, codes) if anonymize else codes
    records = list(_answers(state, names, only_complete))
    if not records:
        raise InputError(f"{content.folder.path}: no one has answered yet; there is nothing to export")
    if content.protocol.writes_texts:
        return _export_texts(content, database, records)
    if content.protocol.name == "cut":
        return _export_units(content, records)
    if isinstance(content.protocol, PyramidProtocol):
        return _export_annotations(content, records, anonymize=anonymize, annotator=annotator)
    return _export_judgments(content, records, anonymize=anonymize)


def list_unit_answers(content: StudyContent, database: StudyDatabase) -> list[UnitAnswer]:
    """List what annotators answered in a study of content units; who withdrew is not in it."""
    state = content.derive_state(database)
    codes = {row["number"]: row["code"] for row in database.rows(RATERS)}
    return [(name, task, record) for name, _, _, task, record in _answers(state, codes, only_complete=False)]


def _export_annotations(
    content: StudyContent, records: list[AnswerRecord], *, anonymize: bool, annotator: str | None
) -> EvalSet:
    """Return pyramids, or marks in peers with the scores that follow from them."""
    answers = [(name, task, record) for name, _, _, task, record in records]
    if pyramid_protocol(content).makes_units:
        return add_pyramids(content.data, pyramids_made(content, answers), annotator)
    if annotator is not None and annotator not in (names := dict.fromkeys(name for name, _, _ in answers)):
        raise UnknownName("annotator", annotator, list(names), hint=f"(peers were marked by {', '.join(names)})")
    own = [record for record in records if annotator in (None, record[0])]
    peers = peers_marked(content, [(name, task, record) for name, _, _, task, record in own])
    data = _export_judgments(content, own, anonymize=anonymize)
    items = [add_peers(item, peers.get(item.id, ()), annotator) for item in data]
    return EvalSet(items, allow_missing=True, people=data.people)


AnswerRecord = tuple[str, RaterRecord, int, Task, TaskRecord]  # name, rater, position, task, record


def _answers(state: StudyState, names: Mapping[int, str], only_complete: bool) -> Iterator[AnswerRecord]:
    """List answered tasks, those with known answers aside, by rater and position."""
    for number, rater in sorted(state.raters.items()):
        if rater.withdrawn or rater.erased or rater.failed or (only_complete and not rater.is_complete):
            continue
        for position in rater.answered:
            task = rater.tasks[position - 1]
            if task.role == "main":
                yield names[number], rater, position, task, rater.records[position]


def _anonymous_names(content: StudyContent, codes: Mapping[int, str]) -> dict[int, str]:
    """Name raters by numbers in an order that says nothing."""
    salt = content.folder.derive("anonymous")
    order = sorted(codes, key=lambda number: hashlib.sha256(f"{salt}:{number}".encode()).hexdigest())
    return {number: f"rater{place}" for place, number in enumerate(order, 1)}


def _export_judgments(content: StudyContent, records: list[AnswerRecord], *, anonymize: bool) -> EvalSet:
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    skips: dict[str, list[dict[str, Any]]] = defaultdict(list)
    pairs: dict[tuple[str, str], int] = defaultdict(int)
    for name, rater, position, task, record in records:
        details = _details(rater, position, task, record, anonymize=anonymize)
        if record.answer is None:
            skips[task.item].append({"rater": name, "systems": list(task.systems), "reason": record.skip, **details})
            continue
        occasion = task.occasion
        if content.protocol.numbers_pairs:
            occasion = pairs[task.item, name] = pairs[task.item, name] + 1
            details |= {"repeat": True} if task.occasion > 1 else {}
        for row in content.protocol.rows(record.answer, content.item_of(task), task, content.settings.dimensions):
            number = {} if occasion == 1 else {"occasion": occasion}
            rows[task.item].append(
                {"system": row["system"], "rater": name, "dimension": row["dimension"], "score": row["score"], **number}
                | {key: value for key, value in row.items() if key not in _OWN}
                | details
            )
    items = [_judged_item(item, rows[item.id], skips[item.id]) for item in content.data]
    data = EvalSet(items, allow_missing=True)
    scales = content.protocol.stated_scales(content.settings.dimensions)
    return data.with_scales({name: scale for name, scale in scales.items() if name in data.dimensions})


def _judged_item(item: Item, rows: list[dict[str, Any]], skips: list[dict[str, Any]]) -> Item:
    judgments = tuple(Judgment(**{key: value for key, value in row.items() if key in _OWN}) for row in rows)
    extra = {**item.extra, **({"judgments": rows} if rows else {}), **({"skipped": skips} if skips else {})}
    return replace(item, judgments=judgments, extra=extra)


def _details(rater: RaterRecord, position: int, task: Task, record: TaskRecord, *, anonymize: bool) -> dict[str, Any]:
    """Return what is exported of an answer next to the judgment itself."""
    readable = record.revealed_at or record.shown_at
    seconds = None
    if readable is not None and record.answered_at is not None:
        seconds = round((read_time(record.answered_at) - read_time(readable)).total_seconds(), 3)
    times = {"shown": record.shown_at, "revealed": record.revealed_at, "answered": record.answered_at}
    details = {
        "id": record.event,
        "kind": "human",
        "position": position,
        "list": rater.list_number + 1,
        **times,
        "seconds": seconds,
        "active_seconds": record.active,
        "version": record.version,
    }
    hidden = {"id", *times} if anonymize else set()
    return {key: value for key, value in details.items() if value is not None and key not in hidden}


def _export_texts(content: StudyContent, database: StudyDatabase, records: list[AnswerRecord]) -> EvalSet:
    """Return the texts that editors wrote, editors as systems; a second text of one editor is named NAME#2."""
    outputs: dict[str, dict[str, str]] = defaultdict(dict)
    histories: dict[str, dict[str, Any]] = defaultdict(dict)
    edits = _edits_by_task(database)
    for name, rater, position, task, record in records:
        if record.answer is not None:
            editor = name if task.occasion == 1 else f"{name}#{task.occasion}"
            outputs[task.item][editor] = record.answer["text"]
            history = edits.get((rater.number, position), [])
            histories[task.item][editor] = {"start": source_text(content.item_of(task)), "deltas": history}
    items = [
        replace(item, outputs=outputs[item.id], extra={**item.extra, "edit_history": histories[item.id]})
        for item in content.data
        if outputs[item.id]
    ]
    if not items:
        raise InputError(f"{content.folder.path}: no one has written a text yet; there is nothing to export")
    return EvalSet(items, allow_missing=True)


def _edits_by_task(database: StudyDatabase) -> dict[tuple[int, int], list[Any]]:
    edits: dict[tuple[int, int], list[Any]] = defaultdict(list)
    for event in database.events():
        if event.kind == "edited" and event.rater is not None and event.task is not None:
            edits[event.rater, event.task] += event.payload.get("deltas", [])
    return edits


def edit_history(content: StudyContent, database: StudyDatabase, rater: int, task: int) -> dict[str, Any]:
    """Return the text that an editor began with, every edit, and the answer, to be replayed."""
    state = content.derive_state(database)
    record = state.rater(rater)
    if not content.protocol.writes_texts:
        raise InputError(f"{content.protocol.title} has no texts that were edited")
    if not 1 <= task <= len(record.tasks):
        raise InputError(f"rater {rater} has no task {task}")
    answer = record.records[task].answer if task in record.records else None
    return {
        "start": source_text(content.item_of(record.tasks[task - 1])),
        "deltas": _edits_by_task(database).get((rater, task), []),
        "final": None if answer is None else answer.get("text"),
    }


def _export_units(content: StudyContent, records: list[AnswerRecord]) -> EvalSet:
    """Return the items with the units that were cut: those of the first rater as `units`, all as `cuts`."""
    cuts: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for name, _, _, task, record in records:
        if record.answer is not None and task.occasion == 1:
            cuts[task.item][name] = record.answer["units"]
    items = [
        replace(item, extra={**item.extra, "units": next(iter(cuts[item.id].values())), "cuts": cuts[item.id]})
        if cuts[item.id]
        else item
        for item in content.data
    ]
    return EvalSet(items, allow_missing=True)


def unit_lines(data: EvalSet) -> Iterator[dict[str, Any]]:
    """List the marks of content units as `assay pyramid` reads them: a line for each item and rater."""
    for item in data:
        present: dict[str, dict[str, list[bool]]] = defaultdict(dict)
        for row in item.extra.get("judgments", ()):
            if "units" in row and row.get("occasion", 1) == 1:
                present[row["rater"]][row["system"]] = row["units"]
        for rater, marks in present.items():
            yield {"id": item.id, "units": list(item.extra["units"]), "present": marks, "annotator": rater}
