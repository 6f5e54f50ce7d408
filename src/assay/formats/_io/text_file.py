"""The lines of a text file with their numbers: plain, gzipped or standard input."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from ..._core import find_lines
from ...errors import FormatError

if TYPE_CHECKING:
    from ...data.reading import Reading

StrPath = str | os.PathLike[str]
BOM = b"\xef\xbb\xbf"
GZIP = b"\x1f\x8b"
WIDE = {  # byte order marks, the longer ones first
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
BLOCK = 1 << 20
LINE_LIMIT = 256 << 20  # bytes of one line or one row of a table: beyond is a broken file, or one made to fill memory
WHOLE_LIMIT = 1 << 30  # bytes, unpacked, of a file that is held in memory whole
PACKED_LIMIT = 64 << 20  # bytes up to which a file may be packed as tightly as it likes
MAX_PACKED = 500  # times its size that a gzip file may unpack to beyond that; a prompt on each line makes some 250
HOLLOW_LIMIT = 16 << 20  # bytes of JSON from which on lists and objects are counted
MIN_FILLED = 8  # bytes for each of them: an empty list takes 2, and thirty times that in memory
READ_ERRORS = {
    FileNotFoundError: "there is no such file",
    IsADirectoryError: "is a folder, not a file",
    NotADirectoryError: "there is no such file: a part of the path is not a folder",
    PermissionError: "permission denied: it cannot be read",
}


class ReadProgress:
    """How far a reader is: `size` is the bytes of text handed out, `fraction()` the share of the input.

    `reading` says which column was taken for what, where that had to be found out. `notes` are what a reader mended; a
    `strict` one refuses it.
    """

    __slots__ = ("_beside", "_share", "notes", "reading", "size", "strict")

    def __init__(self, *, strict: bool = False) -> None:
        self.size = 0
        self.reading: Reading | None = None
        self.notes: list[str] = []
        self.strict = strict
        self._share: Callable[[], float | None] = _no_share
        self._beside: list[ReadProgress] = []

    def note(self, words: str, *, path: object, line: int | None = None) -> None:
        """Keep what was mended in a file, or refuse it."""
        if self.strict:
            raise FormatError(f"refused by strict; without it: {words}", path=path, line=line)
        self.notes.append(f"{path}{'' if line is None else f':{line}'}: {words}")

    def companion(self) -> ReadProgress:
        """Return the progress of a file that is read along with the main one: its size counts, its share does not."""
        self._beside.append(ReadProgress(strict=self.strict))
        return self._beside[-1]

    def total(self) -> int:
        """Return the bytes of text handed out of all files."""
        return self.size if not self._beside else self.size + sum(other.size for other in self._beside)

    def follow(self, share: Callable[[], float | None]) -> None:
        """Ask `share` from now on."""
        self._share = share

    def fraction(self) -> float | None:
        """Return the share of the input that was read, between 0 and 1; None where that cannot be known."""
        share = self._share()
        return None if share is None else min(max(share, 0.0), 1.0)


@contextmanager
def read_errors(path: object) -> Iterator[None]:
    """Turn errors of the operating system into one sentence."""
    try:
        yield
    except OSError as error:
        words = READ_ERRORS.get(type(error), f"cannot be read: {error.strerror or error}")
        raise FormatError(words, path=path) from error
    except ValueError as error:
        if str(error) != "embedded null byte":  # a NUL inside the path itself
            raise
        raise FormatError("there is no such file: its name holds a NUL byte", path=repr(path)) from error


@contextmanager
def open_bytes(path: StrPath, progress: ReadProgress) -> Iterator[io.BufferedReader]:
    """Open the bytes of a file, unpacked if they are gzip, whatever the name says. "-" is standard input."""
    with read_errors(path), _raw(path) as raw:
        share: float | None = None
        try:
            _follow(raw, progress)
            file = raw
            if raw.peek(2)[:2] == GZIP:
                file = io.BufferedReader(cast(io.RawIOBase, _Unpacked(raw, path)), BLOCK)
            yield _as_utf8(file, path)
            share = 1.0
        finally:
            progress.follow(lambda: share)


class _Unpacked(gzip.GzipFile):
    """The bytes of a gzip file, as long as they are not too many for its size."""

    def __init__(self, raw: io.BufferedReader, path: StrPath) -> None:
        super().__init__(fileobj=raw, mode="rb")
        self._packed, self._path, self._size = raw, path, 0

    def read(self, size: int | None = -1) -> bytes:
        """Return the next bytes."""
        data = super().read(size)
        self._size += len(data)
        if self._size > PACKED_LIMIT and self._packed.seekable():  # a pipe does not say where it is
            refuse_bomb(self._size, self._packed.tell(), self._path)
        return data


def _as_utf8(file: io.BufferedReader, path: StrPath) -> io.BufferedReader:
    """Return the bytes of a text as UTF-8: a byte order mark says where it is UTF-16 or UTF-32."""
    try:
        start = file.peek(4)[:4]
    except (EOFError, zlib.error, gzip.BadGzipFile):
        return file  # whoever reads it says what is wrong
    encoding = next((name for mark, name in WIDE.items() if start.startswith(mark)), None)
    return file if encoding is None else io.BufferedReader(_Recoded(file, encoding, path), BLOCK)


class _Recoded(io.RawIOBase):
    """The bytes of a text in another encoding, as UTF-8."""

    def __init__(self, file: io.BufferedReader, encoding: str, path: StrPath) -> None:
        self._file, self._encoding, self._path = file, encoding, path
        self._decode = codecs.getincrementaldecoder(encoding)().decode
        self._data = b""

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer, as far as there is text."""
        block = b"start"
        while not self._data and block:
            block = self._file.read(BLOCK)
            try:
                self._data = self._decode(block, not block).encode()
            except UnicodeDecodeError as error:
                message = f"invalid {self._encoding.upper()} ({error.reason}); save the file as UTF-8"
                raise FormatError(message, path=self._path) from error
        size = min(len(buffer), len(self._data))
        buffer[:size], self._data = self._data[:size], self._data[size:]
        return size


def read_lines(path: StrPath, progress: ReadProgress) -> Iterator[tuple[int, bytes]]:
    """Yield line numbers from 1, and the lines with their ends; a byte order mark at the start is dropped.

    A line ends at a newline byte and nowhere else: form feeds and U+2028 belong to the text.
    """
    number = 0
    with open_bytes(path, progress) as file:
        try:
            for number, line in enumerate(iter(partial(file.readline, LINE_LIMIT + 1), b""), 1):
                if len(line) > LINE_LIMIT:
                    raise line_too_long(path, number)
                refuse_hollow(line, path)
                progress.size += len(line)
                yield number, line.removeprefix(BOM) if number == 1 else line
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise _bad_gzip(error, path, number + 1) from error


class LineSource:
    """The lines of a file with their numbers, one by one or many at a time; a byte order mark at the start is dropped.

    A line ends at a newline byte and nowhere else, as in `read_lines`.
    """

    def __init__(self, path: StrPath, progress: ReadProgress) -> None:
        self._path, self._progress = path, progress
        self._blocks = self._read_blocks()
        self._data, self._at = b"", 0
        self._ahead = BLOCK  # bytes to read next
        self.number = 1  # of the next line

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        return self

    def __next__(self) -> tuple[int, bytes]:
        lines, end = self._find(1, LINE_LIMIT)
        if end == self._at:
            raise StopIteration
        if end - self._at > LINE_LIMIT:
            raise line_too_long(self._path, self.number)
        return self._take(lines, end)

    def take_block(self, most: int, size: int) -> tuple[int, bytes]:
        """Return the number of the next line, and up to `most` lines; fewer where they have more than `size` bytes.

        At the end of the file there are no bytes.
        """
        lines, end = self._find(most, size)
        self._ahead = max(BLOCK, end - self._at)  # the next block will be as large
        number, text = self._take(lines, end)
        if len(text) > LINE_LIMIT:
            for place, line in enumerate(io.BytesIO(text), number):
                if len(line) > LINE_LIMIT:
                    raise line_too_long(self._path, place)
        return number, text

    def put_back(self, lines: list[tuple[int, bytes]]) -> None:
        """Give lines back that were taken last: they come again."""
        if lines:
            text = b"".join(line for _, line in lines)
            self._data, self._at, self.number = text + self._data[self._at :], 0, lines[0][0]
            self._progress.size -= len(text)

    def _take(self, lines: int, end: int) -> tuple[int, bytes]:
        number, text = self.number, self._data[self._at : end]
        self.number, self._at = number + lines, end
        self._progress.size += len(text)
        refuse_hollow(text, self._path)
        return number, text

    def _find(self, most: int, size: int) -> tuple[int, int]:
        """Return how many lines can be taken, and where they end, after reading as far as needed."""
        lines, end = 0, self._at
        while True:
            more, end = find_lines(self._data, end, most - lines, size - (end - self._at))
            lines += more
            if lines == most or end - self._at > size:
                return lines, end
            if len(self._data) - end > LINE_LIMIT:
                raise line_too_long(self._path, self.number + lines)
            self._ahead = max(self._ahead, len(self._data) - self._at)  # twice as much: long lines stay linear
            block = next(self._blocks, b"")
            if not block:
                return lines, len(self._data)
            self._data, self._at, end = self._data[self._at :] + block, 0, end - self._at

    def _read_blocks(self) -> Iterator[bytes]:
        with open_bytes(self._path, self._progress) as file:
            try:
                yield file.read(self._ahead).removeprefix(BOM)
                while block := file.read(self._ahead):
                    yield block
            except (EOFError, zlib.error, gzip.BadGzipFile) as error:
                raise _bad_gzip(error, self._path, self.number + self._data.count(b"\n", self._at)) from error


def read_texts(path: StrPath, progress: ReadProgress) -> Iterator[str]:
    """Yield the lines as texts, without their newlines (\\n or \\r\\n)."""
    for number, line in read_lines(path, progress):
        text = decode_line(line, path, number, progress)
        yield text[:-2] if text.endswith("\r\n") else text.removesuffix("\n")


def read_blocks(path: StrPath) -> Iterator[bytes]:
    """Yield the bytes of the file in large blocks."""
    with open_bytes(path, ReadProgress()) as file:
        try:
            while block := file.read(BLOCK):
                yield block
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise _bad_gzip(error, path) from error


def read_whole(path: StrPath) -> bytes:
    """Return all bytes of the file, unpacked; an error past `WHOLE_LIMIT`."""
    parts, size = [], 0
    for block in read_blocks(path):
        size += len(block)
        refuse_too_large(size, path)
        parts.append(block)
    data = b"".join(parts)
    refuse_hollow(data, path)
    return data


def refuse_too_large(size: int, path: object) -> None:
    """Raise where a file that must be held in memory whole is too large for it."""
    if size > WHOLE_LIMIT:
        limit = _mebibytes(WHOLE_LIMIT)
        message = (
            f"is larger than {limit} when unpacked, and is read whole; use JSON Lines, which are read line by line"
        )
        raise FormatError(message, path=path)


def refuse_bomb(size: int, packed: int, path: object, *, most: int = MAX_PACKED) -> None:
    """Raise where a file of `packed` bytes unpacks to more than `most` times its size."""
    if size > PACKED_LIMIT and size > most * packed:
        times = f"{size // max(packed, 1):,} times its size"
        message = f"unpacks to {_mebibytes(size)} or more, {times}; is it made to fill memory?"
        raise FormatError(message, path=path)


def refuse_hollow(data: bytes, path: object) -> None:
    """Raise for JSON that is mostly brackets, and would take thirty times its size in memory."""
    if len(data) > HOLLOW_LIMIT and MIN_FILLED * (data.count(b"[") + data.count(b"{")) > len(data):
        raise FormatError("holds millions of empty lists and objects; is it made to fill memory?", path=path)


def line_too_long(path: object, number: int, what: str = "line") -> FormatError:
    """Return the error about a line, or a row of a table, that does not end."""
    message = f"this {what} is longer than {_mebibytes(LINE_LIMIT)}; is this a text file with one item a line?"
    return FormatError(message, path=path, line=number)


def _mebibytes(size: int) -> str:
    return f"{size >> 20:,} MiB" if size >= 1 << 20 else f"{size:,} bytes"


def decode_line(line: bytes, path: object, number: int, progress: ReadProgress) -> str:
    """Decode a line, or raise an error that says which byte is wrong."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise utf8_error(line, error, path, number, progress) from error
    if "\0" in text:
        raise FormatError(
            f"a NUL byte (at byte {line.index(0)} of the line); is this a text file?", path=path, line=number
        )
    return text


def utf8_error(
    line: bytes, error: UnicodeDecodeError, path: object, number: int, progress: ReadProgress
) -> FormatError:
    """Return the error about bytes that are not UTF-8. `progress` is just behind the line."""
    return FormatError(
        f"invalid UTF-8: byte 0x{line[error.start]:02x} at byte {error.start} of the line"
        f" (byte {max(progress.size - len(line), 0) + error.start} of the text); save the file as UTF-8",
        path=path,
        line=number,
    )


def _bad_gzip(error: Exception, path: object, line: int | None = None) -> FormatError:
    message = f"the gzip data is cut off or broken ({error}); make or fetch the file again"
    return FormatError(message, path=path, line=line)


def _raw(path: StrPath) -> AbstractContextManager[io.BufferedReader]:
    if os.fspath(path) != "-":
        return cast(io.BufferedReader, open(path, "rb", buffering=BLOCK))
    raw = sys.stdin.buffer
    return nullcontext(raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, raw)))


def _follow(raw: io.BufferedReader, progress: ReadProgress) -> None:
    with suppress(OSError):  # no file behind it
        state = os.fstat(raw.fileno())
        if stat.S_ISREG(state.st_mode) and state.st_size:
            progress.follow(lambda: raw.tell() / state.st_size)


def _no_share() -> float | None:
    return None
