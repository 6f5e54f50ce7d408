"""Label Studio: the JSON export, an array of tasks with their annotations.

`data` is a record: its output (or `output=FIELD` of the format), source, references, id and system by their usual
names; the item is data.id, else the task's id. A rating, number or choice that is a number is a judgment: the rater is
`completed_by`, the dimension `from_name`. Cancelled annotations are left out. Predictions are judgments of the
model_version, which is not a person. Other results (spans, texts, selections) are counted in a warning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from ..data.item import Item, Judgment
from ..errors import FormatError
from ..files import write_whole
from ._io.cells import parse_score
from ._io.format import Format
from ._io.item_draft import ItemDraft, ItemDrafts
from ._io.json_file import Json, as_list, as_name, as_object, as_text, dump_json, read_json
from ._io.peek import matches
from ._io.record_fields import add_context, find_field, find_output
from ._io.skipped import Skipped
from ._io.text_file import ReadProgress, StrPath

NO_SYSTEM = "output"


@dataclass(frozen=True)
class LabelStudio(Format):
    """Tasks and annotations of Label Studio; `output` is the field of `data` that holds the text that was rated."""

    name: ClassVar[str] = "label-studio"
    output: str = ""

    def recognizes(self, path: Path) -> bool:
        """Check if this is an array of tasks with data and annotations."""
        return matches(
            path, rb"^\s*\[\s*\{", rb'"annotations"\s*:\s*\[', rb'"from_name"|"completed_by"', rb'"data"\s*:\s*\{'
        )

    def lacks(self, path: StrPath) -> tuple[str, ...]:
        """Name what tasks cannot hold."""
        return ("clusters", "runs", "scales", "extra", "reference ids", "alternatives", "several sources")

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Read the tasks; those of one id and several systems are one item."""
        drafts, skipped = ItemDrafts(), Skipped(path)
        for number, entry in enumerate(as_list(read_json(path), "the export", path), 1):
            task = as_object(entry, f"task {number}", path)
            data = as_object(task.get("data"), f"task {number}: data", path)
            item = as_name(find_field(data, "id") or task.get("id", number), f"task {number}: its id", path)
            system = as_name(find_field(data, "system") or NO_SYSTEM, f"task {number}: its system", path)
            place = f"task {task.get('id', number)}"
            where = f"{path}: {place}"
            draft = drafts.of(item, where)
            draft.group = draft.group or (str(data["group"]) if data.get("group") is not None else None)
            add_context(draft, data, where, path)
            draft.add_output(system, self._output(data, place, path), where)
            _add_annotations(draft, system, task, skipped, path, place)
        skipped.warn()
        yield from drafts

    def write_items(self, items: Iterable[Item], path: StrPath) -> None:
        """Write a task for each output, with the judgments of people as annotations and others as predictions."""
        tasks: list[Json] = []
        for item in items:
            if not item.outputs or len(item.sources) > 1:
                raise FormatError(f"{item.place} has no output or several sources; a task has one of each", path=path)
            tasks += [_task(item, system, len(tasks) + n) for n, system in enumerate(item.outputs, 1)]
        write_whole(path, dump_json(tasks, path))

    def _output(self, data: Json, where: str, path: StrPath) -> str:
        text = data.get(self.output) if self.output else find_output(data)
        if text is None:
            fields = ", ".join(list(data)[:8])
            hint = 'give the field of the text as --input-format "label-studio(output=FIELD)"'
            raise FormatError(f"{where}: no output in its data ({fields}); {hint}", path=path)
        return as_text(text, f"{where}: the output", path)


def _add_annotations(draft: ItemDraft, system: str, task: Json, skipped: Skipped, path: StrPath, where: str) -> None:
    for entry in as_list(task.get("annotations") or [], f"{where}: annotations", path):
        annotation = as_object(entry, f"{where}: an annotation", path)
        if annotation.get("was_cancelled"):
            skipped.add("cancelled annotations")
            continue
        rater = _rater(annotation.get("completed_by"), where, path)
        draft.judgments += _judgments(annotation, system, rater, None, skipped, path, where)
    for entry in as_list(task.get("predictions") or [], f"{where}: predictions", path):
        prediction = as_object(entry, f"{where}: a prediction", path)
        rater = as_name(prediction.get("model_version") or "prediction", f"{where}: model_version", path)
        draft.judgments += _judgments(prediction, system, rater, "metric", skipped, path, where)


def _rater(value: Any, where: str, path: StrPath) -> str:
    if isinstance(value, dict):
        value = value.get("email") or value.get("username") or value.get("id")
    return as_name(value if value is not None else "annotator", f"{where}: completed_by", path)


def _judgments(
    annotation: Json, system: str, rater: str, kind: str | None, skipped: Skipped, path: StrPath, where: str
) -> Iterator[Judgment]:
    for entry in as_list(annotation.get("result") or [], f"{where}: result", path):
        result = as_object(entry, f"{where}: a result", path)
        value = as_object(result.get("value") or {}, f"{where}: a value", path)
        score = _score(value, where, path)
        if score is None:
            skipped.add(f"results of type {str(result.get('type'))[:20]}, which are not numbers")
            continue
        meta = result.get("meta")
        stated = meta.get("kind") if isinstance(meta, dict) else None
        dimension = as_name(result.get("from_name"), f"{where}: from_name", path)
        yield Judgment(system, rater, dimension, score, kind=stated if isinstance(stated, str) else kind)


def _score(value: Json, where: str, path: StrPath) -> float | None:
    """Return the number of a rating, a number field or a single choice that is a number; None for anything else."""
    for key in ("rating", "number"):
        if key in value:
            return parse_score(value[key], f"{where}: the {key}", path)
    choices = value.get("choices")
    if isinstance(choices, list) and len(choices) == 1 and isinstance(choices[0], str):
        try:
            return float(choices[0])
        except ValueError:
            return None
    return None


def _task(item: Item, system: str, number: int) -> Json:
    references = [reference.text for reference in item.references]
    data: Json = {"id": item.id, "system": system, "output": item.outputs[system]}
    data |= {"source": item.sources[0]} if item.sources else {}
    data |= {"references": references} if references else {}
    data |= {"group": item.group} if item.group is not None else {}
    people: dict[tuple[str, int], list[Json]] = {}
    others: dict[tuple[str, int], list[Json]] = {}
    for j in item.judgments:
        if system in item.judged_systems(j):
            side = people if j.kind in (None, "human") else others
            side.setdefault((j.rater, j.occasion), []).append(_result(j))
    return {
        "id": number,
        "data": data,
        "annotations": [
            {"id": n, "completed_by": rater, "result": result, "was_cancelled": False, "ground_truth": False}
            for n, ((rater, _), result) in enumerate(people.items(), 1)
        ],
        "predictions": [{"model_version": rater, "result": result} for (rater, _), result in others.items()],
    }


def _result(judgment: Judgment) -> Json:
    rating = judgment.score == int(judgment.score) and judgment.score >= 1
    name = "rating" if rating else "number"
    value = {name: int(judgment.score) if rating else judgment.score}
    kind = {"meta": {"kind": judgment.kind}} if judgment.kind is not None else {}
    return {"from_name": judgment.dimension, "to_name": "output", "type": name, "value": value, **kind}
