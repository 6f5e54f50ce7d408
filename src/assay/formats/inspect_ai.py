"""inspect_ai: logs of evaluations, `.eval` (a zip file) or `.json`, or a folder of logs of one task.

The item is the sample's id, the system the model of the log, the output the completion, the references the target,
and the source the input (of a conversation, what the user says). Each scorer is rater and dimension; the values of
one that gives several are dimensions `scorer.key`. C is 1, P 0.5, I and N 0; an unscored sample has none. Scorers
that ask a model are of kind llm, all others metrics. A further epoch is a run of its own: an item `id@2`.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from math import isnan
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from ..data.item import Item, Judgment
from ..errors import FormatError, SkippedWarning
from ._io.format import ReadOnlyFormat
from ._io.item_draft import ItemDrafts
from ._io.json_file import Json, as_list, as_name, as_object, as_text, parse_json, read_json
from ._io.peek import matches
from ._io.skipped import Skipped
from ._io.text_file import ReadProgress, StrPath
from ._io.zip_members import open_zip

GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
MAX_LOOKED_AT = 20  # files of a folder that are looked at to know it
_SAMPLE = re.compile(r"samples/(.+)_epoch_([0-9]+)\.json")


class _Log(NamedTuple):
    path: StrPath
    header: Json
    samples: Iterator[tuple[str, Json]]


class InspectAi(ReadOnlyFormat):
    """Logs of inspect_ai."""

    name: ClassVar[str] = "inspect-ai"
    endings = (".eval",)

    def recognizes(self, path: Path) -> bool:
        """Check if this is a log, or a folder that holds logs."""
        if path.is_dir():
            return any(path.glob("*.eval")) or any(map(self.recognizes, islice(path.glob("*.json"), MAX_LOOKED_AT)))
        return matches(path, rb'^\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:', rb'"eval"\s*:\s*\{')

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Read the samples of a log, or of all logs in a folder: those of one id are one item."""
        drafts, skipped, runs = ItemDrafts(), Skipped(path), Counter[str]()
        tasks: set[str] = set()
        for file in _files(Path(path)):
            for log in _open(file):
                tasks.add(_task(log))
                _refuse_tasks(tasks, path)
                _add_samples(log, drafts, skipped, runs)
        skipped.warn()
        items = list(drafts)
        repeated = any(item.run != "1" for item in items)
        yield from items if repeated else (replace(item, run=None) for item in items)


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = [*path.glob("*.eval"), *(f for f in path.glob("*.json") if InspectAi().recognizes(f))]
    return sorted(files, key=lambda file: file.name)


def _open(file: Path) -> Iterator[_Log]:
    """Yield the log of a file, with its samples, which are read one after another from a zip file."""
    if not file.name.endswith(".eval"):
        header = as_object(read_json(file), "the log", file)
        entries = as_list(header.get("samples") or [], "samples", file)
        samples = [(f"sample {n}", as_object(s, f"sample {n}", file)) for n, s in enumerate(entries, 1)]
        yield _Log(file, header, iter(sorted(samples, key=lambda pair: _epoch(pair[1]))))
        return
    with open_zip(file) as members:
        name = next((n for n in ("header.json", "_journal/start.json") if n in members.names), None)
        if name is None:
            raise FormatError(
                "holds no header.json and no _journal/start.json; is this a log of inspect_ai?", path=file
            )
        header = as_object(parse_json(members.read(name), f"{file}: {name}"), name, file)
        names = sorted((n for n in members.names if _SAMPLE.fullmatch(n)), key=_epoch_of_name)
        yield _Log(file, header, ((n, as_object(parse_json(members.read(n), f"{file}: {n}"), n, file)) for n in names))


def _task(log: _Log) -> str:
    run = as_object(log.header.get("eval"), "eval", log.path)
    return str(run.get("task"))


def _refuse_tasks(tasks: set[str], path: StrPath) -> None:
    if len(tasks) > 1:
        raise FormatError(
            f"holds logs of several tasks ({', '.join(sorted(tasks))}); give a folder for each", path=path
        )


def _add_samples(log: _Log, drafts: ItemDrafts, skipped: Skipped, runs: Counter[str]) -> None:
    """Add the samples of a log; `runs` counts the epochs of each model, which those of its next log follow."""
    run = as_object(log.header.get("eval"), "eval", log.path)
    system = as_name(run.get("model"), "eval.model", log.path)
    before = runs[system]
    status = log.header.get("status", "started")
    if status != "success":
        message = f"{log.path}: the run has status {str(status)[:20]!r}: its samples may be incomplete"
        warnings.warn(message, SkippedWarning, stacklevel=2)
    for where, sample in log.samples:
        place = f"{log.path}: {where}"  # for what has no path of its own
        answer = _answer(as_object(sample.get("output") or {}, f"{where}: output", log.path))
        if sample.get("error") is not None or answer is None:
            skipped.add("samples with an error or without an output")
            continue
        item = as_name(sample.get("id"), f"{where}: its id", log.path)
        epoch = before + _epoch(sample)
        runs[system] = max(runs[system], epoch)
        draft = drafts.of(item if epoch == 1 else f"{item}@{epoch}", place)
        draft.run = str(epoch)
        draft.add_output(system, answer, place)
        if source := _source(sample.get("input")):
            draft.add_source(source, place)
        targets = sample.get("target")
        for target in targets if isinstance(targets, list) else [targets]:
            if target is not None and target != "":
                draft.add_reference(as_text(target, f"{where}: a target", log.path))
        draft.judgments += _judgments(sample, system, skipped, where, log.path)


def _answer(output: Json) -> str | None:
    """Return the completion, else the content of the first choice, which older logs have alone."""
    if isinstance(output.get("completion"), str):
        return str(output["completion"])
    choices = output.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    return _content(message.get("content")) if isinstance(message, dict) else None


def _epoch(sample: Json) -> int:
    epoch = sample.get("epoch")
    return epoch if isinstance(epoch, int) else 1


def _epoch_of_name(name: str) -> int:
    match = _SAMPLE.fullmatch(name)
    return int(match[2][:9]) if match else 1


def _source(value: Any) -> str:
    """Return the input as a text: of a conversation, what the user says."""
    if isinstance(value, str):
        return value
    messages = [m for m in value if isinstance(m, dict)] if isinstance(value, list) else []
    return "\n".join(_content(m.get("content")) for m in messages if m.get("role") == "user")


def _content(value: Any) -> str:
    if isinstance(value, list):
        return "\n".join(part["text"] for part in value if isinstance(part, dict) and isinstance(part.get("text"), str))
    return value if isinstance(value, str) else ""


def _judgments(sample: Json, system: str, skipped: Skipped, where: str, path: StrPath) -> Iterator[Judgment]:
    for scorer, entry in as_object(sample.get("scores") or {}, f"{where}: scores", path).items():
        score = as_object(entry, f"{where}: the score of {scorer!r}", path)
        metadata = score.get("metadata")
        graded = isinstance(metadata, dict) and "grading" in metadata
        kind = "llm" if graded or scorer.startswith("model_graded") else "metric"
        values = score.get("value")
        parts = values if isinstance(values, dict) else {"": values}
        for key, value in parts.items():
            number = _number(value)
            if number is None:
                skipped.add(f"values of {scorer} that are not numbers")
            else:
                yield Judgment(system, scorer, f"{scorer}.{key}" if key else scorer, number, kind=kind)


def _number(value: Any) -> float | None:
    """Return the number of a grade; None for what is none, and NaN, which says that a sample was not scored."""
    if isinstance(value, str):
        value = GRADES.get(value.strip().upper(), value)
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return None if isnan(number) or number in (float("inf"), float("-inf")) else number
