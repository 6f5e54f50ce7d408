"""Files that appear whole or not at all."""

from __future__ import annotations

import gzip
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, BinaryIO, cast

from ..errors import FormatError

WORDS = {
    FileNotFoundError: "the folder to write into does not exist",
    IsADirectoryError: "is a folder; give a file name",
    NotADirectoryError: "a part of the path is a file, not a folder",
    PermissionError: "permission denied: it cannot be written there",
}


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write bytes to, gzipped if its name ends in .gz; it takes its place only if all went well.

    Until then everything stands in a hidden file in the same folder, which goes away on any error.
    A device or pipe (/dev/stdout) cannot be replaced and is written straight.
    """
    target = Path(os.path.realpath(path))
    with _write_errors(path):
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            with open(target, "wb") as file:
                yield file
            return
        part = _beside(target)
        # 0o666 and not mkstemp's 0o600, so that the finished file has the usual rights of the user's umask.
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            with open(handle, "wb", buffering=1 << 20) as file:
                if target.name.endswith(".gz"):
                    with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
                        yield cast(BinaryIO, packed)
                else:
                    yield file
                _to_disk(file)
            os.replace(part, target)
        except BaseException:  # also KeyboardInterrupt
            with suppress(OSError):
                os.unlink(part)
            raise


@contextmanager
def whole_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A folder to write files into; it takes its place only if all went well. A folder that holds something is kept."""
    target = Path(os.path.realpath(path))
    with _write_errors(path):
        if target.exists() and not target.is_dir():
            raise FormatError("is a file; give the name of a new folder", path=path)
        if target.is_dir() and any(target.iterdir()):
            raise FormatError("the folder is not empty; give the name of a new one", path=path)
        part = _beside(target)
        part.mkdir()
        try:
            yield part
            os.replace(part, target)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise


def _beside(target: Path) -> Path:
    return target.parent / f".{target.name[:100]}.{secrets.token_hex(4)}.part"


def _to_disk(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def _write_errors(path: object) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        words = WORDS.get(type(error), f"cannot be written: {error.strerror or error}")
        raise FormatError(words, path=path) from error
