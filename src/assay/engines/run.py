"""Run the tasks of a job by an engine: those that are done are not done again, and one that fails stops no other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ..errors import InputError
from .manifest import find_done, write_manifest
from .storage import open_folder
from .task import PartTask, describe_error, run_task

ENGINES = "threads, dask, dask://host:port, dask+tls://host:port"


class Finished(NamedTuple):
    """A task with its entry, or with the error that it ended in."""

    task: PartTask
    entry: Mapping[str, Any] | None
    error: str = ""


class TaskEngine(Protocol):
    """What spreads tasks over threads, processes or machines."""

    def run(self, tasks: Sequence[PartTask], out: str) -> Iterable[Finished]:
        """Do the tasks, in any order, and yield each when it is done."""

    def close(self) -> None:
        """Let go of processes and connections."""


class ThreadsEngine:
    """This process: one task after the other, each on several threads."""

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads

    def run(self, tasks: Sequence[PartTask], out: str) -> Iterator[Finished]:
        for task in tasks:
            try:
                yield Finished(task, run_task(task.to_record(), out, self._threads))
            except Exception as error:
                yield Finished(task, None, describe_error(error, task))

    def close(self) -> None:
        pass


def open_engine(name: str, *, threads: int = 1) -> TaskEngine:
    """Return the engine that a text names: threads, dask for a cluster of this machine, dask://host:port."""
    if name == "threads":
        return ThreadsEngine(threads)
    if name == "dask" or name.startswith(("dask://", "dask+tls://")):
        from .dask import DaskEngine

        return DaskEngine(name.partition("://")[2], workers=threads, secure=name.startswith("dask+tls"))
    raise InputError(f"no engine is called {name!r}; there is {ENGINES}")


Follow = Callable[[Iterable[Finished], int, int], Iterable[Finished]]


def run_tasks(
    tasks: Sequence[PartTask], out: str, engine: TaskEngine, *, follow: Follow | None = None
) -> list[dict[str, Any]]:
    """Do the tasks and return their entries in order; the folder's manifest is written when all are done.

    `follow` is given what is finished, the number of tasks that are left to do and of those done before.
    """
    folder = open_folder(out)
    folder.make()
    entries: dict[str, dict[str, Any]] = find_done(folder, tasks)
    left = [task for task in tasks if task.key() not in entries]
    failures: list[str] = []
    finished = engine.run(left, out)
    for task, entry, error in finished if follow is None else follow(finished, len(left), len(entries)):
        if entry is None:
            failures.append(error)
        else:
            entries[task.key()] = dict(entry)
    if failures:
        raise InputError(_describe_failures(failures, len(tasks)))
    folder.sweep()
    write_manifest(folder, tasks, entries)
    return [entries[task.key()] for task in tasks]


def _describe_failures(failures: Sequence[str], total: int) -> str:
    if total == 1:
        return failures[0]
    first = ", the first" if len(failures) > 1 else ""
    return (
        f"{len(failures)} of {total} parts failed{first}: {failures[0]}; the others are kept, and the same command "
        "goes on from there"
    )
