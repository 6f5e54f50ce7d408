"""Blocks of resamples: drawn in order from the same streams, computed here or by workers elsewhere, with the same bits.

A block is a number of resamples. All random numbers come from streams that are gone through in order, so that a seed
gives the same draws wherever blocks are computed: who computes a block elsewhere is given the states of the streams at
its start. Sizes of blocks do not depend on who computes them, as the rounding of a matrix product depends on its shape.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from .checks import Array

Streams: TypeAlias = "Sequence[np.random.Generator]"  # as text, because naming numpy.random loads it


class BlockKernel(NamedTuple):
    """How a block is drawn from the streams, what is computed of its draws (rows of an array), numbers in a draw.

    `finish` is for kernels with blocks that are not yet the result; it is called where all blocks are.
    """

    draw: Callable[[Streams, int], tuple[Any, ...]]
    compute: Callable[..., Array]
    cost: int = 1
    finish: Callable[[Sequence[Array]], Any] = list


Build = Callable[..., BlockKernel]


@dataclass(frozen=True)
class BlockJob:
    """What is resampled: `build(**arrays, **options)`, a function of a module, makes the kernel; options are plain."""

    build: Build
    arrays: Mapping[str, Array]
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "arrays", {name: _settle(array) for name, array in self.arrays.items()})

    @cached_property
    def kernel(self) -> BlockKernel:
        """What draws and computes its blocks."""
        return self.build(**self.arrays, **self.options)

    @property
    def name(self) -> str:
        """The place of `build`, by which a worker finds it."""
        return f"{self.build.__module__}:{self.build.__qualname__}"


class JobBlocks(NamedTuple):
    """The blocks of a job, as plain values: states of the streams at the start of each, and its resamples."""

    job: BlockJob
    blocks: list[dict[str, Any]]


# From jobs with their blocks to what each block comes to, in order.
Spread = Callable[[Sequence[JobBlocks]], Sequence[Sequence[Array]]]
_SPREAD: ContextVar[Spread | None] = ContextVar("spread", default=None)


@contextmanager
def spread_blocks(spread: Spread) -> Iterator[None]:
    """Have `spread` compute the blocks of all resampling inside; what comes out is the same to the last bit."""
    token = _SPREAD.set(spread)
    try:
        yield
    finally:
        _SPREAD.reset(token)


def resample(job: BlockJob, streams: Streams, sizes: Iterable[int]) -> list[Array]:
    """Return what each block of resamples comes to, in order; blocks are computed here or by `spread_blocks`.

    >>> def build(values):
    ...     draw = lambda streams, count: (streams[0].integers(0, len(values), (count, len(values))),)
    ...     return BlockKernel(draw, lambda index: values[index].mean(axis=1))
    >>> job = BlockJob(build, {"values": np.arange(9.0)})
    >>> [block.shape for block in resample(job, [np.random.default_rng(0)], [3, 2])]
    [(3,), (2,)]
    """
    return next(iter(resample_jobs([(job, streams, sizes)])))[1]


def resample_jobs(jobs: Iterable[tuple[BlockJob, Streams, Iterable[int]]]) -> Iterator[tuple[BlockJob, list[Array]]]:
    """Yield each job with what `resample` returns for it; blocks of all jobs are spread together."""
    spread = _SPREAD.get()
    if spread is None:
        for job, streams, sizes in jobs:
            kernel = job.kernel
            yield job, [kernel.compute(*kernel.draw(streams, count)) for count in sizes]
        return
    rounds = [_mark_blocks(*each) for each in jobs]
    for (job, _), results in zip(rounds, spread(rounds), strict=True):
        yield job, list(results)
        vars(job).pop("kernel", None)


def _mark_blocks(job: BlockJob, streams: Streams, sizes: Iterable[int]) -> JobBlocks:
    """Note the states of the streams at the start of each block."""
    blocks: list[dict[str, Any]] = []
    for count in sizes:
        blocks.append({"states": [stream.bit_generator.state for stream in streams], "count": count})
        job.kernel.draw(streams, count)  # moves the streams on to the next block
    vars(job).pop("kernel", None)  # of thousands of pairs of metrics, each with arrays of its own
    return JobBlocks(job, blocks)


def find_kernel(name: str, arrays: Mapping[str, Array], options: Mapping[str, Any]) -> BlockKernel:
    """Return the kernel of a job by its name, where the job was sent to another process."""
    module, _, function = name.partition(":")
    kernel: BlockKernel = getattr(importlib.import_module(module), function)(**arrays, **options)
    return kernel


def compute_block(kernel: BlockKernel, block: Mapping[str, Any]) -> Array:
    """Return what a block comes to, from the states of the streams at its start."""
    streams = [_restore(state) for state in block["states"]]
    return kernel.compute(*kernel.draw(streams, block["count"]))


def _restore(state: Mapping[str, Any]) -> np.random.Generator:
    stream = np.random.default_rng(0)
    stream.bit_generator.state = dict(state)
    return stream


def _settle(array: Array) -> Array:
    """Return the array in an order that a file keeps: rounding in products may depend on how numbers lie in memory."""
    settled = array if array.flags.forc else array.copy(order="K")
    return settled if settled.flags.forc else np.ascontiguousarray(settled)
