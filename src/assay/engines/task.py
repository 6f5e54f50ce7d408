"""A task: a part of a large job, told by paths, signatures and versions alone; any engine runs it by `run_task`.

What a task makes is a file, or two, in the folder of the run, named by the task's key. The entry is written last: a
task without an entry was not done, and one with an entry is not done again.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import AssayError, AssayWarning, InputError
from ..extras import list_model_folders
from ..files import sha256_of
from .storage import RunFolder, input_file, input_stamp, open_folder

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
        """Return the name of the task's output: a hash of all it says."""
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


def plan_tasks(
    work: str,
    files: Iterable[str],
    settings: Mapping[str, Any],
    cut: Callable[[str], Sequence[Sequence[int]]] = lambda file: (),
) -> list[PartTask]:
    """Return the tasks that do the same with each file, in order; `cut` says which row groups of a file are a part."""
    return [
        PartTask(work, file, stamp, settings, own_versions(), tuple(groups))
        for file in files
        for stamp in [input_stamp(file)]
        for groups in cut(file) or [()]
    ]


def describe_part(file: Path) -> dict[str, Any]:
    """Return what the entry of a task says of the file that it wrote."""
    return {"part": file.name, "bytes": file.stat().st_size, "sha256": sha256_of(file)}


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
    """Return what numbers depend on here: versions of Assay and of what computes, a checksum of all models."""
    from importlib.metadata import PackageNotFoundError, version

    from .. import __version__

    versions = {"assay": __version__, "models": checksum_models(_model_folders())}
    for package in _COMPUTING:
        with suppress(PackageNotFoundError):
            versions[package] = version(package)
    return versions


# NumPy draws resamples and multiplies matrices, spaCy parses, onnxruntime encodes. The weights of encoders come in
# packages of their own, and are checked by SHA-256 where they are loaded.
_COMPUTING = ("numpy", "spacy", "onnxruntime")
_NO_MODELS = (".py", ".pyc", ".pyi", ".so", ".js", ".css", ".html", ".md", ".typed")


def _model_folders() -> list[Path]:
    """Return the folders that hold models and word lists: this package, and those of models that are installed."""
    return [Path(__file__).parent.parent, *list_model_folders()]


def checksum_models(folders: Sequence[Path]) -> str:
    """Return a checksum of all models and lists in folders, by their names and bytes."""
    from hashlib import sha256

    digest = sha256()
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix not in _NO_MODELS):
            digest.update(path.relative_to(folder).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def explain_versions(here: Mapping[str, str], there: Mapping[str, str]) -> str:
    """Say how what a worker has (there) differs from what a run was started with (here); nothing where it does not.

    A worker may have packages that are not needed here.

    >>> explain_versions({"numpy": "2.0"}, {"numpy": "2.1", "spacy": "3.8"})
    'numpy 2.1, and the run was started with numpy 2.0: install the same on all machines'
    """
    other = next((name for name, version in here.items() if there.get(name) != version), None)
    if other is None:
        return ""
    own = f"{other} {there[other]}" if other in there else f"no {other}"
    return f"{own}, and the run was started with {other} {here[other]}: install the same on all machines"


def _check_versions(versions: Mapping[str, str]) -> None:
    if difference := explain_versions(versions, own_versions()):
        raise InputError(f"this worker has {difference}")


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
