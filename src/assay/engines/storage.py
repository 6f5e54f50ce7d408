"""Where the parts of a run are: a folder of this machine, or of an object store through fsspec."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from ..errors import FormatError, InputError
from ..extras import import_extra
from ..files import whole_file, write_whole


class RunFolder(Protocol):
    """A folder that all workers see."""

    url: str

    def read(self, name: str) -> bytes | None:
        """Return a file's content, or None if there is none."""

    def write(self, name: str, content: bytes) -> None:
        """Write a file; it appears whole or, where the store cannot do that, counts only when an entry names it."""

    def size(self, name: str) -> int | None:
        """Return how many bytes a file has, or None if there is none."""

    def new_file(self, name: str) -> Any:
        """Return a context with the path of a file of this machine to write; it is in the folder afterwards."""


class LocalFolder:
    """A folder of this machine, or one that is mounted on all."""

    def __init__(self, path: str) -> None:
        self.url = path
        self._path = Path(path)

    def make(self) -> None:
        """Make the folder if it is not there."""
        try:
            self._path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FormatError(f"the folder cannot be made: {error.strerror}", path=self._path) from error

    def read(self, name: str) -> bytes | None:
        try:
            return (self._path / name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise FormatError(f"cannot be read: {error.strerror}", path=self._path / name) from error

    def write(self, name: str, content: bytes) -> None:
        write_whole(self._path / name, content)

    def size(self, name: str) -> int | None:
        try:
            return (self._path / name).stat().st_size
        except OSError:
            return None

    def sweep(self) -> None:
        """Remove what killed workers left behind half-source; called when no one writes any more."""
        for path in self._path.glob(f"{_UNFINISHED}*"):
            shutil.rmtree(path, ignore_errors=True)
        for path in self._path.glob(".*.part"):
            with suppress(OSError):
                path.unlink()

    @contextmanager
    def new_file(self, name: str) -> Iterator[Path]:
        """Give the path of a file that takes its name when it is whole."""
        with tempfile.TemporaryDirectory(prefix=_UNFINISHED, dir=self._path) as folder:
            path = Path(folder, name)
            yield path
            with whole_file(self._path / name) as file, open(path, "rb") as source:
                shutil.copyfileobj(source, file)


_UNFINISHED = ".part-"
_BUCKETS = ("s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "oss", "r2")  # stores in which names make folders


class RemoteFolder:
    """A folder of an object store, by an fsspec address such as s3://bucket/run."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._files, self._root = _file_system(self.url)

    def make(self) -> None:
        """Make the folder where the store knows folders; a bucket is not made, as its name may be mistyped."""
        if self.url.partition("://")[0] in _BUCKETS:
            return
        with suppress(NotImplementedError):
            self._files.makedirs(self._root, exist_ok=True)

    def sweep(self) -> None:
        """Leave all as it is: what is half-source is on the workers' own disks."""

    def read(self, name: str) -> bytes | None:
        try:
            content: bytes = self._files.cat_file(f"{self._root}/{name}")
        except FileNotFoundError:
            return None
        return content

    def write(self, name: str, content: bytes) -> None:
        with _remote_errors(f"{self.url}/{name}"):
            self._files.pipe_file(f"{self._root}/{name}", content)

    def size(self, name: str) -> int | None:
        self._files.invalidate_cache()
        try:
            return int(self._files.size(f"{self._root}/{name}"))
        except FileNotFoundError:
            return None

    @contextmanager
    def new_file(self, name: str) -> Iterator[Path]:
        """Give the path of a file of this machine, and send it when it is source."""
        with tempfile.TemporaryDirectory(prefix="assay-") as folder:
            path = Path(folder, name)
            yield path
            with _remote_errors(f"{self.url}/{name}"):
                self._files.put_file(str(path), f"{self._root}/{name}")


def open_folder(url: str) -> LocalFolder | RemoteFolder:
    """Return the folder at a path or an fsspec address."""
    return RemoteFolder(url) if is_remote(url) else LocalFolder(_strip_scheme(url))


def is_remote(path: str) -> bool:
    """Check if this is an address of an object store and not a path.

    >>> is_remote("s3://bucket/part.parquet"), is_remote("file:///tmp/x"), is_remote("C:/x")
    (True, False, False)
    """
    return "://" in path and not path.startswith("file://")


def find_inputs(patterns: list[str]) -> list[str]:
    """List the files that paths and patterns (parts/*.parquet, s3://bucket/*.parquet) name, each once, in order."""
    files = [file for pattern in patterns for file in _expand(pattern)]
    repeated = next((file for file in files if files.count(file) > 1), None) if len(set(files)) < len(files) else None
    if repeated is not None:
        raise InputError(f"{repeated} is given twice")
    return files


def input_stamp(file: str) -> str:
    """Return size and time of a file, by which a changed one is told."""
    if is_remote(file):
        files, path = _file_system(file)
        try:
            info = files.info(path)
        except FileNotFoundError:
            raise FormatError("no such file", path=file) from None
        return f"{info.get('size')} {info.get('ETag') or info.get('LastModified') or info.get('created') or ''}"
    try:
        status = os.stat(file)
    except OSError as error:
        raise FormatError(f"cannot be read here: {error.strerror}", path=file) from error
    return f"{status.st_size} {status.st_mtime_ns}"


@contextmanager
def input_file(file: str, stamp: str) -> Iterator[str]:
    """Give the path of an input on this machine; one of an object store is copy first.

    A file that is not the one the run was planned with is refused.
    """
    if input_stamp(file) != stamp:
        raise FormatError("is not the file that the run was started with, or has changed since", path=file)
    if not is_remote(file):
        yield file
        return
    files, path = _file_system(file)
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        copy = os.path.join(folder, os.path.basename(path))
        with _remote_errors(file):
            files.get_file(path, copy)
        yield copy


def _expand(pattern: str) -> list[str]:
    if is_remote(pattern):
        if "*" not in pattern:
            return [pattern]
        store, path = _file_system(pattern)
        files = [store.unstrip_protocol(name) for name in store.glob(path)]
    else:
        from glob import glob

        pattern = os.path.abspath(_strip_scheme(pattern))
        files = [pattern] if os.path.exists(pattern) or "*" not in pattern else glob(pattern)
    if not files:
        raise FormatError("no file has such a name", path=pattern)
    return sorted(files)


def _file_system(url: str) -> tuple[Any, str]:
    fsspec = import_extra("fsspec.core", "dask", "an object store")
    try:
        files, path = fsspec.url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise InputError(f"{url}: {str(error).splitlines()[0]}") from error
    return files, path


def _strip_scheme(path: str) -> str:
    return path.removeprefix("file://")


@contextmanager
def _remote_errors(url: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FormatError(f"the object store says: {str(error).splitlines()[0]}", path=url) from error
