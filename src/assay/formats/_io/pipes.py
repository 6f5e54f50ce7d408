"""Pipes that can be read again: their bytes go to a temporary file first."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Iterable
from pathlib import Path

from .text_file import BLOCK, StrPath, read_errors


class SpooledFile(os.PathLike[str]):
    """The bytes of a pipe in a temporary file, which goes away with this object; it prints as the pipe's own name."""

    def __init__(self, path: StrPath, content: Iterable[bytes] | None = None) -> None:
        """Keep `content`, where some of it was read from the pipe already, else all that comes out of it."""
        self._name = os.fspath(path)
        import tempfile  # slow to load, and needed for pipes only

        self._folder = tempfile.TemporaryDirectory(prefix="assay-")
        self._file = Path(self._folder.name, Path(self._name).name)  # the same name: its end tells the format
        with read_errors(path), open(self._file, "wb") as copy:
            if content is not None:
                copy.writelines(content)
            elif self._name == "-":
                shutil.copyfileobj(sys.stdin.buffer, copy, BLOCK)
            else:
                with open(self._name, "rb") as pipe:
                    shutil.copyfileobj(pipe, copy, BLOCK)

    def __fspath__(self) -> str:
        return str(self._file)

    def __str__(self) -> str:
        return self._name

    def __repr__(self) -> str:
        return f"SpooledFile({self._name!r})"


def is_pipe(path: object) -> bool:
    """Say whether what stands under this name can be read only once: "-", a FIFO, a process substitution, a device."""
    if not isinstance(path, str | os.PathLike) or isinstance(path, SpooledFile):
        return False
    if os.fspath(path) == "-":
        return True
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False  # whoever opens it will say what is wrong
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def rereadable(path: StrPath) -> StrPath:
    """Return the path, or a copy of its content where that can be read only once."""
    return SpooledFile(path) if is_pipe(path) else path
