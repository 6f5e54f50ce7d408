"""Write files that appear whole or not at all, and check file names that come from other files."""

from __future__ import annotations

import errno
import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from .errors import FormatError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

WORDS = {
    FileNotFoundError: "the folder to write into does not exist",
    IsADirectoryError: "is a folder; give a file name",
    NotADirectoryError: "a part of the path is a file, not a folder",
    PermissionError: "permission denied: it cannot be written there",
}
_BUFFER = 1 << 20
# What a file system says that cannot bring a folder to disk on its own (some network and FUSE mounts).
_NO_FOLDER_SYNC = {errno.EINVAL, errno.ENOTSUP}


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file to write bytes to, gzipped if its name ends in .gz; it takes its place only if all went well.

    Until then everything is in a hidden file in the same folder, which is removed on any error. The content is on
    disk before the file takes its name, and the name before this returns: after a crash or power failure the old file
    or the new one is there, whole. A device or pipe (/dev/stdout) cannot be replaced and is written straight.
    """
    target = Path(os.path.realpath(path))
    with _write_errors(path):
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            with open(target, "wb") as file:
                yield file
            return
        part = _beside(target)
        try:
            with _Raw(part) as raw, io.BufferedWriter(raw, _BUFFER) as file:
                if target.name.endswith(".gz"):
                    import gzip  # slow to load, and seldom needed

                    with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
                        yield cast(BinaryIO, packed)
                else:
                    yield cast(BinaryIO, file)
                file.flush()
                os.fsync(raw.fileno())
            os.replace(part, target)
            _sync_folder(target.parent)
        except BaseException:  # also KeyboardInterrupt
            with suppress(OSError):
                os.unlink(part)
            raise


@contextmanager
def whole_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Make a folder to write files into, each by `whole_file`; it takes its place only if all went well.

    A folder that holds something is kept.
    """
    target = Path(os.path.realpath(path))
    with _write_errors(path):
        if target.exists() and not target.is_dir():
            raise FormatError("is a file; give the name of a new folder", path=path)
        if target.is_dir() and any(target.iterdir()):
            raise FormatError("the folder is not empty; give the name of a new one", path=path)
        part = _beside(target)
        spare = os.open(target.parent, os.O_RDONLY | os.O_CLOEXEC)  # to clean up where no more files can be opened
        try:
            os.mkdir(part)
            yield part
            for folder, _, _ in os.walk(part, topdown=False):
                _sync_folder(Path(folder))
            os.replace(part, target)
            _sync_folder(target.parent)
        except BaseException:
            os.close(spare)
            spare = -1
            _remove(part)
            raise
        finally:
            if spare >= 0:
                os.close(spare)


def write_whole(path: str | os.PathLike[str], content: bytes | str) -> None:
    """Write a file at once, whole or not at all; text as UTF-8.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(f"{folder}/a.txt", "one")
    ...     Path(folder, "a.txt").read_text()
    'one'
    """
    with whole_file(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def sha256_of(path: str | os.PathLike[str]) -> str:
    """Return the SHA-256 of a file's bytes in hexadecimal, to tell whether two files are the same."""
    import hashlib  # slow to load, and seldom needed

    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def path_inside(folder: Path, name: object, *, path: object) -> Path:
    """Return the path of a file in a folder; its name was read from the file `path` and must not lead elsewhere.

    >>> path_inside(Path("models"), "words", path="x.json").as_posix()
    'models/words'
    >>> path_inside(Path("models"), "../words", path="x.json")
    Traceback (most recent call last):
    assay.errors.FormatError: x.json: names the file '../words'; it must be a plain name in the same folder
    """
    if not isinstance(name, str) or not name or name in (".", "..") or set(name) & set("/\\\0"):
        raise FormatError(f"names the file {name!r}; it must be a plain name in the same folder", path=path)
    return folder / name


class _Raw(io.RawIOBase):
    """A new file, closed once even if closing fails."""

    def __init__(self, path: Path) -> None:
        self._handle = -1
        # 0o666 and not mkstemp's 0o600, so that the finished file has the usual rights of the user's umask.
        self._handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)

    def fileno(self) -> int:
        return self._handle

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        """Write as much as the system takes at once."""
        return os.write(self._handle, data)

    def close(self) -> None:
        handle, self._handle = self._handle, -1
        super().close()
        if handle >= 0:
            os.close(handle)


def _beside(target: Path) -> Path:
    return target.parent / f".{target.name[:100]}.{os.urandom(4).hex()}.part"


def _remove(part: Path) -> None:
    """Remove what can be removed; unlike shutil.rmtree it opens one folder at a time."""
    for folder, folders, files in os.walk(part, topdown=False):
        for name in files:
            with suppress(OSError):
                os.unlink(os.path.join(folder, name))
        for name in folders:
            with suppress(OSError):
                os.rmdir(os.path.join(folder, name))
    with suppress(OSError):
        os.rmdir(part)


def _sync_folder(folder: Path) -> None:
    """Bring the names in a folder to disk; nothing where the file system or the rights do not allow that."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except PermissionError:  # a folder that may be written but not listed
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise
    finally:
        os.close(handle)


@contextmanager
def _write_errors(path: object) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        words = WORDS.get(type(error), f"cannot be written: {error.strerror or error}")
        raise FormatError(words, path=path) from error
