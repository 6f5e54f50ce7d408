"""Dask: tasks on the workers of a cluster, or on processes of this machine."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import InputError
from ..extras import import_extra
from .run import Finished
from .storage import open_folder
from .task import PartTask, describe_error, explain_versions, own_versions, read_entry, run_task

_AHEAD = 8  # tasks that wait at each worker: enough that none is idle, few enough that the scheduler stays small
_PATIENCE = 600.0  # seconds to wait for a scheduler that went away, or for workers
_LOCAL_PATIENCE = 120.0  # seconds to wait for processes of this machine, which start again by themselves
_PROBE = "seen-by-all.txt"
# Processes of this machine share its cores with the work: no one looks at profiles and graphs of a run.
_QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "5s",
}


class DaskEngine:
    """The workers of a Dask scheduler at `address`, or without one `workers` processes of this machine."""

    def __init__(self, address: str = "", *, workers: int = 1, secure: bool = False) -> None:
        self._distributed = import_extra("distributed", "dask", "the dask engine")
        self._address = f"{'tls' if secure else 'tcp'}://{address}" if address else ""
        self._cluster: Any = None
        if not address:
            with import_extra("dask", "dask", "the dask engine").config.set(_QUIET):
                self._cluster = self._distributed.LocalCluster(
                    n_workers=max(workers, 1), threads_per_worker=1, dashboard_address=":0", silence_logs="CRITICAL"
                )
        # The certificates are those of Dask's own configuration (distributed.comm.tls).
        self._security = self._distributed.Security() if secure else None
        self._client = self._connect()
        self._seen = time.monotonic()  # when there was a worker
        self._folders: set[str] = set()

    def run(self, tasks: Sequence[PartTask], out: str) -> Iterator[Finished]:
        """Do the tasks; those on a worker that dies go to another, and those a scheduler forgot are sent again."""
        if not tasks:
            return
        self._folders.add(out)
        self._check_workers(out)
        waiting = deque(tasks)
        running: dict[Any, PartTask] = {}
        self._seen = time.monotonic()
        while waiting or running:
            try:
                self._submit(waiting, running, out)
                self._distributed.wait(list(running), timeout=5, return_when="FIRST_COMPLETED")
            except (TimeoutError, self._distributed.TimeoutError):
                pass
            except (OSError, RuntimeError, self._distributed.CancelledError):
                self._reconnect(waiting, running)
                continue
            if self._client.status != "running":
                self._reconnect(waiting, running)
                continue
            yield from self._collect(waiting, running, out)

    def close(self) -> None:
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()
            for out in self._folders:  # what workers were writing that were ended in the middle of a task
                open_folder(out).sweep()

    def _connect(self) -> Any:
        target = self._cluster if self._cluster is not None else self._address
        try:
            return self._distributed.Client(target, security=self._security, timeout=20)
        except (OSError, TimeoutError) as error:
            raise InputError(f"no Dask scheduler answers at {self._address}: {str(error).splitlines()[0]}") from error

    def _submit(self, waiting: deque[PartTask], running: dict[Any, PartTask], out: str) -> None:
        workers = len(self._client.scheduler_info(n_workers=-1)["workers"])
        if workers:
            self._seen = time.monotonic()
        elif time.monotonic() - self._seen > (_PATIENCE if self._cluster is None else _LOCAL_PATIENCE):
            raise InputError("no worker is left; start some, and the same command goes on from there")
        room = _AHEAD * max(workers, 1)
        while waiting and len(running) < room:
            task = waiting.popleft()
            future = self._client.submit(run_task, task.to_record(), out, key=f"assay-{task.key()}", pure=False)
            running[future] = task

    def _collect(self, waiting: deque[PartTask], running: dict[Any, PartTask], out: str) -> Iterator[Finished]:
        """Yield the tasks that ended; entries are read from the folder, as the worker that wrote one may be gone."""
        folder = open_folder(out)
        for future in [f for f in running if f.status in ("finished", "error", "cancelled", "lost")]:
            task = running.pop(future)
            entry = read_entry(folder, task)
            error = self._error_of(future, task) if entry is None else ""
            if entry is None and not error:
                waiting.append(task)
            else:
                yield Finished(task, entry, error)

    def _error_of(self, future: Any, task: PartTask) -> str:
        """Return what a task ended in; nothing where it is to be sent again."""
        try:
            error = future.exception(timeout=20) if future.status == "error" else None
        except (OSError, TimeoutError, self._distributed.CancelledError):
            error = None
        return self._describe(error, task) if error is not None else ""

    def _describe(self, error: BaseException, task: PartTask) -> str:
        if isinstance(error, self._distributed.KilledWorker):
            return f"{task.place()}: every worker that took this part died, perhaps for want of memory"
        return describe_error(error, task)

    def _reconnect(self, waiting: deque[PartTask], running: dict[Any, PartTask]) -> None:
        """Wait for the scheduler to come back; what it had been given is sent again, and is skipped where done."""
        waiting.extend(running.values())
        running.clear()
        self._client.close(timeout=2)
        stop = time.monotonic() + _PATIENCE
        while True:
            try:
                self._client = self._connect()
                return
            except InputError:
                if time.monotonic() > stop:
                    raise
                time.sleep(1)

    def _check_workers(self, out: str) -> None:
        """Raise where a worker has another version of Assay, or does not see the folder of the run."""
        token = os.urandom(8).hex()
        open_folder(out).write(_PROBE, token.encode())
        try:
            self._client.wait_for_workers(1, timeout=60)
        except (TimeoutError, self._distributed.TimeoutError) as error:
            raise InputError("no worker has come within 60 s; start some: dask worker tcp://scheduler:8786") from error
        for worker, answer in self._client.run(_probe, out, on_error="return").items():
            if isinstance(answer, OSError):
                continue  # it died meanwhile; a new one checks its versions with every task
            if isinstance(answer, BaseException):
                raise InputError(f"the worker {worker} cannot do the tasks: {answer}; is assay installed there?")
            versions, token_there = answer
            if difference := explain_versions(own_versions(), versions):
                raise InputError(f"the worker {worker} has {difference}")
            if token_there != token:
                raise InputError(f"the worker {worker} does not see {out}: all must see the same paths")


def _probe(out: str) -> tuple[dict[str, str], str]:
    """Say which version a worker has, and what it reads in the folder of the run."""
    return own_versions(), (open_folder(out).read(_PROBE) or b"").decode()
