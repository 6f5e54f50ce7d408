"""Spread blocks of resamples over an engine: their arrays lie in the folder of the run, and a task is some blocks.

What is resampled is told by the name of a function (`stats.blocks`), plain options, and the states of the random
streams at the start of each block. Every round of resampling is a run of its own, with a manifest: a command that is
started again goes on where it was.
"""

from __future__ import annotations

import importlib
import io
import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from ..arrays import read_arrays
from ..errors import FormatError
from ..files import write_whole
from .run import Follow, TaskEngine, run_tasks
from .storage import RunFolder, input_stamp, open_folder
from .task import PartTask, describe_part, own_versions

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_TASKS = 64  # of a round: more than a few workers need, and few enough that looking after them costs little
_KERNELS = "assay.stats.blocks"  # named and not imported, because engines stand below what they run


class ResampledJob(Protocol):
    """What is resampled: see `stats.blocks.BlockJob`."""

    @property
    def name(self) -> str:
        """The place of the function that makes its kernel."""

    @property
    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """What the kernel is made from."""

    @property
    def options(self) -> Mapping[str, Any]:
        """Plain values for the kernel."""


Rounds = Sequence[tuple[ResampledJob, Sequence[Mapping[str, Any]]]]


class BlockSpread:
    """Computes blocks by an engine, in the folder `out`, which all workers must see."""

    def __init__(
        self, engine: TaskEngine, out: str, *, follow: Follow | None = None, most_tasks: int = MAX_TASKS
    ) -> None:
        self._engine, self._out, self._follow, self._most = engine, out.rstrip("/"), follow, most_tasks

    def __call__(self, jobs: Rounds) -> list[list[NDArray[Any]]]:
        """Return what each block of each job comes to, in order."""
        stored: dict[tuple[int, ...], tuple[str, str]] = {}
        tasks: list[PartTask] = []
        counts: list[int] = []
        size = -(-sum(len(blocks) for _, blocks in jobs) // self._most)
        for job, blocks in jobs:
            identity = tuple(map(id, job.arrays.values()))
            if identity not in stored:
                stored[identity] = self._store(job.arrays)
            before = len(tasks)
            for start in range(0, len(blocks), size):
                settings = {"kernel": job.name, "options": job.options, "blocks": blocks[start : start + size]}
                tasks.append(PartTask("resample", *stored[identity], settings, own_versions()))
            counts.append(len(tasks) - before)
        results = iter(self._run(tasks))
        return [[block for _ in range(count) for block in next(results)] for count in counts]

    def _store(self, arrays: Mapping[str, NDArray[Any]]) -> tuple[str, str]:
        """Write the arrays under their hash, if they are not there; return the path and its stamp."""
        from hashlib import sha256

        content = pack_arrays(arrays)
        folder, name = open_folder(self._out), f"arrays-{sha256(content).hexdigest()[:32]}.npz"
        folder.make()
        if folder.size(name) != len(content):
            folder.write(name, content)
        return f"{self._out}/{name}", input_stamp(f"{self._out}/{name}")

    def _run(self, tasks: Sequence[PartTask]) -> list[list[NDArray[Any]]]:
        from hashlib import sha256

        if not tasks:
            return []
        digest = sha256("".join(task.key() for task in tasks).encode()).hexdigest()
        folder = open_folder(f"{self._out}/round-{digest[:32]}")
        entries = run_tasks(tasks, folder.url, self._engine, follow=self._follow)
        return [_read_part(folder, task, entry) for task, entry in zip(tasks, entries, strict=True)]


def compute_part(task: PartTask, path: str, folder: RunFolder, threads: int) -> dict[str, Any]:
    """Compute the blocks of a task and write what they come to; return what the entry says of them."""
    settings = task.settings
    kernel = _find_kernel(path, task.stamp, settings["kernel"], json.dumps(settings["options"]))
    compute: Callable[..., NDArray[Any]] = importlib.import_module(_KERNELS).compute_block
    content = pack_arrays({str(i): compute(kernel, block) for i, block in enumerate(settings["blocks"])})
    part = f"{task.key()}.npz"
    with folder.new_file(part) as file:
        write_whole(file, content)
        return {"rows": sum(block["count"] for block in settings["blocks"]), **describe_part(file)}


@lru_cache(maxsize=1)  # the tasks of a round have the same arrays, and a kernel may be costly to make
def _find_kernel(path: str, stamp: str, name: str, options: str) -> Any:
    module = importlib.import_module(_KERNELS)
    if not name.startswith("assay."):
        raise FormatError(f"the kernel {name!r} is none of this package", path=path)
    return module.find_kernel(name, _unpack(path, path), json.loads(options))


def pack_arrays(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return arrays as the bytes of an .npz file, the same for the same arrays."""
    import numpy as np

    packed = io.BytesIO()
    np.savez(packed, **{name: np.asarray(array) for name, array in arrays.items()})  # type: ignore[arg-type]
    return packed.getvalue()


def _read_part(folder: RunFolder, task: PartTask, entry: Mapping[str, Any]) -> list[NDArray[Any]]:
    from hashlib import sha256

    place = f"{folder.url}/{entry['part']}"
    content = folder.read(entry["part"])
    if content is None or sha256(content).hexdigest() != entry["sha256"]:
        raise FormatError("is not the part that its entry tells of; remove both and start again", path=place)
    arrays = _unpack(content, place)
    return [arrays[str(i)] for i in range(len(task.settings["blocks"]))]


def _unpack(file: str | bytes, path: str) -> dict[str, NDArray[Any]]:
    return read_arrays(file, path=path, needed=(), optional=None, finite=False)
