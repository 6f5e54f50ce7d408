"""Spread the resampling of a command over an engine (--engine): the same numbers, from many processes or machines."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..errors import InputError
from ._options import add

if TYPE_CHECKING:
    from ..engines.run import Finished


def add_resampling_engine(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where resamples are computed."""
    folder = "with --engine, the folder of the resamples, which all workers see"
    add(parser, "engine", "out", engine={"detail": "resampling"}, out={"detail": folder})


@contextmanager
def spread_resamples(args: argparse.Namespace) -> Iterator[None]:
    """Have the engine that was asked for compute the resamples of all questions inside."""
    if args.engine in (None, "threads"):
        if args.out:
            raise InputError(
                "--out is the folder for resamples of --engine dask or dask://host:port; give one of these"
            )
        yield
        return
    from ..engines.blocks import BlockSpread
    from ..engines.run import open_engine
    from ..stats.blocks import spread_blocks
    from ._parts import open_out_folder
    from ._progress import Progress

    if args.engine != "dask" and not args.out:
        raise InputError("workers of other machines need a folder that all see: give --out, as shared/resamples/")

    def follow(finished: Iterable[Finished], left: int, before: int) -> Iterable[Finished]:
        with Progress(finished, quiet=args.quiet, total=left, what="resampling") as parts:
            yield from parts

    with open_out_folder(args.out) as out:
        engine = open_engine(args.engine, threads=args.threads)
        try:
            with spread_blocks(BlockSpread(engine, out, follow=follow)):
                yield
        finally:
            engine.close()
