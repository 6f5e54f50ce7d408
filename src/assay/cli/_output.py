"""Output files: never a file that the command reads, and in CSV nothing that a spreadsheet would run."""

from __future__ import annotations

import argparse
import os
import re
import stat
import sys
from collections.abc import Iterator
from typing import Any

from ..errors import InputError

# Every option of every command that names something to read. A test holds this list to the parsers.
POSITIONAL = ("file", "more", "path", "texts")
INPUTS = (
    *POSITIONAL,
    "outputs",
    "input",
    "refs",
    "source",
    "judgments",
    "aspects",
    "scores",
    "validation",
    "test_set",
    "model",
    "config",
    "lexicon",
    "word_file",
)
OUTPUTS = ("out", "to", "figures", "people_set", "save")
# Of a folder: the files that some reader of folders opens (tables, line-aligned text, documents).
READ_IN_FOLDER = re.compile(
    r"(outputs|references|judgments|items)\.(csv|tsv|parquet)(\.gz)?|(ref[0-9]+|source|ids)\.txt(\.gz)?"
    r"|out/.*|.*\.(doc|abstract)(\.gz)?|.*/user_state\.json|.*\.eval|[^/]*\.json"
    r"|(sources|system-outputs|references|documents|human-scores|metric-scores|summaries|labels|files)/.*"
)


def csv_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return what to hand to `formats.write`: nothing, or escape_formulas=False, which only CSV takes."""
    return {} if args.escape_formulas else {"escape_formulas": False}


def refuse_overwrite(args: argparse.Namespace) -> None:
    """Raise if --out is one of the files that the command reads, whatever its spelling: the input would be lost.

    Files are the same if they are one on disk: relative names, links and hard links do not hide it. Of a folder, the
    files that are read count.
    """
    for name in OUTPUTS:
        out = getattr(args, name, None)
        target = _identity(out) if out and out != "-" else None
        for option, path in _inputs(args) if target else ():
            if target in _identities(path):
                output = f"--out {out}" if name == "out" else out
                raise InputError(f"{output} is the same file as {option} {path}, which is read: give another name")


def _inputs(args: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """The input options with their paths, as given; of NAME=FILE the file too."""
    for name in INPUTS:
        value = getattr(args, name, None)
        for path in value if isinstance(value, list) else [value]:
            if isinstance(path, str) and path:
                option = "the input" if name in POSITIONAL else f"--{name}"
                yield option, path
                if "=" in path:
                    yield option, path.partition("=")[2]


def _identities(path: str) -> Iterator[tuple[int, int] | None]:
    """What a path stands for on disk, and the files in it that are read if it is a folder."""
    yield _identity(path)
    if os.path.isdir(path):
        for folder in (path, os.path.join(path, "out")):
            for name in os.listdir(folder) if os.path.isdir(folder) else ():
                inside = os.path.join(folder, name)
                if READ_IN_FOLDER.fullmatch(os.path.relpath(inside, path)):
                    yield _identity(inside)


def _identity(path: str) -> tuple[int, int] | None:
    """Device and inode of a file or folder; None where there is none, or where it is a pipe or device."""
    try:
        state = os.fstat(sys.stdin.fileno()) if path == "-" else os.stat(path)
    except (OSError, ValueError):
        return None
    return (state.st_dev, state.st_ino) if stat.S_ISREG(state.st_mode) or stat.S_ISDIR(state.st_mode) else None
