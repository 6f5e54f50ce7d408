"""Apply a system to sets that lie in many files, part by part, on this machine or on many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from ..data.evalset import EvalSet
from ..data.item import Item
from ..engines.storage import RunFolder
from ..engines.task import PartTask, describe_part, plan_tasks
from ..errors import InputError
from ..formats import Stream, format_of, source_chunks, stream, write
from .apply import Requirements, SystemOutput, add_output, apply_chunks, build_system
from .budget import Budget
from .system import System

_BATCH = 64


def plan_parts(files: Sequence[str], system: System, requirements: Requirements, name: str = "") -> list[PartTask]:
    """Return the tasks that apply the system to these files, in order; outputs stand under `name`, or the system's."""
    settings = {
        "system": system.signature(),
        "name": name or system.name,
        "budget": asdict(requirements.budget),
        "keep": list(requirements.keep),
        "drop": list(requirements.drop),
        "faithful": requirements.faithful,
        "language": requirements.language,
    }
    return plan_tasks("apply", files, settings)


def apply_part(task: PartTask, path: str, folder: RunFolder, threads: int) -> dict[str, Any]:
    """Write the items of one file with the system's outputs, as JSON Lines; return what the entry says of them."""
    settings = task.settings
    system = build_system(settings["system"])
    budget, keep, drop = Budget(**settings["budget"]), tuple(settings["keep"]), tuple(settings["drop"])
    requirements = Requirements(budget, keep, drop, settings["faithful"], language=settings["language"])
    counts = {"rows": 0, "noted": 0}

    def follow(chunks: Iterable[Sequence[SystemOutput]]) -> Iterator[Item]:
        for chunk in chunks:
            for output in chunk:
                counts["rows"] += 1
                counts["noted"] += bool(output.result.notes)
                yield add_output(output, settings["name"])

    part = f"{task.key()}.jsonl"
    with folder.new_file(part) as file:
        items = follow(apply_chunks(system, _read_sources(path), requirements))
        write(Stream(lambda _: items, path=task.file, batch=_BATCH, allow_missing=True, markup="keep"), file)
        return {**counts, **describe_part(file)}


def _read_sources(path: str) -> Iterable[EvalSet]:
    form = format_of(path)
    if form == "lines":
        return source_chunks(path, batch=_BATCH)
    if form is None:
        raise InputError(f"{path}: the name does not tell the format; parts are .txt, .jsonl, .csv, .tsv or .parquet")
    options: dict[str, Any] = {"text_as_source": True} if form in ("csv", "parquet") else {}
    return stream(path, batch=_BATCH, allow_missing=True, **options)
