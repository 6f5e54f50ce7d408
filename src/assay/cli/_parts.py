"""Run a command over the parts of a large set by an engine, with the parts done, rows a second and time left."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ._screen import bar_stream

if TYPE_CHECKING:
    from ..engines.run import Finished
    from ..engines.task import PartTask

_MAX_NOTES = 2
_SHOWN_AFTER = 1  # seconds


def part_files(args: argparse.Namespace) -> list[str]:
    """List the files of the set; raises where an option does not go with parts."""
    from ..engines.storage import find_inputs

    if not args.file or args.file == "-":
        raise InputError("an engine reads files: give them, as parts/*.parquet")
    for option in ("refs", "input", "outputs", "source", "judgments", "scores"):
        if getattr(args, option, None):
            raise InputError(f"--{option} is for one set on one machine; the parts must hold all that is scored")
    if args.out and os.path.splitext(args.out.rstrip("/"))[1]:
        raise InputError(f"what is made of several files is a folder of parts: --out scores/; got {args.out!r}")
    if not args.out and (args.engine or "threads") != "threads":
        raise InputError("an engine writes a folder of parts: give --out with the name of one, as scores/")
    return find_inputs([args.file, *args.more])


def run_parts(args: argparse.Namespace, tasks: Sequence[PartTask]) -> list[dict[str, Any]]:
    """Run the tasks by the engine that was asked for, and return their entries in order."""
    from ..engines.run import open_engine, run_tasks

    with open_out_folder(args.out) as out:
        engine = open_engine(args.engine or "threads", threads=args.threads)
        try:
            entries = run_tasks(tasks, out, engine, follow=None if args.quiet else _follow)
        finally:
            engine.close()
    if not args.quiet:
        _print_warnings(entries)
    return entries


@contextmanager
def open_out_folder(out: str | None) -> Iterator[str]:
    """Give the folder of the parts; without --out one that goes away."""
    if out:
        yield out if "://" in out else os.path.abspath(out)
        return
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        yield folder


def _follow(finished: Iterable[Finished], left: int, before: int) -> Iterator[Finished]:
    """Pass on what is finished, with a bar on a terminal; a line says what an earlier run had done."""
    from tqdm import tqdm

    if before:
        print(f"assay: {before:,} of {left + before:,} parts were done before and are kept", file=sys.stderr)
    start, rows = time.monotonic(), 0
    quiet = not sys.stderr.isatty()
    bar = tqdm(total=left, unit="part", delay=_SHOWN_AFTER, leave=False, file=bar_stream(), disable=quiet)
    with bar:
        for each in finished:
            rows += 0 if each.entry is None else each.entry["rows"]
            bar.set_postfix_str(f"{rows / max(time.monotonic() - start, 1e-9):,.0f} rows/s", refresh=False)
            bar.update()
            yield each


def _print_warnings(entries: Sequence[dict[str, Any]]) -> None:
    """Print the first warnings of parts; thousands of parts may have the same to say."""
    texts = list(dict.fromkeys(text for entry in entries for text in entry["warnings"]))
    for text in texts[:_MAX_NOTES]:
        print(f"assay: note: {text}", file=sys.stderr)
    if len(texts) > _MAX_NOTES:
        more = len(texts) - _MAX_NOTES
        print(f"assay: note: {more:,} more such notes are in the entries of the parts", file=sys.stderr)
