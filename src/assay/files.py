"""Write files that appear whole or not at all, lock files, and check file names that come from other files."""

from __future__ import annotations

import errno
import io
import os
import stat
import zlib
from collections.abc import Callable, Iterator
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
BINARY = getattr(os, "O_BINARY", 0)  # without it Windows changes the ends of lines
_BUFFER = 1 << 20
_WINDOWS = os.name == "nt"  # where an open file cannot be renamed or removed, and a folder cannot be opened
# What a file system says that cannot bring a folder to disk on its own (some network and FUSE mounts).
_NO_FOLDER_SYNC = {errno.EINVAL, errno.ENOTSUP}
# What a system says that has no files without a name. A missing folder is ENOENT too, and is reported by the next call.
_NO_UNNAMED = {errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL, errno.ENOSYS}
# What a system says that cannot give such a file a name: /proc is missing, or a sandbox forbids links.
_NO_LINK = {*_NO_UNNAMED, errno.EXDEV, errno.EPERM, errno.EACCES}
# Windows locks bytes, which then no one else can read: this one is behind the end of the file, yet fits a C long.
_LOCKED_BYTE = 2**31 - 2


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file to write bytes to, gzipped if its name ends in .gz; it takes its place only if all went well.

    Until then it has no name, and the system removes it however the process ends. Where the system has no such files,
    it is a hidden file in the same folder, which is removed on any error. The content is on disk before the file takes
    its name, and the name before this returns: after a crash or power failure the old file or the new one is there,
    whole. A device or pipe (/dev/stdout) cannot be replaced and is written straight.
    """
    target = Path(os.path.realpath(path))
    with _write_errors(path):
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            with open(target, "wb") as file:
                yield file
            return
        with _Part(target) as part, io.BufferedWriter(part, _BUFFER) as file:
            if target.name.endswith(".gz"):
                import gzip  # slow to load, and seldom needed

                with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
                    yield cast(BinaryIO, packed)
            else:
                yield cast(BinaryIO, file)
            file.flush()
            part.take_place()
        _sync_folder(target.parent)


@contextmanager
def whole_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Make a folder to write files into, each by `whole_file`; it takes its place only if all went well.

    A folder that holds something is kept. What a killed process left of the same folder is removed.
    """
    target = Path(os.path.realpath(path))
    with _write_errors(path):
        if target.exists() and not target.is_dir():
            raise FormatError("is a file; give the name of a new folder", path=path)
        if target.is_dir() and any(target.iterdir()):
            raise FormatError("the folder is not empty; give the name of a new one", path=path)
        part, handle = _claim(target, _make_folder)
        spare = -1  # to clean up where no more files can be opened
        try:
            spare = os.dup(handle) if handle >= 0 else -1
            yield part
            for folder, _, _ in os.walk(part, topdown=False):
                _sync_folder(Path(folder))
            if _WINDOWS and target.is_dir():
                os.rmdir(target)  # where no folder, not even an empty one, can be replaced
            os.replace(part, target)
            _sync_folder(target.parent)
        except BaseException:  # also KeyboardInterrupt
            spare = _close(spare)
            if _is_at(part, handle):
                _remove(part)
            raise
        finally:
            _close(spare)
            _close(handle)


def lock_file(handle: int) -> bool:
    """Lock an open file until it is closed; False if another process or handle has locked it.

    A system that knows no locks says True; a file system that cannot lock raises OSError.
    """
    try:
        import fcntl
    except ImportError:
        return _lock_byte(handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
            return False
        raise
    return True


def _lock_byte(handle: int) -> bool:
    from importlib import import_module

    try:
        msvcrt = import_module("msvcrt")
    except ImportError:
        return True
    place = os.lseek(handle, 0, os.SEEK_CUR)
    os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EDEADLK):
            return False
        raise
    finally:
        os.lseek(handle, place, os.SEEK_SET)
    return True


def remove_stale(part: Path) -> bool:
    """Remove a file or folder that its process had locked and, as it is gone, left behind; say if nothing is there."""
    if not _can_lock():
        return False
    try:
        # A link is not followed and a pipe is not waited for: the name can be guessed, and the folder may be /tmp.
        handle = os.open(part, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        return error.errno == errno.ENOENT
    try:
        own = os.fstat(handle).st_uid == os.geteuid()
        if not own or not lock_file(handle) or not _is_at(part, handle):
            return False
        _remove(part)
        return not os.path.lexists(part)
    except OSError:
        return False
    finally:
        os.close(handle)


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
    """Return the SHA-256 of a file's bytes in hexadecimal, to check if two files are the same."""
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


class _Part(io.RawIOBase):
    """A new file that has no name, or a hidden one, until it takes the place of `target`."""

    def __init__(self, target: Path) -> None:
        self._handle, self._target = -1, target
        self._name: Path | None = None
        self._handle = _open_unnamed(target.parent)
        if self._handle < 0:
            self._name, self._handle = _claim(target, _make_file)

    def fileno(self) -> int:
        return self._handle

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        """Write as much as the system takes at once."""
        return os.write(self._handle, data)

    def take_place(self) -> None:
        """Bring the content to disk, then give the file its name."""
        os.fsync(self._handle)
        # Some network file systems report a failed write on closing only, and the handle is needed until the end.
        os.close(os.dup(self._handle))
        if self._name is None and self._link():
            return
        if _WINDOWS:
            self._handle = _close(self._handle)
        assert self._name is not None
        os.replace(self._name, self._target)
        self._name = None

    def _link(self) -> bool:
        """Name a file without a name; False if that is a hidden name, because a link cannot replace a file."""
        try:
            if not self._target.exists():
                with suppress(FileExistsError):  # another process was quicker
                    _link_handle(self._handle, self._target)
                    return True
            name = _hidden_name(self._target, unique=True)
            self._name = name  # before the link: whatever comes between the two, the link is removed
            _link_handle(self._handle, name)
        except OSError as error:
            if error.errno not in _NO_LINK:
                raise
            self._copy()
        return False

    def _copy(self) -> None:
        """Go on with a copy that has a hidden name."""
        source = self._handle
        self._name, self._handle = _claim(self._target, _make_file)
        try:
            os.lseek(source, 0, os.SEEK_SET)
            while block := os.read(source, _BUFFER):
                while block:
                    block = block[self.write(block) :]
        finally:
            os.close(source)
        os.fsync(self._handle)

    def close(self) -> None:
        """Let go of the file, and remove it if it has not taken its place."""
        handle, self._handle = self._handle, -1
        name, self._name = self._name, None
        super().close()
        if _WINDOWS:
            handle = _close(handle)
        if name is not None and _is_at(name, handle):
            with suppress(OSError):
                os.unlink(name)
        _close(handle)  # without its errors: what counts is on disk, or removed


def _open_unnamed(folder: Path) -> int:
    """Open a new file that has no name; -1 where there are none."""
    if not hasattr(os, "O_TMPFILE"):
        return -1
    try:
        # 0o666 and not mkstemp's 0o600, so that the finished file has the usual rights of the user's umask.
        return os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o666)
    except OSError as error:
        if error.errno in _NO_UNNAMED:
            return -1
        raise


def _link_handle(handle: int, name: Path) -> None:
    # Only with a folder's handle, which an absolute path does not need, does Python call linkat, which follows /proc.
    os.link(f"/proc/self/fd/{handle}", name, src_dir_fd=handle, follow_symlinks=True)


def _make_file(name: Path) -> int:
    return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o666)


def _make_folder(name: Path) -> int:
    os.mkdir(name)
    try:
        return -1 if _WINDOWS else os.open(name, os.O_RDONLY)
    except BaseException:
        os.rmdir(name)
        raise


def _claim(target: Path, make: Callable[[Path], int]) -> tuple[Path, int]:
    """Make a hidden file or folder next to the target, and lock it; return its path and handle.

    Its name is the same each time, so that what a killed process left is found, without a look at the whole folder:
    it is there, and its lock is free. Where the name is in use or there are no locks, another is drawn at random.
    """
    for _ in range(3 if _can_lock() else 0):
        name = _hidden_name(target)
        try:
            handle = make(name)
        except FileExistsError:
            if remove_stale(name):
                continue
            break
        try:
            if lock_file(handle) and _is_at(name, handle):
                return name, handle
        except OSError:  # a file system without locks: this must not look as if a killed process had left it
            _remove(name)
            _close(handle)
            break
        _close(handle)  # another process took it for left behind, in the moment before it was locked
    name = _hidden_name(target, unique=True)
    return name, make(name)


def _hidden_name(target: Path, *, unique: bool = False) -> Path:
    # With the host, as some network file systems have locks that other hosts do not see.
    mark = os.urandom(4) if unique else zlib.crc32(os.uname().nodename.encode()).to_bytes(4)
    return target.parent / f".{target.name[:100]}.{mark.hex()}.part"


def _can_lock() -> bool:
    """Check if files and folders can be locked: not on Windows."""
    try:
        import fcntl  # noqa: F401
    except ImportError:
        return False
    return True


def _is_at(path: Path, handle: int) -> bool:
    """Check if an open file or folder is the one at a path; True without a handle."""
    try:
        return handle < 0 or os.path.samestat(os.fstat(handle), os.lstat(path))
    except OSError:
        return False


def _close(handle: int) -> int:
    """Close a handle, if there is one, and return that there is none."""
    if handle >= 0:
        with suppress(OSError):
            os.close(handle)
    return -1


def _remove(part: Path) -> None:
    """Remove what can be removed; unlike shutil.rmtree it opens one folder at a time."""
    for folder, folders, files in os.walk(part, topdown=False):
        for name in files:
            with suppress(OSError):
                os.unlink(os.path.join(folder, name))
        for name in folders:
            path = os.path.join(folder, name)
            with suppress(OSError):
                os.unlink(path) if os.path.islink(path) else os.rmdir(path)
    with suppress(OSError):
        os.rmdir(part) if os.path.isdir(part) else os.unlink(part)


def _sync_folder(folder: Path) -> None:
    """Bring the names in a folder to disk; nothing where the file system or the rights do not allow that."""
    if not hasattr(os, "O_DIRECTORY"):  # Windows
        return
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
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
