"""A task: a part of a large job, told by paths, signatures and versions alone; any engine runs it by `run_task`.

What a task makes is a file, or two, in the folder of the run, named by the task's key. The entry is written last: a
task without an entry was not done, and one with an entry is not done again.
"""

from __future__ import annotations

import importlib
import json
import warnings
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import AssayError, AssayWarning, InputError
from .storage import RunFolder, input_file, open_folder

# What a task may do, and the function that does it: (task, path of its file here, folder of the run, threads) -> what
# the entry says. They are named and not imported, because engines stand below what they run.
WORK = {
    "score": "assay.scoring.parts:score_part",
    "apply": "assay.systems.parts:apply_part",
    "resample": "assay.engines.blocks:compute_part",
    "judge": "assay.llm.parts:ask_part",
}

Work = Callable[["PartTask", str, RunFolder, int], dict[str, Any]]


@dataclass(frozen=True)
class PartTask:
    """One part of a job: `work` on some row groups of a file (all of them if there are none)."""

    work: str
    file: str
    stamp: str  # size and time of the file, so that a file that has changed is another task
    settings: Mapping[str, Any]  # what can be written as JSON: signatures of metrics, options
    versions: Mapping[str, str]
    row_groups: tuple[int, ...] = field(default=())

    def key(self) -> str:
        """Return the name of what the task makes: a hash of all it says."""
        from hashlib import sha256  # slow to load, and seldom needed

        text = json.dumps(asdict(self), sort_keys=True, ensure_ascii=True)
        return sha256(text.encode()).hexdigest()[:32]

    def place(self) -> str:
        """Say which part this is, for an error."""
        if not self.row_groups:
            return self.file
        return f"{self.file}, row groups {self.row_groups[0]} to {self.row_groups[-1]}"

    def to_record(self) -> dict[str, Any]:
        """Return the task as plain values, to be sent to another machine."""
        return {**asdict(self), "row_groups": list(self.row_groups)}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> PartTask:
        """Return the task that `to_record` wrote."""
        return cls(**{**record, "row_groups": tuple(record["row_groups"])})


def run_task(record: Mapping[str, Any], out: str, threads: int = 1) -> dict[str, Any]:
    """Do a task and return its entry; one that is done already is only looked up.

    `record` is what `PartTask.to_record` returns and `out` the folder of the run, which every worker must see.
    """
    task = PartTask.from_record(record)
    folder = open_folder(out)
    entry = read_entry(folder, task)
    if entry is not None:
        return entry
    _check_versions(task.versions)
    with input_file(task.file, task.stamp) as path, warnings.catch_warnings(record=True) as messages:
        warnings.simplefilter("always")
        result = _find_work(task.work)(task, path, folder, threads)
    notes = list(dict.fromkeys(str(each.message) for each in messages if issubclass(each.category, AssayWarning)))
    entry = {"key": task.key(), "file": task.file, "row_groups": list(task.row_groups), "warnings": notes, **result}
    folder.write(entry_name(task), json.dumps(entry).encode())
    return entry


def entry_name(task: PartTask) -> str:
    """Return the name of the task's entry, the file that makes it count."""
    return f"{task.key()}.json"


def read_entry(folder: RunFolder, task: PartTask) -> dict[str, Any] | None:
    """Return the entry of a task that is done, or None."""
    content = folder.read(entry_name(task))
    if content is None:
        return None
    try:
        entry = json.loads(content)
    except ValueError:
        return None  # cut short where files do not appear whole: the task is done again
    if not isinstance(entry, dict) or entry.get("key") != task.key():
        return None
    part = entry.get("part")
    return None if part and folder.size(part) != entry.get("bytes") else entry


@cache
def own_versions() -> dict[str, str]:
    """Return the version of Assay and a checksum of the models and lists it holds here."""
    from hashlib import sha256

    from .. import __version__

    digest = sha256()
    root = Path(__file__).parent.parent
    for path in sorted(p for p in root.rglob("*") if p.is_file() and p.suffix in _MODEL_ENDINGS):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    return {"assay": __version__, "models": digest.hexdigest()[:16]}


_MODEL_ENDINGS = ("", ".npz", ".bin", ".json", ".txt", ".tsv", ".cfg", ".onnx")


def _check_versions(versions: Mapping[str, str]) -> None:
    for name, version in own_versions().items():
        if versions.get(name) != version:
            raise InputError(
                f"this worker has {name} {version} and the run was started with {name} {versions.get(name)}: "
                "install the same on all machines"
            )


def _find_work(name: str) -> Work:
    try:
        module, _, function = WORK[name].partition(":")
    except KeyError:
        raise InputError(f"no work is called {name!r}; there is {', '.join(WORK)}") from None
    work: Work = getattr(importlib.import_module(module), function)
    return work


def describe_error(error: BaseException, task: PartTask) -> str:
    """Say in one line what went wrong with a task, and with which."""
    text = (str(error).strip() or type(error).__name__).splitlines()[0]
    if not isinstance(error, AssayError):
        text = f"{type(error).__name__}: {text}"
    return text if task.file in text else f"{task.place()}: {text}"
