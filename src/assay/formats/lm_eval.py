"""lm-evaluation-harness: `samples_TASK_DATE.jsonl`, alone or in the folder that the harness wrote.

The item is `doc_id`, the source the prompt, the references the target, and the output the filtered response. Of a
multiple choice, the output is the option with the highest log-likelihood, as in `acc`, and the reference the right
one. The system is the model of `results_DATE.json` next to the samples. Each entry of `metrics` that is a number is a
score of kind metric; what the harness keeps for corpus metrics (pairs of texts) is not. A task with several filters has
a set of rows for each: the first is read, unless `filter` names another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from ..data.item import Item, Judgment
from ..errors import FormatError, UnknownName
from ._io.format import ReadOnlyFormat
from ._io.item_draft import ItemDraft, ItemDrafts
from ._io.json_file import Json, as_name, as_object, read_json, read_json_lines
from ._io.peek import matches
from ._io.skipped import Skipped
from ._io.text_file import ReadProgress, StrPath

_NAME = re.compile(r"samples_(.+)_(\d{4}-\d\d-\d\dT[\d.:-]+)\.jsonl(\.gz)?")
# What a sample has; the other keys of older files are metrics.
_FIXED = frozenset(["doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"])


@dataclass(frozen=True)
class LmEval(ReadOnlyFormat):
    """Samples of lm-evaluation-harness; `task` and `filter` choose where a folder or file has several."""

    name: ClassVar[str] = "lm-eval"
    task: str = ""
    filter: str = ""

    def recognizes(self, path: Path) -> bool:
        """Check if this is a file of samples, or a folder with some."""
        if path.is_dir():
            return bool(_list_files(path))
        return matches(path, rb'^\s*\{[^\n]*"doc_id"\s*:', rb'^[^\n]*"resps"\s*:\s*\[', rb'^[^\n]*"filtered_resps"\s*:')

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Read the samples of one task; those of several models are joined by `doc_id`."""
        drafts, skipped = ItemDrafts(), Skipped(path)
        files = self._choose_task(Path(path)) if Path(path).is_dir() else [Path(path)]
        for file in files:
            self._add_samples(file, drafts, skipped, progress or ReadProgress())
        skipped.warn()
        yield from drafts

    def _choose_task(self, folder: Path) -> list[Path]:
        tasks: dict[str, list[Path]] = {}
        for file in _list_files(folder):
            match = _NAME.fullmatch(file.name)
            tasks.setdefault(match[1] if match else file.name, []).append(file)
        if self.task and self.task not in tasks:
            raise UnknownName("task", self.task, tasks, hint=f"({folder} has {', '.join(tasks)})")
        if not self.task and len(tasks) > 1:
            name = next(iter(tasks))
            message = f'holds samples of {len(tasks)} tasks; choose one as --input-format "lm-eval(task={name})"'
            raise FormatError(f"{message}: {', '.join(tasks)}", path=folder)
        return tasks[self.task or next(iter(tasks))]

    def _add_samples(self, file: Path, drafts: ItemDrafts, skipped: Skipped, progress: ReadProgress) -> None:
        system, name, others = _find_model(file), self.filter, set[str]()
        count = 0
        for number, sample in read_json_lines(file, progress):
            own = str(sample.get("filter", ""))
            name = name or own
            if own != name:
                others.add(own)
                skipped.add(f'rows of filter {own} (format "lm-eval(filter={own})" reads them)')
                continue
            count += 1
            draft = drafts.of(as_name(sample.get("doc_id"), "doc_id", file, number), f"{file}:{number}")
            _add_texts(draft, sample, system, file, number)
            draft.judgments += _judgments(sample, system, skipped)
        if not count:
            raise UnknownName("filter", name, sorted(others), hint=f"({file} has {', '.join(sorted(others))})")


def _list_files(folder: Path) -> list[Path]:
    return sorted([*folder.glob("samples_*.jsonl*"), *folder.glob("*/samples_*.jsonl*")])


def _find_model(file: Path) -> str:
    """Return the model in the file of results with the same date, or in the only one; else the name of the folder."""
    match = _NAME.fullmatch(file.name)
    results = [file.with_name(f"results_{match[2]}.json")] if match else []
    results = [each for each in results if each.exists()] or sorted(file.parent.glob("results_*.json"))
    if len(results) != 1:
        return file.resolve().parent.name or file.name
    summary = as_object(read_json(results[0]), "the results", results[0])
    config = summary.get("config")
    names = (summary.get("model_name"), config.get("model") if isinstance(config, dict) else None)
    return next((name for name in names if isinstance(name, str) and name), file.resolve().parent.name)


def _add_texts(draft: ItemDraft, sample: Json, system: str, path: StrPath, line: int) -> None:
    where, arguments = f"{path}:{line}", _list_arguments(sample.get("arguments"))
    target, options = sample.get("target"), [texts[1] for texts in arguments if len(texts) > 1]
    responses = sample.get("filtered_resps") or sample.get("resps")
    if arguments and isinstance(arguments[0][0], str):
        draft.add_source(arguments[0][0], where)
    likelihoods = [_likelihood(response) for response in responses] if isinstance(responses, list) else []
    if likelihoods and None not in likelihoods and len(likelihoods) == len(options):
        best = max(range(len(options)), key=lambda at: likelihoods[at] or 0.0)
        draft.add_output(system, str(options[best]).strip(), where)
        place = int(str(target)) if str(target).isdigit() else -1
        target = str(options[place]).strip() if 0 <= place < len(options) else target
    else:
        text = _first_text(responses)
        if text is None:
            raise FormatError("no response of the model is a text", path=path, line=line)
        draft.add_output(system, text, where)
    for reference in target if isinstance(target, list) else [target]:
        if reference is not None and str(reference) != "":
            draft.add_reference(str(reference))


def _list_arguments(value: Any) -> list[list[Any]]:
    """Return the arguments of each request: {"gen_args_0": {"arg_0": prompt, ...}}, or lists in older files."""
    entries = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    rows = [list(entry.values()) if isinstance(entry, dict) else entry for entry in entries]
    return [row for row in rows if isinstance(row, list) and row]


def _likelihood(response: Any) -> float | None:
    """Return the log-likelihood of a response [number, is_greedy]; None for a text."""
    while isinstance(response, list) and len(response) == 1:
        response = response[0]
    if not isinstance(response, list) or len(response) != 2 or str(response[1]) not in ("True", "False"):
        return None
    try:
        return float(response[0])
    except (TypeError, ValueError):
        return None


def _first_text(value: Any) -> str | None:
    while isinstance(value, list) and value:
        value = value[0]
    return value if isinstance(value, str) else None


def _judgments(sample: Json, system: str, skipped: Skipped) -> Iterator[Judgment]:
    names = sample.get("metrics")
    if not isinstance(names, list):  # older files have no list of them
        names = [key for key in sample if key not in _FIXED and not key.endswith("_hash")]
    for name in names:
        value = sample.get(name)
        if isinstance(value, bool | int | float) and value == value:
            yield Judgment(system, str(name), str(name), float(value), kind="metric")
        elif value is not None:
            skipped.add(f"values of {name}, which the harness computes over the whole corpus")
